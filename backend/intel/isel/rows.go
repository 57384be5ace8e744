// SPDX-License-Identifier: MIT

package isel

import (
	"jacquard.example/backend/intel/isel/memory"
	"jacquard.example/backend/intel/isel/stage"
	"jacquard.example/backend/intel/isel/subgroup"
	"jacquard.example/backend/intel/isel/texture"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
)

// rows implements sel.Target, the interface that the rows of generated/intel/select call. A function that a row calls
// is in the package for its subject and has a line here; a function for values is a method of value.Context and needs
// none.
type rows struct{ *value.Context }

func (t rows) Barrier(v ir.Value)    { memory.Barrier(t.Context, v) }
func (t rows) LoadReg(v ir.Value)    { memory.LoadReg(t.Context, v) }
func (t rows) Pair(v ir.Value)       { memory.Pair(t.Context, v) }
func (t rows) StoreReg(v ir.Value)   { memory.StoreReg(t.Context, v) }
func (t rows) TableEntry(v ir.Value) { memory.TableEntry(t.Context, v) }

// Dot is only selected for machines with vectors.
func (t rows) Dot(v ir.Value, _, _ ir.Src) {
	t.Fail(v, "%s must be lowered before selection", t.S.At(v).ALUOp())
}

// PackHalf is only selected for machines with vectors.
func (t rows) PackHalf(v ir.Value, _, _ ir.Src) {
	t.Fail(v, "%s must be lowered before selection", t.S.At(v).ALUOp())
}

// UnpackHalf is only selected for machines with vectors.
func (t rows) UnpackHalf(v ir.Value, _ ir.Src) {
	t.Fail(v, "%s must be lowered before selection", t.S.At(v).ALUOp())
}

func (t rows) Converts(v ir.Value) bool   { return texture.Converts(t.Context, v) }
func (t rows) FarOffset(v ir.Value) bool  { return texture.FarOffset(t.Context, v) }
func (t rows) FirstLevel(v ir.Value) bool { return texture.FirstLevel(t.Context, v) }

func (t rows) AtOffset(v ir.Value)           { stage.AtOffset(t.Context, v) }
func (t rows) AtSample(v ir.Value)           { stage.AtSample(t.Context, v) }
func (t rows) BeginInterlock(v ir.Value)     { stage.BeginInterlock(t.Context, v) }
func (t rows) Demote(v ir.Value)             { stage.Demote(t.Context, v) }
func (t rows) DemoteIf(v ir.Value)           { stage.DemoteIf(t.Context, v) }
func (t rows) EndInterlock(v ir.Value)       { stage.EndInterlock(t.Context, v) }
func (t rows) FragCoord(v ir.Value)          { stage.FragCoord(t.Context, v) }
func (t rows) FrontFace(v ir.Value)          { stage.FrontFace(t.Context, v) }
func (t rows) HelperInvocation(v ir.Value)   { stage.HelperInvocation(t.Context, v) }
func (t rows) InPlace(v ir.Value)            { stage.InPlace(t.Context, v) }
func (t rows) Input(v ir.Value)              { stage.Input(t.Context, v) }
func (t rows) InstanceID(v ir.Value)         { stage.InstanceID(t.Context, v) }
func (t rows) Interpolate(v ir.Value)        { stage.Interpolate(t.Context, v) }
func (t rows) IsAbandoned(v ir.Value)        { stage.IsAbandoned(t.Context, v) }
func (t rows) IsHelperInvocation(v ir.Value) { stage.IsHelperInvocation(t.Context, v) }
func (t rows) IsKilled(v ir.Value)           { stage.IsKilled(t.Context, v) }
func (t rows) Kill(v ir.Value)               { stage.Kill(t.Context, v) }
func (t rows) LayerID(v ir.Value)            { stage.LayerID(t.Context, v) }
func (t rows) Output(v ir.Value)             { stage.Output(t.Context, v) }
func (t rows) QuadIsGone(v ir.Value)         { stage.QuadIsGone(t.Context, v) }
func (t rows) SampleID(v ir.Value)           { stage.SampleID(t.Context, v) }
func (t rows) SamplePos(v ir.Value)          { stage.SamplePos(t.Context, v) }
func (t rows) VertexID(v ir.Value)           { stage.VertexID(t.Context, v) }

func (t rows) Ballot(v ir.Value)              { subgroup.Ballot(t.Context, v) }
func (t rows) Elect(v ir.Value)               { subgroup.Elect(t.Context, v) }
func (t rows) FirstInvocation(v ir.Value)     { subgroup.FirstInvocation(t.Context, v) }
func (t rows) QuadBroadcast(v ir.Value)       { subgroup.QuadBroadcast(t.Context, v) }
func (t rows) QuadSwap(v ir.Value)            { subgroup.QuadSwap(t.Context, v) }
func (t rows) QuadVoteAll(v ir.Value)         { subgroup.QuadVoteAll(t.Context, v) }
func (t rows) QuadVoteAny(v ir.Value)         { subgroup.QuadVoteAny(t.Context, v) }
func (t rows) ReadFirstInvocation(v ir.Value) { subgroup.ReadFirstInvocation(t.Context, v) }
func (t rows) ReadInvocation(v ir.Value)      { subgroup.ReadInvocation(t.Context, v) }
func (t rows) Reduction(v ir.Value)           { subgroup.Reduction(t.Context, v) }
func (t rows) Shuffle(v ir.Value)             { subgroup.Shuffle(t.Context, v) }
func (t rows) VoteAll(v ir.Value)             { subgroup.VoteAll(t.Context, v) }
func (t rows) VoteAny(v ir.Value)             { subgroup.VoteAny(t.Context, v) }

func (t rows) Message(v ir.Value, m *selector.Message) { emitMessage(t.Context, v, m) }
func (t rows) ShaderClock(v ir.Value)                  { shaderClock(t.Context, v) }
