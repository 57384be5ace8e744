package mir

// Range is a part of a uniform buffer that the launcher copies into registers after the push constants. Start
// and Bytes are multiples of the register size.
type Range struct {
	Entry        uint32 // entry of the binding table
	Start, Bytes uint32
}
