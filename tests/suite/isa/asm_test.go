// SPDX-License-Identifier: MIT

package isa

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// TestAssembleErrors pins the place and wording of the assembler's errors.
func TestAssembleErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"mvo (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud", `1:1: unknown mnemonic "mvo"`},
		{"\n\n  pln (8|M0) r1.0<1>:f", `3:3: unknown mnemonic "pln"`},
		{"mov (7|M0) r1.0<1>:ud r2.0<8;8,1>:ud", "1:6: execution size 7 is not a power of two"},
		{"mov (8|M3) r1.0<1>:ud r2.0<8;8,1>:ud", "1:9: channel offset 3 is not a multiple of 4"},
		{"mov (8|M0) r1.0:ud r2.0<8;8,1>:ud", `1:16: expected "<"`},
		{"mov (8|M0) r1.0<1>:zz r2.0<8;8,1>:ud", `1:20: unknown type "zz"`},
		{"mov (8|M0) r256.0<1>:ud r2.0<8;8,1>:ud", `1:12: unknown register "r256"`},
		{"mov (8|M0) f2.0<1>:ud r2.0<8;8,1>:ud", `1:12: unknown register "f2"`},
		{"mov (8|M0) r1.8<1>:ud r2.0<8;8,1>:ud", "1:15: subregister 8 of type ud is outside the register"},
		{"mov (8|M0) r1.0<3>:ud r2.0<8;8,1>:ud", "1:1: cannot encode mov: destination stride is not encodable"},
		{"mov (8|M0) r1.0<1>:ud r2.0<7;8,1>:ud", "1:1: cannot encode mov: a source's region is not encodable"},
		{"mov (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud x", `1:38: unexpected "x" after the instruction`},
		{"mov (8|M0) r1.0<1>:ub 1:ub", "1:23: type ub has no immediates"},
		{"mov (8|M0) r1.0<1>:uw 65536:uw", "1:23: immediate does not fit uw"},
		{"mov (8|M0) r1.0<1>:f 1.0.0:f", `1:22: malformed number "1.0.0"`},
		{"add (8|M0) r1.0<1>:d 3:d r2.0<8;8,1>:d", "1:1: cannot encode add: an immediate of this type has no encoding here"},
		{"jmpi NOWHERE", "1:6: undefined label NOWHERE"},
		{"A:\nA:\nnop", "2:1: label A occurs twice"},
		{"add (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d {$3}", "1:51: only sends and math allocate a token; write $3.dst or .src"},
		{"send.dc1 (8|M0) r1 r2 null 0x0 0x0 {@1,$3.dst}", "1:37: this distance and token do not fit in one field; use a sync.nop"},
		{"nop {@8}", "1:7: distance 8 is larger than 7"},
		{"send.dc1 (8|M0) r1 r2 null 0x1 0x0", "1:28: bits 5:0 of the extended descriptor are not encodable"},
		{"send.ugm (8|M0) r1 r2 null 0x0 0x0", `1:6: unknown shared function "ugm"`},
		{"math.pow (8|M0) r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", `1:6: unknown math function "pow"`},
		{"(f0.0) sel (8|M0) (ge)f0.1 r1.0<1>:f r2.0<8;8,1>:f r3.0<8;8,1>:f", "1:23: predicate and condition must use the same flag"},
		{"(f0.0) sync.nop null", "1:8: sync cannot be predicated"},
		{"/* open", "1:1: comment without an end"},
	} {
		_, err := isatext.Assemble(isa.TGL, c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

// TestAssembleForms tests comments, separators and spellings that the disassembler does not use.
func TestAssembleForms(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"nop; nop // two", "nop\nnop"},
		{"/* a\nb */ nop", "nop"},
		{"A: jmpi A", "A:\n(W) jmpi A"},
		{"while (8|M0) -32", "x: nop\nnop\nwhile (8|M0) x"},
		{"sync.allrd 0x6", "sync.allrd ($1,$2)"},
		{"mov (8|M0) r1.0<1>:f 0x3F800000:f", "mov (8|M0) r1.0<1>:f 1.0:f"},
		{"mov (8|M0) r1.0<1>:hf -0.333251953125:hf", "mov (8|M0) r1.0<1>:hf 0xB555:hf"},
		{"mov (8|M0) r1.0<1>:d 0xFFFFFFFF:d", "mov (8|M0) r1.0<1>:d -1:d"},
		{"mov (8|M0) r1.0<1>:ud ce0.0<0;1,0>:ud", "mov (8|M0) r1.0<1>:ud ce<0;1,0>:ud"},
		{"add (8|M0) r1.0<1>:d r2.0<8;8,1>:d 1:d {Compacted}", "add (8|M0) r1.0<1>:d r2.0<8;8,1>:d 1:d"},
	} {
		a, errA := isatext.Assemble(isa.TGL, c.a)
		b, errB := isatext.Assemble(isa.TGL, c.b)
		if errA != nil || errB != nil {
			t.Errorf("%q: %v; %q: %v", c.a, errA, c.b, errB)
		} else if !strings.HasSuffix(string(b), string(a)) {
			t.Errorf("%q gives % x, %q % x", c.a, a, c.b, b)
		}
	}
}

