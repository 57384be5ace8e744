package pass

// AddressFormat is how accesses name a place in a uniform or storage buffer.
// Workgroup and scratch memory have 32-bit offsets, physical memory 64-bit
// addresses.
type AddressFormat uint8

// The address formats.
const (
	// IndexOffset is the number of an entry of the binding table and a 32-bit
	// offset; the machine checks bounds.
	IndexOffset AddressFormat = iota
	// Bounded64 is a 64-bit address that is computed from the buffer's descriptor
	// and used only if all of the access lies in the buffer: elsewhere loads give 0
	// and stores and atomics do nothing.
	Bounded64
)

// AddressFormats are their names.
var AddressFormats = []string{IndexOffset: "index-offset", Bounded64: "bounded64"}
