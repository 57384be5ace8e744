package pass

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// LowerSubgroups makes the operations across a subgroup out of three: the
// ballot of a condition, the lane of the first invocation, and reading one
// lane's value. What combines the values of many lanes becomes a loop over the
// active ones. Subgroups have at most 32 invocations.
func LowerSubgroups(c *Context) bool { return c.rewrite(c.subgroupOp) }

func (c *Context) subgroupOp(v ir.Value) (ir.Src, bool) {
	s, b := c.S, c.B
	in := s.At(v)
	if in.Kind != kind.Intrinsic {
		return ir.Src{}, false
	}
	b.Before(v)
	b.Float = 0
	arg := func(i int) ir.Src { return s.Operand(v, i) }
	lane := func() ir.Src { return b.LoadSubgroupInvocation(32) }
	bit := func() ir.Src { return b.IShl(b.Imm(1), lane()) }
	below := func() ir.Src { return b.ISub(bit(), b.Imm(1)) }
	size := func() ir.Src { return b.LoadSubgroupSize(32) }
	all := func() ir.Src { return b.UShr(b.Imm(^uint32(0)), b.ISub(b.Imm(32), size())) }
	mask := func(x ir.Src) (ir.Src, bool) {
		if in.Comps == 1 {
			return x, true
		}
		z := b.Imm(0)
		return Vec(b, []ir.Src{x, z, z, z}[:in.Comps]), true
	}
	switch in.Intrinsic() {
	case intrinsic.Ballot:
		if in.Comps > 1 {
			return mask(b.Ballot(1, 32, arg(0)))
		}
	case intrinsic.LoadSubgroupEqMask:
		return mask(bit())
	case intrinsic.LoadSubgroupLtMask:
		return mask(below())
	case intrinsic.LoadSubgroupLeMask:
		return mask(b.IOr(below(), bit()))
	case intrinsic.LoadSubgroupGeMask:
		return mask(b.IAnd(b.INot(below()), all()))
	case intrinsic.LoadSubgroupGtMask:
		return mask(b.IAnd(b.INot(b.IOr(below(), bit())), all()))
	case intrinsic.InverseBallot:
		return b.INe(b.IAnd(arg(0).X(), bit()), b.Imm(0)), true
	case intrinsic.BallotBitfieldExtract:
		return b.INe(b.IAnd(b.UShr(arg(0).X(), arg(1)), b.Imm(1)), b.Imm(0)), true
	case intrinsic.BallotBitCountReduce:
		return b.BitCount(b.IAnd(arg(0).X(), all())), true
	case intrinsic.BallotBitCountInclusive:
		return b.BitCount(b.IAnd(arg(0).X(), b.IOr(below(), bit()))), true
	case intrinsic.BallotBitCountExclusive:
		return b.BitCount(b.IAnd(arg(0).X(), below())), true
	case intrinsic.BallotFindLSB:
		return b.FindLsb(b.IAnd(arg(0).X(), all())), true
	case intrinsic.BallotFindMSB:
		return b.UFindMsb(b.IAnd(arg(0).X(), all())), true
	case intrinsic.VoteIeq, intrinsic.VoteFeq:
		return c.voteEqual(v), true
	case intrinsic.Shuffle:
		return c.shuffle(v, arg(1)), true
	case intrinsic.ShuffleXor:
		return c.shuffle(v, b.IXor(lane(), arg(1))), true
	case intrinsic.ShuffleUp:
		return c.shuffle(v, b.ISub(lane(), arg(1))), true
	case intrinsic.ShuffleDown:
		return c.shuffle(v, b.IAdd(lane(), arg(1))), true
	case intrinsic.Rotate:
		n := size()
		if k := s.Index(v, intrinsic.IxClusterSize); k != 0 {
			n = b.Imm(k)
		}
		m := b.ISub(n, b.Imm(1))
		l := lane()
		return c.shuffle(v, b.IOr(b.IAnd(l, b.INot(m)), b.IAnd(b.IAdd(l, arg(1)), m))), true
	case intrinsic.QuadBroadcast:
		return c.shuffle(v, b.IAdd(b.IAnd(lane(), b.Imm(^uint32(3))), arg(1))), true
	case intrinsic.QuadSwap:
		return c.shuffle(v, b.IXor(lane(), b.Imm(s.Index(v, intrinsic.IxSwapDir)+1))), true
	case intrinsic.ReadInvocation, intrinsic.ReadFirstInvocation:
		if in.Comps > 1 || in.Bits != 32 {
			return c.readWide(v), true
		}
	case intrinsic.Reduce, intrinsic.InclusiveScan, intrinsic.ExclusiveScan:
		return c.reduction(v), true
	}
	return ir.Src{}, false
}

func (c *Context) voteEqual(v ir.Value) ir.Src {
	s, b := c.S, c.B
	x := s.Operand(v, 0)
	var same ir.Src
	for i := range int(x.N) {
		comp := c.widen(x.Comp(i))
		first := c.narrow(b.ReadFirstInvocation(32, comp), s.At(x.Val).Bits)
		o := op.IEq
		if s.At(v).Intrinsic() == intrinsic.VoteFeq {
			o = op.FEq
		}
		eq := b.ALU(o, x.Comp(i), first)
		if i == 0 {
			same = eq
		} else {
			same = b.IAnd(same, eq)
		}
	}
	return b.VoteAll(same)
}

