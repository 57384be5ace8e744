package lower

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// LowerSubgroups lowers subgroup operations to three: the ballot of a condition,
// the lane of the first invocation, and reading one lane's value. Operations that
// combine the values of many lanes become a loop over the active ones. Subgroups
// have at most 32 invocations.
func LowerSubgroups(c *pass.Context) bool { return c.Rewrite(in(c).subgroupOp) }

func (c context) subgroupOp(v ir.Value) (ir.Src, bool) {
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
		return pass.Vec(b, []ir.Src{x, z, z, z}[:in.Comps]), true
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

func (c context) voteEqual(v ir.Value) ir.Src {
	s, b := c.S, c.B
	x := s.Operand(v, 0)
	var same ir.Src
	for i := range int(x.N) {
		first := c.readLane(x.Comp(i), ir.Src{})
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

// readLane reads a scalar of lane, or of the first active lane if lane is absent.
// Lanes are read as 32 bits: larger values in halves, smaller ones widened.
func (c context) readLane(x, lane ir.Src) ir.Src {
	b := c.B
	read := func(y ir.Src) ir.Src {
		if lane.Val == 0 {
			return b.ReadFirstInvocation(32, y)
		}
		return b.ReadInvocation(32, y, lane)
	}
	switch c.S.At(x.Val).Bits {
	case 1:
		return b.INe(read(b.B2I32(x)), b.Imm(0))
	case 8:
		return b.U2U8(read(b.U2U32(x)))
	case 16:
		return b.U2U16(read(b.U2U32(x)))
	case 64:
		lo := read(b.Unpack64_2x32SplitX(x))
		return b.Pack64_2x32Split(lo, read(b.Unpack64_2x32SplitY(x)))
	}
	return read(x)
}

func (c context) readWide(v ir.Value) ir.Src {
	s := c.S
	in := s.At(v)
	x := s.Operand(v, 0)
	var lane ir.Src
	if in.Intrinsic() == intrinsic.ReadInvocation {
		lane = s.Operand(v, 1)
	}
	var parts [16]ir.Src
	for i := range int(in.Comps) {
		parts[i] = c.readLane(x.Comp(i), lane)
	}
	return pass.Vec(c.B, parts[:in.Comps])
}

// eachLane inserts a loop over the active lanes before v. init are the initial
// values of the loop-carried values; body receives the lane's number and these, and
// returns their next values. The results are available after the loop.
func (c context) eachLane(v ir.Value, init []ir.Src, body func(lane ir.Src, cur []ir.Src) []ir.Src) []ir.Src {
	b := c.B
	left := b.Ballot(1, 32, b.True())
	out := flow.LoopBefore(c.Context, v, append([]ir.Src{left}, init...), func(cur []ir.Src) ([]ir.Src, ir.Src) {
		left := cur[0]
		next := body(b.FindLsb(left), cur[1:])
		rest := b.IAnd(left, b.ISub(left, b.Imm(1)))
		return append([]ir.Src{rest}, next...), b.IEq(rest, b.Imm(0))
	})
	return out[1:]
}

// shuffle reads the lane that each invocation selects. For an inactive lane it
// returns the invocation's own value.
func (c context) shuffle(v ir.Value, target ir.Src) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	x := s.Operand(v, 0)
	n := int(in.Comps)
	src := make([]ir.Src, n)
	for i := range n {
		src[i] = x.Comp(i)
	}
	out := c.eachLane(v, src, func(lane ir.Src, cur []ir.Src) []ir.Src {
		hit := b.IEq(lane, target)
		res := make([]ir.Src, n)
		for i := range n {
			res[i] = b.BCsel(hit, c.readLane(src[i], lane), cur[i])
		}
		return res
	})
	return pass.Vec(b, out)
}

// reductionOps holds the operation and the identity of each reduction.
var reductionOps = [...]struct {
	op   op.Op
	unit func(bits uint8) uint64
}{
	kind.ReduceIadd: {op.IAdd, zero},
	kind.ReduceFadd: {op.FAdd, signBit}, // adding -0 preserves every value, even -0
	kind.ReduceImul: {op.IMul, func(uint8) uint64 { return 1 }},
	kind.ReduceFmul: {op.FMul, floatOne},
	kind.ReduceImin: {op.IMin, func(bits uint8) uint64 { return ones(bits) >> 1 }},
	kind.ReduceUmin: {op.UMin, ones},
	kind.ReduceFmin: {op.FMin, infinity},
	kind.ReduceImax: {op.IMax, signBit},
	kind.ReduceUmax: {op.UMax, zero},
	kind.ReduceFmax: {op.FMax, func(bits uint8) uint64 { return signBit(bits) | infinity(bits) }},
	kind.ReduceIand: {op.IAnd, ones},
	kind.ReduceIor:  {op.IOr, zero},
	kind.ReduceIxor: {op.IXor, zero},
}

func zero(uint8) uint64         { return 0 }
func ones(bits uint8) uint64    { return ^uint64(0) >> (64 - bits) }
func signBit(bits uint8) uint64 { return 1 << (bits - 1) }

// floatOne and infinity return 1 and infinity in the IEEE 754 format of a size.
func floatOne(bits uint8) uint64 {
	return bySize(bits, 0x3c00, 0x3f800000, 0x3ff0000000000000)
}

func infinity(bits uint8) uint64 {
	return bySize(bits, 0x7c00, 0x7f800000, 0x7ff0000000000000)
}

func bySize(bits uint8, half, single, double uint64) uint64 {
	switch bits {
	case 16:
		return half
	case 32:
		return single
	}
	return double
}

func (c context) reduction(v ir.Value) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	id := in.Intrinsic()
	r := reductionOps[s.Index(v, intrinsic.IxReductionOp)]
	x := s.Operand(v, 0)
	n := int(in.Comps)
	src, init := make([]ir.Src, n), make([]ir.Src, n)
	for i := range n {
		src[i], init[i] = x.Comp(i), b.Const(in.Bits, r.unit(in.Bits))
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
			res[i] = b.ALU(r.op, cur[i], c.readLane(src[i], lane))
			if take.Val != 0 {
				res[i] = b.BCsel(take, res[i], cur[i])
			}
		}
		return res
	})
	return pass.Vec(b, out)
}
