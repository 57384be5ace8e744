// SPDX-License-Identifier: MIT

package ra_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

const ud = isa.TypeUD

// sum builds a function that loads n values, all live at once, and then adds them up.
func sum(n int) *mir.Func {
	f := mir.New(16, isa.TGL.Registers())
	f.Payload = 2
	b := mir.Builder{F: f}
	b.Vector()
	addr := mir.V(f.NewReg(1, 4), ud)
	b.Mov(addr, mir.FixedScalar(1, 0, ud))
	vals := make([]mir.Operand, n)
	for i := range vals {
		vals[i] = mir.V(f.NewReg(1, 4), ud)
		b.Message(mir.Message{
			Msg:     mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1},
			Address: addr, AddressLen: 2, Surface: mir.UD(0), Dst: vals[i], DstLen: 2,
		})
	}
	acc := mir.V(f.NewReg(1, 4), ud)
	b.Mov(acc, mir.UD(0))
	for _, v := range vals {
		b.Emit(isa.OpAdd, acc, acc, v)
	}
	b.Message(mir.Message{
		Msg:     mir.Msg{Name: message.UntypedWrite, Space: message.Buffer, Comps: 1},
		Address: addr, AddressLen: 2, Surface: mir.UD(0), Data: acc, DataLen: 2,
	})
	b.Exec, b.NoMask = 8, true
	b.Message(mir.Message{Msg: mir.Msg{Name: message.EndThread}})
	lower.Messages(f, message.HDC, isa.TGL)
	f.BuildCFG()
	return f
}

func TestFits(t *testing.T) {
	f := sum(40)
	var a ra.Allocator
	st, err := a.Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}})
	if err != nil {
		t.Fatal(err)
	}
	if st.Spills+st.Fills != 0 {
		t.Errorf("%d spills, %d fills where 128 registers are enough", st.Spills, st.Fills)
	}
	if text := f.String(); strings.Contains(text, "v1") {
		t.Errorf("virtual registers are left:\n%s", text)
	}
	last := f.At(f.Blocks[0].Last)
	if g := last.Src[0].Num; g < 112 || g > 127 {
		t.Errorf("the last message comes from r%d", g)
	}
}

// TestReservedRegisters checks that Machine.Reserve keeps registers free, even if that causes spills. The free registers
// precede the range of the last message or, if the payload reaches that far, are within it.
func TestReservedRegisters(t *testing.T) {
	const first, n = 109, 3
	for _, c := range []struct{ reserve, payload, from int }{{0, 2, first}, {n, 2, first}, {n, 110, 124}} {
		f := sum(100)
		f.Payload = c.payload
		var a ra.Allocator
		if _, err := a.Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC},
			Reserve: c.reserve}); err != nil {
			t.Fatal(err)
		}
		used := [mir.NumGRFs]bool{}
		for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for k, o := range [...]mir.Operand{in.Dst, in.Src[0], in.Src[1]} {
				bytes := f.DstBytes(in)
				if k > 0 {
					bytes = f.SrcBytes(in, k-1)
				}
				for g := range f.GRF.Count(bytes) {
					if o.File == mir.GRF {
						used[int(o.Num)+g] = true
					}
				}
			}
		}
		for g := c.from; g < c.from+n; g++ {
			if used[g] == (c.reserve > 0) {
				t.Errorf("%d registers to keep free, payload of %d: r%d used %t", c.reserve, c.payload, g, used[g])
			}
		}
	}
}

func TestSpills(t *testing.T) {
	f := sum(100)
	var a ra.Allocator
	st, err := a.Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}})
	if err != nil {
		t.Fatal(err)
	}
	if st.Spills == 0 || st.Fills == 0 {
		t.Fatalf("100 values of 2 registers fit? %+v", st)
	}
	// The slots are at the start of the scratch space, and masked code writes them under the mask.
	first := ^uint32(0)
	for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
		in := f.At(i)
		if in.SFID != isa.SFIDDC0 || !in.IsSend() {
			continue
		}
		off := in.Desc & 0xFFF * 32
		if first = min(first, off); off >= st.SpillBytes {
			t.Errorf("%s: offset %d of %d bytes", f.Text(i), off, st.SpillBytes)
		}
		if in.Len[1] > 0 && (in.NoMask || in.Exec != 16) {
			t.Errorf("%s: the store is not masked", f.Text(i))
		}
	}
	if first != 0 {
		t.Errorf("the first slot is at %d", first)
	}
	if err := validate.Func(f); err != nil {
		t.Error(err)
	}
}

