// SPDX-License-Identifier: MIT

package ra_test

import (
	"slices"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/support/mirgen"
)

// bytesLive is liveness by byte, computed by definition from the instructions alone: a byte is live if some
// path of lanes leads to a read of it without a write before. It is meant for small functions.
type bytesLive struct {
	f    *mir.Func
	idle bool     // liveness for a lane that never runs: only unmasked instructions read and write its bytes
	base []int    // by register: index of its first byte
	in   [][]bool // by block and byte: live at the start
	may  [][]bool // by block and byte: written on some path to the end
}

// reads calls visit for each byte that source k may read, relative to the start of the register.
func reads(in *mir.Inst, k int, visit func(at uint32)) {
	o := &in.Src[k]
	size, lanes, step := uint32(o.Type.Size()), uint32(in.Exec), uint32(o.Stride)
	switch {
	case in.IsSend() && k < 2 || in.Op == mir.OpIndirect && k == 0:
		size, lanes, step = 32*uint32(in.Len[k]), 1, 0
		if in.IsSend() && in.SFID == isa.SFIDDC0 && in.Desc>>14&0x1F == 0x0C && k == 1 { // the low byte of each lane's dword
			for at := range size {
				if at%4 < 1<<(in.Desc>>10&3) {
					visit(o.Off + at)
				}
			}
			return
		}
	case step == 0:
		lanes = 1
	}
	for lane := range lanes {
		for b := range size {
			visit(o.Off + lane*step*uint32(o.Type.Size()) + b)
		}
	}
}

// writes calls visit for each byte that active lanes definitely write.
func writes(in *mir.Inst, visit func(at uint32)) {
	o := &in.Dst
	if in.Pred != 0 && in.Op != isa.OpSel {
		return
	}
	if in.IsSend() {
		for at := range 32 * uint32(in.Len[2]) {
			visit(o.Off + at)
		}
		return
	}
	size := uint32(o.Type.Size())
	for lane := range uint32(in.Exec) {
		for b := range size {
			visit(o.Off + lane*uint32(max(o.Stride, 1))*size + b)
		}
	}
}

func newBytesLive(f *mir.Func, idle bool) *bytesLive {
	l := &bytesLive{f: f, idle: idle, base: make([]int, len(f.Regs)+1)}
	for r := range f.Regs {
		l.base[r+1] = l.base[r] + int(f.Regs[r].Bytes)
	}
	for range f.Blocks {
		l.in = append(l.in, make([]bool, l.base[len(f.Regs)]))
		l.may = append(l.may, make([]bool, l.base[len(f.Regs)]))
	}
	for again := true; again; {
		again = false
		for b := range f.Blocks {
			may := l.mayAt(b)
			for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
				l.mark(f.At(i), may)
			}
			again = merge(l.may[b], may) || again
		}
		for b := len(f.Blocks) - 1; b >= 0; b-- {
			live := l.outOf(b)
			for i := f.Blocks[b].Last; i != 0; i = f.Prev(i) {
				l.step(f.At(i), live)
			}
			again = merge(l.in[b], live) || again
		}
	}
	return l
}

func merge(to, from []bool) (changed bool) {
	for i, x := range from {
		if x && !to[i] {
			to[i], changed = true, true
		}
	}
	return changed
}

// mayAt returns the bytes that may have been written at the start of a block.
func (l *bytesLive) mayAt(b int) []bool {
	may := make([]bool, len(l.may[b]))
	for _, p := range l.f.Lanes.Preds(b) {
		merge(may, l.may[p])
	}
	return may
}

func (l *bytesLive) outOf(b int) []bool {
	live := make([]bool, len(l.in[b]))
	for _, s := range l.f.Lanes.Succs(b) {
		merge(live, l.in[s])
	}
	return live
}

// mark records the bytes that an instruction may write, predicated or not.
func (l *bytesLive) mark(in *mir.Inst, may []bool) {
	if in.Dst.File == mir.VReg && (in.NoMask || !l.idle) {
		always := *in
		always.Pred = 0
		writes(&always, func(at uint32) { may[l.base[in.Dst.Num]+int(at)] = true })
	}
}

// step processes an instruction backwards.
func (l *bytesLive) step(in *mir.Inst, live []bool) {
	if l.idle && !in.NoMask {
		return
	}
	if in.Dst.File == mir.VReg {
		writes(in, func(at uint32) { live[l.base[in.Dst.Num]+int(at)] = false })
	}
	for k := range in.Src {
		if in.Src[k].File == mir.VReg {
			reads(in, k, func(at uint32) { live[l.base[in.Src[k].Num]+int(at)] = true })
		}
	}
}

// compare reports registers with a live byte where the allocator considers the register dead.
func (l *bytesLive) compare(t *testing.T, got *ra.Live) {
	f := l.f
	starts := make([]int32, len(f.Blocks)+1)
	for b := range f.Blocks {
		n := int32(0)
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			n += 2
		}
		starts[b+1] = starts[b] + n
	}
	for b := range f.Blocks {
		may, live := l.mayAt(b), l.outOf(b)
		for r := 1; r < len(f.Regs); r++ {
			if needed(l.in[b], may, l.base[r], l.base[r+1]) && !got.LiveIn(b, mir.Reg(r)) {
				t.Errorf("%s: v%d is live at the start of block %d, and ends before", f.Name, r, b)
				return
			}
		}
		before := map[mir.ID][]bool{} // bytes live before each instruction
		for i := f.Blocks[b].Last; i != 0; i = f.Prev(i) {
			l.step(f.At(i), live)
			before[i] = slices.Clone(live)
		}
		pos := starts[b]
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			for r := 1; r < len(f.Regs); r++ {
				if needed(before[i], may, l.base[r], l.base[r+1]) && (got.Start[r] > pos || got.End[r] < pos) {
					t.Errorf("%s: v%d is live at %d, its interval is %d to %d", f.Name, r, pos, got.Start[r], got.End[r])
					return
				}
			}
			l.mark(f.At(i), may)
			pos += 2
		}
	}
}

