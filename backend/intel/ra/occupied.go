package ra

import (
	"cmp"
	"slices"

	"jacquard.example/backend/intel/mir"
)

// occupied returns, by instruction, how many GRFs hold something that is still read, before
// the instruction. payload is the last position that reads each GRF of the payload.
func (a *Allocator) occupied(payload []int32) []uint8 {
	type change struct {
		at   int32 // from this position on
		reg  mir.Reg
		grf  int // of the payload, if reg is 0
		more int
	}
	l := &a.live
	var changes []change
	for g, end := range payload[:min(a.f.Payload, len(payload))] {
		if end >= 0 {
			changes = append(changes, change{0, 0, g, 1}, change{end + 1, 0, g, -1})
		}
	}
	for _, r := range a.order {
		if a.place[r] != noPlace {
			changes = append(changes, change{l.Start[r], r, 0, 1}, change{l.End[r] + 1, r, 0, -1})
		}
	}
	slices.SortFunc(changes, func(x, y change) int { return cmp.Compare(x.at, y.at) })
	var holds [mir.NumGRFs]int // registers, by GRF
	n, pos := 0, int32(0)
	out := make([]uint8, a.f.NumInsts())
	for b := range a.f.Blocks {
		for i := a.f.Blocks[b].First; i != 0; i = a.f.Next(i) {
			for len(changes) > 0 && changes[0].at <= pos {
				c := changes[0]
				changes = changes[1:]
				first, last := c.grf, c.grf
				if c.reg != 0 {
					at := int(a.place[c.reg])
					first, last = at/grfBytes, (at+int(a.f.Reg(c.reg).Bytes)-1)/grfBytes
				}
				for g := first; g <= last; g++ {
					if holds[g] == 0 {
						n++
					}
					if holds[g] += c.more; holds[g] == 0 {
						n--
					}
				}
			}
			out[i] = uint8(n)
			pos += 2 // as in Live
		}
	}
	return out
}
