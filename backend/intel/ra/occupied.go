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
		at        int32 // from this position on
		grf, more int
	}
	l := &a.live
	var changes []change
	for g, end := range payload[:min(a.f.Payload, len(payload))] {
		if end >= 0 {
			changes = append(changes, change{0, g, 1}, change{end + 1, g, -1})
		}
	}
	for _, x := range a.order {
		r := mir.Reg(uint32(x))
		if a.place[r] == noPlace {
			continue
		}
		for k := range mir.GRFs(a.f.Reg(r).Bytes) {
			g := int(a.place[r])/grfBytes + k
			changes = append(changes, change{l.Start[r], g, 1}, change{l.EndOf(r, k) + 1, g, -1})
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
				if holds[c.grf] == 0 {
					n++
				}
				if holds[c.grf] += c.more; holds[c.grf] == 0 {
					n--
				}
			}
			out[i] = uint8(n)
			pos += 2 // as in Live
		}
	}
	return out
}
