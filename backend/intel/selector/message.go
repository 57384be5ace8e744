// SPDX-License-Identifier: MIT

package selector

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// Message describes the logical message that a row emits for an intrinsic or a texture operation: the operands
// that are its sources, and how components are split among several messages.
type Message struct {
	Name      message.Name // None: the row emits no message
	Space     message.Space
	Result    Result
	Address   Source        // a byte offset, a 64-bit address or coordinates
	Header    Source        // a byte offset that goes into the header
	Surface   Source        // a binding table index or an image
	Data      [2]Source     // in payload order
	Comps     uint8         // maximum number of doublewords per lane in one message
	AsRead    bool          // the message has the components up to the last one that is read
	Bytes     uint8         // size of an atomic's operand
	BySize    bool          // one message for each component, with elements of the component's size
	Op        OpIndex       // the intrinsic's way of selecting the operation of an atomic
	Sampler   isa.SamplerOp // operation of a sampler message
	Param     message.Param // sampler parameter that is a constant
	Value     uint32        // value of Param
	Component uint8         // number + 1 of the only component of the sampler's response that is used; 0 means all
}

// Result is the destination of a message's result.
type Result uint8

// Destinations of results.
const (
	NoResult Result = iota
	PerLane         // each component is a doubleword per lane
	InRow           // uniform: the components are side by side in one register or two
)

// OpIndex is the way in which an intrinsic selects the operation of an atomic.
type OpIndex uint8

// Ways to select the operation of an atomic.
const (
	NoOp        OpIndex = iota // the message is not an atomic
	ByAtomicOp                 // by the index atomic_op
	ByTexelBase                // by the intrinsic's name and the index texel_base
)

// Source identifies an operand of an intrinsic by its role. The zero value means none.
type Source uint8

// Image is the operand of an image intrinsic that selects the image.
const Image = Source(intrinsic.NumRoles) + 1

// From returns the source with a role.
func From(r intrinsic.Role) Source { return Source(r) + 1 }

// Of returns the operand of v that the source identifies.
func (x Source) Of(s *ir.Shader, v ir.Value) ir.Src {
	if x == Image {
		return s.Src(v, int(s.At(v).NSrc)-1)
	}
	return s.Src(v, s.At(v).Intrinsic().Source(intrinsic.Role(x-1)))
}

// IsAddress64 reports whether the source is a 64-bit address.
func (x Source) IsAddress64() bool { return x == From(intrinsic.RoleAddress) }

// Operands returns the sources in Data.
func (m *Message) Operands() []Source {
	n := 0
	for n < len(m.Data) && m.Data[n] != 0 {
		n++
	}
	return m.Data[:n]
}

// Message returns the message that the row selected for v emits, or nil if it emits none.
func (x *Selector[T]) Message(v ir.Value) *Message {
	if int(v) >= len(x.row) || x.row[v] == 0 {
		return nil
	}
	if m := &x.rows.Messages[x.row[v]-1]; m.Name != message.None {
		return m
	}
	return nil
}

// Bits returns the size for which rows of an intrinsic match (@): the size of its result or, without a result,
// of the value that it stores.
func Bits(s *ir.Shader, v ir.Value) uint8 {
	in := s.At(v)
	if in.HasResult() {
		return in.Bits
	}
	return s.At(s.Src(v, in.Intrinsic().Source(intrinsic.RoleValue)).Val).Bits
}

// Aligned reports whether the address of an access is known to be a multiple of four.
func Aligned(s *ir.Shader, v ir.Value) bool {
	return s.Index(v, intrinsic.IxAlignMul) >= 4 && s.Index(v, intrinsic.IxAlignOffset)%4 == 0
}

// Volatile reports whether v is a volatile access.
func Volatile(s *ir.Shader, v ir.Value) bool {
	return s.At(v).Intrinsic().Slot(intrinsic.IxAccess) >= 0 && kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile != 0
}
