// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/bits"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Places that CheckFused tracks: the bytes of the register file, the bits of the flag registers, a0 and the
// accumulator.
const (
	fusedBytes = mir.MaxFileBytes
	perFlag    = 32
	placeA0    = fusedBytes + perFlag*mir.ArchFlags
	placeAcc   = placeA0 + 1
	numPlaces  = placeAcc + 1
)

// span is a range of n places starting at first.
type span struct{ first, n int }

// fused is the state of CheckFused.
type fused struct {
	f      *mir.Func
	flow   *flow
	spoils []bits.Set    // by block: places that it changes in a thread without lanes
	dirty  [][2]bits.Set // by block, at its start: places spoiled for the lane that owns them, and for other readers
	origin []int32       // in a block, by place: the place of its contents at the start; -1 means new contents
	lanes  [mir.ArchFlags]bool
	saved  []savedFlag // in a block
}

// CheckFused checks code with allocated registers for a machine whose threads run in fused pairs. There,
// unmasked instructions of an arm or loop may also execute in a thread whose lanes all wait elsewhere. These
// lanes must find the contents that they left, unless they do not read them. Such a thread must send no
// message, except to read its own scratch space. An instruction does not execute there if it is predicated on
// any lane of a flag that was loaded from ce0 in its block.
//
// Unlike the pass that guards such instructions, the check proceeds forward: from the places that a thread
// without lanes overwrites to the places that lanes read after they have waited.
func CheckFused(f *mir.Func) error {
	fl, err := buildFlow(f)
	if err != nil {
		return err
	}
	x := &fused{f: f, flow: fl, origin: make([]int32, numPlaces)}
	for b := range f.Blocks {
		x.spoils = append(x.spoils, bits.NewSet(numPlaces))
		x.dirty = append(x.dirty, [2]bits.Set{bits.NewSet(numPlaces), bits.NewSet(numPlaces)})
		x.alone(b)
	}
	alone := make([]bool, len(f.Blocks)) // by block: some thread may run it without lanes
	for to := range fl.lanes {
		for _, e := range fl.lanes[to] {
			if !e.waits || e.together {
				continue
			}
			for b := e.first; b < e.last; b++ {
				if !e.halt && x.meets(b) {
					continue
				}
				alone[b] = true
				x.dirty[to][0].Union(x.spoils[b])
				x.dirty[to][1].Union(x.spoils[b])
			}
		}
	}
	for b := range f.Blocks {
		if alone[b] {
			if err := x.messages(b); err != nil {
				return err
			}
		}
	}
	return x.solve()
}

// meets reports whether a block has the workgroup's barrier, which all lanes execute together.
func (x *fused) meets(b int) bool {
	for i := x.f.Blocks[b].First; i != 0; i = x.f.Next(i) {
		if x.f.At(i).Msg.Name == message.Barrier {
			return true
		}
	}
	return false
}

// solve propagates spoiled places along the paths of lanes and checks the reads.
func (x *fused) solve() error {
	out := [2]bits.Set{bits.NewSet(numPlaces), bits.NewSet(numPlaces)}
	for changed := true; changed; {
		changed = false
		for b := range x.f.Blocks {
			x.f.Work.Spend(2 * len(out[0]))
			for _, e := range x.flow.lanes[b] {
				for k := range out {
					out[k].Copy(x.dirty[e.from][k])
				}
				if err := x.block(e.from, &out, false); err != nil {
					return err
				}
				for k := range out {
					changed = x.dirty[b][k].Union(out[k]) || changed
				}
			}
		}
	}
	for b := range x.f.Blocks {
		if err := x.block(b, &x.dirty[b], true); err != nil {
			return err
		}
	}
	return nil
}

// places returns the places of n bytes of an operand.
func places(f *mir.Func, o *mir.Operand, n uint32) span {
	if o.File == mir.GRF && n > 0 {
		return span{int(f.GRF.Place(o)), int(n)}
	}
	switch k, ok := o.Arch(); {
	case !ok:
		return span{}
	case k == mir.ArchA0:
		return span{placeA0, 1}
	case k == mir.ArchAcc:
		return span{placeAcc, 1}
	default:
		return span{fusedBytes + perFlag*k, perFlag}
	}
}

