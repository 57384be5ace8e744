package selector

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// Message is a logical message that a row emits for an intrinsic: where its sources come from, and
// how the components of the intrinsic are distributed among several messages.
type Message struct {
	Name      message.Name // None: the row emits no message
	Space     message.Space
	Result    Result
	Address   Source // the offset, the 64-bit address or the coordinates
	Header    Source
	Surface   Source
	Data      [2]Source     // one after the other
	Comps     uint8         // the most doublewords per lane of one message
	AsRead    bool          // the components up to the last one that is read
	Bytes     uint8         // of an element of a message for each component, or of an atomic
	BySize    bool          // the element has the size of the value
	Op        OpIndex       // which index of the intrinsic names the atomic
	Sampler   isa.SamplerOp // of a message to the sampler
	Param     message.Param // that is given
	Value     uint32        // what it is
	Component uint8         // of the response of the sampler that is wanted, plus 1; 0: all
}

// Result is where the result of a message goes.
type Result uint8

// The results.
const (
	NoResult Result = iota
	PerLane         // each component is a doubleword per lane
	InRow           // uniform: the components are side by side in one register or two
)

// OpIndex says how an intrinsic names an atomic.
type OpIndex uint8

// The ways.
const (
	NoOp        OpIndex = iota
	ByAtomicOp          // by its index atomic_op
	ByTexelBase         // by its name and the type of texels, its index texel_base
)

// Source is a source of an intrinsic, by its role. The zero value is none.
type Source uint8

// Image is the target of an intrinsic on images.
const Image = Source(intrinsic.NumRoles) + 1

// From returns the source with a role.
func From(r intrinsic.Role) Source { return Source(r) + 1 }

// Of returns the operand of v that a source names.
func (x Source) Of(s *ir.Shader, v ir.Value) ir.Src {
	if x == Image {
		return s.Src(v, int(s.At(v).NSrc)-1)
	}
	return s.Src(v, s.At(v).Intrinsic().Source(intrinsic.Role(x-1)))
}

// IsAddress64 reports whether a source is a 64-bit address.
func (x Source) IsAddress64() bool { return x == From(intrinsic.RoleAddress) }

// Operands returns the sources of the data.
func (m *Message) Operands() []Source {
	n := 0
	for n < len(m.Data) && m.Data[n] != 0 {
		n++
	}
	return m.Data[:n]
}

// Message returns the message that the selected row for v emits, nil if it emits none.
func (x *Selector[T]) Message(v ir.Value) *Message {
	if int(v) >= len(x.row) || x.row[v] == 0 {
		return nil
	}
	if m := &x.rows.Messages[x.row[v]-1]; m.Name != message.None {
		return m
	}
	return nil
}

// Bits returns the size that a row for an intrinsic states: of its result, or else of the value that it
// stores.
func Bits(s *ir.Shader, v ir.Value) uint8 {
	in := s.At(v)
	if in.HasResult() {
		return in.Bits
	}
	return s.At(s.Src(v, in.Intrinsic().Source(intrinsic.RoleValue)).Val).Bits
}

// Volatile reports whether an access is volatile.
func Volatile(s *ir.Shader, v ir.Value) bool {
	return s.At(v).Intrinsic().Slot(intrinsic.IxAccess) >= 0 && kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile != 0
}
