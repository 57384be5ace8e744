// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/reduction"
)

// SimplifySubgroups replaces subgroup operations on values that are uniform for the invocations that execute them:
// moving such a value between lanes, voting on it, and reducing it by an idempotent operation yield the value; sums
// multiply it by the number of invocations. A reduction in clusters of one invocation always yields its operand.
//
// Reading the value of an inactive lane is undefined (SPIR-V specification, Non-Uniform Instructions), so the uniform
// value is a valid result there.
func SimplifySubgroups(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	work := c.Values[:0]
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic().Is(intrinsic.TraitOfLanes) {
				work = append(work, v)
			}
		}
	}
	c.Values = work
	if len(work) == 0 {
		return false
	}
	// Collect all operands before the first change, since divergence is valid only for the values that it was computed
	// for.
	c.CFG.Build(s, c.F)
	c.Div.Build(s, c.F, &c.CFG)
	n := 0
	for _, v := range work {
		if single(s, v) || !c.Div.Read(s.Src(v, 0).Val, s.At(v).Block()) {
			work[n] = v
			n++
		}
	}
	changed := false
	for _, v := range work[:n] {
		c.B.Before(v)
		if r, ok := c.ofUniform(v); ok {
			s.ReplaceUses(v, r)
			s.Remove(v)
			changed = true
		}
	}
	return changed
}

// single reports whether v is a reduction in clusters of one invocation.
func single(s *ir.Shader, v ir.Value) bool {
	return s.At(v).Intrinsic() == intrinsic.Reduce && s.Index(v, intrinsic.IxClusterSize) == 1
}

// ofUniform returns the result of an operation on a uniform value. In clusters of one invocation, the value need not be
// uniform.
func (c context) ofUniform(v ir.Value) (ir.Src, bool) {
	s, b := c.S, c.B
	id := s.At(v).Intrinsic()
	x := s.Src(v, 0)
	if single(s, v) {
		return x, true
	}
	switch id {
	case intrinsic.VoteIeq:
		return b.True(), true
	case intrinsic.VoteFeq: // NaN differs from itself
		same := b.FEq(x.Comp(0), x.Comp(0))
		for i := 1; i < int(x.N); i++ {
			same = b.IAnd(same, b.FEq(x.Comp(i), x.Comp(i)))
		}
		return same, true
	}
	if id.Is(intrinsic.TraitScan) {
		return c.reduceUniform(v, x)
	}
	return x, true
}

// reduceUniform returns the result of a reduction or scan of a uniform value.
func (c context) reduceUniform(v ir.Value, x ir.Src) (ir.Src, bool) {
	s, b := c.S, c.B
	in := s.At(v)
	id := in.Intrinsic()
	switch r := reduction.Of(kind.ReductionOp(s.Index(v, intrinsic.IxReductionOp))); r.Equal {
	case reduction.Same:
		return x, id != intrinsic.ExclusiveScan
	case reduction.Once:
		if id == intrinsic.ExclusiveScan {
			return ir.Src{}, false
		}
		return b.ALU(r.Op, x, x), true
	case reduction.Times:
		if in.Bits != 32 || id == intrinsic.Reduce && s.Index(v, intrinsic.IxClusterSize) != 0 {
			return ir.Src{}, false
		}
	default:
		return ir.Src{}, false
	}
	n := b.Ballot(1, 32, b.True())
	switch id {
	case intrinsic.InclusiveScan:
		n = b.IAnd(n, b.LoadSubgroupLeMask(1, 32))
	case intrinsic.ExclusiveScan:
		n = b.IAnd(n, b.LoadSubgroupLtMask(1, 32))
	}
	n = b.BitCount(n)
	var parts [16]ir.Src
	for i := range int(in.Comps) {
		parts[i] = b.ALU(op.IMul, x.Comp(i), n)
	}
	return pass.Vec(b, parts[:in.Comps]), true
}
