// SPDX-License-Identifier: MIT

package link

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// Stats counts the changes by linking, in 32-bit components.
type Stats struct {
	Dead, Unwritten, Constant, Uniform, Duplicate int
	Before, After                                 int // locations that the vertex shader writes
}

// manner is the interpolation with which the fragment shader reads a component.
type manner uint8

const (
	smooth  manner = 1 << iota // interpolated with perspective
	linear                     // interpolated without perspective
	flat                       // not interpolated
	manners = 1 << iota
)

// varying is a component of a location.
type varying struct {
	stores    int
	known     bool   // value is the value of the only store, which is in the last block
	value     ir.Src // a scalar
	flags     kind.IOFlags
	base      kind.BaseType
	bits      uint8 // size in bits of the written values
	read      uint8 // size in bits of the reads
	manner    manner
	fate      fate
	to        int32 // for moved: the new component
	duplicate int32 // for moved: the component with the same value; -1 if none
}

// fate is the treatment of a component that is read.
type fate uint8

const (
	moved    fate = iota
	zero          // not written
	constant      // the fragment shader has the constant
	uniform       // the fragment shader loads the uniform value
)

// location is a location of four components.
type location struct {
	fixed  bool  // its components stay together
	joined bool  // it and the next location stay together
	to     int32 // the new location, or -1
}

const components = 4

type linker struct {
	vertex, fragment *pass.Context // fragment may be nil
	varyings         []varying
	locations        []location
	candidates       []int32          // components that may have the value of another component
	blocks           []ir.Var         // uniform blocks and push constants that the fragment shader uses
	alike            map[structs]bool // results of same
	last             ir.Node          // the block at which the vertex shader ends
	stats            Stats
}

// Shaders simplifies the interface between two shaders. If fragment is nil, all outputs of the vertex shader except
// those for fixed-function hardware are removed. Nothing changes if transform feedback captures outputs. lower_stage_io
// must have run on both; passes that remove dead code should follow.
func Shaders(vertex, fragment *pass.Context) Stats {
	l := &linker{vertex: vertex, fragment: fragment}
	s := vertex.S
	for b := range s.Blocks(s.Entry()) {
		l.last = b
	}
	for x := range s.Vars(kind.ModeShaderOut) {
		if s.Var(x).Qual&kind.QualifierXfb != 0 {
			return l.stats // captured outputs must not change
		}
	}
	l.written()
	if fragment != nil {
		l.loaded()
		l.useBlocks()
	}
	l.settle()
	l.decide()
	l.pack()
	l.rewriteVertex()
	if fragment != nil {
		l.rewriteFragment()
	}
	return l.stats
}

// at returns a component, and creates it if necessary.
func (l *linker) at(c int32) *varying {
	for int(c) >= len(l.varyings) {
		for range components {
			l.varyings = append(l.varyings, varying{duplicate: -1, to: -1})
		}
		l.locations = append(l.locations, location{to: -1})
	}
	return &l.varyings[c]
}

// keep keeps the n locations starting at first together.
func (l *linker) keep(first, n int32) {
	for i := first; i < first+n; i++ {
		l.at(components * i)
		l.locations[i].fixed = true
		if i > first {
			l.locations[i-1].joined = true
		}
	}
}

// settle keeps the components of a location together if one of them is written and read in different sizes.
func (l *linker) settle() {
	for c := range l.varyings {
		if v := &l.varyings[c]; v.stores > 0 && v.read != 0 && v.bits != v.read {
			l.locations[c/components].fixed = true
		}
	}
}
