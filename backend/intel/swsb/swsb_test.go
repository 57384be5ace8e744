// SPDX-License-Identifier: MIT

package swsb_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/swsb"
	"jacquard.example/generated/isa"
)

const ud = isa.TypeUD

func r(n int) mir.Operand { return mir.Fixed(n, ud) }

func load(b *mir.Builder, dst, addr int) {
	b.Insert(mir.Inst{
		Op: isa.OpSend, Exec: b.Exec, NoMask: b.NoMask, SFID: isa.SFIDDC1,
		Dst: r(dst), Src: [3]mir.Operand{r(addr), mir.Null(ud)}, Len: [3]uint8{1, 0, 1},
	})
}

// listing lists the scoreboard field of each instruction; the fields of sync.nop are in braces.
func listing(f *mir.Func) string {
	var out []string
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			s := in.SWSB.String()
			if in.IsSend() || in.Op == isa.OpMath {
				if t, use := in.SWSB.Token(); use == fields.TokenSet {
					s = "set" + string(rune('0'+t))
					if in.SWSB.Dist() != 0 {
						s = "@" + string(rune('0'+in.SWSB.Dist())) + "," + s
					}
				}
			}
			switch {
			case in.Op == isa.OpSync:
				s = "{" + s + "}"
			case in.Op == mir.OpLoop:
				continue
			case s == "":
				s = "-"
			}
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

func TestInsert(t *testing.T) {
	var x swsb.Inserter // state from earlier functions must not matter
	for _, c := range []struct {
		name  string
		build func(f *mir.Func, b *mir.Builder)
		want  string
	}{
		{"a read waits for the write", func(f *mir.Func, b *mir.Builder) {
			b.Mov(r(2), r(1))
			b.Mov(r(3), r(1))
			b.Emit(isa.OpAdd, r(4), r(2), r(2))
		}, "- - @2"},
		{"a result more than ten instructions old is available", func(f *mir.Func, b *mir.Builder) {
			b.Mov(r(2), r(1))
			for i := range 10 {
				b.Mov(r(10+i), r(1))
			}
			b.Mov(r(4), r(2))
		}, "- - - - - - - - - - - -"},
		{"a write waits for the one before", func(f *mir.Func, b *mir.Builder) {
			b.Mov(r(2), r(1))
			b.Mov(r(2), r(1))
		}, "- @1"},
		{"writes to other bytes need no wait", func(f *mir.Func, b *mir.Builder) {
			b.Exec = 4
			b.Mov(r(2), r(1))
			b.Mov(r(2).At(16), r(1))
			b.Exec = 1
			b.Mov(r(2).At(4), r(1))
		}, "- - @2"},
		{"a read waits for the last write to its bytes", func(f *mir.Func, b *mir.Builder) {
			b.Exec = 1
			b.Mov(r(2), r(1))
			b.Mov(r(2).At(8), r(1))
			b.Mov(r(2).At(4), r(1))
			b.Mov(r(3), r(2).WithStride(0))
			b.Exec = 2
			b.Mov(r(3).At(8), r(2)) // the second value is the newer one
			b.Exec = 8
			b.Mov(r(4), r(2))
		}, "- - - @3 @2 @3"},
		{"a read of bytes that another block may have written", func(f *mir.Func, b *mir.Builder) {
			b.Exec = 1
			b.Mov(r(2), r(1))
			f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.Mov(r(3), r(2).At(4).WithStride(0))
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
		}, "- - @2 -"},
		{"a write over what another block wrote", func(f *mir.Func, b *mir.Builder) {
			b.Mov(r(2), r(1))
			f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.Mov(r(2), r(1))
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
		}, "- - @2 -"},
		{"halt is not counted", func(f *mir.Func, b *mir.Builder) {
			b.Mov(r(2), r(1))
			f.Append(0, mir.Inst{Op: isa.OpHalt, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.Mov(r(3), r(2))
			f.NewBlock()
			f.Append(2, mir.Inst{Op: mir.OpHaltTarget, Exec: 8, SideEff: true})
			b.AtEnd(2)
			b.Mov(r(4), r(3))
		}, "- - @1 - @1"},
		{"a message waits for its payload and takes a token", func(f *mir.Func, b *mir.Builder) {
			b.Mov(r(2), r(1))
			load(b, 3, 2)
			b.Mov(r(4), r(3))
		}, "- @1,set0 $0.dst"},
		{"a payload is written again when it was read", func(f *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			b.Mov(r(2), r(1))
		}, "set0 $0.src"},
		{"two results need a sync", func(f *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			load(b, 4, 2)
			b.Emit(isa.OpAdd, r(5), r(3), r(4))
		}, "set0 set1 {$1.dst} $0.dst"},
		{"a message that overwrites a source that may still be read", func(f *mir.Func, b *mir.Builder) {
			b.Mov(r(3), r(2))
			load(b, 2, 1)
		}, "- @1,set0"},
		{"a wait for an unmasked result stands apart", func(f *mir.Func, b *mir.Builder) {
			b.NoMask = true
			load(b, 3, 2)
			b.NoMask = false
			b.Mov(r(4), r(3))
		}, "set0 {$0.dst} -"},
		{"without lanes, a masked instruction does not wait", func(f *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.Mov(r(4), r(3))
			b.NoMask = true
			b.Mov(r(5), r(3))
			b.Mov(r(6), r(3))
			b.NoMask = false
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
		}, "set0 - $0.dst $0.dst - -"},
		{"without lanes, and on one of two paths all payloads have been read", func(f *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.Mov(r(4), r(3))
			f.Append(1, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpSync, Sync: isa.SyncAllRd, Exec: 1, NoMask: true, SideEff: true,
				Src: [3]mir.Operand{mir.Null(ud)}})
			f.NewBlock()
			f.Append(3, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
			f.NewBlock()
			b.AtEnd(4)
			b.NoMask = true
			b.Mov(r(2), r(1))
			b.NoMask = false
			f.NewBlock()
			f.Append(5, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
		}, "set0 - $0.dst - {} - $0.src -"},
		{"without lanes, between a halt and where halted lanes resume", func(f *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			f.Append(0, mir.Inst{Op: isa.OpHalt, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.Mov(r(4), r(3))
			b.NoMask = true
			b.Mov(r(2), r(1))
			load(b, 6, 5)
			b.NoMask = false
			f.NewBlock()
			f.Append(2, mir.Inst{Op: mir.OpHaltTarget, Exec: 8, SideEff: true})
			b.AtEnd(2)
			b.Mov(r(7), r(6))
			b.NoMask = true
			b.Mov(r(5), r(1))
		}, "set0 - $0.dst $0.src set1 - {$1.dst} - -"},
		{"without lanes, a guarded message does not wait for its token", func(f *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.NoMask = true
			for k := range fields.NumTokens { // the last message takes the token of the first
				load(b, 10+k, 40+k)
				f.At(f.Blocks[1].Last).Pred = isa.PredAny16H
			}
			b.Mov(r(2), r(5))
			b.NoMask = false
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
		}, "set0 - set1 set2 set3 set4 set5 set6 set7 set8 set9 set: set; set< set= set> set? set0 $0.src -"},
		{"with lanes, it does", func(f *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			b.Mov(r(4), r(3))
			b.NoMask = true
			b.Mov(r(5), r(3))
			b.NoMask = false
		}, "set0 $0.dst -"},
		{"a descriptor in a0", func(f *mir.Func, b *mir.Builder) {
			a0 := mir.Arch(isa.ARFA0, 0, ud)
			b.ScalarMode()
			b.Mov(a0, mir.UD(7))
			b.Vector()
			load(b, 3, 2)
			f.At(f.Blocks[0].Last).Src[2] = a0
		}, "- @1,set0"},
		{"math is out of order", func(f *mir.Func, b *mir.Builder) {
			b.MathOp(isa.MathInv, mir.Fixed(3, isa.TypeF), mir.Fixed(2, isa.TypeF))
			b.Mov(r(4), r(3))
		}, "set0 $0.dst"},
		{"waits go around a loop", func(f *mir.Func, b *mir.Builder) {
			f.NewBlock()
			b.AtEnd(1)
			f.Append(1, mir.Inst{Op: mir.OpLoop, Exec: 8, SideEff: true})
			b.Mov(r(4), r(3))
			load(b, 3, 2)
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpWhile, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(3)
			b.Mov(r(5), r(3))
		}, "@2,$0.dst @1,set0 - $0.dst"},
		{"distances go over a join", func(f *mir.Func, b *mir.Builder) {
			f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			b.Mov(r(2), r(1))
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
			f.NewBlock()
			b.AtEnd(3)
			b.Mov(r(3), r(2))
		}, "- - - @2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mir.New(8, isa.TGL.Registers())
			b := mir.Builder{F: f}
			b.Vector()
			c.build(f, &b)
			f.BuildCFG()
			x.Insert(f, swsb.Machine{Pipes: swsb.OnePipe})
			if got := listing(f); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestTokensOfLookups checks that while sampler messages are under way, other instructions take other tokens, and that
// if all are under way, the token that has been waited for is taken.
func TestTokensOfLookups(t *testing.T) {
	f := mir.New(8, isa.TGL.Registers())
	f.Name = "main"
	b := mir.Builder{F: f}
	b.Vector()
	lookup := func(dst int) *mir.Inst {
		return f.At(b.Insert(mir.Inst{
			Op: isa.OpSend, Exec: 8, SFID: isa.SFIDSampler, Dst: r(dst), Src: [3]mir.Operand{r(1), mir.Null(ud)}, Len: [3]uint8{1, 0, 4},
		}))
	}
	token := func(in *mir.Inst) int {
		n, use := in.SWSB.Token()
		if use != fields.TokenSet {
			t.Fatalf("no token is set\n%s", f)
		}
		return n
	}
	first := b.F.NumInsts()
	lookup(4)
	for k := range 40 {
		b.MathOp(isa.MathInv, r(80+k%8), r(1))
		b.Emit(isa.OpAdd, r(90), r(80+k%8), r(90))
	}
	b.Emit(isa.OpAdd, r(90), r(4), r(90))
	second := b.F.NumInsts()
	for k := range fields.NumTokens {
		lookup(4 + 4*k)
	}
	b.Emit(isa.OpAdd, r(90), r(4+4*5), r(90))
	third := b.F.NumInsts()
	lookup(100)
	f.BuildCFG()
	new(swsb.Inserter).Insert(f, swsb.Machine{Pipes: swsb.OnePipe})
	used := token(f.At(mir.ID(first)))
	for i := first + 1; i < second; i++ {
		if in := f.At(mir.ID(i)); in.Op == isa.OpMath && token(in) == used {
			t.Errorf("math takes the token of a lookup\n%s", f)
		}
	}
	if got, want := token(f.At(mir.ID(third))), token(f.At(mir.ID(second+5))); got != want {
		t.Errorf("the last lookup takes token %d, not %d, which has been waited for\n%s", got, want, f)
	}
}
