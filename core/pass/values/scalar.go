// SPDX-License-Identifier: MIT

package values

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// horizontal describes how a reduction over whole vectors is composed of scalar operations: per is applied to each
// component (if set), and join to the results.
var horizontal = func() (t [op.Count]struct {
	per, join op.Op
	ok        bool
}) {
	type row = struct {
		per, join op.Op
		ok        bool
	}
	const none = op.Mov
	for _, o := range []op.Op{op.FDot2, op.FDot3, op.FDot4, op.FDot8, op.FDot16} {
		t[o] = row{op.FMul, op.FAdd, true}
	}
	for _, o := range []op.Op{op.BAll2, op.BAll3, op.BAll4, op.BAll8, op.BAll16} {
		t[o] = row{none, op.IAnd, true}
	}
	for _, o := range []op.Op{op.BAny2, op.BAny3, op.BAny4, op.BAny8, op.BAny16} {
		t[o] = row{none, op.IOr, true}
	}
	for _, o := range []op.Op{op.BAllIEqual2, op.BAllIEqual3, op.BAllIEqual4, op.BAllIEqual8, op.BAllIEqual16} {
		t[o] = row{op.IEq, op.IAnd, true}
	}
	for _, o := range []op.Op{op.BAnyINequal2, op.BAnyINequal3, op.BAnyINequal4, op.BAnyINequal8, op.BAnyINequal16} {
		t[o] = row{op.INe, op.IOr, true}
	}
	for _, o := range []op.Op{op.BAllFEqual2, op.BAllFEqual3, op.BAllFEqual4, op.BAllFEqual8, op.BAllFEqual16} {
		t[o] = row{op.FEq, op.IAnd, true}
	}
	for _, o := range []op.Op{op.BAnyFNequal2, op.BAnyFNequal3, op.BAnyFNequal4, op.BAnyFNequal8, op.BAnyFNequal16} {
		t[o] = row{op.FNeu, op.IOr, true}
	}
	return t
}()

// ALUToScalar splits arithmetic on vectors into arithmetic on their components.
// Vectors are reassembled for uses that read them whole.
func ALUToScalar(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			next = in.Next()
			switch in.Kind {
			case kind.ALU:
				if in.Comps != 1 || in.ALUOp().Info().Src[0].Comps != 0 {
					changed = c.scalarALU(v) || changed
				}
			case kind.LoadConst:
				if in.Comps > 1 {
					changed = c.scalarConst(v) || changed
				}
			case kind.Undef:
				if in.Comps > 1 {
					c.B.Before(v)
					u := c.B.Undef(1, in.Bits)
					var parts [16]ir.Src
					for i := range int(in.Comps) {
						parts[i] = u
					}
					s.ReplaceUses(v, pass.Vec(c.B, parts[:in.Comps]))
					s.Remove(v)
					changed = true
				}
			}
		}
	}
	return changed
}

// scalarConst gives uses of a single component of a vector constant a scalar constant. Other uses keep the vector: the
// constant folder would compose it again from its components.
func (c context) scalarConst(v ir.Value) bool {
	s := c.S
	var parts [16]ir.Src
	changed := false
	for u := range s.Uses(v) {
		r := s.UseSrc(u)
		if r.N != 1 {
			continue
		}
		i := r.Swz.Comp(0)
		if parts[i].Val == 0 {
			c.B.Before(v)
			parts[i] = c.B.Const(s.At(v).Bits, s.Const(v, int(i)))
		}
		s.SetUse(u, parts[i])
		changed = true
	}
	return changed
}

func (c context) scalarALU(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	o := in.ALUOp()
	info := o.Info()
	c.B.Before(v)
	c.B.Float = in.Float
	if h := horizontal[o]; h.ok {
		r := c.reduce(v, h.per, h.join)
		s.ReplaceUses(v, r)
		s.Remove(v)
		return true
	}
	if split := packings[o]; split != nil {
		s.ReplaceUses(v, split(c, s.Src(v, 0)))
		s.Remove(v)
		return true
	}
	if in.Comps == 1 || info.Out.Comps != 0 {
		return false
	}
	var parts [16]ir.Src
	for i := range int(in.Comps) {
		var src [op.MaxSrc]ir.Src
		for k := range int(in.NSrc) {
			src[k] = s.Src(v, k).Comp(i)
		}
		parts[i] = c.B.ALU(o, src[:in.NSrc]...)
	}
	s.ReplaceUses(v, pass.Vec(c.B, parts[:in.Comps]))
	s.Remove(v)
	return true
}

func (c context) reduce(v ir.Value, per, join op.Op) ir.Src {
	s := c.S
	n := int(s.Src(v, 0).N)
	var sum ir.Src
	for i := range n {
		x := s.Src(v, 0).Comp(i)
		if per != op.Mov {
			x = c.B.ALU(per, x, s.Src(v, 1).Comp(i))
		}
		if i == 0 {
			sum = x
		} else {
			sum = c.B.ALU(join, sum, x)
		}
	}
	return sum
}

