// SPDX-License-Identifier: MIT

package irtab

import (
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// flags rejects flags that have no effect on an intrinsic, or contradict each other.
func flags(r *table.Row[IntrinsicDef], errs *diag.List) {
	has := func(flag string) bool { return slices.Contains(r.Val.Flags, flag) }
	switch {
	case has("can_eliminate") && r.Val.Dest == nil:
		errs.Addf(r.At("flags"), r.Full, "can_eliminate removes it when its result is unused, but it has none")
	case has("can_reorder") && !has("can_eliminate"):
		errs.Addf(r.At("flags"), r.Full,
			"can_reorder without can_eliminate: an instruction that can be moved and merged can also be removed")
	case has("can_reorder") && has("convergent"):
		errs.Addf(r.At("flags"), r.Full, "can_reorder contradicts convergent")
	}
}
