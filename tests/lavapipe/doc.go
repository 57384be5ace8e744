// Package lavapipe runs compute shaders on lavapipe, Mesa's software Vulkan
// driver, as an oracle for tests: what a SPIR-V module computes according to a
// compiler that shares nothing with ours. It loads the driver without cgo and
// without the Vulkan loader, so the Debian package mesa-vulkan-drivers is all
// it needs.
//
// Lavapipe decides only what SPIR-V defines: its fma is not fused, and a
// float out of the range of the integer it is converted to, or a division by
// zero, give results of its own. It trusts its input, so modules of doubtful
// origin must pass spirv-val first: an invalid one can take the process down.
package lavapipe

// Kind says how a shader sees a buffer.
type Kind uint8

// The kinds of buffer descriptors.
const (
	Storage Kind = iota // a storage buffer, read and written
	Uniform             // a uniform buffer, read only
)

// A Binding is one buffer of a dispatch.
type Binding struct {
	Set, Binding uint32
	Kind         Kind
	// Data is what the buffer holds before the dispatch and, for a storage
	// buffer, after it. Its length is the size of the buffer.
	Data []byte
}

// A Spec gives a specialization constant its value: 1 to 8 bytes, little
// endian; 4 bytes for a bool.
type Spec struct {
	ID    uint32
	Value []byte
}

// A Dispatch is one run of a compute shader.
type Dispatch struct {
	Words    []uint32 // the SPIR-V module
	Entry    string   // name of the entry point; "" means "main"
	Specs    []Spec
	Push     []byte // push constants from offset 0
	Groups   [3]uint32
	Bindings []Binding
}
