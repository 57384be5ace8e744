package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerDivergentBuffers inserts a loop, as [LowerNonUniform] does, around every
// access by offset whose buffer, or image, is divergent within a subgroup. Nothing in a shader
// marks these: a variable pointer may point to another buffer in each invocation.
//
// Queries of the size of an unknown buffer become a choice among the sizes of all
// buffers.
func LowerDivergentBuffers(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	work := c.Values[:0]
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			k := c.surface(v)
			if k < 0 {
				continue
			}
			if _, ok := s.ConstSrc(v, k); ok {
				continue
			}
			if s.At(v).Intrinsic() == intrinsic.GetSSBOSize {
				c.chooseSize(v)
				changed = true
				continue
			}
			work = append(work, v)
		}
	}
	c.Values = work
	if len(work) == 0 {
		return changed
	}
	// Query all accesses before the first loop is inserted, since divergence is
	// valid only for the control flow that it was computed for.
	c.CFG.Build(s, c.F)
	c.Div.Build(s, c.F, &c.CFG)
	n := 0
	for _, v := range work {
		if c.Div.Read(s.SrcVal(v, c.surface(v)), s.At(v).Block()) {
			work[n] = v
			n++
		}
	}
	for _, v := range work[:n] {
		k := c.surface(v)
		index := [1]ir.Src{s.Operand(v, k)}
		c.oneByOne(v, index[:])
		s.SetSrc(v, k, index[0])
	}
	return changed || n > 0
}

// surface returns the operand that selects a binding-table entry, -1 if an
// instruction has none.
func (c context) surface(v ir.Value) int {
	in := c.S.At(v)
	if id := in.Intrinsic(); id.Info().Target == intrinsic.TargetImage && c.S.TargetForm(v) == kind.FormIndex {
		return int(in.NSrc) - 1
	}
	return in.Intrinsic().Source(intrinsic.RoleSurface)
}

// chooseSize replaces a query of the size of some storage buffer by a choice among
// the sizes of all.
func (c context) chooseSize(v ir.Value) {
	s, b := c.S, c.B
	b.Before(v)
	b.Float = 0
	block, acc := s.Operand(v, c.surface(v)), kind.Access(s.Index(v, intrinsic.IxAccess))
	size := ir.Src{}
	for _, t := range s.Info.Bindings {
		if t.Mode != kind.ModeSSBO {
			continue
		}
		for i := range t.Count {
			k := b.Imm(t.Index + i)
			x := b.GetSSBOSize(32, k, acc)
			if size.Val == 0 {
				size = x
			} else {
				size = b.BCsel(b.IEq(block, k), x, size)
			}
		}
	}
	if size.Val == 0 { // in a text-form shader without bindings
		size = b.Imm(0)
	}
	s.ReplaceUses(v, size)
	s.Remove(v)
}
