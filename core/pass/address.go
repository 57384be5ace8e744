package pass

// AddressFormat is how accesses address a uniform or storage buffer.
// Workgroup and scratch memory use 32-bit offsets, physical memory 64-bit
// addresses.
type AddressFormat uint8

// The address formats.
const (
	// IndexOffset is the index of a binding-table entry and a 32-bit
	// offset; the machine checks bounds.
	IndexOffset AddressFormat = iota
	// Bounded64 is a 64-bit address that is computed from the buffer's descriptor
	// and used only if the whole access is within the buffer: otherwise loads
	// return 0 and stores and atomics do nothing.
	Bounded64
)

// AddressFormats holds the names of the address formats.
var AddressFormats = []string{IndexOffset: "index-offset", Bounded64: "bounded64"}
