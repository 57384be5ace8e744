// SPDX-License-Identifier: MIT

package allocheck

import (
	"slices"

	"jacquard.example/backend/intel/mir"
)

// A spilled flag is kept in a doubleword of a general register, which may be spilled in turn. The doubleword is
// an image of a flag register: as in the register itself, the flag that each bit belongs to is tracked.

// flagImage is a doubleword at a place that received all bits of a flag register.
type flagImage struct {
	at  place
	reg [imageBits]mir.Reg
}

// Sizes of a flag register.
const (
	flagBytes = dwordBytes
	imageBits = 8 * flagBytes
)

// anyFlagMove reports whether the second program moves flags to or from general registers.
func (c *checker) anyFlagMove() bool {
	for _, steps := range c.steps {
		for i := range steps {
			if k := steps[i].kind; k == flagSave || k == flagLoad {
				return true
			}
		}
	}
	return false
}

// meetImages intersects the images with the images of another path and reports whether they changed.
func (s *flagHeld) meetImages(others []flagImage) (changed bool) {
	for i := 0; i < len(s.images); {
		o := imageAt(others, s.images[i].at)
		switch {
		case o == nil:
			s.images = slices.Concat(s.images[:i], s.images[i+1:])
			changed = true
			continue
		case o.reg != s.images[i].reg:
			x := s.images[i]
			for h := range x.reg {
				if x.reg[h] != o.reg[h] {
					x.reg[h] = 0
				}
			}
			if x != s.images[i] {
				s.images = slices.Clone(s.images)
				s.images[i], changed = x, true
			}
		}
		i++
	}
	return changed
}

func imageAt(images []flagImage, at place) *flagImage {
	for i := range images {
		if images[i].at == at {
			return &images[i]
		}
	}
	return nil
}

// moveFlags processes the effect of a step on images, and on a flag register loaded from an image.
func (c *checker) moveFlags(s *flagHeld, x *step) {
	if x.kind == flagLoad {
		in := c.new.At(x.new)
		first := int(in.Dst.Num&0xF) * imageBits
		got := imageAt(s.images, c.place(&in.Src[0])+place(in.Src[0].Off))
		for h := range imageBits {
			s.reg[first+h] = 0
			if got != nil {
				s.reg[first+h] = got.reg[h]
			}
		}
		return
	}
	a, _, shift := c.written(x)
	if a == nil || len(s.images) == 0 && x.kind != flagSave {
		return
	}
	var after []flagImage
	changed := false
	for _, m := range s.images {
		if a.touches(m.at) {
			changed = true
		} else {
			after = append(after, m)
		}
		// A copy of the whole image, for all lanes.
		if to := m.at - shift; (x.kind == load || x.kind == save || x.kind == move) && a.covers(to) {
			after, changed = append(after, flagImage{to, m.reg}), true
		}
	}
	if x.kind == flagSave {
		in := c.new.At(x.new)
		m := flagImage{at: a.start}
		copy(m.reg[:], s.reg[int(in.Src[0].Num&0xF)*imageBits:])
		after, changed = append(after, m), true
	}
	if changed {
		slices.SortFunc(after, func(x, y flagImage) int { return int(x.at - y.at) })
		s.images = after
	}
}

// touches reports whether any byte of the image at a place is written.
func (a *area) touches(at place) bool {
	for i := range place(flagBytes) {
		if a.at(at+i) != noLane {
			return true
		}
	}
	return false
}

// covers reports whether the whole image at a place is written, without a mask.
func (a *area) covers(at place) bool {
	for i := range place(flagBytes) {
		if a.at(at+i) != allLanes {
			return false
		}
	}
	return true
}

// flagsMeanwhile returns the facts about flags for lanes that wait along an edge while the thread may run the
// blocks in between.
func (c *checker) flagsMeanwhile(e *edge, held *flagHeld) (end flagHeld) {
	n := e.last - e.first
	in, due := make([]flagHeld, n), make([]bool, n)
	again := true
	leave := func(b int, s *flagHeld) {
		for _, to := range c.threadTo[b] {
			switch {
			case to == e.to:
				end.meet(s)
			case to >= e.first && to < e.last:
				if in[to-e.first].meet(s) {
					due[to-e.first] = true
					again = again || to <= b
				}
			}
		}
	}
	leave(e.from, held)
	for again {
		again = false
		for i := range n {
			if !due[i] {
				continue
			}
			due[i] = false
			s := in[i]
			for k := range c.steps[e.first+i] {
				c.new.Work.Spend(1)
				x := &c.steps[e.first+i][k]
				c.moveFlags(&s, x)
				if x.kind != same || !c.new.At(x.new).NoMask {
					continue
				}
				r, bits, all := c.flagWritten(x)
				for h := range s.reg {
					switch {
					case bits.has(h) && all:
						s.reg[h] = r
					case bits.has(h) && s.reg[h] != r:
						s.reg[h] = 0
					}
				}
			}
			leave(e.first+i, &s)
		}
	}
	return end
}