// flagPlaces returns the bits of a flag register that belong to an instruction's lanes.
func flagPlaces(in *mir.Inst) span {
	return span{fusedBytes + perFlag*int(in.Flag/2) + int(in.Chan), int(in.Exec)}
}

// guarded reports whether an instruction executes only with active lanes, or only without any.
func (x *fused) guarded(in *mir.Inst) (with, without bool) {
	asks := in.Pred == isa.PredAny32H || in.Pred == isa.PredAny16H && x.f.Width <= 16
	if !asks || !x.lanes[in.Flag/2] || in.Flag%2 != 0 {
		return false, false
	}
	return !in.PredInv, in.PredInv
}

// note updates which flags hold the active lanes.
func (x *fused) note(in *mir.Inst) {
	if in.WritesFlag() {
		x.lanes[in.Flag/2] = false
	}
	if k, ok := in.Dst.Arch(); ok && k < mir.ArchFlags {
		src := &in.Src[0]
		x.lanes[k] = in.Op == isa.OpMov && in.NoMask && in.Pred == isa.PredNone && in.Dst.Type.Size() == 4 &&
			src.File == mir.ARF && src.Num == isa.ARFCE0
	}
}

// copies reports whether an instruction only copies doublewords or a flag, and the places it copies from and
// to.
func (x *fused) copies(in *mir.Inst) (from, to span, ok bool) {
	d, s := &in.Dst, &in.Src[0]
	if in.Op != isa.OpMov || !in.NoMask || in.Sat || in.CMod != 0 || d.Type != isa.TypeUD || s.Type != isa.TypeUD || s.Neg ||
		s.Abs || d.Mask != 0 || d.Off%4 != 0 || s.Off%4 != 0 {
		return span{}, span{}, false
	}
	if in.Exec > 1 && (d.Stride != 1 || !s.HasStride(1)) {
		return span{}, span{}, false
	}
	from, to = places(x.f, s, x.f.SrcBytes(in, 0)), places(x.f, d, x.f.DstBytes(in))
	flag := from.n == perFlag && to.n == perFlag/8 || from.n == perFlag/8 && to.n == perFlag
	return from, to, from.n > 0 && from.n == to.n || flag && in.Exec == 1
}

// alone executes a block in a thread without lanes.
func (x *fused) alone(b int) {
	for p := range x.origin {
		x.origin[p] = int32(p)
	}
	x.lanes, x.saved = [mir.ArchFlags]bool{}, x.saved[:0]
	for i := x.f.Blocks[b].First; i != 0; i = x.f.Next(i) {
		in := x.f.At(i)
		if with, _ := x.guarded(in); !in.NoMask || with || in.Op == mir.OpUndef {
			x.note(in)
			continue
		}
		_, without := x.guarded(in)
		if from, to, ok := x.copies(in); ok && (without || in.Pred == isa.PredNone) {
			x.moveOrigin(from, to)
		} else {
			x.overwrite(places(x.f, &in.Dst, x.f.DstBytes(in)))
			x.renew(places(x.f, &in.Dst, x.f.DstBytes(in)))
			if in.WritesFlag() {
				x.renew(flagPlaces(in))
			}
			if in.WritesAcc() {
				x.renew(span{placeAcc, 1})
			}
		}
		x.note(in)
	}
	for p, from := range x.origin {
		if from != int32(p) {
			x.spoils[b].Add(p)
		}
	}
}

func (x *fused) renew(s span) {
	for p := s.first; p < s.first+s.n; p++ {
		x.origin[p] = -1
	}
}

// messages checks the messages of a block that a thread may run without lanes.
func (x *fused) messages(b int) error {
	x.lanes = [mir.ArchFlags]bool{}
	known := follow(x.f, b, false) // machines with fused threads have the short form
	for i := x.f.Blocks[b].First; i != 0; i = x.f.Next(i) {
		in := x.f.At(i)
		with, _ := x.guarded(in)
		own := in.Msg.Name == message.ScratchRead && in.Src[0].File == mir.GRF && in.Src[0].Num == 0 && in.Src[2].File == mir.None ||
			known.ownFill(in)
		known.run(in)
		if in.IsSend() && in.NoMask && !in.EOT && !with && !own {
			return fmt.Errorf("block %d: %s: a thread without lanes may send it", b, x.f.Text(i))
		}
		x.note(in)
	}
	return nil
}

