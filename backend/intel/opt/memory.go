package opt

// Memory is the working memory of the passes that are its methods. Reusing it for several
// functions avoids allocations; the zero value is ready for use.
type Memory struct {
	reads     []int32 // by register
	copies    []int32 // by register: the copies of it to all lanes
	blockOf   []int32 // by register: the block that writes it, and 1
	sameFlag  sameFlag
	coalescer coalescer
}
