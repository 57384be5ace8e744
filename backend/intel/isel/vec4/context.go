// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// channels is the number of components of a vertex in a register.
const channels = 4

// rowBytes is the size of the components of one vertex, half a register.
const rowBytes = 4 * channels

// Context is the state of a selection.
type Context struct {
	*value.Context

	place []place // by ir.Value
	frame frame   // of the value being selected
	to    flagOf

	registers registers

	words map[constant]mir.Reg // constants that are loaded at the start
	order []constant           // in the order of their registers

	copies map[mir.Operand]mir.Reg // push data that is copied to whole registers at the start
	loads  []mir.Operand           // in the order of their registers
}

// place is where the components of a value are. Those of a value of more than four components follow one another, four
// in a register.
type place struct {
	reg     mir.Reg
	off     uint32
	channel [channels]uint8 // by component
}

// frame says which component of a value each channel computes; none means that it computes nothing.
type frame [channels]int8

const none = -1

// empty is the frame that computes nothing.
var empty = frame{none, none, none, none}

// whole returns the frame of a value of n components in the first channels.
func whole(n int) (f frame) {
	f = empty
	for i := range min(n, channels) {
		f[i] = int8(i)
	}
	return f
}

// all returns the frame in which all channels compute component i.
func all(i int) frame { return frame{int8(i), int8(i), int8(i), int8(i)} }

// mask returns the write mask of the channels that compute something.
func (f frame) mask() fields.WriteMask {
	bits := uint8(0)
	for ch, i := range f {
		if i >= 0 {
			bits |= 1 << ch
		}
	}
	return fields.MaskOf(bits)
}

// swizzle returns the swizzle by which each channel reads the component that it computes.
func (f frame) swizzle() fields.Swizzle {
	var s [channels]uint8
	last := uint8(0)
	for ch, i := range f {
		if i >= 0 {
			last = uint8(i)
		}
		s[ch] = last
	}
	return fields.SwizzleOf(s[0], s[1], s[2], s[3])
}

// frame returns the frame of a value in its place, for the components that are used.
func (p *place) frame(comps int, used uint32) frame {
	f := empty
	for i := range min(comps, channels) {
		if used>>i&1 != 0 {
			f[p.channel[i]] = int8(i)
		}
	}
	return f
}

// New returns a context for a selection, whose memory it takes over from an earlier one.
func New(old *Context, c *value.Context) *Context {
	if old == nil {
		old = &Context{words: map[constant]mir.Reg{}, copies: map[mir.Operand]mir.Reg{}}
	}
	clear(old.words)
	clear(old.copies)
	*old = Context{Context: c, place: reuse.Zeroed(old.place, c.S.NumValues()), words: old.words, order: old.order[:0],
		copies: old.copies, loads: old.loads[:0], registers: registers{at: old.registers.at}}
	return old
}

// placeOf returns the place of a value, which gets a register of its own if it has none.
func (c *Context) placeOf(v ir.Value) *place {
	p := &c.place[v]
	if p.reg != 0 {
		return p
	}
	if c.S.At(v).Intrinsic() == intrinsic.LoadReg {
		if n := c.S.Index(v, intrinsic.IxReg); c.readable(v, n) {
			*p = place{reg: c.register(n), channel: [channels]uint8{0, 1, 2, 3}}
			return p
		}
	}
	comps := int(c.S.At(v).Comps)
	*p = place{reg: c.newReg((comps + channels - 1) / channels), channel: [channels]uint8{0, 1, 2, 3}}
	if m := c.Sel.Message(v); m != nil && m.Component > 1 { // the only one of the response
		p.channel[0] = m.Component - 1
	}
	return p
}

// newReg returns a register for n vectors of each vertex.
func (c *Context) newReg(n int) mir.Reg { return c.F.NewReg(n, 4) }

// Begin prepares the selection of a value.
func (c *Context) Begin(v ir.Value, in *ir.Instr) {
	c.RowFlags = [mir.NumFlags]mir.Flag{}
	c.B.Vector()
	c.frame = empty
	if in.HasResult() {
		used := analysis.UsedComps(c.S, v)
		c.frame = c.placeOf(v).frame(int(in.Comps), used)
	}
}

// insert inserts an instruction that computes the channels of the frame.
func (c *Context) insert(in mir.Inst) *mir.Inst {
	c.legalize(&in)
	in.Align16 = true
	in.Dst.Mask = c.frame.mask()
	return c.Insert(in)
}

// emit inserts an instruction with the given destination and sources.
func (c *Context) emit(op isa.Op, dst mir.Operand, src ...mir.Operand) *mir.Inst {
	in := mir.Inst{Op: op, Dst: dst}
	copy(in.Src[:], src)
	return c.insert(in)
}

// Prologue loads the constants, the push data and the address of private memory that instructions read from registers.
func (c *Context) Prologue() {
	c.B.Vector()
	c.loadConstants()
	c.loadCopies()
	if c.Scratch != 0 {
		c.loadScratchBase()
	}
}
