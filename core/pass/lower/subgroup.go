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

// LowerSubgroups lowers subgroup operations to the ones that instruction selection accepts: ballots and votes, and, on
// scalars of 32 bits, reads of one lane's value, shuffles, moves within quads, and reductions. Reductions that machines
// have no instruction for take log2(32) steps: see reduction. Subgroups have at most 32 invocations.
func LowerSubgroups(c *pass.Context) bool { return c.RewriteIntrinsics(in(c).subgroupOp) }

func (c context) subgroupOp(v ir.Value) (ir.Src, bool) {
	s, b := c.S, c.B
	in := s.At(v)
	b.Before(v)
	arg := func(i int) ir.Src { return s.Src(v, i) }
	lane := func() ir.Src { return b.LoadSubgroupInvocation(32) }
	bit := func() ir.Src { return b.IShl(b.Imm(1), lane()) }
	below := func() ir.Src { return b.ISub(bit(), b.Imm(1)) }
	size := func() ir.Src { return b.LoadSubgroupSize(32) }
	all := func() ir.Src { return b.UShr(b.Imm(^uint32(0)), b.ISub(b.Imm(32), size())) }
	mask := func(x ir.Src) (ir.Src, bool) {
		if in.Comps == 1 {
			return x, true
		}
		parts := [16]ir.Src{x}
		z := b.Imm(0)
		for i := 1; i < int(in.Comps); i++ {
			parts[i] = z
		}
		return pass.Vec(b, parts[:in.Comps]), true
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
		if in.Comps > 1 || in.Bits != 32 {
			return c.shuffle(v, arg(1)), true
		}
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
		at := arg(1)
		if !s.At(at.Val).IsConst() {
			return c.shuffle(v, b.IAdd(b.IAnd(lane(), b.Imm(^uint32(3))), at)), true
		}
		if in.Comps > 1 || in.Bits != 32 {
			return c.eachScalar(v, func(x ir.Src) ir.Src { return b.QuadBroadcast(32, x, at) }), true
		}
	case intrinsic.QuadSwap:
		if dir := s.Index(v, intrinsic.IxSwapDir); dir != 0 { // regions can only swap within rows
			return c.shuffle(v, b.IXor(lane(), b.Imm(dir+1))), true
		}
		if in.Comps > 1 || in.Bits != 32 {
			return c.eachScalar(v, func(x ir.Src) ir.Src { return b.QuadSwap(32, x, 0) }), true
		}
	case intrinsic.ReadInvocation, intrinsic.ReadFirstInvocation:
		if in.Comps > 1 || in.Bits != 32 {
			return c.readWide(v), true
		}
	}
	if in.Intrinsic().Is(intrinsic.TraitScan) {
		return c.reduce(v)
	}
	return ir.Src{}, false
}

// reduce splits a reduction or scan into components of the sizes that selection supports: 32-bit integers and floats,
// and 16-bit floats. 64-bit reductions, and reductions that machines have no instruction for, are computed with
// shuffles.
func (c context) reduce(v ir.Value) (ir.Src, bool) {
	s, b := c.S, c.B
	in := s.At(v)
	r := kind.ReductionOp(s.Index(v, intrinsic.IxReductionOp))
	info := reduction.Of(r)
	float, signed := info.Data == op.Float, info.Data == op.Int
	switch {
	case in.Bits == 64 || !info.Scan:
		return c.reduction(v), true
	case in.Comps == 1 && (in.Bits == 32 || in.Bits == 16 && float):
		return ir.Src{}, false
	}
	x := s.Src(v, 0)
	var parts [16]ir.Src
	n, bits := int(in.Comps), in.Bits
	id := in.Intrinsic()
	cluster := uint32(0)
	if id == intrinsic.Reduce {
		cluster = s.Index(v, intrinsic.IxClusterSize)
	}
	for i := range n {
		y := x.Comp(i)
		switch {
		case float:
		case bits == 1:
			y = b.B2I32(y)
		case bits < 32 && signed:
			y = b.I2I32(y)
		case bits < 32:
			y = b.U2U32(y)
		}
		wide := s.At(y.Val).Bits
		switch id {
		case intrinsic.Reduce:
			y = b.Reduce(wide, y, r, cluster)
		case intrinsic.InclusiveScan:
			y = b.InclusiveScan(wide, y, r)
		default:
			y = b.ExclusiveScan(wide, y, r)
			if !float && bits < 32 { // the first lane's value has the narrow size
				y = b.BCsel(b.IEq(y, b.Imm(uint32(info.Unit(32)))), b.Imm(uint32(info.Unit(bits))), y)
			}
		}
		switch {
		case float:
		case bits == 1:
			y = b.INe(y, b.Imm(0))
		case bits == 8:
			y = b.U2U8(y)
		case bits == 16:
			y = b.U2U16(y)
		}
		parts[i] = y
	}
	return pass.Vec(b, parts[:n]), true
}

