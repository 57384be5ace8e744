package mir

// Range is a range of a uniform buffer that the launcher of a program copies into registers behind its push
// constants: a multiple of a register, from a multiple of a register on.
type Range struct {
	Entry        uint32 // of the binding table
	Start, Bytes uint32
}
