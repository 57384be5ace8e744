package guard

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/bits"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// What can be live: doublewords of the register file, the bits of the flag registers, the
// address register and the accumulator.
const (
	slotBytes = 4
	flagBits  = 8 * slotBytes
	flagUnit  = mir.NumGRFs * mir.GRFBytes / slotBytes
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

// run is some units in a row.
type run struct{ first, n int }

// flagLanes are bits of a flag register, in its word of a set. A flag register does not
// cross words.
type flagLanes struct {
	word int
	bits uint64
}

func lanesOf(x mir.Flag, lanes uint32) flagLanes {
	u := flagUnit + flagBits*int(x/2)
	return flagLanes{u / 64, uint64(lanes) << (u % 64)}
}

// slots are the doublewords that n bytes of an operand touch, the bits of a flag register,
// or the unit that an operand in another register is.
func slots(o *mir.Operand, n uint32) run {
	if o.File == mir.GRF && n > 0 {
		lo := o.Num*mir.GRFBytes + o.Off
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

// effect is what an instruction, or a block, reads and what it overwrites. What lanes that
// run read of their own may be overwritten by masked instructions, what is read whether
// lanes run or not only by others.
type effect struct{ own, ownKill, any, anyKill set }

// perLane reports that lane i of an operand is doubleword i of registers.
func perLane(o *mir.Operand) bool {
	return o.File == mir.GRF && o.Off%mir.GRFBytes == 0 && o.Rows == 0 && o.Swizzle == 0 && int(o.Stride)*o.Type.Size() == slotBytes
}

// before changes what is live after an instruction to what is live before it.
func (e *effect) before(f *mir.Func, in *mir.Inst) {
	if in.Op == mir.OpUndef || in.Op == mir.OpLoop {
		return
	}
	always := in.Pred == isa.PredNone || in.Op == isa.OpSel
	whole := in.IsSend() || int(in.Dst.Stride) == 1 || in.Exec == 1
	if r := slots(&in.Dst, in.DstBytes()); r.n > 0 && always && in.Dst.Mask == 0 {
		switch {
		case r.first >= flagUnit && r.first < addrUnit && (in.Dst.Type.Size() != 4 || !in.NoMask):
		case r.first < flagUnit && !in.IsSend() && (in.Dst.Off%slotBytes != 0 || in.DstBytes()%slotBytes != 0):
		case in.NoMask && whole:
			e.kill(r, true)
		case !in.NoMask && (in.IsSend() || perLane(&in.Dst) && in.Dst.Type.Size() == slotBytes):
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
		if !in.NoMask && (in.IsSend() && k < 2 || perLane(o)) {
			e.own.addRun(slots(o, in.SrcBytes(k)))
		} else {
			e.any.addRun(slots(o, in.SrcBytes(k)))
		}
	}
	if in.ReadsAcc() {
		e.any.all().Add(accUnit)
	}
}

// kill removes what is overwritten.
func (e *effect) kill(r run, noMask bool) {
	e.own.removeRun(r)
	e.ownKill.addRun(r)
	if noMask {
		e.any.removeRun(r)
		e.anyKill.addRun(r)
	}
}

// liveness finds what is live at the start of each block.
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

// flow finds what is live at the start of a block from what is live at the starts of those
// behind it, and reports whether that is more than before.
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

// out is what is live at the end of a block: of lanes that run, along the ways that lanes
// take, and of all, along those of the thread. The sets are only read, before the next call.
func (g *guard) out(b int) (own, all *set) {
	return g.union(0, g.f.Lanes.Succs(b)), g.union(1, g.f.Thread.Succs(b))
}

// union is what is live at the starts of blocks, of lanes that run (0) or of all (1).
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