// TestSpillsNarrowInLoop checks that spilled 8- and 16-bit values are not live around a loop. Their stores read
// the upper bytes of each lane, which the values leave unwritten.
func TestSpillsNarrowInLoop(t *testing.T) {
	for _, typ := range []isa.Type{isa.TypeUB, isa.TypeUW} {
		f := mir.New(16, isa.TGL.Registers())
		f.Payload = 2
		b := mir.Builder{F: f}
		b.Vector()
		acc := mir.V(f.NewReg(1, 4), ud)
		b.Mov(acc, mir.UD(0))
		f.NewBlock()
		f.Append(1, mir.Inst{Op: mir.OpLoop, Exec: 16, SideEff: true})
		b.AtEnd(1)
		vals := make([]mir.Operand, 100)
		for i := range vals {
			vals[i] = mir.V(f.NewReg(1, 4), typ).WithStride(uint8(4 / typ.Size()))
			b.Mov(vals[i], mir.FixedScalar(1, 0, typ))
		}
		for _, v := range vals {
			b.Emit(isa.OpAdd, acc, acc, v)
		}
		f.NewBlock()
		f.Append(2, mir.Inst{Op: isa.OpWhile, Exec: 16, Pred: isa.PredNormal, SideEff: true})
		f.NewBlock()
		f.BuildCFG()
		st, err := new(ra.Allocator).Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}})
		if err != nil || st.Spills == 0 {
			t.Errorf("%v: %v, %+v", typ, err, st)
		}
		if err := validate.Func(f); err != nil {
			t.Error(err)
		}
	}
}

// TestNoRoom checks that a shader that needs too many registers at once is rejected.
func TestNoRoom(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	b := mir.Builder{F: f}
	b.ScalarMode()
	var regs []mir.Reg
	for range 129 {
		r := f.AddReg(mir.RegInfo{Bytes: 32, Lane: 32, Uniform: true, Align: 32, NoSpill: true})
		regs = append(regs, r)
		b.Mov(mir.V(r, ud), mir.UD(1))
	}
	for _, r := range regs {
		b.Mov(mir.Arch(isa.ARFA0, 0, ud), mir.Scalar(r, 0, ud))
	}
	f.BuildCFG()
	if _, err := new(ra.Allocator).Allocate(f,
		ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}}); err == nil {
		t.Error("129 registers at once were allocated")
	}
}

// TestLoopLives checks that a value that one iteration leaves for the next is live throughout the loop, and
// that a value completely written before it is read, even in two halves, is not.
func TestLoopLives(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	b := mir.Builder{F: f}
	b.Vector()
	carried, fresh := mir.V(f.NewReg(1, 4), ud), mir.V(f.NewReg(1, 4), ud)
	b.Mov(carried, mir.UD(0))
	f.NewBlock()
	f.Append(1, mir.Inst{Op: mir.OpLoop, Exec: 16, SideEff: true})
	b.AtEnd(1)
	words := fresh.As(isa.TypeUW).WithStride(2)
	b.Mov(words, mir.UW(1))
	b.Mov(words.At(2), mir.UW(2))
	b.Emit(isa.OpAdd, carried, carried, fresh)
	f.NewBlock()
	f.Append(2, mir.Inst{Op: isa.OpWhile, Exec: 16, Pred: isa.PredNormal, SideEff: true})
	f.NewBlock()
	f.BuildCFG()
	var l ra.Live
	l.Compute(f)
	if !l.LiveIn(1, mir.Reg(carried.Num)) || l.LiveIn(1, mir.Reg(fresh.Num)) {
		t.Errorf("at the loop's start: carried %v, fresh %v", l.LiveIn(1, mir.Reg(carried.Num)), l.LiveIn(1, mir.Reg(fresh.Num)))
	}
	if n := l.End[carried.Num]; n < l.End[fresh.Num]+2 {
		t.Errorf("the carried register ends at %d, inside the loop", n)
	}
}

// TestPackedLoads checks that under register pressure, a uniform load keeps only one lane if each component is read
// in one lane, and is spilled completely if it is read as a whole.
func TestPackedLoads(t *testing.T) {
	for _, whole := range []bool{false, true} {
		f := mir.New(16, isa.TGL.Registers())
		f.Payload = 2
		b := mir.Builder{F: f}
		b.Exec, b.NoMask = 8, true
		var loads []mir.Reg
		for range 40 {
			r := f.NewGRFs(4)
			loads = append(loads, r)
			in := mir.MakeMessage(&mir.Message{Msg: mir.Msg{Name: message.ScratchRead}, Offset: mir.UD(0), Dst: mir.V(r, ud), DstLen: 4})
			in.Exec, in.NoMask = 16, true
			lower.Message(f, f.Append(0, in), message.HDC, isa.TGL)
		}
		b.Vector()
		acc := mir.V(f.NewReg(1, 4), ud)
		b.Mov(acc, mir.UD(0))
		for _, r := range loads {
			for c := range uint32(4) {
				b.Emit(isa.OpAdd, acc, acc, mir.Scalar(r, 32*c, ud))
				b.Emit(isa.OpAdd, acc, acc, mir.Scalar(r, 32*c+2, isa.TypeUW))
			}
			if whole {
				b.Emit(isa.OpAdd, acc, acc, mir.V(r, ud))
			}
		}
		b.Emit(isa.OpCmp, mir.Null(ud), acc, mir.UD(1)).SideEff = true
		f.BuildCFG()
		f.MarkSingle()
		old := f.Clone()
		st, err := new(ra.Allocator).Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}})
		if err != nil {
			t.Fatal(err)
		}
		if (st.Spills > 0) != whole {
			t.Errorf("read as a whole: %v, %d spills", whole, st.Spills)
		}
		if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
			t.Error(err)
		}
	}
}
