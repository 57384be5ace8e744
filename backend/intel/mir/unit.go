// SPDX-License-Identifier: MIT

package mir

import (
	"math/bits"
)

// Unit is a function with the data that later passes and launchers need.
type Unit struct {
	Func   *Func
	Stage  string // shader stage
	Entry  string // the name of the entry point
	Target string
	ABI    string // name of the row in the ABI table
	After  string // last pass that has run

	// Version and hash of the ABI row when the unit was created; empty if unknown.
	ABIVersion uint32
	ABIHash    string // hash of the row's contents

	WorkgroupSize [3]uint32
	SharedBytes   uint32 // per workgroup
	PushBytes     uint32 // the user's push constants; tables about buffers follow them
	SizesCount    uint32 // number of doublewords that hold the size in bytes of each buffer of the binding table
	// AddressesCount is the number of quadwords after those, which hold the address of each buffer of the
	// binding table.
	AddressesCount uint32
	ReadsView      bool    // the number of the view follows
	ReadsConstants bool    // the address of the constant data follows
	Ranges         []Range // ranges of uniform buffers, which follow
	Buffers        uint32  // number of binding table entries
	Barrier        bool    // the code has barriers
	PrivateBytes   uint32  // bytes of private memory per lane
	// For vertex and fragment shaders: the payload parts, a bit for each abi.Part; the number of input slots, also for
	// system values; the contents of the slots.
	Parts           uint32
	Slots           uint32
	Inputs, Outputs []Slot
	Discards        bool   // lanes may be discarded
	PerSample       bool   // lanes are samples of pixels
	Modes           uint32 // the fixed functions' treatment of fragments, a kind.StageMode
	Bindings        []Binding
	Samplers        []Binding // numbered separately
	Constants       []byte    // constant data: the contents of the binding with mode constant, if there is one

	// Places are the positions of the instructions in the text that the unit was parsed from, indexed by
	// Inst.Loc. Instructions derived by passes keep the Loc; 0 means none.
	Places []Place

	// Origins, if not nil, describes the shader instructions that machine instructions were selected for,
	// indexed by Inst.Loc. The first entry is for code that belongs to no shader instruction.
	Origins []Origin

	// Results of register allocation.
	SpillBytes    uint32 // scratch space per thread for spilled registers
	Spills, Fills uint32
	Registers     uint32 // maximum number of GRFs in use
}

// PrivateMemory returns the size in bytes of the private memory of all lanes of a thread.
func (u *Unit) PrivateMemory() uint64 {
	return (uint64(u.PrivateBytes) + 3) &^ 3 * uint64(u.Func.Width)
}

// minScratch is the minimum scratch space that a launcher allocates per thread.
const minScratch = 1024

// Scratch returns the number of bytes of scratch space that a launcher must allocate per thread, for private
// memory and spilled registers: 0, or a power of two.
func (u *Unit) Scratch() uint64 {
	n := u.PrivateMemory() + uint64(u.SpillBytes)
	switch {
	case n == 0:
		return 0
	case n <= minScratch:
		return minScratch
	}
	return 1 << bits.Len64(n-1)
}

// Place is a position in a text: line and column, counted from 1.
type Place struct{ Line, Col uint32 }

// Origin identifies the shader instruction and the row for which an instruction was selected.
type Origin struct {
	Value uint32 // shader instruction, an ir.Value
	Row   string // row of the selection tables; empty if no row selects it
}

// UnitError is an error in a unit outside of its function. Line is the name of the line in the text.
type UnitError struct{ Line, Msg string }

func (e *UnitError) Error() string { return e.Msg }

// Binding is a range of entries of the binding table.
type Binding struct {
	Index, Count uint32 // the entries
	Set, Binding uint32 // as declared in the shader
	Mode         string // the IR's name of the kind of memory: ssbo, ubo, image
	Access       string // readonly or writeonly if the shader declares it, otherwise empty
	// For an image: its shape, with the suffix array if it has layers, and its declared format, by their names
	// in the IR.
	Shape, Format string
	Unformatted   bool // the shader reads it without declaring a format
}

// The declared accesses of a Binding.
const (
	ReadOnly  = "readonly"
	WriteOnly = "writeonly"
)

// Slot is an input or output of a vertex or fragment shader: four doublewords per lane, or a render target.
type Slot struct {
	Index  uint32 // the slot
	Mask   uint32 // components that the shader reads or writes
	Name   string // location, or the name of a builtin of the fixed functions
	Number uint32 // number of the location, or index in an array builtin
	Flat   bool   // input without interpolation
}

// SlotBytes is the size of a slot of a URB entry.
const SlotBytes = 16

// LocationName is the name of slots that have a location.
const LocationName = "location"

// Range is a part of a uniform buffer that the launcher copies into registers after the push constants. Start
// and Bytes are multiples of the register size.
type Range struct {
	Entry        uint32 // entry of the binding table
	Start, Bytes uint32
}
