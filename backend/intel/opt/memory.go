package opt

// Memory is the working memory of the passes that are its methods. Reusing it for several
// functions avoids allocations; the zero value is ready for use.
type Memory struct {
	reads     []int32 // by register
	sameFlag  sameFlag
	coalescer coalescer
}
