// SPDX-License-Identifier: MIT

package guard

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/bits"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// Units of liveness: doublewords of the register file, bits of the flag registers, the address register and the
// accumulator.
const (
	slotBytes = 4
	flagBits  = 8 * slotBytes
	flagUnit  = mir.MaxFileBytes / slotBytes
	addrUnit  = flagUnit + flagBits*mir.ArchFlags
	accUnit   = addrUnit + 1
	numUnits  = accUnit + 1
	setWords  = (numUnits + 63) / 64
)

type set [setWords]uint64

func (s *set) all() bits.Set { return bits.Set(s[:]) }

func (s *set) add(t *set) {
	for w := range s {
		s[w] |= t[w]
	}
}

// addRun adds units.
func (s *set) addRun(r run) { s.all().AddRange(r.first, r.first+r.n) }

func (s *set) removeRun(r run) { s.all().RemoveRange(r.first, r.first+r.n) }

func (s *set) meets(r run) bool { return s.all().HasAny(r.first, r.first+r.n) }

// run is a range of consecutive units.
type run struct{ first, n int }

// flagLanes is a set of bits of a flag register, within one word of a set. A flag register does not cross
// words.
type flagLanes struct {
	word int
	bits uint64
}

func lanesOf(x mir.Flag, lanes uint32) flagLanes {
	u := flagUnit + flagBits*int(x/2)
	return flagLanes{u / 64, uint64(lanes) << (u % 64)}
}

// slots returns the units of an operand: the doublewords that its n bytes touch, the bits of a flag register,
// or the unit of another register.
func slots(f *mir.Func, o *mir.Operand, n uint32) run {
	if o.File == mir.GRF && n > 0 {
		lo := f.GRF.Place(o)
		return run{int(lo / slotBytes), int((lo+n+slotBytes-1)/slotBytes - lo/slotBytes)}
	}
	switch k, ok := o.Arch(); {
	case !ok:
		return run{}
	case k == mir.ArchA0:
		return run{addrUnit, 1}
	case k == mir.ArchAcc:
		return run{accUnit, 1}
	default:
		return run{flagUnit + flagBits*k, flagBits}
	}
}

// effect is the set of units that an instruction or block reads and overwrites. own has the units that active
// lanes read for themselves, which masked instructions may overwrite; any has the units that are read whether
// or not lanes are active, which only unmasked instructions overwrite.
type effect struct{ own, ownKill, any, anyKill set }

// perLane reports whether lane i of an operand lies in doubleword i of its registers, counted from the start of a
// register. The lane may be smaller than the doubleword.
func perLane(f *mir.Func, o *mir.Operand) bool {
	return o.File == mir.GRF && f.GRF.In(o.Off) == 0 && o.Rows == 0 && o.Swizzle == 0 && int(o.Stride)*o.Type.Size() == slotBytes
}

// before updates the live units after an instruction to the live units before it.
func (e *effect) before(f *mir.Func, in *mir.Inst) {
	if in.Op == mir.OpUndef || in.Op == mir.OpLoop {
		return
	}
	n := f.DstBytes(in)
	always := in.Pred == isa.PredNone || in.Op == isa.OpSel
	whole := in.IsSend() || int(in.Dst.Stride) == 1 || in.Exec == 1
	if r := slots(f, &in.Dst, n); r.n > 0 && always && in.Dst.Mask == 0 {
		switch {
		case r.first >= flagUnit && r.first < addrUnit && (in.Dst.Type.Size() != 4 || !in.NoMask):
		case r.first < flagUnit && !in.IsSend() && (in.Dst.Off%slotBytes != 0 || n%slotBytes != 0):
		case in.NoMask && whole:
			e.kill(r, true)
		case !in.NoMask && (in.IsSend() || perLane(f, &in.Dst) && in.Dst.Type.Size() == slotBytes):
			e.kill(r, false)
		}
	}
	if in.WritesFlag() && in.Pred == isa.PredNone && in.Dst.Mask == 0 {
		l := lanesOf(in.Flag, in.Lanes())
		e.own[l.word] &^= l.bits
		e.ownKill[l.word] |= l.bits
		if in.NoMask {
			e.any[l.word] &^= l.bits
			e.anyKill[l.word] |= l.bits
		}
	}
	if in.ReadsFlag() {
		reads := &e.any
		lanes := ^uint32(0)
		if in.PredicatedByLane() {
			if lanes = in.Lanes(); !in.NoMask {
				reads = &e.own
			}
		}
		l := lanesOf(in.Flag, lanes)
		reads[l.word] |= l.bits
	}
	for k := range in.Src {
		o := &in.Src[k]
		if !in.NoMask && (in.IsSend() && k < 2 || perLane(f, o)) {
			e.own.addRun(slots(f, o, f.SrcBytes(in, k)))
		} else {
			e.any.addRun(slots(f, o, f.SrcBytes(in, k)))
		}
	}
	if in.ReadsAcc() {
		e.any.all().Add(accUnit)
	}
}

// kill removes the overwritten units.
func (e *effect) kill(r run, noMask bool) {
	e.own.removeRun(r)
	e.ownKill.addRun(r)
	if noMask {
		e.any.removeRun(r)
		e.anyKill.addRun(r)
	}
}

// liveness finds the live units at the start of each block.
func (g *guard) liveness() {
	f := g.f
	g.blocks = reuse.Zeroed(g.blocks, len(f.Blocks))
	g.in = reuse.Zeroed(g.in, len(f.Blocks))
	for b := range f.Blocks {
		for i := f.Blocks[b].Last; i != 0; i = f.Prev(i) {
			g.blocks[b].before(f, f.At(i))
		}
	}
	g.solve.Solve(len(f.Blocks), graph.Backward, func(b int) {
		f.Work.Spend(setWords)
		if g.flow(b) {
			for _, p := range f.Thread.Preds(b) { // includes the predecessors for lanes
				g.solve.Due(p)
			}
		}
	})
}

// flow propagates live units from the successors of a block to its start, and reports whether any were added.
func (g *guard) flow(b int) bool {
	own, all := g.out(b)
	e, in := &g.blocks[b], &g.in[b]
	added := uint64(0)
	for w := range own {
		o, a := e.own[w]|own[w]&^e.ownKill[w], e.any[w]|all[w]&^e.anyKill[w]
		added |= o&^in[0][w] | a&^in[1][w]
		in[0][w], in[1][w] = o, a
	}
	return added != 0
}

// out returns the live units at the end of a block: for active lanes, along the edges of lanes, and for all
// lanes, along the edges of the thread. The sets are read-only and valid until the next call.
func (g *guard) out(b int) (own, all *set) {
	return g.union(0, g.f.Lanes.Succs(b)), g.union(1, g.f.Thread.Succs(b))
}

// union returns the live units at the starts of blocks, for active lanes (0) or for all lanes (1).
func (g *guard) union(which int, blocks []int32) *set {
	if len(blocks) == 1 {
		return &g.in[blocks[0]][which]
	}
	out := &g.ends[which]
	*out = set{}
	for _, b := range blocks {
		out.add(&g.in[b][which])
	}
	return out
}
