package opt

import "jacquard.example/backend/intel/mir"

// Memory is the working memory of the passes that are its methods. Reusing it for several
// functions avoids allocations; the zero value is ready for use.
type Memory struct {
	reads     []int32  // by register
	toAll     []mir.ID // the instructions that copy one value to all lanes
	copies    []int32  // by register: how many of these copy it
	sameFlag  sameFlag
	coalescer coalescer
}
