// SPDX-License-Identifier: MIT

package opt

import "jacquard.example/backend/intel/mir"

// Workspace holds the memory of the passes that are its methods. Reusing it for several functions avoids
// allocations. The zero value is ready for use.
type Workspace struct {
	reads     []int32  // by register
	kept      []bool   // by register: an instruction that writes it was kept
	wide      []bool   // by register: it is a copy of lane numbers
	toAll     []mir.ID // instructions that copy one value to all lanes
	copies    []int32  // by register: number of these instructions that copy it
	sameFlag  sameFlag
	coalescer coalescer
	inPlace   inPlace
}
