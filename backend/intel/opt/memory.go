package opt

import "jacquard.example/backend/intel/mir"

// Memory is the working memory of the passes that are its methods. Reusing it for several
// functions avoids allocations; the zero value is ready for use.
type Memory struct {
	reads     []int32  // by register
	kept      []bool   // by register: an instruction that writes it was kept
	wide      []bool   // by register: it is a copy of lane numbers
	toAll     []mir.ID // the instructions that copy one value to all lanes
	copies    []int32  // by register: how many of these copy it
	sameFlag  sameFlag
	coalescer coalescer
}