// needed reports whether some byte is live and may have been written.
func needed(live, may []bool, from, to int) bool {
	for i := from; i < to; i++ {
		if live[i] && may[i] {
			return true
		}
	}
	return false
}

// TestL17NeverShorter checks that the allocator ends no live range while one of its bytes is still live.
func TestL17NeverShorter(t *testing.T) {
	var got ra.Live
	parts := 0
	for seed := range uint64(200) {
		f := mirgen.Random(seed)
		l := newBytesLive(f, false)
		got.Compute(f)
		l.compare(t, &got)
		for b := range f.Blocks {
			for r := 1; r < len(f.Regs); r++ {
				n := 0
				for i := l.base[r]; i < l.base[r+1]; i++ {
					if l.in[b][i] {
						n++
					}
				}
				if n > 0 && n < l.base[r+1]-l.base[r] {
					parts++
				}
			}
		}
	}
	if parts < 500 {
		t.Errorf("only %d registers are live in part: too few to show anything", parts)
	}
}

// TestL17Masks checks that registers with both masked and unmasked writes live as long as inactive lanes need
// them. A masked write keeps the bytes of these lanes, which an earlier unmasked write has set and an unmasked
// read in the next iteration of a loop may use.
func TestL17Masks(t *testing.T) {
	var got ra.Live
	carried := 0
	for seed := range uint64(100) {
		f := mirgen.Random(seed)
		l, running := newBytesLive(f, true), newBytesLive(f, false)
		got.Compute(f)
		l.compare(t, &got)
		for b := range f.Blocks {
			for r := 1; r < len(f.Regs); r++ {
				from, to := l.base[r], l.base[r+1]
				if needed(l.in[b], l.mayAt(b), from, to) && !needed(running.in[b], running.mayAt(b), from, to) {
					carried++ // only inactive lanes need it
				}
			}
		}
	}
	if carried < 20 {
		t.Errorf("only %d registers are live for inactive lanes alone: too few to show anything", carried)
	}
}

// TestL17Parts checks that a register is live at the start of a block that writes one part of it and reads
// another, regardless of the sizes of the two parts.
func TestL17Parts(t *testing.T) {
	scalar := func(off uint32, typ isa.Type) mir.Inst {
		return mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: mir.V(1, typ).At(off), Src: [3]mir.Operand{mir.UD(1)}}
	}
	vector := func(off uint32, stride uint8, typ isa.Type) mir.Inst {
		return mir.Inst{Op: isa.OpMov, Exec: 8, Dst: mir.V(1, typ).At(off).WithStride(stride), Src: [3]mir.Operand{mir.UD(1)}}
	}
	reading := func(in mir.Inst) mir.Inst {
		in.Src[0], in.Dst, in.SideEff = in.Dst, mir.Null(in.Dst.Type), true
		return in
	}
	message := func(grfs int) mir.Inst {
		return mir.Inst{Op: isa.OpSend, Exec: 8, SFID: isa.SFIDDC1, SideEff: true, Len: [3]uint8{uint8(grfs)},
			Dst: mir.Null(isa.TypeUD), Src: [3]mir.Operand{mir.V(1, isa.TypeUD), mir.Null(isa.TypeUD)}}
	}
	first := scalar(0, isa.TypeUB)
	first.Dst.Stride = 0
	predicated := vector(0, 1, isa.TypeUD)
	predicated.Pred = isa.PredNormal
	half := vector(0, 1, isa.TypeUD)
	half.Exec = 4
	for _, c := range []struct {
		name        string
		write, read mir.Inst
	}{
		{"second byte, first byte", scalar(1, isa.TypeUB), reading(first)},
		{"last byte, dword", scalar(3, isa.TypeUB), reading(scalar(0, isa.TypeUD))},
		{"low words, dwords", vector(0, 2, isa.TypeUW), reading(vector(0, 1, isa.TypeUD))},
		{"low words, high words", vector(0, 2, isa.TypeUW), reading(vector(2, 2, isa.TypeUW))},
		{"four lanes, eight", half, reading(vector(0, 1, isa.TypeUD))},
		{"some lanes, all", predicated, reading(vector(0, 1, isa.TypeUD))},
		{"one component, two", vector(0, 1, isa.TypeUD), message(2)},
		{"second component, two", vector(32, 1, isa.TypeUD), message(2)},
	} {
		f := mir.New(8, isa.TGL.Registers())
		f.Name = c.name
		f.NewReg(2, 4)
		for comp := range uint32(2) {
			f.Append(0, vector(32*comp, 1, isa.TypeUD))
		}
		f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
		f.NewBlock()
		f.Append(1, c.write)
		f.Append(1, c.read)
		f.NewBlock()
		f.Append(2, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
		f.BuildCFG()
		var got ra.Live
		got.Compute(f)
		newBytesLive(f, false).compare(t, &got)
		if !got.LiveIn(1, 1) {
			t.Errorf("%s: not live\n%s", c.name, f)
		}
	}
}
