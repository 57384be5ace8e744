// SPDX-License-Identifier: MIT

package ra_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// flagged is a function of eight lanes with flags.
type flagged struct {
	*mir.Func
	b mir.Builder
}

// cmp writes a flag, under a predicate if the builder has one.
func (x *flagged) cmp(flag mir.Flag) *mir.Inst {
	return x.b.Cmp(isa.CModEQ, flag, mir.Null(ud), mir.FixedScalar(1, 0, ud), mir.UD(7))
}

// sel reads a flag.
func (x *flagged) sel(flag mir.Flag) *mir.Inst {
	return x.b.Sel(flag, false, mir.Null(ud), mir.FixedScalar(1, 0, ud), mir.UD(7))
}

func (x *flagged) branch(op isa.Op, flag mir.Flag) {
	in := mir.Inst{Op: op, Exec: 8, SideEff: true, Pred: isa.PredNormal, Flag: flag}
	if op == mir.OpLoop || op == isa.OpEndif || op == isa.OpElse {
		in.Pred, in.Flag = isa.PredNone, 0
	}
	if op != isa.OpIf && op != isa.OpBreak && op != isa.OpCont {
		x.NewBlock()
	}
	x.Append(len(x.Blocks)-1, in)
	if op != mir.OpLoop {
		x.NewBlock()
	}
	x.b.AtEnd(len(x.Blocks) - 1)
}

// put writes an address register.
func (x *flagged) put(a mir.Reg) {
	x.whole(func() { x.b.Mov(mir.V(a, ud), mir.UD(7)) })
}

// send reads an address register.
func (x *flagged) send(a mir.Reg) {
	x.b.Insert(mir.Inst{
		Op: isa.OpSend, Exec: 8, SFID: isa.SFIDDC1, SideEff: true, Len: [3]uint8{1},
		Dst: mir.Null(ud), Src: [3]mir.Operand{mir.Fixed(1, ud), mir.Null(ud), mir.Scalar(a, 0, ud)},
	})
}

// point writes an address for each lane to an address register.
func (x *flagged) point(a mir.Reg) {
	x.b.Mov(mir.V(a, isa.TypeUW), mir.UW(32)).NoMask = true
}

// look reads through an address register.
func (x *flagged) look(a mir.Reg) {
	x.b.Insert(mir.Inst{Op: mir.OpIndirect, Exec: 8, SideEff: true, Len: [3]uint8{1}, Dst: mir.Null(ud), Src: [3]mir.Operand{mir.Fixed(1, ud), mir.V(a, isa.TypeUW)}})
}

// low writes an accumulator, as the lower half of a product does. acc = 0 is the physical accumulator.
func (x *flagged) low(acc mir.Reg) {
	dst := mir.Arch(isa.ARFAcc0, 0, ud)
	if acc != 0 {
		dst = mir.V(acc, ud)
	}
	x.b.Emit(isa.OpMul, dst, mir.Fixed(1, ud), mir.UW(3))
}

// high reads an accumulator, as the upper half of a product does. acc = 0 is the physical accumulator.
func (x *flagged) high(acc mir.Reg) {
	in := mir.Inst{Op: isa.OpMach, Exec: 8, SideEff: true, AccWrEn: true, Dst: mir.Null(ud), Src: [3]mir.Operand{mir.Fixed(1, ud), mir.UD(3)}}
	if acc != 0 {
		in.Src[2] = mir.V(acc, ud)
	}
	x.b.Insert(in)
}

