// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// maxSpread limits the number of uses that are looked at.
const maxSpread = 16

// spread reports whether all uses of a texture operation copy its result to all lanes: to outputs, or to registers that
// differ between the lanes. Such an operation is not worth doing in one lane, since its response would have to be copied
// component by component, and since it would have to be guarded in control flow. Explicit derivatives are left out: a
// message with them has at most as many lanes as a register has doublewords.
func (c *Context) spread(v ir.Value) bool {
	if in := c.S.At(v); in.Kind != kind.Tex || kind.TexOp(in.Op) == kind.TexTxd {
		return false
	}
	budget := maxSpread
	return c.copiedToAll(v, &budget)
}

// copiedToAll reports whether a value has uses, and all of them copy it to all lanes.
func (c *Context) copiedToAll(v ir.Value, budget *int) bool {
	s := c.S
	any := false
	for u := range s.Uses(v) {
		if *budget--; u.If != 0 || *budget < 0 {
			return false
		}
		any = true
		switch in := s.At(u.User); {
		case in.IsALU(op.Mov), in.IsALU(op.Vec2), in.IsALU(op.Vec3), in.IsALU(op.Vec4):
			if !c.copiedToAll(u.User, budget) {
				return false
			}
		case in.Kind == kind.Intrinsic && in.Intrinsic() == intrinsic.StoreOutput:
		case in.Kind == kind.Intrinsic && in.Intrinsic() == intrinsic.StoreReg:
			if !c.Divergence.Reg(s.Index(u.User, intrinsic.IxReg)) {
				return false
			}
		default:
			return false
		}
	}
	return any
}
