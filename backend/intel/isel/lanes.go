// SPDX-License-Identifier: MIT

package isel

import (
	"jacquard.example/backend/intel/isel/memory"
	"jacquard.example/backend/intel/isel/stage"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/message"
)

// lanes is the form of code with a lane for each invocation.
type lanes struct{ *value.Context }

// Begin prepares the selection of a value: uniform values are computed one lane wide.
func (t lanes) Begin(v ir.Value, in *ir.Instr) {
	t.RowFlags = [mir.NumFlags]mir.Flag{}
	if in.HasResult() && t.IsUniform(v) {
		t.B.ScalarMode()
	} else {
		t.B.Vector()
	}
}

// End emits the end of the thread.
func (t lanes) End() {
	c := t.Context
	switch {
	case c.IsVertex():
		stage.EndOfVertex(c)
	case c.IsFragment():
		stage.EndOfFragment(c)
	default:
		c.B.Exec, c.B.NoMask = 8, true
		c.B.Message(mir.Message{Msg: mir.Msg{Name: message.EndThread}})
	}
}

// Prologue computes values that are used in several places, at the start.
func (t lanes) Prologue() {
	c := t.Context
	memory.EmitPush(c)
	c.FloatMode()
	if c.Scratch != 0 {
		c.LaneID()
	}
	stage.EmitLive(c)
	stage.EmitKilled(c)
	stage.EmitPixels(c)
	if c.LaneIDs != 0 {
		c.EmitLaneIDs()
	}
	if c.RowSteps != 0 {
		memory.EmitRowSteps(c)
	}
	if c.SubgroupID != 0 {
		c.EmitSubgroupID()
	}
	if c.BarrierMsg != 0 {
		memory.Header(c, c.BarrierMsg, message.Barrier)
	}
	if c.Scratch != 0 {
		memory.EmitScratchBase(c)
	}
}