// ownLane reports whether lane i of a source or destination lies in doubleword i of its registers and only active lanes
// access it.
func (x *fused) ownLane(in *mir.Inst, o *mir.Operand) bool {
	return !in.NoMask && o.File == mir.GRF && x.f.GRF.In(o.Off) == 0 && o.Rows == 0 && o.Swizzle == 0 && int(o.Stride)*o.Type.Size() == 4
}

// block executes a block in a thread with lanes. Places that it overwrites are no longer spoiled.
func (x *fused) block(b int, dirty *[2]bits.Set, check bool) error {
	x.lanes, x.saved = [mir.ArchFlags]bool{}, x.saved[:0]
	for i := x.f.Blocks[b].First; i != 0; i = x.f.Next(i) {
		in := x.f.At(i)
		with, without := x.guarded(in)
		x.note(in)
		switch from, to, ok := x.copies(in); {
		case without:
			continue
		case in.Op == mir.OpUndef:
			x.clean(dirty, places(x.f, &in.Dst, x.f.DstBytes(in)), 0, 1)
			continue
		case ok && (with || in.Pred == isa.PredNone):
			x.moveDirty(from, to, dirty)
			continue
		}
		if check {
			if p, bad := x.reads(in, with, dirty); bad {
				return fmt.Errorf("block %d: %s: reads %s, which a thread without lanes may have overwritten", b, x.f.Text(i),
					x.unitName(p))
			}
		}
		x.overwrite(places(x.f, &in.Dst, x.f.DstBytes(in)))
		always := with || in.Pred == isa.PredNone || in.Op == isa.OpSel
		if !always || in.Dst.Mask != 0 {
			continue
		}
		d := places(x.f, &in.Dst, x.f.DstBytes(in))
		whole := in.IsSend() || in.Exec == 1 || in.Dst.Stride == 1
		switch {
		case d.n == 0:
		case in.NoMask && whole && (d.first < fusedBytes || d.first >= placeA0 || in.Dst.Type.Size() == 4):
			x.clean(dirty, d, 0, 1)
		case in.IsSend(), d.first == placeAcc, x.ownLane(in, &in.Dst) && in.Dst.Type.Size() == 4:
			x.clean(dirty, d, 0)
		}
		switch {
		case !in.WritesFlag():
		case in.NoMask:
			x.clean(dirty, flagPlaces(in), 0, 1)
		default:
			x.clean(dirty, flagPlaces(in), 0)
		}
	}
	return nil
}

func (x *fused) clean(dirty *[2]bits.Set, s span, sets ...int) {
	for p := s.first; p < s.first+s.n; p++ {
		for _, k := range sets {
			dirty[k].Remove(p)
		}
	}
}

// reads returns a spoiled place that an instruction reads, if there is one.
func (x *fused) reads(in *mir.Inst, guarded bool, dirty *[2]bits.Set) (place int, bad bool) {
	find := func(s span, set int) {
		for p := s.first; p < s.first+s.n; p++ {
			if dirty[set].Has(p) {
				place, bad = p, true
			}
		}
	}
	for k := range in.Src {
		set := 1
		if !in.NoMask && in.IsSend() && k < 2 || x.ownLane(in, &in.Src[k]) {
			set = 0
		}
		find(places(x.f, &in.Src[k], x.f.SrcBytes(in, k)), set)
	}
	if in.ReadsFlag() && !guarded {
		parts, set := flagPlaces(in), 1
		if in.PredicatedByLane() && !in.NoMask {
			set = 0
		} else if !in.PredicatedByLane() {
			parts = span{fusedBytes + perFlag*int(in.Flag/2), perFlag}
		}
		find(parts, set)
	}
	if implicit, _ := in.Implicit(); implicit&mir.ImplicitAcc != 0 {
		set := 0
		if in.NoMask {
			set = 1
		}
		find(span{placeAcc, 1}, set)
	}
	return place, bad
}

func (x *fused) unitName(p int) string {
	switch {
	case p < fusedBytes:
		return fmt.Sprintf("r%d.%d", x.f.GRF.Of(uint32(p)), x.f.GRF.In(uint32(p))/4) // in doublewords, as in assembly
	case p < placeA0:
		return fmt.Sprintf("f%d", (p-fusedBytes)/perFlag)
	case p == placeA0:
		return "a0"
	}
	return "acc0"
}