// whole runs do in scalar mode: one lane, unmasked.
func (x *flagged) whole(do func()) {
	x.b.ScalarMode()
	do()
	x.b.Vector()
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(x *flagged)
		want  string // flag and address registers used by the instructions, in order
	}{
		{"a condition", func(x *flagged) {
			f := x.NewFlag()
			x.cmp(f)
			x.sel(f)
		}, "f0 f0"},
		{"one after the other", func(x *flagged) {
			for range 3 {
				f := x.NewFlag()
				x.cmp(f)
				x.sel(f)
			}
		}, "f0 f0 f0 f0 f0 f0"},
		{"two at once", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			x.cmp(f)
			x.cmp(g)
			x.sel(g)
			x.sel(f)
		}, "f0 f1 f1 f0"},
		{"three at once", func(x *flagged) {
			f, g, h := x.NewFlag(), x.NewFlag(), x.NewFlag()
			x.cmp(f)
			x.cmp(g)
			x.cmp(h)
			x.sel(h)
			x.sel(g)
			x.sel(f)
		}, "f1 f1 f0 f1 f1 f0 f1 f1"},
		{"a third one of half of the lanes at a time", func(x *flagged) {
			f, g, h := x.NewFlag(), x.NewFlag(), x.NewFlag()
			x.cmp(f).Exec = 4
			x.cmp(f).Chan = 4
			x.cmp(g)
			x.cmp(h)
			x.sel(h)
			x.sel(g)
			x.sel(f)
		}, "f1 f1 f1 f1 f1 f0 f1 f1 f0 f1 f1"},
		{"a third flag, with which lanes left a loop", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			h, k := x.NewFlag(), x.NewFlag()
			x.cmp(g)
			x.cmp(h)
			x.branch(mir.OpLoop, 0)
			x.cmp(f)
			x.branch(isa.OpBreak, f)
			x.cmp(k)
			x.branch(isa.OpWhile, k)
			x.sel(h)
			x.sel(g)
			x.sel(f)
		}, "f1 f1 f0 f1 f1 f1 f1 f1 f1 f1 f0 f1 f1 f1 f1"},
		{"a third one where two are the machine's own", func(x *flagged) {
			f := x.NewFlag()
			x.cmp(0)
			x.cmp(2)
			x.cmp(f)
			x.sel(f)
			x.sel(2)
			x.sel(0)
		}, "main: more flag registers are needed at once than the machine has"},
		{"nobody reads it", func(x *flagged) {
			f := x.NewFlag()
			x.cmp(f)
			x.cmp(x.NewFlag())
			x.sel(f)
		}, "f0 f1 f0"},
		{"copied from and to scalars", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			x.whole(func() { x.b.Mov(f.Whole(), mir.UD(0)) })
			x.cmp(f)
			x.cmp(g)
			x.sel(g)
			x.whole(func() { x.b.Mov(mir.Arch(isa.ARFA0, 0, ud), f.Whole().WithStride(0)) })
		}, "f1 f1 f0 f0 f1 a0"},
		{"the machine's own", func(x *flagged) {
			f := x.NewFlag()
			x.cmp(0)
			x.cmp(f)
			x.sel(f)
			x.sel(1)
		}, "f0 f1 f1 f0"},
		{"addresses one after the other", func(x *flagged) {
			for range 2 {
				a := x.NewAddress()
				x.put(a)
				x.send(a)
				x.send(a)
			}
		}, "a0 a0 a0 a0 a0 a0"},
		{"addresses of registers and of a descriptor", func(x *flagged) {
			a, b := x.NewAddresses(8), x.NewAddress()
			x.point(a)
			x.look(a)
			x.put(b)
			x.send(b)
		}, "a0 a0 a0 a0"},
		{"both at once", func(x *flagged) {
			a, b := x.NewAddresses(8), x.NewAddress()
			x.put(b)
			x.point(a)
			x.look(a)
			x.send(b)
		}, "main: more address registers are needed at once than the machine has"},
		{"accumulators one after the other", func(x *flagged) {
			for range 2 {
				a := x.NewAccumulator(8)
				x.low(a)
				x.high(a)
			}
			x.low(0)
			x.high(0)
		}, "acc0 acc0 acc0"},
		{"two accumulators at once", func(x *flagged) {
			a, b := x.NewAccumulator(8), x.NewAccumulator(8)
			x.low(a)
			x.low(b)
			x.high(a)
			x.high(b)
		}, "main: more accumulators are needed at once than the machine has"},
		{"an accumulator across the machine's", func(x *flagged) {
			a := x.NewAccumulator(8)
			x.low(a)
			x.high(0)
			x.high(a)
		}, "main: more accumulators are needed at once than the machine has"},
		{"two addresses at once", func(x *flagged) {
			a, b := x.NewAddress(), x.NewAddress()
			x.put(a)
			x.put(b)
			x.send(a)
			x.send(b)
		}, "main: more address registers are needed at once than the machine has"},
		{"an address around a loop", func(x *flagged) {
			a, b, f := x.NewAddress(), x.NewAddress(), x.NewFlag()
			x.put(a)
			x.branch(mir.OpLoop, 0)
			x.send(a)
			x.put(b)
			x.cmp(f)
			x.branch(isa.OpWhile, f)
		}, "main: more address registers are needed at once than the machine has"},
		{"from before a loop", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			x.cmp(f)
			x.branch(mir.OpLoop, 0)
			x.branch(isa.OpBreak, f)
			x.cmp(g)
			x.branch(isa.OpWhile, g)
		}, "f0 f0 f1 f1"},
		{"from one trip to the next", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			x.branch(mir.OpLoop, 0)
			x.sel(f)
			x.cmp(f)
			x.cmp(g)
			x.branch(isa.OpWhile, g)
		}, "f0 f0 f1 f1"},
		{"of half of the lanes from the trip before", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			x.branch(mir.OpLoop, 0)
			x.cmp(f).Exec = 4
			x.sel(f)
			x.cmp(g)
			x.branch(isa.OpWhile, g)
		}, "f0 f0 f1 f1"},
		{"of half of the lanes, in another block", func(x *flagged) {
			f, g, h := x.NewFlag(), x.NewFlag(), x.NewFlag()
			x.branch(mir.OpLoop, 0)
			x.cmp(f).Exec = 4
			x.cmp(g)
			x.branch(isa.OpBreak, g)
			x.sel(f)
			x.cmp(h)
			x.branch(isa.OpWhile, h)
		}, "f0 f1 f1 f0 f1 f1"},
		{"the condition of a loop", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			x.branch(mir.OpLoop, 0)
			x.cmp(f)
			x.branch(isa.OpBreak, f)
			x.cmp(g)
			x.branch(isa.OpWhile, g)
		}, "f0 f0 f0 f0"},
		{"the conditions of three loops, one in the other", func(x *flagged) {
			f, g, h := x.NewFlag(), x.NewFlag(), x.NewFlag()
			for _, y := range []mir.Flag{f, g, h} {
				x.cmp(y)
				x.branch(mir.OpLoop, 0)
			}
			for _, y := range []mir.Flag{h, g, f} {
				x.branch(isa.OpWhile, y)
			}
		}, "f1 f1 f0 f1 f1 f0 f1 f1"},
		{"and one of them with lanes that go on early", func(x *flagged) {
			f, g, h := x.NewFlag(), x.NewFlag(), x.NewFlag()
			for _, y := range []mir.Flag{f, g, h} {
				x.cmp(y)
				x.branch(mir.OpLoop, 0)
				x.branch(isa.OpCont, y)
			}
			for _, y := range []mir.Flag{h, g, f} {
				x.branch(isa.OpWhile, y)
			}
		}, "main: more flag registers are needed at once than the machine has"},
		{"both arms of an if", func(x *flagged) {
			f, g := x.NewFlag(), x.NewFlag()
			x.cmp(f)
			x.branch(isa.OpIf, f)
			x.cmp(g)
			x.sel(g)
			x.branch(isa.OpElse, 0)
			x.sel(f)
			x.branch(isa.OpEndif, 0)
		}, "f0 f0 f1 f1 f0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &flagged{Func: mir.New(8, isa.TGL.Registers())}
			x.Name, x.Payload = "main", 2
			x.b = mir.Builder{F: x.Func}
			x.b.Vector()
			c.build(x)
			x.BuildCFG()
			var got []string
			if _, err := new(ra.Allocator).Allocate(x.Func,
				ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}}); err != nil {
				got = append(got, err.Error())
			} else {
				for b := range x.Blocks {
					for i := x.Blocks[b].First; i != 0; i = x.Next(i) {
						got = append(got, named(x.Func, i)...)
					}
				}
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got  %s\nwant %s\n%s", s, c.want, x)
			}
		})
	}
}

// named lists the flag and address registers that an instruction uses.
func named(f *mir.Func, i mir.ID) (out []string) {
	in := f.At(i)
	for _, o := range []*mir.Operand{&in.Src[0], &in.Src[1], &in.Src[2], &in.Dst} {
		switch {
		case f.IsFlag(o):
			out = append(out, "f"+string(rune('0'+o.Num&0xF)))
		case f.IsArch(o):
			n, _ := o.Arch()
			out = append(out, [...]string{mir.ArchA0: "a0", mir.ArchAcc: "acc0"}[n])
		}
	}
	if in.ReadsFlag() || in.WritesFlag() {
		out = append(out, "f"+string(rune('0'+in.Flag/2)))
	}
	return out
}
