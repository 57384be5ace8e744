// SPDX-License-Identifier: MIT

package subgroup

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// most is the maximum number of lanes of an instruction on a lane run: two GRFs of doublewords.
const most = 16

// laneRun copies a value to a run of GRFs with all lanes side by side at any width, and rest to the inactive
// lanes, which have arbitrary contents if rest is the zero Operand. Instructions on the run are unmasked and have at
// most 16 lanes. The run is one register, which is never spilled because its address is taken. lead is the number of
// GRFs before the first lane; they have no contents.
func laneRun(c *value.Context, x mir.Operand, rest mir.Operand, lead int) mir.Operand {
	size := uint32(x.Type.Size())
	r := c.F.NewGRFs(lead + c.F.GRF.Count(uint32(c.Width)*size))
	c.F.Reg(r).NoSpill = true
	run := mir.V(r, x.Type).At(c.F.GRF.Start(uint32(lead)))
	var flag mir.Flag
	if rest.File != mir.None {
		flag = activeFlag(c)
	}
	for at := 0; at < c.Width; at += most {
		c.B.Exec, c.B.Chan, c.B.NoMask = uint8(min(most, c.Width)), uint8(at), true
		lanes := x
		lanes.Slice(uint32(at), int(c.B.Exec))
		if rest.File == mir.None {
			c.B.Mov(run.At(uint32(at)*size), lanes)
			continue
		}
		pick := c.B.Emit(isa.OpSel, run.At(uint32(at)*size), lanes, rest)
		pick.Pred, pick.Flag = isa.PredNormal, flag
	}
	return run
}

// Shuffle reads the value of the lane that each lane selects, modulo the number of lanes. The value of an inactive lane
// is undefined (SPIR-V specification, OpGroupNonUniformShuffle).
func Shuffle(c *value.Context, v ir.Value) {
	x := c.Use(c.Operand(v, intrinsic.RoleValue), isa.TypeUD)
	if x.IsScalar() {
		c.B.Vector()
		c.B.Mov(c.Result(v, isa.TypeUD), x)
		return
	}
	lane := c.Use(c.Operand(v, intrinsic.RoleLane), isa.TypeUD)
	run := laneRun(c, x, mir.Operand{}, 0)
	c.B.Vector()
	if lane.File == mir.Imm {
		c.B.Mov(c.Result(v, isa.TypeUD), run.At(4*(lane.Num%uint32(c.Width))).WithStride(0))
		return
	}
	at := laneAddresses(c, c.Operand(v, intrinsic.RoleLane), lane)
	c.B.Vector()
	in := c.Insert(mir.Inst{Op: mir.OpIndirect, Dst: c.Result(v, isa.TypeUD), Src: [3]mir.Operand{run, at.LowWords()}})
	in.Len[0] = uint8(c.F.GRF.Count(uint32(c.Width) * 4))
}

// laneAddresses emits the byte offsets of lanes, whose numbers are in src. Selection visits a block backwards: a later
// shuffle of the same lanes reads the offsets that are emitted here.
func laneAddresses(c *value.Context, lane ir.Src, src mir.Operand) mir.Operand {
	shared := &c.LanesAt
	block, _ := c.B.Place()
	if shared.Code[0] != 0 && shared.Lane == lane && shared.Block == block {
		for _, i := range shared.Code {
			c.F.Remove(i)
		}
	} else {
		shared.Lane, shared.Block = lane, block
		shared.Inside, shared.At = c.NewTemp(isa.TypeUD), c.NewTemp(isa.TypeUD)
	}
	c.B.NoMask = true // inactive lanes need valid addresses too
	shared.Code = [...]mir.ID{
		emit(c, isa.OpAnd, shared.Inside, src, mir.UD(uint32(c.Width-1))),
		emit(c, isa.OpShl, shared.At, c.Source(shared.Inside), mir.UD(2)),
	}
	return c.Source(shared.At)
}

func emit(c *value.Context, op isa.Op, dst, x, y mir.Operand) mir.ID {
	return c.B.Insert(mir.Inst{Op: op, Exec: c.B.Exec, Chan: c.B.Chan, NoMask: c.B.NoMask, Dst: dst, Src: [3]mir.Operand{x, y}})
}
