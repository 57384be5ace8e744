// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// rect turns an operation on an image of shape Rect, with coordinates in texels, into an operation on a 2D image.
func (c context) rect(v ir.Value) {
	b := c.B
	t := c.texOf(v)
	t.dim = kind.Dim2D
	switch t.op {
	case kind.TexTex, kind.TexTxb, kind.TexTxl, kind.TexTxd, kind.TexTg4, kind.TexLOD:
		size := c.sizeOf(t)
		scale := [2]ir.Src{b.FRcp(b.U2F32(size.Comp(0))), b.FRcp(b.U2F32(size.Comp(1)))}
		for _, k := range [...]kind.TexSrc{kind.TexSrcCoord, kind.TexSrcDdx, kind.TexSrcDdy} {
			if x := t.get(k); x.Val != 0 {
				t.set(k, b.Vec2(b.FMul(x.Comp(0), scale[0]), b.FMul(x.Comp(1), scale[1])))
			}
		}
	}
	x := c.insert(t)
	c.S.ReplaceUses(v, x)
	c.S.Remove(v)
	c.texture(x.Val)
}
