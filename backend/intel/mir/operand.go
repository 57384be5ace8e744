// SPDX-License-Identifier: MIT

package mir

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// File is the kind of an operand's location.
type File uint8

// The files.
const (
	None File = iota // not used
	VReg             // virtual register
	GRF              // a fixed GRF: payload, or after register allocation
	ARF              // architecture register: null, a0, acc, flags …
	Imm              // immediate
)

// Reg is the handle of a virtual register; 0 is none.
type Reg uint32

// Operand is a source or destination.
//
// Lane i of a register operand is at Stride·i elements of Type after byte Off of register Num; stride 0 reads
// one scalar for all lanes. A destination's stride is at least 1. A source may also have Rows, in which case
// the stride is the distance between the elements of a row.
//
// On machines that can encode them, the sources of a three-source instruction may have a swizzle and its
// destination a write mask. Within each group of four lanes, lane i reads the element of lane Swizzle.Lane(i),
// and lanes excluded by the mask write neither their element nor their flag.
type Operand struct {
	File   File
	Type   isa.Type
	Stride uint8
	Rows   Rows
	Neg    bool // bitwise not on logic opcodes
	Abs    bool

	Swizzle fields.Swizzle   // source: the elements that the lanes read
	Mask    fields.WriteMask // destination: the lanes that are written

	Off uint32 // byte offset; immediate: bits 63:32
	Num uint32 // virtual register, GRF or ARF code; immediate: bits 31:0
}

// Null returns the null register as type t.
func Null(t isa.Type) Operand {
	return Operand{File: ARF, Type: t, Stride: 1, Num: isa.ARFNull}
}

// V returns a virtual register as a packed vector of t.
func V(r Reg, t isa.Type) Operand {
	return Operand{File: VReg, Type: t, Stride: 1, Num: uint32(r)}
}

// Scalar returns one element of type t, off bytes into a virtual register, for all lanes.
func Scalar(r Reg, off uint32, t isa.Type) Operand {
	return Operand{File: VReg, Type: t, Off: off, Num: uint32(r)}
}

// Fixed returns a packed vector of t in GRFs starting at number n.
func Fixed(n int, t isa.Type) Operand {
	return Operand{File: GRF, Type: t, Stride: 1, Num: uint32(n)}
}

// FixedScalar returns one element of type t, off bytes into GRF n, for all lanes.
func FixedScalar(n int, off uint32, t isa.Type) Operand {
	return Operand{File: GRF, Type: t, Off: off, Num: uint32(n)}
}

// Arch returns the architecture register with a code, off bytes in. As a source it is a scalar; as a destination it is
// written starting at off.
func Arch(code uint8, off uint32, t isa.Type) Operand {
	return Operand{File: ARF, Type: t, Stride: 1, Off: off, Num: uint32(code)}
}

// ImmOp returns an immediate of type t.
func ImmOp(bits uint32, t isa.Type) Operand {
	return Operand{File: Imm, Type: t, Num: bits}
}

// ImmOp64 returns an immediate of an 8-byte type t.
func ImmOp64(bits uint64, t isa.Type) Operand {
	return Operand{File: Imm, Type: t, Num: uint32(bits), Off: uint32(bits >> 32)}
}

// Bits returns the bits of an immediate.
func (o *Operand) Bits() uint64 { return uint64(o.Off)<<32 | uint64(o.Num) }

// UD returns an unsigned 32-bit immediate.
func UD(x uint32) Operand { return ImmOp(x, isa.TypeUD) }

// D returns a signed 32-bit immediate.
func D(x int32) Operand { return ImmOp(uint32(x), isa.TypeD) }

// UW returns an unsigned 16-bit immediate.
func UW(x uint16) Operand { return ImmOp(uint32(x), isa.TypeUW) }

// As returns the operand with another type and the same stride.
func (o Operand) As(t isa.Type) Operand { o.Type = t; return o }

// At returns the operand offset by n bytes.
func (o Operand) At(n uint32) Operand { o.Off += n; return o }

// WithStride returns the operand with a stride, and without rows and swizzle.
func (o Operand) WithStride(s uint8) Operand { o.Stride, o.Rows, o.Swizzle = s, 0, 0; return o }

// Minus returns the operand negated.
func (o Operand) Minus() Operand { o.Neg = !o.Neg; return o }

// Absolute returns the operand's magnitude.
func (o Operand) Absolute() Operand { o.Abs, o.Neg = true, false; return o }

// IsNull reports whether the operand is the null register.
func (o *Operand) IsNull() bool { return o.File == ARF && o.Num == isa.ARFNull }

// IsReg reports whether the operand is a virtual register or GRF.
func (o *Operand) IsReg() bool { return o.File == VReg || o.File == GRF }

// HasMods reports whether the operand has a source modifier.
func (o *Operand) HasMods() bool { return o.Neg || o.Abs }

// IsScalar reports whether all lanes read the same bits.
func (o *Operand) IsScalar() bool { return o.File == Imm || o.HasStride(0) }

// SameReg reports whether two operands are in the same register, at any offset.
func (o *Operand) SameReg(p *Operand) bool {
	return o.IsReg() && o.File == p.File && o.Num == p.Num
}
