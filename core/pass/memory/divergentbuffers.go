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
// Queries of the size or the descriptor of an unknown buffer become a choice among those of
// all buffers.
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
			switch s.At(v).Intrinsic() {
			case intrinsic.GetSSBOSize:
				acc := kind.Access(s.Index(v, intrinsic.IxAccess))
				c.choose(v, kind.ModeSSBO, func(k ir.Src) ir.Src { return c.B.GetSSBOSize(32, k, acc) })
				changed = true
				continue
			case intrinsic.LoadBufferDescriptor:
				c.choose(v, buffers, c.B.LoadBufferDescriptor)
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

// choose replaces a query of some buffer by a choice among the results of the query for all
// buffers of the given modes.
func (c context) choose(v ir.Value, modes kind.Mode, query func(entry ir.Src) ir.Src) {
	s, b := c.S, c.B
	b.Before(v)
	b.Float = 0
	block := s.Operand(v, c.surface(v))
	var result [maxComps]ir.Src
	n := int(s.At(v).Comps)
	for _, t := range s.Info.Bindings {
		if t.Mode&modes == 0 {
			continue
		}
		for i := range t.Count {
			k := b.Imm(t.Index + i)
			x := query(k)
			if result[0].Val == 0 {
				for j := range n {
					result[j] = x.Comp(j)
				}
				continue
			}
			is := b.IEq(block, k)
			for j := range n {
				result[j] = b.BCsel(is, x.Comp(j), result[j])
			}
		}
	}
	if result[0].Val == 0 { // in a text-form shader without bindings
		for j := range n {
			result[j] = b.Imm(0)
		}
	}
	s.ReplaceUses(v, pass.Vec(b, result[:n]))
	s.Remove(v)
}
