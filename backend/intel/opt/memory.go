package opt

// Memory is what the passes that are its methods work in. Using it for one function after
// the other saves allocating it again; the zero value is ready for use.
type Memory struct {
	reads     []int32 // by register
	sameFlag  sameFlag
	coalescer coalescer
}
