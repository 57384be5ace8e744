// SPDX-License-Identifier: MIT

package memory

import (
	"slices"

	"jacquard.example/generated/fold"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerDivergentBuffers inserts a loop, like [LowerNonUniform], around every access by offset whose buffer, image or
// sampler (an index or a handle) is divergent within a subgroup. The shader does not mark these accesses: a variable
// pointer may point to a different buffer in each invocation.
//
// A query of the size or the descriptor of an unknown buffer becomes a select among the results for all buffers.
func LowerDivergentBuffers(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	work := c.Values[:0]
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if !pass.MayTouch(s.At(v)) || len(c.unknownEntries(v)) == 0 {
				continue
			}
			switch s.At(v).Intrinsic() {
			case intrinsic.GetSSBOSize:
				acc := kind.Access(s.Index(v, intrinsic.IxAccess))
				c.choose(v, kind.ModeSSBO, func(k ir.Src) ir.Src { return c.B.GetSSBOSize(32, k, acc) })
				changed = true
				continue
			case intrinsic.LoadBufferDescriptor:
				c.choose(v, pass.Buffers, c.B.LoadBufferDescriptor)
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
	// Collect all accesses before the first loop is inserted, since divergence is valid only for the control flow that
	// it was computed for.
	c.CFG.Build(s, c.F)
	c.Div.Build(s, c.F, &c.CFG)
	n := 0
	for _, v := range work {
		differs := func(k int) bool { return c.Div.Read(s.Src(v, k).Val, s.At(v).Block()) }
		if slices.ContainsFunc(c.unknownEntries(v), differs) {
			work[n] = v
			n++
		}
	}
	for _, v := range work[:n] {
		var index []ir.Src
		entries := c.unknownEntries(v)
		for _, k := range entries {
			index = append(index, s.Src(v, k))
		}
		c.oneByOne(v, index)
		for i, k := range entries {
			s.SetSrc(v, k, index[i])
		}
	}
	return changed || n > 0
}

// unknownEntries returns the operands of an access that select a binding-table entry or a sampler, by index or by
// handle, and are not constant.
func (c context) unknownEntries(v ir.Value) (out []int) {
	add := func(k int) {
		if _, ok := c.S.ConstOf(c.S.Src(v, k)); k >= 0 && !ok {
			out = append(out, k)
		}
	}
	if c.S.At(v).Kind != kind.Tex {
		if k := c.surface(v); k >= 0 {
			add(k)
		}
		return out
	}
	for _, k := range [...]kind.TexSrc{kind.TexSrcTextureIndex, kind.TexSrcSamplerIndex, kind.TexSrcTextureHandle, kind.TexSrcSamplerHandle} {
		if i := c.S.Tex(v).Source(k); i >= 0 {
			add(i)
		}
	}
	return out
}

// surface returns the operand that selects a binding-table entry or is the handle of an image, or -1 if an instruction
// has none.
func (c context) surface(v ir.Value) int {
	in := c.S.At(v)
	if id := in.Intrinsic(); id.Info().Target == intrinsic.TargetImage && c.S.TargetForm(v) != kind.FormDeref {
		return int(in.NSrc) - 1
	}
	return in.Intrinsic().Source(intrinsic.RoleSurface)
}

// choose replaces a query of an unknown buffer with a select among the results of the query for all buffers of the given
// modes.
func (c context) choose(v ir.Value, modes kind.Mode, query func(entry ir.Src) ir.Src) {
	s, b := c.S, c.B
	b.Before(v)
	block := s.Src(v, c.surface(v))
	var result [fold.MaxComps]ir.Src
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