// packings has functions that split conversions between a scalar and a vector of its parts.
var packings = func() (t [op.Count]func(c context, a ir.Src) ir.Src) {
	for _, x := range []struct{ whole, split op.Op }{
		{op.Pack64_2x32, op.Pack64_2x32Split},
		{op.Pack32_2x16, op.Pack32_2x16Split},
		{op.PackHalf2x16, op.PackHalf2x16Split},
	} {
		t[x.whole] = func(c context, a ir.Src) ir.Src { return c.B.ALU(x.split, a.Comp(0), a.Comp(1)) }
	}
	for _, x := range []struct{ whole, low, high op.Op }{
		{op.Unpack64_2x32, op.Unpack64_2x32SplitX, op.Unpack64_2x32SplitY},
		{op.Unpack32_2x16, op.Unpack32_2x16SplitX, op.Unpack32_2x16SplitY},
		{op.UnpackHalf2x16, op.UnpackHalf2x16SplitX, op.UnpackHalf2x16SplitY},
	} {
		t[x.whole] = func(c context, a ir.Src) ir.Src { return c.B.Vec2(c.B.ALU(x.low, a), c.B.ALU(x.high, a)) }
	}
	for _, x := range []struct {
		pack, unpack op.Op
		n            int
		signed       bool
	}{
		{op.PackUnorm4x8, op.UnpackUnorm4x8, 4, false},
		{op.PackSnorm4x8, op.UnpackSnorm4x8, 4, true},
		{op.PackUnorm2x16, op.UnpackUnorm2x16, 2, false},
		{op.PackSnorm2x16, op.UnpackSnorm2x16, 2, true},
	} {
		t[x.pack] = func(c context, a ir.Src) ir.Src { return c.packNorm(a, x.n, x.signed) }
		t[x.unpack] = func(c context, a ir.Src) ir.Src { return c.unpackNorm(a, x.n, x.signed) }
	}
	t[op.Pack32_4x8] = func(c context, a ir.Src) ir.Src {
		return c.B.Pack32_4x8Split(a.Comp(0), a.Comp(1), a.Comp(2), a.Comp(3))
	}
	t[op.Unpack32_4x8] = func(c context, a ir.Src) ir.Src {
		var p [4]ir.Src
		for i := range p {
			p[i] = c.B.U2U8(c.B.ExtractU8(a, c.B.Imm(uint32(i))))
		}
		return pass.Vec(c.B, p[:])
	}
	return t
}()

// packNorm converts n floats to fixed point with 32/n bits each (GLSL.std.450
// PackUnorm…, PackSnorm…: round(clamp(c) * max)).
func (c context) packNorm(a ir.Src, n int, signed bool) ir.Src {
	b := c.B
	width := 32 / n
	limit := float32(uint32(1)<<width - 1)
	if signed {
		limit = float32(uint32(1)<<(width-1) - 1)
	}
	var out ir.Src
	for i := range n {
		x := a.Comp(i)
		if signed {
			x = b.FMin(b.FMax(x, pass.ImmF(b, -1)), pass.ImmF(b, 1))
		} else {
			x = b.FSat(x)
		}
		x = b.FRoundEven(b.FMul(x, pass.ImmF(b, limit)))
		if signed {
			x = b.IAnd(b.F2I32(x), b.Imm(uint32(1)<<width-1))
		} else {
			x = b.F2U32(x)
		}
		if i == 0 {
			out = x
		} else {
			out = b.IOr(out, b.IShl(x, b.Imm(uint32(i*width))))
		}
	}
	return out
}

// unpackNorm implements the inverse of packNorm (UnpackUnorm…: c / max; UnpackSnorm…: the same, clamped to -1 … 1).
func (c context) unpackNorm(a ir.Src, n int, signed bool) ir.Src {
	b := c.B
	width := 32 / n
	var p [4]ir.Src
	for i := range n {
		at := b.Imm(uint32(i))
		switch {
		case signed && n == 4:
			p[i] = b.I2F32(b.ExtractI8(a, at))
		case signed:
			p[i] = b.I2F32(b.ExtractI16(a, at))
		case n == 4:
			p[i] = b.U2F32(b.ExtractU8(a, at))
		default:
			p[i] = b.U2F32(b.ExtractU16(a, at))
		}
		if signed {
			p[i] = b.FDiv(p[i], pass.ImmF(b, float32(uint32(1)<<(width-1)-1)))
			p[i] = b.FMin(b.FMax(p[i], pass.ImmF(b, -1)), pass.ImmF(b, 1))
		} else {
			p[i] = b.FDiv(p[i], pass.ImmF(b, float32(uint32(1)<<width-1)))
		}
	}
	return pass.Vec(b, p[:n])
}
