package link

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// Stats counts what linking has changed, in components of 32 bits.
type Stats struct {
	Dead, Unwritten, Constant, Uniform, Duplicate int
	Before, After                                 int // locations that the vertex shader writes
}

// manner is how the fragment shader reads a component.
type manner uint8

const (
	smooth  manner = 1 << iota // interpolated with perspective
	linear                     // interpolated without
	flat                       // not interpolated
	manners = 1 << iota
)

// varying is a component of a location.
type varying struct {
	stores    int
	known     bool   // value is what the only store writes, whenever the shader ends
	value     ir.Src // a scalar
	flags     kind.IOFlags
	base      kind.BaseType
	bits      uint8 // that are written
	read      uint8 // bits that are read
	manner    manner
	fate      fate
	to        int32 // for moved: the component in its place
	duplicate int32 // for moved: the component with the same value; -1: none
}

// fate is what becomes of a component that is read.
type fate uint8

const (
	moved    fate = iota
	zero          // nothing writes it
	constant      // the fragment shader computes it: a constant
	uniform       // or a load
)

// location is a place of four components.
type location struct {
	fixed  bool // its components stay together
	joined bool // and the next location follows it
	to     int32
}

const components = 4

type linker struct {
	vertex, fragment *pass.Context // fragment may be nil
	varyings         []varying
	locations        []location
	candidates       []int32  // components that may have the value of another
	blocks           []ir.Var // uniform blocks and push constants that the fragment shader uses
	alike            map[structs]bool
	last             ir.Node // the block at which the vertex shader ends
	stats            Stats
}

// Shaders simplifies the interface between two shaders. Without a fragment shader, nil, all
// outputs of the vertex shader but those for fixed functions are removed. Both must have been
// through lower_stage_io; passes that remove dead code should follow.
func Shaders(vertex, fragment *pass.Context) Stats {
	l := &linker{vertex: vertex, fragment: fragment}
	s := vertex.S
	for b := range s.Blocks(s.Entry()) {
		l.last = b
	}
	for x := range s.Vars(kind.ModeShaderOut) {
		if s.Var(x).Qual&kind.QualifierXfb != 0 {
			return l.stats // what is captured must not change
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

// at returns a component, which exists afterwards.
func (l *linker) at(c int32) *varying {
	for int(c) >= len(l.varyings) {
		for range components {
			l.varyings = append(l.varyings, varying{duplicate: -1, to: -1})
		}
		l.locations = append(l.locations, location{to: -1})
	}
	return &l.varyings[c]
}

// keep makes locations stay together.
func (l *linker) keep(first, n int32) {
	for i := first; i < first+n; i++ {
		l.at(components * i)
		l.locations[i].fixed = true
		if i > first {
			l.locations[i-1].joined = true
		}
	}
}

// settle keeps the locations together that are written and read in different sizes.
func (l *linker) settle() {
	for c := range l.varyings {
		if v := &l.varyings[c]; v.stores > 0 && v.read != 0 && v.bits != v.read {
			l.locations[c/components].fixed = true
		}
	}
}