func (c context) voteEqual(v ir.Value) ir.Src {
	s, b := c.S, c.B
	x := s.Src(v, 0)
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

// readLane reads a scalar from a lane, or from the first active lane if lane is unset.
func (c context) readLane(x, lane ir.Src) ir.Src {
	return c.in32Bits(x, func(y ir.Src) ir.Src {
		if lane.Val == 0 {
			return c.B.ReadFirstInvocation(32, y)
		}
		return c.B.ReadInvocation(32, y, lane)
	})
}

// in32Bits applies move, which moves 32-bit values between lanes, to a scalar of any size: larger values are moved in
// halves, smaller ones are widened.
func (c context) in32Bits(x ir.Src, move func(ir.Src) ir.Src) ir.Src {
	b := c.B
	switch c.S.At(x.Val).Bits {
	case 1:
		return b.INe(move(b.B2I32(x)), b.Imm(0))
	case 8:
		return b.U2U8(move(b.U2U32(x)))
	case 16:
		return b.U2U16(move(b.U2U32(x)))
	case 64:
		lo := move(b.Unpack64_2x32SplitX(x))
		return b.Pack64_2x32Split(lo, move(b.Unpack64_2x32SplitY(x)))
	}
	return move(x)
}

func (c context) readWide(v ir.Value) ir.Src {
	s := c.S
	in := s.At(v)
	x := s.Src(v, 0)
	var lane ir.Src
	if in.Intrinsic() == intrinsic.ReadInvocation {
		lane = s.Src(v, 1)
	}
	var parts [16]ir.Src
	for i := range int(in.Comps) {
		parts[i] = c.readLane(x.Comp(i), lane)
	}
	return pass.Vec(c.B, parts[:in.Comps])
}

// shuffle reads the value of the lane that each invocation selects.
func (c context) shuffle(v ir.Value, lane ir.Src) ir.Src {
	return c.eachScalar(v, func(x ir.Src) ir.Src { return c.B.Shuffle(32, x, lane) })
}

// eachScalar returns the vector of the results of f on each component of the first operand of v, in 32 bits.
func (c context) eachScalar(v ir.Value, f func(ir.Src) ir.Src) ir.Src {
	s := c.S
	x := s.Src(v, 0)
	var parts [16]ir.Src
	n := int(s.At(v).Comps)
	for i := range n {
		parts[i] = c.in32Bits(x.Comp(i), f)
	}
	return pass.Vec(c.B, parts[:n])
}

// shuffleScalar shuffles a scalar of any size.
func (c context) shuffleScalar(x, lane ir.Src) ir.Src {
	return c.in32Bits(x, func(y ir.Src) ir.Src { return c.B.Shuffle(32, y, lane) })
}

// reduction computes reductions and scans by pointer jumping. Each lane has a pointer to the active lane before it (in
// its cluster). In each step it combines its value with that lane's value and takes over that lane's pointer, so that
// after k steps it has combined 2^k lanes. Inactive lanes take no part. Values are combined in the order of the lanes,
// in pairs of neighbors.
func (c context) reduction(v ir.Value) ir.Src {
	s, b := c.S, c.B
	in := s.At(v)
	id := in.Intrinsic()
	r := reduction.Of(kind.ReductionOp(s.Index(v, intrinsic.IxReductionOp)))
	x := s.Src(v, 0)
	n := int(in.Comps)
	var cur [16]ir.Src
	for i := range n {
		cur[i] = x.Comp(i)
	}
	size := uint32(32)
	if id == intrinsic.Reduce {
		if k := s.Index(v, intrinsic.IxClusterSize); k != 0 {
			size = min(size, k)
		}
	}
	me, active := b.LoadSubgroupInvocation(32), b.Ballot(1, 32, b.True())
	if size < 32 {
		first := b.IAnd(me, b.Imm(^(size - 1)))
		active = b.IAnd(active, b.IShl(b.Imm(1<<size-1), first))
	}
	below := b.IAnd(active, b.ISub(b.IShl(b.Imm(1), me), b.Imm(1)))
	// The active lane before, or the lane itself, with end set, if there is none.
	const end = 32
	prev := b.BCsel(b.INe(below, b.Imm(0)), b.UFindMsb(below), b.IOr(me, b.Imm(end)))
	firstPrev := prev
	for step := uint32(1); step < size; step *= 2 {
		lane := b.IAnd(prev, b.Imm(end-1))
		ends := b.INe(b.IAnd(prev, b.Imm(end)), b.Imm(0))
		for i := range n {
			cur[i] = b.BCsel(ends, cur[i], b.ALU(r.Op, c.shuffleScalar(cur[i], lane), cur[i]))
		}
		if 2*step < size {
			prev = b.Shuffle(32, prev, lane)
		}
	}
	switch id {
	case intrinsic.Reduce:
		last := b.UFindMsb(active)
		for i := range n {
			if size == 32 {
				cur[i] = c.readLane(cur[i], last)
			} else {
				cur[i] = c.shuffleScalar(cur[i], last)
			}
		}
	case intrinsic.ExclusiveScan:
		lane := b.IAnd(firstPrev, b.Imm(end-1))
		ends := b.INe(b.IAnd(firstPrev, b.Imm(end)), b.Imm(0))
		for i := range n {
			cur[i] = b.BCsel(ends, b.Const(in.Bits, r.Unit(in.Bits)), c.shuffleScalar(cur[i], lane))
		}
	}
	return pass.Vec(b, cur[:n])
}
