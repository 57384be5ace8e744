// SPDX-License-Identifier: MIT

package explicitio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
)

// pointerFormat is a representation of pointer values. The shader determines it: all derefs of a chain have the same
// size and number of components.
type pointerFormat struct {
	bits, comps uint8
	modes       kind.Mode // memory that such a pointer may refer to
	one         bool      // but only one of the modes, since nothing tells them apart
	unpack      func(c context, p ir.Src) (lo, hi ir.Src)
	pack        func(c context, lo, hi ir.Src) ir.Src
}

// pointerFormats are the formats of pointer values. All have a low half: an offset or the low half of an address.
// Formats without a high half cannot refer to memory by address or to one of several buffers.
var pointerFormats = []pointerFormat{
	{bits: 64, comps: 1, modes: generic | kind.ModeSSBO,
		unpack: func(c context, p ir.Src) (lo, hi ir.Src) {
			return c.B.Unpack64_2x32SplitX(p), c.B.Unpack64_2x32SplitY(p)
		},
		pack: func(c context, lo, hi ir.Src) ir.Src { return c.B.Pack64_2x32Split(lo, hi) }},
	{bits: 32, comps: 2, modes: generic | kind.ModeSSBO,
		unpack: func(_ context, p ir.Src) (lo, hi ir.Src) { return p.Comp(0), p.Comp(1) },
		pack:   func(c context, lo, hi ir.Src) ir.Src { return pass.Vec(c.B, []ir.Src{lo, hi}) }},
	{bits: 32, comps: 1, modes: kind.ModeShared | pass.Promotable, one: true,
		unpack: func(_ context, p ir.Src) (lo, hi ir.Src) { return p, ir.Src{} },
		pack:   func(_ context, lo, _ ir.Src) ir.Src { return lo }},
}

// pointerFormat returns the format of a pointer value v to memory of the given modes, or nil if there is none.
func (c context) pointerFormat(v ir.Value, modes kind.Mode) *pointerFormat {
	in := c.S.At(v)
	for i := range pointerFormats {
		f := &pointerFormats[i]
		if f.bits == in.Bits && f.comps == in.Comps && modes != 0 && modes&^f.modes == 0 && (!f.one || modes&(modes-1) == 0) {
			return f
		}
	}
	return nil
}
