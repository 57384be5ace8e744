// SPDX-License-Identifier: MIT

package lower_test

import (
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// TestVectorScratch checks the messages for spilled registers of threads whose lanes are components: a store writes the
// components that the instruction wrote, and all of them after a message or a write of one element.
func TestVectorScratch(t *testing.T) {
	code := lower.VectorScratch{Scratch: lower.Scratch{Messages: message.HDC7HSW, Bytes: 2 << 20}}
	for _, c := range []struct {
		name  string
		write func(in *mir.Inst)
		exact bool
		want  string
	}{
		{"all components", func(*mir.Inst) {}, false, "send.dc0(8) null:ud v1:ud null:ud msg=vector_scratch_write desc=0xf0009 len=2 {Align16}"},
		{"some components", func(in *mir.Inst) { in.Dst.Mask = fields.MaskOf(5) }, true,
			"send.dc0(8) null<1>.xz:ud v1:ud null:ud msg=vector_scratch_write desc=0xf0009 len=2 {Align16}"},
		{"some components by a predicate", func(in *mir.Inst) { in.Dst.Mask, in.Pred = fields.MaskOf(5), isa.PredNormal }, false,
			"send.dc0(8) null:ud v1:ud null:ud msg=vector_scratch_write desc=0xf0009 len=2 {Align16}"},
		{"an element", func(in *mir.Inst) { in.Align16, in.Exec, in.NoMask = false, 1, true }, false,
			"(W) send.dc0(8) null:ud v1:ud null:ud msg=vector_scratch_write desc=0xf0009 len=2 {Align16}"},
	} {
		f := mir.New(8, isa.HSW.Registers())
		grf := f.GRF.Bytes()
		r := f.AddReg(mir.RegInfo{Bytes: 2 * grf, Lane: 4, Align: f.GRF.Align()})
		in := mir.Inst{Op: isa.OpMov, Exec: 8, Align16: true, Dst: mir.V(r, ud).At(code.Front(f)), Src: [3]mir.Operand{mir.UD(1)}}
		c.write(&in)
		if code.Exact(&in) != c.exact {
			t.Errorf("%s: exact is %v", c.name, !c.exact)
		}
		i := f.Append(0, in)
		before := lines(f)
		if n := code.Store(f, i, r, grf, 9*grf); n != 1 {
			t.Errorf("%s: %d messages", c.name, n)
		}
		if got, want := lines(f), before+"\n(W) mov(8) v1<1>:ud r0:ud\n"+c.want; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
		if err := validate.Func(f); err != nil {
			t.Error(err)
		}
	}
	f := mir.New(8, isa.HSW.Registers())
	r, grf := f.NewReg(3, 4), f.GRF.Bytes()
	i := f.Append(0, mir.Inst{Op: isa.OpMov, Exec: 8, Align16: true, Dst: mir.V(r, ud).At(grf), Src: [3]mir.Operand{mir.UD(1)}})
	if n := code.Fill(f, i, r, code.Front(f), 2*grf, 4*grf) + code.Store(f, i, r, 2*grf, 4*grf); n != 4 {
		t.Errorf("%d messages for a fill and a store of two registers", n)
	}
	want := `(W) send.dc0(8) v1+32<1>:ud r0:ud null:ud msg=scratch_read desc=0xc0004 len=1 rlen=1
(W) send.dc0(8) v1+64<1>:ud r0:ud null:ud msg=scratch_read desc=0xc0005 len=1 rlen=1
mov(8) v1+32<1>:ud 0x1:ud {Align16}
(W) mov(8) v1<1>:ud r0:ud
send.dc0(8) null:ud v1:ud null:ud msg=vector_scratch_write desc=0xf0004 len=2 {Align16}
(W) mov(8) v1+32<1>:ud r0:ud
send.dc0(8) null:ud v1+32:ud null:ud msg=vector_scratch_write desc=0xf0005 len=2 {Align16}`
	if got := lines(f); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if reach := code.Reach(f); reach != 128<<10 {
		t.Errorf("spilled registers may take %d bytes", reach)
	}
}
