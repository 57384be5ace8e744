// SPDX-License-Identifier: MIT

package isa

import (
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
)

// TestPeersCodeIsLegal: the code of Intel's own compiler breaks no restriction, so the restrictions are not stricter
// than the machine.
func TestPeersCodeIsLegal(t *testing.T) {
	forKernels(t, func(t *testing.T, p isa.Platform, code []byte) {
		for _, v := range legal.Check(p, code) {
			in, err := isa.Decode(p, code[v.Offset:])
			t.Errorf("%v\n%s (%v)", v, isatext.Append(nil, p, &in, v.Offset), err)
		}
	})
}
