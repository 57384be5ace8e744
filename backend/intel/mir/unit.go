package mir

import "math/bits"

// Unit is a function with what later passes, and a launcher of its code, need besides.
type Unit struct {
	Func   *Func
	Stage  string // of the shader
	Entry  string // the name of the entry point
	Target string
	ABI    string // the row of the ABI table
	After  string // the last pass that has run

	// The row's version and hash when the unit was created; empty if unknown.
	ABIVersion uint32
	ABIHash    string // of its contents

	WorkgroupSize [3]uint32
	SharedBytes   uint32 // per workgroup
	PushBytes     uint32 // user push constants; tables of buffers are after them
	SizesCount    uint32 // doublewords there: the size in bytes of each buffer of the binding table
	// AddressesCount is the number of quadwords there: the address of each buffer of the
	// binding table.
	AddressesCount uint32
	ReadsView      bool    // the number of the view is behind them
	Ranges         []Range // of uniform buffers, behind it
	Buffers        uint32  // entries of the binding table
	Barrier        bool    // there are barriers
	PrivateBytes   uint32  // private memory per lane
	// Of a vertex or fragment shader: the parts of its payload, a bit for each abi.Part, the
	// number of input slots, which includes those of system values, and what is in the slots.
	Parts           uint32
	Slots           uint32
	Inputs, Outputs []Slot
	Discards        bool   // lanes can be discarded
	PerSample       bool   // the lanes are samples of pixels
	Modes           uint32 // how the fixed functions treat fragments: a kind.StageMode
	Bindings        []Binding
	Samplers        []Binding // likewise of samplers, which have a numbering of their own

	// Places are the positions of the instructions in the text that the unit was parsed
	// from, by Inst.Loc. Instructions that passes derive from others keep their Loc; 0 is
	// none.
	Places []Place

	// Origins, if not nil, say what instructions were selected for, by Inst.Loc; the first
	// stands for those that belong to no instruction of the shader.
	Origins []Origin

	// Results of allocation.
	SpillBytes    uint32 // scratch space per thread for spilled registers
	Spills, Fills uint32
	Registers     uint32 // maximum number of GRFs in use
}

// PrivateMemory returns the private memory of all lanes of a thread, in bytes.
func (u *Unit) PrivateMemory() uint64 {
	return (uint64(u.PrivateBytes) + 3) &^ 3 * uint64(u.Func.Width)
}

// minScratch is the minimum scratch space that a launcher allocates per thread.
const minScratch = 1024

// Scratch returns the scratch space that a launcher must allocate per thread, for private
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

// Place is a position in a text, counted from 1.
type Place struct{ Line, Col uint32 }

// Origin is what an instruction was selected for.
type Origin struct {
	Value uint32 // the instruction of the shader, an ir.Value
	Row   string // the row of the selection tables; empty if none selects it
}

// UnitError is an error in a unit outside its function: Line is the name of the line in
// the text.
type UnitError struct{ Line, Msg string }

func (e *UnitError) Error() string { return e.Msg }

// Binding is a range of entries of the binding table.
type Binding struct {
	Index, Count uint32 // the entries
	Set, Binding uint32 // in the shader
	Mode         string // the IR's name of the memory: ssbo, ubo, image
	Access       string // readonly or writeonly if the shader declares it so, otherwise empty
	// Of an image: its shape, array behind that of one with layers, and its declared format,
	// as the IR names them.
	Shape, Format string
	Unformatted   bool // the shader reads it without declaring a format
}

// The declared accesses of a Binding.
const (
	ReadOnly  = "readonly"
	WriteOnly = "writeonly"
)
