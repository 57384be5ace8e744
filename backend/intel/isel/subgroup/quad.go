// SPDX-License-Identifier: MIT

package subgroup

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intel/scan"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/reduction"
)

// QuadLanes is the number of consecutive lanes in a quad.
const QuadLanes = 4

// QuadBroadcast reads one lane of each quad through a region. The value of an inactive lane is undefined (SPIR-V
// specification, OpGroupNonUniformQuadBroadcast).
func QuadBroadcast(c *value.Context, v ir.Value) {
	x := c.Use(c.Operand(v, intrinsic.RoleValue), isa.TypeUD)
	lane := c.Use(c.Operand(v, intrinsic.RoleLane), isa.TypeUD)
	switch {
	case lane.File != mir.Imm:
		c.Fail(v, "a non-constant lane of a quad must be lowered before selection")
		return
	case x.IsScalar():
		c.B.Vector()
		c.B.Mov(c.Result(v, isa.TypeUD), x)
		return
	}
	run := sideBySide(c, x)
	EachPiece(c, c.Result(v, isa.TypeUD), func(to mir.Operand, at int) {
		c.B.Mov(to, run.At(4*(uint32(at)+lane.Num%QuadLanes)).WithRegion(QuadLanes, QuadLanes, 0))
	})
}

// QuadSwap exchanges the lanes of each row of a quad through regions: odd lanes take the value of the preceding
// lane, even lanes the value of the following lane. The value of an inactive lane is undefined (SPIR-V specification,
// OpGroupNonUniformQuadSwap).
func QuadSwap(c *value.Context, v ir.Value) {
	x := c.Use(c.Operand(v, intrinsic.RoleValue), isa.TypeUD)
	switch {
	case c.S.Index(v, intrinsic.IxSwapDir) != 0:
		c.Fail(v, "an exchange between the rows of a quad must be lowered before selection")
		return
	case x.IsScalar():
		c.B.Vector()
		c.B.Mov(c.Result(v, isa.TypeUD), x)
		return
	}
	odd := FlagOf(c, mir.UD(0xaaaaaaaa))
	run := sideBySide(c, x)
	dst := c.Result(v, isa.TypeUD)
	pairs := func(lane int) mir.Operand { return run.At(4*uint32(lane)).WithRegion(2, 2, 0) }
	EachPiece(c, dst, func(to mir.Operand, at int) {
		pick := c.B.Emit(isa.OpSel, to, pairs(at), pairs(at+1))
		pick.Pred, pick.Flag = isa.PredNormal, odd
	})
}

// sideBySide returns a value whose lanes are consecutive doublewords of a register: x if it is one, else a copy.
func sideBySide(c *value.Context, x mir.Operand) mir.Operand {
	if x.File == mir.VReg && x.Stride == 1 && x.Rows == 0 && !x.HasMods() {
		return x
	}
	return laneRun(c, x, mir.Operand{}, 0)
}

// QuadVoteAny reports whether a condition holds in some active lane of the quad.
func QuadVoteAny(c *value.Context, v ir.Value) { quadVote(c, v, kind.ReduceIor) }

// QuadVoteAll reports whether a condition holds in all active lanes of the quad.
func QuadVoteAll(c *value.Context, v ir.Value) { quadVote(c, v, kind.ReduceIand) }

// quadVote combines the booleans of the active lanes of each quad.
func quadVote(c *value.Context, v ir.Value, how kind.ReductionOp) {
	x := c.Plain(c.Use(c.Operand(v, intrinsic.RoleValue), isa.TypeUD), isa.TypeUD)
	if x.IsScalar() {
		c.B.Vector()
		c.B.Mov(c.Result(v, isa.TypeUD), x)
		return
	}
	s := scanner{c: c, how: scan.Of(how)}
	s.run = laneRun(c, x, mir.UD(uint32(reduction.Of(how).Unit(32))), 0)
	s.tree(QuadLanes)
	EachPiece(c, c.Result(v, isa.TypeUD), func(to mir.Operand, at int) {
		c.B.Mov(to, s.run.At(4*(uint32(at)+QuadLanes-1)).WithRegion(QuadLanes, QuadLanes, 0))
	})
}

// EachPiece calls f for each part of dst that one instruction can write, with its first lane.
func EachPiece(c *value.Context, dst mir.Operand, f func(to mir.Operand, at int)) {
	piece := min(c.Width, most)
	for at := 0; at < c.Width; at += piece {
		c.B.Exec, c.B.Chan, c.B.NoMask = uint8(piece), uint8(at), false
		to := dst
		to.Slice(uint32(at), piece)
		f(to, at)
	}
}
