package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// subgroup reads the subgroup operations.
func (r *reader) subgroup(info *spirvtab.Op, in []uint32) {
	id := in[2]
	t := r.typeOf(id)
	if t.comps == 0 {
		r.fail("the result is not a scalar or vector")
	}
	for _, x := range beforeScopes {
		if x.old == info.Num {
			r.subgroupOp(x.now, in[2:], t)
			return
		}
	}
	if s := r.scope(in[3]); s != kind.ScopeSubgroup {
		r.fail("the scope is %v, only the subgroup is supported", s)
	}
	if info.Reduce != 0 {
		r.reduction(info, in)
		return
	}
	r.subgroupOp(info.Num, in[3:], t)
}

// beforeScopes maps older instructions, without a scope operand, to their present equivalents. Votes within quads never
// have a scope.
var beforeScopes = [...]struct{ old, now uint16 }{
	{spirvtab.OpSubgroupBallotKHR, spirvtab.OpGroupNonUniformBallot},
	{spirvtab.OpSubgroupFirstInvocationKHR, spirvtab.OpGroupNonUniformBroadcastFirst},
	{spirvtab.OpSubgroupAllKHR, spirvtab.OpGroupNonUniformAll},
	{spirvtab.OpSubgroupAnyKHR, spirvtab.OpGroupNonUniformAny},
	{spirvtab.OpSubgroupAllEqualKHR, spirvtab.OpGroupNonUniformAllEqual},
	{spirvtab.OpSubgroupReadInvocationKHR, spirvtab.OpGroupNonUniformBroadcast},
	{spirvtab.OpGroupNonUniformQuadAllKHR, spirvtab.OpGroupNonUniformQuadAllKHR},
	{spirvtab.OpGroupNonUniformQuadAnyKHR, spirvtab.OpGroupNonUniformQuadAnyKHR},
}

// subgroupOp reads a subgroup operation. Its operands after the scope, or after the result if it has no scope, start at
// in[1].
func (r *reader) subgroupOp(num uint16, in []uint32, t *typeRec) {
	id := r.words[r.at+2]
	one := func(x intrinsic.ID, bits uint8, src ...ir.Src) ir.Value { return r.b.Intrinsic(x, 1, bits, src...) }
	same := func(x intrinsic.ID, src ...ir.Src) ir.Value {
		return r.b.Intrinsic(x, src[0].N, r.bitsOf(src[0]), src...)
	}
	ballot := func(id uint32) ir.Src {
		s := r.src(id)
		if s.N != 4 || r.bitsOf(s) != 32 {
			r.fail("a ballot must be a vector of four 32-bit integers")
		}
		return r.s.All(r.whole(s))
	}
	var v ir.Value
	switch num {
	case spirvtab.OpGroupNonUniformElect:
		v = one(intrinsic.Elect, 1)
	case spirvtab.OpGroupNonUniformAll:
		v = one(intrinsic.VoteAll, 1, r.scalar(in[1], 1))
	case spirvtab.OpGroupNonUniformAny:
		v = one(intrinsic.VoteAny, 1, r.scalar(in[1], 1))
	case spirvtab.OpGroupNonUniformQuadAllKHR:
		v = one(intrinsic.QuadVoteAll, 1, r.scalar(in[1], 1))
	case spirvtab.OpGroupNonUniformQuadAnyKHR:
		v = one(intrinsic.QuadVoteAny, 1, r.scalar(in[1], 1))
	case spirvtab.OpGroupNonUniformAllEqual:
		s := r.src(in[1])
		x := intrinsic.VoteIeq
		if r.typeOf(in[1]).base == ir.TypeFloat {
			x = intrinsic.VoteFeq
		}
		v = one(x, 1, r.s.All(r.whole(s)))
	case spirvtab.OpGroupNonUniformBroadcast, spirvtab.OpGroupNonUniformShuffle, spirvtab.OpGroupNonUniformShuffleXor,
		spirvtab.OpGroupNonUniformShuffleUp, spirvtab.OpGroupNonUniformShuffleDown, spirvtab.OpGroupNonUniformQuadBroadcast:
		v = same(shuffles[num-spirvtab.OpGroupNonUniformBroadcast], r.src(in[1]), r.index(in[2]))
	case spirvtab.OpGroupNonUniformBroadcastFirst:
		v = same(intrinsic.ReadFirstInvocation, r.src(in[1]))
	case spirvtab.OpGroupNonUniformQuadSwap:
		dir := r.constInt(in[2], "the direction")
		if dir > 2 {
			r.fail("direction %d", dir)
		}
		v = same(intrinsic.QuadSwap, r.src(in[1]))
		r.s.SetIndex(v, intrinsic.IxSwapDir, dir)
	case spirvtab.OpGroupNonUniformBallot:
		v = r.b.Intrinsic(intrinsic.Ballot, 4, 32, r.scalar(in[1], 1))
	case spirvtab.OpGroupNonUniformInverseBallot:
		v = one(intrinsic.InverseBallot, 1, ballot(in[1]))
	case spirvtab.OpGroupNonUniformBallotBitExtract:
		v = one(intrinsic.BallotBitfieldExtract, 1, ballot(in[1]), r.index(in[2]))
	case spirvtab.OpGroupNonUniformBallotFindLSB:
		v = one(intrinsic.BallotFindLSB, 32, ballot(in[1]))
	case spirvtab.OpGroupNonUniformBallotFindMSB:
		v = one(intrinsic.BallotFindMSB, 32, ballot(in[1]))
	case spirvtab.OpGroupNonUniformBallotBitCount:
		x := [3]intrinsic.ID{intrinsic.BallotBitCountReduce, intrinsic.BallotBitCountInclusive, intrinsic.BallotBitCountExclusive}
		if in[1] > spirvtab.GroupExclusiveScan {
			r.failGroup(in[1])
		}
		v = one(x[in[1]], 32, ballot(in[2]))
	case spirvtab.OpGroupNonUniformRotateKHR:
		v = same(intrinsic.Rotate, r.src(in[1]), r.index(in[2]))
		if len(in) > 3 {
			r.s.SetIndex(v, intrinsic.IxClusterSize, r.clusterSize(in[3]))
		}
	default:
		r.refuse("is not supported")
	}
	r.setSrc(id, r.s.All(v))
}

