// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// subgroup reads the subgroup operations.
func subgroup(r *module.Reader, info *spirvtab.Op, in []uint32) {
	id := in[2]
	t := r.TypeOf(id)
	if t.Comps == 0 {
		r.Fail("the result is not a scalar or vector")
	}
	for _, x := range beforeScopes {
		if x.old == info.Num {
			subgroupOp(r, x.now, in[2:], t)
			return
		}
	}
	if s := value.Scope(r, in[3]); s != kind.ScopeSubgroup {
		r.Fail("the scope is %v; only the subgroup is supported", s)
	}
	if info.Reduce != 0 {
		reduction(r, info, in)
		return
	}
	subgroupOp(r, info.Num, in[3:], t)
}

// beforeScopes maps older instructions without a scope operand to their current equivalents. Votes within quads never
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
func subgroupOp(r *module.Reader, num uint16, in []uint32, t *module.TypeRec) {
	id := r.Words[r.At+2]
	one := func(x intrinsic.ID, bits uint8, src ...ir.Src) ir.Value { return r.B.Intrinsic(x, 1, bits, src...) }
	same := func(x intrinsic.ID, src ...ir.Src) ir.Value {
		return r.B.Intrinsic(x, src[0].N, value.BitsOf(r, src[0]), src...)
	}
	ballot := func(id uint32) ir.Src {
		s := value.Src(r, id)
		if s.N != 4 || value.BitsOf(r, s) != 32 {
			r.Fail("a ballot must be a vector of four 32-bit integers")
		}
		return r.S.All(value.Whole(r, s))
	}
	var v ir.Value
	switch num {
	case spirvtab.OpGroupNonUniformElect:
		v = one(intrinsic.Elect, 1)
	case spirvtab.OpGroupNonUniformAll:
		v = one(intrinsic.VoteAll, 1, value.Scalar(r, in[1], 1))
	case spirvtab.OpGroupNonUniformAny:
		v = one(intrinsic.VoteAny, 1, value.Scalar(r, in[1], 1))
	case spirvtab.OpGroupNonUniformQuadAllKHR:
		v = one(intrinsic.QuadVoteAll, 1, value.Scalar(r, in[1], 1))
	case spirvtab.OpGroupNonUniformQuadAnyKHR:
		v = one(intrinsic.QuadVoteAny, 1, value.Scalar(r, in[1], 1))
	case spirvtab.OpGroupNonUniformAllEqual:
		s := value.Src(r, in[1])
		x := intrinsic.VoteIeq
		if r.TypeOf(in[1]).Base == ir.TypeFloat {
			x = intrinsic.VoteFeq
		}
		v = one(x, 1, r.S.All(value.Whole(r, s)))
	case spirvtab.OpGroupNonUniformBroadcast, spirvtab.OpGroupNonUniformShuffle, spirvtab.OpGroupNonUniformShuffleXor,
		spirvtab.OpGroupNonUniformShuffleUp, spirvtab.OpGroupNonUniformShuffleDown, spirvtab.OpGroupNonUniformQuadBroadcast:
		v = same(shuffles[num-spirvtab.OpGroupNonUniformBroadcast], value.Src(r, in[1]), value.Index(r, in[2]))
	case spirvtab.OpGroupNonUniformBroadcastFirst:
		v = same(intrinsic.ReadFirstInvocation, value.Src(r, in[1]))
	case spirvtab.OpGroupNonUniformQuadSwap:
		dir := r.ConstInt(in[2], "the direction")
		if dir > 2 {
			r.Fail("direction %d is not 0, 1 or 2", dir)
		}
		v = same(intrinsic.QuadSwap, value.Src(r, in[1]))
		r.S.SetIndex(v, intrinsic.IxSwapDir, dir)
	case spirvtab.OpGroupNonUniformBallot:
		v = r.B.Intrinsic(intrinsic.Ballot, 4, 32, value.Scalar(r, in[1], 1))
	case spirvtab.OpGroupNonUniformInverseBallot:
		v = one(intrinsic.InverseBallot, 1, ballot(in[1]))
	case spirvtab.OpGroupNonUniformBallotBitExtract:
		v = one(intrinsic.BallotBitfieldExtract, 1, ballot(in[1]), value.Index(r, in[2]))
	case spirvtab.OpGroupNonUniformBallotFindLSB:
		v = one(intrinsic.BallotFindLSB, 32, ballot(in[1]))
	case spirvtab.OpGroupNonUniformBallotFindMSB:
		v = one(intrinsic.BallotFindMSB, 32, ballot(in[1]))
	case spirvtab.OpGroupNonUniformBallotBitCount:
		x := [3]intrinsic.ID{intrinsic.BallotBitCountReduce, intrinsic.BallotBitCountInclusive, intrinsic.BallotBitCountExclusive}
		if in[1] > spirvtab.GroupExclusiveScan {
			failGroup(r, in[1])
		}
		v = one(x[in[1]], 32, ballot(in[2]))
	case spirvtab.OpGroupNonUniformRotateKHR:
		v = same(intrinsic.Rotate, value.Src(r, in[1]), value.Index(r, in[2]))
		if len(in) > 3 {
			r.S.SetIndex(v, intrinsic.IxClusterSize, clusterSize(r, in[3]))
		}
	default:
		r.Refuse("is not supported")
	}
	value.SetSrc(r, id, r.S.All(v))
}

