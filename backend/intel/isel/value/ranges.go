// SPDX-License-Identifier: MIT

package value

import (
	"cmp"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
)

// Limits of the ranges of uniform buffers that are pushed.
const (
	widest      = 32      // lanes of the widest thread: all widths get the same ranges
	payloadRegs = 96      // maximum size in registers of a payload with ranges, at that width
	rangeGap    = 2       // unused registers allowed between parts of a range
	rangeLimit  = 1 << 16 // bytes of a uniform buffer that are considered
)

// candidate is a range that could be pushed: registers of a uniform buffer, and the number of loads that read
// them.
type candidate struct{ entry, first, end, loads uint32 }

// chooseRanges selects the ranges of uniform buffers to put into the payload: the ranges with the most loads at
// constant offsets.
func (l *Layout) chooseRanges(s *ir.Shader) {
	wide := *l
	if l.ABI.Stage == kind.StageFragment.String() {
		wide.Width = widest
	}
	left := uint32(max(0, min(int(l.ABI.RangeRegs), payloadRegs-wide.Regs())))
	if l.ABI.Ranges == 0 || left == 0 {
		return
	}
	list := joined(candidates(s, l.GRF))
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.loads, a.loads) })
	for _, c := range list[:min(len(list), int(l.ABI.Ranges))] {
		n := min(c.end-c.first, left)
		if left -= n; n > 0 {
			l.Ranges = append(l.Ranges, mir.Range{Entry: c.entry, Start: l.GRF.Start(c.first), Bytes: l.GRF.Start(n)})
			l.use(abi.User)
		}
	}
}

// candidates returns a range for each load of a uniform buffer at a constant offset.
func candidates(s *ir.Shader, grf mir.RegSize) (list []candidate) {
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			for v := range s.Instrs(b) {
				if entry, off, ok := uniformAt(s, v); ok && off < rangeLimit {
					end := off + 4*uint32(s.At(v).Comps)
					list = append(list, candidate{entry, grf.Of(off), uint32(grf.Count(end)), 1})
				}
			}
		}
	}
	return list
}

// joined joins ranges that overlap or are close to each other.
func joined(list []candidate) []candidate {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.first, b.first))
	})
	n := 0
	for _, c := range list {
		if n > 0 && list[n-1].entry == c.entry && c.first <= list[n-1].end+rangeGap {
			list[n-1].end = max(list[n-1].end, c.end)
			list[n-1].loads += c.loads
			continue
		}
		list[n] = c
		n++
	}
	return list[:n]
}

// uniformAt returns the binding table entry and the offset that a load of doublewords from a uniform buffer
// reads. ok is false if they are not constant.
func uniformAt(s *ir.Shader, v ir.Value) (entry, off uint32, ok bool) {
	in := s.At(v)
	if in.Intrinsic() != intrinsic.LoadUBO || in.Bits != 32 || kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile != 0 {
		return 0, 0, false
	}
	e, known := ConstSrc(s, v, intrinsic.RoleSurface)
	o, constant := ConstSrc(s, v, intrinsic.RoleOffset)
	return uint32(e), uint32(o), known && constant && o%4 == 0
}

// Pushed returns the shader's loads of uniform buffers that read from pushed ranges.
func Pushed(s *ir.Shader, ranges []mir.Range) (list []uint32) {
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			for v := range s.Instrs(b) {
				entry, off, ok := uniformAt(s, v)
				if ok && slices.ContainsFunc(ranges, func(r mir.Range) bool {
					return r.Entry == entry && off < r.Start+r.Bytes && off+4*uint32(s.At(v).Comps) > r.Start
				}) {
					list = append(list, uint32(v))
				}
			}
		}
	}
	return list
}

// RangeOffset returns the offset of range i from the start of the push constants. If i is the number of ranges,
// it is the end of all push data.
func (l *Layout) RangeOffset(i int) uint32 {
	at := l.Table(abi.NumTables)
	if len(l.Ranges) > 0 {
		at = l.GRF.Round(at)
	}
	for _, r := range l.Ranges[:i] {
		at += r.Bytes
	}
	return at
}

// pushed returns a component of a uniform buffer load that is in the payload.
func (c *Context) pushed(v ir.Value, comp int, t isa.Type) (mir.Operand, bool) {
	if len(c.Layout.Ranges) == 0 {
		return mir.Operand{}, false
	}
	entry, off, ok := uniformAt(c.S, v)
	if !ok {
		return mir.Operand{}, false
	}
	off += 4 * uint32(comp)
	for i, r := range c.Layout.Ranges {
		if r.Entry == entry && off >= r.Start && off < r.Start+r.Bytes {
			return c.user(c.Layout.RangeOffset(i)+off-r.Start, t), true
		}
	}
	return mir.Operand{}, false
}
