// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/target"
)

// unit is a part of a small access in bytes: a component, a word or a dword.
type unit struct {
	at    int // the first byte, relative to the access
	bytes int
}

// units are the parts of a small access. A load may start before the first byte that it needs.
type units struct {
	n     int
	unit  [fold.MaxComps + 1]unit
	loose bool // words and dwords may begin anywhere; a message accesses one of them
}

func (u *units) add(at, bytes int) {
	u.unit[u.n] = unit{at, bytes}
	u.n++
}

// small replaces access v to a vector of bytes or words with accesses to the dwords and words that the known alignment
// allows. The machine's regions unpack their components. A load needs only the first n components.
//
// A store writes only units whose bytes are all written. A load may read the rest of a dword, since memory consists of
// whole dwords: the size of a buffer's surface is a multiple of four (Ivy Bridge PRM vol. 4 part 1,
// RENDER_SURFACE_STATE, "Width": "The low two bits of this field must be 11 if the Surface Format is RAW"), so is the
// size of scratch memory, and memory with addresses is mapped in pages. Shared memory is read exactly, since other
// invocations may be writing the rest.
func (c context) small(v ir.Value, f memForm, bits uint8, n int) {
	s := c.S
	in := *s.At(v)
	size := int(bits / 8)
	if f.value >= 0 {
		val := s.Src(v, int(f.value))
		u := c.storeUnitsOf(in.Intrinsic(), c.alignment(v), size, s.Index(v, intrinsic.IxWriteMask)&(1<<in.Comps-1))
		for i := 0; i < u.n; {
			i = c.storeUnits(v, f, &u, i, val, size)
		}
		s.Remove(v)
		return
	}
	u := c.loadUnitsOf(in.Intrinsic(), c.alignment(v), size, n)
	var parts [fold.MaxComps]ir.Src
	for i := 0; i < u.n; {
		i = c.loadUnits(v, f, &u, i, parts[:n], size)
	}
	for i := n; i < int(in.Comps); i++ { // unused
		parts[i] = parts[0]
	}
	s.ReplaceUses(v, pass.Vec(c.B, parts[:in.Comps]))
	s.Remove(v)
}

// alignment is the known alignment of an offset: the offset modulo mul, a power of two, is off.
type alignment struct{ mul, off uint32 }

func (c context) alignment(v ir.Value) alignment {
	return alignment{c.S.Index(v, intrinsic.IxAlignMul), c.S.Index(v, intrinsic.IxAlignOffset)}
}

// multiple reports whether the offset plus at is known to be a multiple of n, a power of two.
func (a alignment) multiple(at, n int) bool {
	return a.mul >= uint32(n) && (a.off+uint32(at))&uint32(n-1) == 0
}

// loadUnitsOf returns the units of a load of comps components. Workgroup memory is read exactly.
func (c context) loadUnitsOf(id intrinsic.ID, a alignment, size, comps int) (u units) {
	if exact := id == intrinsic.LoadShared; exact || !u.around(a, size, comps) {
		u.cover(a, size, 1<<comps-1)
	}
	c.loosen(&u, id, size, 1<<comps-1)
	return u
}

// storeUnitsOf returns the units of a store of the components in mask.
func (c context) storeUnitsOf(id intrinsic.ID, a alignment, size int, mask uint32) (u units) {
	u.cover(a, size, mask)
	c.loosen(&u, id, size, mask)
	return u
}

// loosen replaces the units of an access to a storage buffer with units that need no alignment if these take fewer
// messages. Such a unit may straddle the end of the buffer, and then be out of bounds as a whole: with Options.Robust, all
// units are aligned, as they are for machines whose messages require it.
func (c context) loosen(u *units, id intrinsic.ID, size int, mask uint32) {
	if id != intrinsic.LoadSSBO && id != intrinsic.StoreSSBO || c.Options.Robust || c.Target().Can(target.AlignedMessages) {
		return
	}
	x := units{loose: true}
	if x.cover(alignment{}, size, mask); x.messages() < u.messages() {
		*u = x
	}
}

