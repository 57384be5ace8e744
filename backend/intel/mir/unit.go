package mir

import "math/bits"

// Unit is a function with what later passes, and a launcher of its code, have to
// know besides.
type Unit struct {
	Func   *Func
	Stage  string // of the shader
	Entry  string // the name of the entry point
	Target string
	ABI    string // the row of the ABI table
	After  string // the last pass that has run

	// The row as it was: empty where nobody said.
	ABIVersion uint32
	ABIHash    string // of what it says

	WorkgroupSize [3]uint32
	SharedBytes   uint32 // of a workgroup
	PushBytes     uint32 // user push constants; the sizes of buffers lie behind them
	SizesCount    uint32 // doublewords there: the bytes of each buffer of the binding table
	Buffers       uint32 // entries of the binding table
	Barrier       bool   // there are barriers
	PrivateBytes  uint32 // private memory of a lane
	Bindings      []Binding

	// Places are where the instructions stood in the text that the unit was read from,
	// by Inst.Loc. Instructions that passes made of others keep their Loc; 0 is none.
	Places []Place

	// What allocation did.
	SpillBytes    uint32 // scratch space of a thread for spilled registers
	Spills, Fills uint32
	Registers     uint32 // GRFs in use at most
}

// PrivateMemory is the private memory of all lanes of a thread, in bytes.
func (u *Unit) PrivateMemory() uint64 {
	return (uint64(u.PrivateBytes) + 3) &^ 3 * uint64(u.Func.Width)
}

// minScratch is the least scratch space that a launcher gives a thread.
const minScratch = 1024

// Scratch is the scratch space that a launcher has to give a thread, for private memory
// and spilled registers: 0, or a power of two.
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

// UnitError is what is wrong with what a unit says besides its function: Line is the
// name that it has in the text.
type UnitError struct{ Line, Msg string }

func (e *UnitError) Error() string { return e.Msg }

// Binding is a run of entries of the binding table.
type Binding struct {
	Index, Count uint32 // the entries
	Set, Binding uint32 // in the shader
	Mode         string // the IR's name of the memory: ssbo, ubo
}