// TestHalfImmediates: every half float prints as something that reads back.
func TestHalfImmediates(t *testing.T) {
	in := isa.Inst{Op: isa.OpMov, ExecSize: 8,
		Dst: isa.Operand{File: isa.FileGRF, Type: isa.TypeHF, HStride: 1},
		Src: [3]isa.Operand{{File: isa.FileImm, Type: isa.TypeHF}}}
	var text []byte
	for h := range uint64(1 << 16) {
		in.Src[0].Imm = h
		text = append(isatext.Append(text, isa.TGL, &in, 0), '\n')
	}
	code, err := isatext.Assemble(isa.TGL, string(text))
	if err != nil {
		t.Fatal(err)
	}
	for h := range 1 << 16 {
		got, err := isa.Decode(isa.TGL, code[h*isa.InstSize:])
		if err != nil || got.Src[0].Imm != uint64(h) {
			t.Fatalf("%#x came back as %#x (%v)", h, got.Src[0].Imm, err)
		}
	}
}

// TestCalla tests the only branch with an address as its target instead of a distance.
func TestCalla(t *testing.T) {
	code, err := isatext.Assemble(isa.TGL, "nop\ncalla (8|M0) r5.0 L\nnop\nnop\nL: nop")
	if err != nil {
		t.Fatal(err)
	}
	const want = "0000004000000000050440000003002B" // as iga64 -a -p=12p1
	if got := wordText(code[isa.InstSize:][:isa.InstSize]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if text := disassemble(t, isa.TGL, code); !strings.Contains(text, "calla (8|M0) r5.0 L64\n") || !strings.Contains(text, "\nL64:\n") {
		t.Error(text)
	}
}

// TestAssembleErrorsLayouts pins the errors for words of other layouts, and for operands without a field in a layout.
func TestAssembleErrorsLayouts(t *testing.T) {
	for _, c := range []struct {
		p          isa.Platform
		text, want string
	}{
		{isa.ICL, "nop {@1}", "1:1: cannot encode nop: the platform has no software scoreboard"},
		{isa.ICL, "sync.nop null", `1:1: unknown mnemonic "sync"`},
		{isa.ICL, "send (8|M0) r1 r2 0x10 0x0", "1:19: bit 4 of the extended descriptor is not encodable"},
		{isa.ICL, "send (8|M0) r1 r2 0x46 0x0", "1:1: cannot encode send: extended descriptor is not encodable"},
		{isa.ICL, "send (8|M0) r1 r2 0x6 0x80000000", "1:1: cannot encode send: the descriptor has more bits than the word holds"},
		{isa.ICL, "send (8|M0) r1 r2 a0.2 0x0", "1:1: cannot encode send: extended descriptor is not encodable"},
		{isa.ICL, "send (8|M0) r1 r2 0x6 0x0 {Switch}", "1:1: cannot encode send: the platform has no Switch here"},
		{isa.ICL, "sends (8|M0) r1 r2 r3 0x46 0x0 {NoDDClr}", "1:1: cannot encode sends: the platform has no NoDDClr and NoDDChk here"},
		{isa.ICL, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {Atomic,Switch}", "1:1: cannot encode mov: Atomic, Switch and NoPreempt exclude each other"},
		{isa.ICL, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {Atomic,NoPreempt}", "1:1: cannot encode mov: Atomic, Switch and NoPreempt exclude each other"},
		{isa.ICL, "mad (8|M0) r1.0<1>:f acc0.0<8;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: a source is not a register this format can name"},
		{isa.ICL, "mad (8|M0) r1.0<1>:f r2.0<1;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: a source's region is not encodable"},
		{isa.ICL, "mov (8|M0) acc10.0<1>:f r2.0<8;8,1>:f", `1:12: unknown register "acc10"`},
		{isa.SKL, "mad (8|M0) r1.0<1>:f acc0.0<8;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: a source is not a register this format can name"},
		{isa.SKL, "mad (8|M0) r1.0<1>:hf 0x1234:hf r2.0<8;1>:hf r3.0<1>:hf", "1:1: cannot encode mad: a source is not a register this format can name"},
		{isa.SKL, "mad (8|M0) acc0.0<1>:f r4.0<8;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: the destination is not a register this format can name"},
		{isa.SKL, "mad (8|M0) r1.0<2>:f r4.0<8;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: destination stride is not encodable"},
		{isa.SKL, "mad (8|M0) r1.1<1>:hf r4.0<8;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: subregister is not encodable"},
		{isa.SKL, "mad (8|M0) r1.0<1>:f r4.0<1;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: a source's region is not encodable"},
		{isa.SKL, "mad (8|M0) r1.0<1>:f r4.0<8;1>:f r2.0<8;1>:d r3.0<1>:f", "1:1: cannot encode mad: a source's type has no encoding here"},
		{isa.SKL, "mad (1|M0) r1.0<1>:df r4.0<0;0>:f r2.0<0;0>:f r3.0<0>:f", "1:1: cannot encode mad: the destination's type has no encoding here"},
		{isa.SKL, "(f0.0.any8h) mad (8|M0) r1.0<1>:f r4.0<8;1>:f r2.0<8;1>:f r3.0<1>:f", "1:1: cannot encode mad: undefined predicate or flag"},
		{isa.SKL, "mov (8|M0) mme1.0<1>:f r2.0<8;8,1>:f", "1:1: cannot encode mov: the platform has no such architecture register"},
		{isa.SKL, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {NoPreempt}", "1:37: skl has no option NoPreempt"},
		{isa.SKL, "rol (8|M0) r1.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud", `1:1: unknown mnemonic "rol"`},
		{isa.TGL, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {NoDDClr}", "1:37: tgl has no option NoDDClr"},
		{isa.TGL, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {Switch}", "1:37: tgl has no option Switch"},
		{isa.TGL, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {NoPreempt}", "1:37: tgl has no option NoPreempt"},
		{isa.TGL, "sends (8|M0) r1 r2 r3 0x46 0x0", `1:1: unknown mnemonic "sends"`},
	} {
		_, err := isatext.Assemble(c.p, c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v %q: got %v, want %s", c.p, c.text, err, c.want)
		}
	}
}

// TestNoPlace: an instruction that asks for a field which its platform's words lack is
// refused, whatever its format.
func TestNoPlace(t *testing.T) {
	ask := map[isa.Platform]map[string]func(*isa.Inst){
		isa.SKL: {
			"the platform has no NoPreempt here":      func(in *isa.Inst) { in.NoPreempt, in.Switch, in.Atomic = true, false, false },
			"the platform has no software scoreboard": func(in *isa.Inst) { in.SWSB = fields.SWSBDist(1) },
		},
		isa.TGL: {
			"the platform has no Switch here":              func(in *isa.Inst) { in.Switch = true },
			"the platform has no NoPreempt here":           func(in *isa.Inst) { in.NoPreempt = true },
			"the platform has no NoDDClr and NoDDChk here": func(in *isa.Inst) { in.NoDDClr = true },
			"the destination's type has no encoding here":  func(in *isa.Inst) { in.Dst.Type = isa.TypeUV },
			"the platform has no such architecture register": func(in *isa.Inst) {
				in.Dst = isa.Operand{File: isa.FileARF, Reg: isa.ARFF0 + 2, Type: in.Dst.Type, HStride: 1}
			},
		},
		isa.ICL: {
			"the platform has no software scoreboard": func(in *isa.Inst) { in.SWSB = fields.SWSBDist(1) },
			"the platform has no such architecture register": func(in *isa.Inst) {
				in.Dst = isa.Operand{File: isa.FileARF, Reg: isa.ARFAcc0 + 10, Type: in.Dst.Type, HStride: 1}
			},
		},
	}
	for p, wants := range ask {
		for _, in := range randomProgram(p, 3, 300) {
			info := &isa.Ops[in.Op]
			if info.Format == isa.FormatNop || !info.HasDst || in.Dst.Indirect {
				continue
			}
			for want, change := range wants {
				x := in
				change(&x)
				err := isa.Encode(p, &x, make([]byte, isa.InstSize))
				if err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
					if (info.Format == isa.FormatBranch || info.Format == isa.FormatSend) && x.Dst.Type == isa.TypeUV {
						continue // their destination has no type
					}
					t.Errorf("%v %s: got %v, want %s", p, isatext.Append(nil, p, &in, 0), err, want)
				}
			}
		}
	}
}