// shuffles has the intrinsics by opcode, from OpGroupNonUniformBroadcast on.
var shuffles = [...]intrinsic.ID{
	0:                                       intrinsic.ReadInvocation,
	spirvtab.OpGroupNonUniformShuffle - 337: intrinsic.Shuffle,
	spirvtab.OpGroupNonUniformShuffleXor - 337:    intrinsic.ShuffleXor,
	spirvtab.OpGroupNonUniformShuffleUp - 337:     intrinsic.ShuffleUp,
	spirvtab.OpGroupNonUniformShuffleDown - 337:   intrinsic.ShuffleDown,
	spirvtab.OpGroupNonUniformQuadBroadcast - 337: intrinsic.QuadBroadcast,
}

// reduction reads reductions and scans.
func (r *reader) reduction(info *spirvtab.Op, in []uint32) {
	s := r.src(in[5])
	var v ir.Value
	switch in[4] {
	case spirvtab.GroupReduce, spirvtab.GroupClusteredReduce:
		v = r.b.Intrinsic(intrinsic.Reduce, s.N, r.bitsOf(s), s)
		if in[4] == spirvtab.GroupClusteredReduce {
			if len(in) < 7 {
				r.fail("a clustered reduction needs the size of a cluster")
			}
			r.s.SetIndex(v, intrinsic.IxClusterSize, r.clusterSize(in[6]))
		}
	case spirvtab.GroupInclusiveScan:
		v = r.b.Intrinsic(intrinsic.InclusiveScan, s.N, r.bitsOf(s), s)
	case spirvtab.GroupExclusiveScan:
		v = r.b.Intrinsic(intrinsic.ExclusiveScan, s.N, r.bitsOf(s), s)
	default:
		r.failGroup(in[4])
	}
	r.s.SetIndex(v, intrinsic.IxReductionOp, uint32(info.Reduce-1))
	r.setSrc(in[2], r.s.All(v))
}

// failGroup refuses a group operation.
func (r *reader) failGroup(num uint32) {
	r.refuse("group operation %s is not supported here", r.known("group operation", spirvtab.GroupOperations, num).Name)
}

func (r *reader) clusterSize(id uint32) uint32 {
	n := r.constInt(id, "the size of a cluster")
	if n == 0 || n&(n-1) != 0 {
		r.fail("a cluster of %d invocations", n)
	}
	return n
}
