// SPDX-License-Identifier: MIT

package isa

import (
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// align16 puts an instruction of one or two sources into access mode Align16, with random rows, swizzles and write mask.
func align16(s *source, in *isa.Inst) {
	in.Align16 = true
	in.ExecSize = pick[uint8](s, 4, 8, 16)
	if in.Pred != isa.PredNone {
		in.Pred = pick(s, isa.PredNormal, isa.PredX, isa.PredY, isa.PredZ, isa.PredW, isa.PredAny4H, isa.PredAll4H)
	}
	place := func(o *isa.Operand) {
		o.Sub &= 16
		o.AddrOff &^= 15
	}
	place(&in.Dst)
	in.Dst.HStride = 1
	in.Dst.Mask = fields.MaskOf(uint8(s.IntN(16)))
	for k := range in.Src {
		o := &in.Src[k]
		if o.File != isa.FileGRF && o.File != isa.FileARF {
			continue
		}
		place(o)
		o.VStride, o.Width, o.HStride = pick[uint8](s, 0, 2, 4), 4, 1
		o.Swizzle = fields.SwizzleOf(uint8(s.IntN(4)), uint8(s.IntN(4)), uint8(s.IntN(4)), uint8(s.IntN(4)))
	}
}

// TestAlign16RoundTrip: decoding undoes encoding, and assembling undoes disassembling, for random instructions in access
// mode Align16.
func TestAlign16RoundTrip(t *testing.T) {
	s := &source{rand.New(rand.NewPCG(3, 16)), 100, newMachine(isa.HSW)}
	var prog []isa.Inst
	for len(prog) < 4000 {
		in := s.inst(0)
		switch f := isa.Ops[in.Op].Format; f {
		case isa.FormatBasic, isa.FormatMath:
			align16(s, &in)
		case isa.FormatSend:
			in.Align16, in.ExecSize, in.Dst.Mask = true, 8, fields.MaskOf(uint8(s.IntN(16)))
			if in.Pred != isa.PredNone {
				in.Pred = isa.PredW
			}
		default:
			continue
		}
		prog = append(prog, in)
	}
	roundTrip(t, isa.HSW, prog)
}

// TestAlign16Refused pins what words in access mode Align16 cannot encode.
func TestAlign16Refused(t *testing.T) {
	for _, c := range []struct {
		p          isa.Platform
		text, want string
	}{
		{isa.SKL, "mov (8|M0) r1.0<1>:f r2.0<4;4,1>:f {Align16}", "skl has no option Align16"},
		{isa.TGL, "mov (8|M0) r1.0<1>:f r2.0<4;4,1>.xxxx:f", "these words have no swizzle"},
		{isa.HSW, "mov (8|M0) r1.0<1>:f r2.0<4;4,1>.xxxx:f", "these words have no swizzle"},
		{isa.HSW, "mov (8|M0) r1.0<1>.x:f r2.0<4;4,1>:f", "these words have no swizzle"},
		{isa.HSW, "mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f {Align16}", "region is not encodable"},
		{isa.HSW, "mov (8|M0) r1.0<1>:f r2.2<4;4,1>:f {Align16}", "subregister is not encodable"},
		{isa.HSW, "mov (2|M0) r1.0<1>.x:f r2.0<4;4,1>:f {Align16}", "four lanes or more"},
		{isa.HSW, "mov (8|M0) r1.0<1>:f r[a0.0,8]<4;4,1>:f {Align16}", "address subregister or offset out of range"},
		{isa.HSW, "(f0.0.any8h) mov (8|M0) r1.0<1>:f r2.0<4;4,1>:f {Align16}", "undefined predicate"},
		{isa.HSW, "(f0.0.x) mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f", "undefined predicate"},
		{isa.ICL, "(f0.0.x) mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f", `unknown predicate "x"`},
		{isa.HSW, "mad (8|M0) r1.0<1>:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f {Align16}", "no choice of access mode"},
		{isa.HSW, "jmpi 64 {Align16}", "no choice of access mode"},
		{isa.HSW, "endif (8|M0) 300000", "too far away"},
		{isa.HSW, "endif (8|M0) 4", "too far away, or not at a multiple of 8 bytes"},
		{isa.HSW, "mov (8|M0) r1.0<1>:q r2.0<4;4,1>:q", "type has no encoding"},
		{isa.HSW, "send (8|M0) r1 r2 0x6 0x20000000", "more bits than the word holds"},
	} {
		if _, err := isatext.Assemble(c.p, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.p, c.text, err, c.want)
		}
	}
}

// TestHaswellMessages: the messages of vec4 vertex shaders have words, and those of later machines have none.
func TestHaswellMessages(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"8E08C000006E0E24200F0FBC06600131", "URB write of vertices, slot pair 0, interleaved, complete, end of the thread"},
		{"1A084030006E0E24200F0FBC06600131", "URB write of vertices, slot pair 6, interleaved"},
		{"02107002006E0E4420CF0FBD02600131", "sampler, surface 2, sampler 0, ld"},
		{"041880FF006E0FC4226F0FBD0A600131", "block read of vertices, stateless"},
		{"060A80FF006E0FA4200F0FBC0A600131", "block write of vertices, stateless"},
		{"0209C000000E0004202F0C290A000331", "memory fence"},
		{"00000200006E01E4224F00290C600131", "message to dc1 with a computed descriptor"},
	} {
		in, err := isa.Decode(isa.HSW, wordOf(t, c.word))
		if err != nil {
			t.Errorf("%s: %v", c.word, err)
			continue
		}
		if got := string(isatext.AppendWords(nil, isa.HSW, &in, nil)); got != c.want {
			t.Errorf("%s: %q, want %q", c.word, got, c.want)
		}
	}
	m, ok := isa.DecodeMessage(isa.HSW, isa.SFIDDC1, 0x0210E503, 0)
	if !ok || m.Kind != isa.MsgUntypedAtomic4x2 || m.AtomicOp != isa.AtomicInc || !m.Return {
		t.Errorf("an atomic is %+v", m)
	}
	if m, ok := isa.DecodeMessage(isa.SKL, isa.SFIDDC1, 0x0210E503, 0); !ok || m.Kind != isa.MsgUntypedAtomic16 {
		t.Errorf("the same bits on skl are %+v", m)
	}
	if m, ok := isa.DecodeMessage(isa.SKL, isa.SFIDURB, 0x8E08C000, 0); ok {
		t.Errorf("a message that skl lacks is %+v", m)
	}
}