// shuffles has the intrinsics by opcode, starting at OpGroupNonUniformBroadcast.
var shuffles = [...]intrinsic.ID{
	0:                                       intrinsic.ReadInvocation,
	spirvtab.OpGroupNonUniformShuffle - 337: intrinsic.Shuffle,
	spirvtab.OpGroupNonUniformShuffleXor - 337:    intrinsic.ShuffleXor,
	spirvtab.OpGroupNonUniformShuffleUp - 337:     intrinsic.ShuffleUp,
	spirvtab.OpGroupNonUniformShuffleDown - 337:   intrinsic.ShuffleDown,
	spirvtab.OpGroupNonUniformQuadBroadcast - 337: intrinsic.QuadBroadcast,
}

// reduction reads reductions and scans.
func reduction(r *module.Reader, info *spirvtab.Op, in []uint32) {
	s := value.Src(r, in[5])
	var v ir.Value
	switch in[4] {
	case spirvtab.GroupReduce, spirvtab.GroupClusteredReduce:
		v = r.B.Intrinsic(intrinsic.Reduce, s.N, value.BitsOf(r, s), s)
		if in[4] == spirvtab.GroupClusteredReduce {
			if len(in) < 7 {
				r.Fail("a clustered reduction needs the size of a cluster")
			}
			r.S.SetIndex(v, intrinsic.IxClusterSize, clusterSize(r, in[6]))
		}
	case spirvtab.GroupInclusiveScan:
		v = r.B.Intrinsic(intrinsic.InclusiveScan, s.N, value.BitsOf(r, s), s)
	case spirvtab.GroupExclusiveScan:
		v = r.B.Intrinsic(intrinsic.ExclusiveScan, s.N, value.BitsOf(r, s), s)
	default:
		failGroup(r, in[4])
	}
	r.S.SetIndex(v, intrinsic.IxReductionOp, uint32(info.Reduce-1))
	value.SetSrc(r, in[2], r.S.All(v))
}

// failGroup rejects a group operation.
func failGroup(r *module.Reader, num uint32) {
	r.Refuse("group operation %s is not supported here", r.Known("group operation", spirvtab.GroupOperations, num).Name)
}

func clusterSize(r *module.Reader, id uint32) uint32 {
	n := r.ConstInt(id, "the size of a cluster")
	if n == 0 || n&(n-1) != 0 {
		r.Fail("the size of a cluster is %d, which is not a power of two", n)
	}
	return n
}