// widen brings a scalar to 32 bits, in which lanes are read; narrow undoes it.
func (c *Context) widen(x ir.Src) ir.Src {
	switch bits := c.S.At(x.Val).Bits; bits {
	case 1:
		return c.B.B2I32(x)
	case 8, 16:
		return c.B.U2U32(x)
	case 64:
		c.fail("subgroup operations on 64-bit values are not supported yet")
	}
	return x
}

func (c *Context) narrow(x ir.Src, bits uint8) ir.Src {
	switch bits {
	case 1:
		return c.B.INe(x, c.B.Imm(0))
	case 8:
		return c.B.U2U8(x)
	case 16:
		return c.B.U2U16(x)
	}
	return x
}

func (c *Context) readWide(v ir.Value) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	x := s.Operand(v, 0)
	var parts [4]ir.Src
	for i := range int(in.Comps) {
		y := c.widen(x.Comp(i))
		if in.Intrinsic() == intrinsic.ReadFirstInvocation {
			y = b.ReadFirstInvocation(32, y)
		} else {
			y = b.ReadInvocation(32, y, s.Operand(v, 1))
		}
		parts[i] = c.narrow(y, in.Bits)
	}
	return Vec(b, parts[:in.Comps])
}

// eachLane puts a loop over the active lanes before v. init are the values that
// it carries from turn to turn; body gets the lane's number and these, and
// returns what they become. The results stand behind the loop.
func (c *Context) eachLane(v ir.Value, init []ir.Src, body func(lane ir.Src, cur []ir.Src) []ir.Src) []ir.Src {
	b := c.B
	left := b.Ballot(1, 32, b.True())
	out := c.loopBefore(v, append([]ir.Src{left}, init...), func(cur []ir.Src) ([]ir.Src, ir.Src) {
		left := cur[0]
		next := body(b.FindLsb(left), cur[1:])
		rest := b.IAnd(left, b.ISub(left, b.Imm(1)))
		return append([]ir.Src{rest}, next...), b.IEq(rest, b.Imm(0))
	})
	return out[1:]
}

// shuffle reads the lane that each invocation names. A lane that is not active
// gives the invocation's own value.
func (c *Context) shuffle(v ir.Value, target ir.Src) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	x := s.Operand(v, 0)
	n := int(in.Comps)
	src := make([]ir.Src, n)
	for i := range n {
		src[i] = c.widen(x.Comp(i))
	}
	out := c.eachLane(v, src, func(lane ir.Src, cur []ir.Src) []ir.Src {
		hit := b.IEq(lane, target)
		res := make([]ir.Src, n)
		for i := range n {
			res[i] = b.BCsel(hit, b.ReadInvocation(32, src[i], lane), cur[i])
		}
		return res
	})
	for i := range out {
		out[i] = c.narrow(out[i], in.Bits)
	}
	return Vec(b, out)
}

// reductionOps say which operation a reduction does and what it starts from,
// at 32 bits.
var reductionOps = [...]struct {
	op   op.Op
	unit uint32
}{
	kind.ReduceIadd: {op.IAdd, 0},
	kind.ReduceFadd: {op.FAdd, 0x80000000},
	kind.ReduceImul: {op.IMul, 1},
	kind.ReduceFmul: {op.FMul, 0x3f800000},
	kind.ReduceImin: {op.IMin, 0x7fffffff},
	kind.ReduceUmin: {op.UMin, 0xffffffff},
	kind.ReduceFmin: {op.FMin, 0x7f800000},
	kind.ReduceImax: {op.IMax, 0x80000000},
	kind.ReduceUmax: {op.UMax, 0},
	kind.ReduceFmax: {op.FMax, 0xff800000},
	kind.ReduceIand: {op.IAnd, 0xffffffff},
	kind.ReduceIor:  {op.IOr, 0},
	kind.ReduceIxor: {op.IXor, 0},
}

func (c *Context) reduction(v ir.Value) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	id := in.Intrinsic()
	r := reductionOps[s.Index(v, intrinsic.IxReductionOp)]
	if in.Bits != 32 && in.Bits != 1 {
		c.fail("subgroup reductions of %d-bit values are not supported yet", in.Bits)
		return ir.Src{}
	}
	x := s.Operand(v, 0)
	n := int(in.Comps)
	src, init := make([]ir.Src, n), make([]ir.Src, n)
	for i := range n {
		src[i], init[i] = c.widen(x.Comp(i)), b.Imm(r.unit)
	}
	cluster := uint32(0)
	if id == intrinsic.Reduce {
		cluster = s.Index(v, intrinsic.IxClusterSize)
	}
	me := b.LoadSubgroupInvocation(32)
	out := c.eachLane(v, init, func(lane ir.Src, cur []ir.Src) []ir.Src {
		var take ir.Src
		switch {
		case id == intrinsic.InclusiveScan:
			take = b.UGe(me, lane)
		case id == intrinsic.ExclusiveScan:
			take = b.ULt(lane, me)
		case cluster > 1:
			take = b.IEq(b.IAnd(b.IXor(me, lane), b.Imm(^(cluster-1))), b.Imm(0))
		case cluster == 1:
			take = b.IEq(me, lane)
		}
		res := make([]ir.Src, n)
		for i := range n {
			res[i] = b.ALU(r.op, cur[i], b.ReadInvocation(32, src[i], lane))
			if take.Val != 0 {
				res[i] = b.BCsel(take, res[i], cur[i])
			}
		}
		return res
	})
	for i := range out {
		out[i] = c.narrow(out[i], in.Bits)
	}
	return Vec(b, out)
}
