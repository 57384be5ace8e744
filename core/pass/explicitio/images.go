// SPDX-License-Identifier: MIT

package explicitio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// lowerImage replaces the image deref of an intrinsic, if it has one, with the image's entry in the binding table, and
// reports whether it did.
func (c context) lowerImage(v ir.Value) bool {
	s := c.S
	if s.TargetForm(v) != kind.FormDeref || s.At(v).Intrinsic().Slot(intrinsic.IxForm) < 0 {
		return false
	}
	last := int(s.At(v).NSrc) - 1
	c.B.Before(v)
	a, ok := c.address(s.Src(v, last).Val)
	if !ok {
		return false
	}
	if a.mode != kind.ModeImage || a.block.Val == 0 {
		c.FailAt(s.At(v).Loc, "%s of an image in %s memory is not supported yet", s.At(v).Intrinsic(), a.mode)
		return false
	}
	s.SetSrc(v, last, a.block)
	s.SetIndex(v, intrinsic.IxForm, uint32(kind.FormIndex))
	if s.At(v).Intrinsic() == intrinsic.ImageLoad && kind.Format(s.Index(v, intrinsic.IxFormat)) == kind.FormatUnknown && a.v != 0 {
		c.binding(a.v).Unformatted = true
	}
	if s.At(v).Intrinsic().Slot(intrinsic.IxAccess) >= 0 {
		s.SetIndex(v, intrinsic.IxAccess, s.Index(v, intrinsic.IxAccess)|uint32(c.varAccess(a)))
	}
	return true
}