// cover adds the largest units that contain only components in mask.
func (u *units) cover(a alignment, size int, mask uint32) {
	for i := 0; mask>>i != 0; {
		if mask>>i&1 == 0 {
			i++
			continue
		}
		n := 4
		for n > size && (!u.loose && !a.multiple(i*size, n) || ^mask>>i&(1<<(n/size)-1) != 0) {
			n /= 2
		}
		u.add(i*size, n)
		i += n / size
	}
}

// around adds the dwords or words that contain the components. It reports false if the alignment is not known, or
// components straddle units.
func (u *units) around(a alignment, size, comps int) bool {
	for n := 4; n > size; n /= 2 {
		if a.mul < uint32(n) {
			continue
		}
		start := -int(a.off & uint32(n-1))
		if start&(size-1) != 0 {
			return false
		}
		for at := start; at < comps*size; at += n {
			u.add(at, n)
		}
		return true
	}
	return false
}

// message returns the end of the units, starting with i, that one message accesses: up to four dwords, or a single
// smaller unit.
func (u *units) message(i int) int {
	end := i + 1
	for end < u.n && end < i+4 && u.unit[i].bytes == 4 && !u.loose && u.unit[end] == (unit{u.unit[end-1].at + 4, 4}) {
		end++
	}
	return end
}

// messages returns the number of messages that access the units.
func (u *units) messages() (n int) {
	for i := 0; i < u.n; i = u.message(i) {
		n++
	}
	return n
}

// loadUnits loads the units of one message, the first of which is i, and extracts their components into parts. It returns
// the index of the next unit.
func (c context) loadUnits(v ir.Value, f memForm, u *units, i int, parts []ir.Src, size int) int {
	end := u.message(i)
	r := c.piece(v, f, uint8(end-i), uint8(8*u.unit[i].bytes), uint32(u.unit[i].at), ir.Src{})
	for k := i; k < end; k++ {
		x := u.unit[k]
		for b := 0; b < x.bytes; b += size {
			if p := (x.at + b) / size; x.at+b >= 0 && p < len(parts) {
				parts[p] = c.unpack(r.Comp(k-i), x.bytes, b, size)
			}
		}
	}
	return end
}

// storeUnits stores the units of one message, the first of which is i. It returns the index of the next unit.
func (c context) storeUnits(v ir.Value, f memForm, u *units, i int, val ir.Src, size int) int {
	end := u.message(i)
	var d [4]ir.Src
	for k := i; k < end; k++ {
		d[k-i] = c.pack(val, u.unit[k], size)
	}
	c.piece(v, f, uint8(end-i), 0, uint32(u.unit[i].at), pass.VecOrOne(c.B, d[:end-i]))
	return end
}

// unpack returns the component of the given size at byte at of a unit.
func (c context) unpack(x ir.Src, bytes, at, size int) ir.Src {
	b := c.B
	switch {
	case bytes == size:
		return x
	case size == 2 && at == 0:
		return b.Unpack32_2x16SplitX(x)
	case size == 2:
		return b.Unpack32_2x16SplitY(x)
	case at != 0:
		x = b.UShr(x, b.Imm(uint32(8*at)))
	}
	return b.U2U8(x)
}

// pack returns unit x of a vector to store.
func (c context) pack(val ir.Src, x unit, size int) ir.Src {
	b := c.B
	first := x.at / size
	switch {
	case x.bytes == size:
		return val.Comp(first)
	case size == 2:
		return b.Pack32_2x16Split(val.Comp(first), val.Comp(first+1))
	case x.bytes == 4:
		return b.Pack32_4x8Split(val.Comp(first), val.Comp(first+1), val.Comp(first+2), val.Comp(first+3))
	}
	return b.IOr(b.U2U16(val.Comp(first)), b.IShl(b.U2U16(val.Comp(first+1)), b.Imm(8)))
}
