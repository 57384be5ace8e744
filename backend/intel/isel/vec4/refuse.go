// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/isel/texture"
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// Rows implements the interface that the rows of generated/intel/select call. Its own methods refuse what vec4 threads
// do not support.
type Rows struct{ *Context }

func (t Rows) refuse(v ir.Value) {
	in := t.S.At(v)
	if in.Kind == kind.ALU {
		t.Fail(v, "%s is not supported in vec4 code", in.ALUOp())
		return
	}
	t.Fail(v, "%s is not supported in vec4 code", in.Intrinsic())
}

// AtOffset refuses v.
func (t Rows) AtOffset(v ir.Value) { t.refuse(v) }

// AtSample refuses v.
func (t Rows) AtSample(v ir.Value) { t.refuse(v) }

// Ballot refuses v.
func (t Rows) Ballot(v ir.Value) { t.refuse(v) }

// BeginInterlock refuses v.
func (t Rows) BeginInterlock(v ir.Value) { t.refuse(v) }

// Demote refuses v.
func (t Rows) Demote(v ir.Value) { t.refuse(v) }

// DemoteIf refuses v.
func (t Rows) DemoteIf(v ir.Value) { t.refuse(v) }

// Elect refuses v.
func (t Rows) Elect(v ir.Value) { t.refuse(v) }

// EndInterlock refuses v.
func (t Rows) EndInterlock(v ir.Value) { t.refuse(v) }

// FirstInvocation refuses v.
func (t Rows) FirstInvocation(v ir.Value) { t.refuse(v) }

// FragCoord refuses v.
func (t Rows) FragCoord(v ir.Value) { t.refuse(v) }

// FrontFace refuses v.
func (t Rows) FrontFace(v ir.Value) { t.refuse(v) }

// HelperInvocation refuses v.
func (t Rows) HelperInvocation(v ir.Value) { t.refuse(v) }

// Interpolate refuses v.
func (t Rows) Interpolate(v ir.Value) { t.refuse(v) }

// IsAbandoned refuses v.
func (t Rows) IsAbandoned(v ir.Value) { t.refuse(v) }

// IsHelperInvocation refuses v.
func (t Rows) IsHelperInvocation(v ir.Value) { t.refuse(v) }

// IsKilled refuses v.
func (t Rows) IsKilled(v ir.Value) { t.refuse(v) }

// Kill refuses v.
func (t Rows) Kill(v ir.Value) { t.refuse(v) }

// LayerID refuses v.
func (t Rows) LayerID(v ir.Value) { t.refuse(v) }

// Pair refuses v.
func (t Rows) Pair(v ir.Value) { t.refuse(v) }

// QuadBroadcast refuses v.
func (t Rows) QuadBroadcast(v ir.Value) { t.refuse(v) }

// QuadIsGone refuses v.
func (t Rows) QuadIsGone(v ir.Value) { t.refuse(v) }

// QuadSwap refuses v.
func (t Rows) QuadSwap(v ir.Value) { t.refuse(v) }

// QuadVoteAll refuses v.
func (t Rows) QuadVoteAll(v ir.Value) { t.refuse(v) }

// QuadVoteAny refuses v.
func (t Rows) QuadVoteAny(v ir.Value) { t.refuse(v) }

// ReadInvocation refuses v.
func (t Rows) ReadInvocation(v ir.Value) { t.refuse(v) }

// Reduction refuses v.
func (t Rows) Reduction(v ir.Value) { t.refuse(v) }

// SampleID refuses v.
func (t Rows) SampleID(v ir.Value) { t.refuse(v) }

// SamplePos refuses v.
func (t Rows) SamplePos(v ir.Value) { t.refuse(v) }

// ShaderClock refuses v.
func (t Rows) ShaderClock(v ir.Value) { t.refuse(v) }

// Shuffle refuses v.
func (t Rows) Shuffle(v ir.Value) { t.refuse(v) }

// SubgroupInvocation refuses v.
func (t Rows) SubgroupInvocation(v ir.Value) { t.refuse(v) }

// TableEntry refuses v.
func (t Rows) TableEntry(v ir.Value) { t.refuse(v) }

// VoteAll refuses v.
func (t Rows) VoteAll(v ir.Value) { t.refuse(v) }

// VoteAny refuses v.
func (t Rows) VoteAny(v ir.Value) { t.refuse(v) }

// FirstLevel reports whether v has no level of detail, or the constant 0.
func (t Rows) FirstLevel(v ir.Value) bool { return texture.FirstLevel(t.Context.Context, v) }

// FarOffset reports whether v has an offset that does not fit into a header.
func (t Rows) FarOffset(v ir.Value) bool { return texture.FarOffset(t.Context.Context, v) }

// Converts reports nothing.
func (t Rows) Converts(ir.Value) bool { return false }
