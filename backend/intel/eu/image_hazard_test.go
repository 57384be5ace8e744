// SPDX-License-Identifier: MIT

package eu

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestImageHazards checks that the scoreboard covers all payload and response registers of typed and sampler
// messages, including the second source. want is a part of the fault.
func TestImageHazards(t *testing.T) {
	m := image(t, irkind.Dim2D, "R32_UINT", 4, 4, 1, 1, 1)
	read := send(isa.SFIDDC1, 8, readOf(1, 15), 1<<6)                     // r20, r60 → r100 to r103
	write := send(isa.SFIDDC1, 8, writeOf(2), 4<<6)                       // r20, r21, r60 to r63
	atomic := send(isa.SFIDDC1, 8, atomicOf(2, message.AopAdd, 1), 1<<6)  // r20, r21, r60 → r100
	sample := send(isa.SFIDSampler, 16, samplerDesc(24, 16, 2, 6), 2<<6)  // r20, r21, r60, r61 → r100 to r105
	half := send(isa.SFIDSampler, 16, samplerDesc(24, 16, 4, 3)|1<<30, 0) // r20 to r23 → r100 to r102
	moves := func(d, s uint8) isa.Inst {
		return sw(arith(isa.OpMov, 8, dst(d, isa.TypeUD), packed(s, isa.TypeUD)), 0)
	}
	for _, c := range []struct {
		name string
		msg  isa.Inst
		then isa.Inst
		wait fields.SWSB // the wait that makes the program correct
		want string
	}{
		{"last component of a typed read", read, moves(10, 103), fields.SWSBDst(0), "reads r103 before"},
		{"coordinate of a typed read", read, moves(60, 10), fields.SWSBSrc(0), "writes r60 before"},
		{"response of a typed read", read, moves(101, 10), fields.SWSBDst(0), "writes r101 before"},
		{"alpha of a typed write", write, moves(63, 10), fields.SWSBSrc(0), "writes r63 before"},
		{"v of a typed write", write, moves(21, 10), fields.SWSBSrc(0), "writes r21 before"},
		{"operand of a typed atomic", atomic, moves(60, 10), fields.SWSBSrc(0), "writes r60 before"},
		{"result of a typed atomic", atomic, moves(10, 100), fields.SWSBDst(0), "reads r100 before"},
		{"last component of 16 lanes", sample, moves(10, 105), fields.SWSBDst(0), "reads r105 before"},
		{"parameter of 16 lanes", sample, moves(61, 10), fields.SWSBSrc(0), "writes r61 before"},
		{"component of 16 bits", half, moves(10, 102), fields.SWSBDst(0), "reads r102 before"},
	} {
		for _, wait := range []fields.SWSB{0, c.wait} {
			b := samplerBench(t, target.TGL, m, []*texture.Sampler{linearSampler()}, c.msg, sw(c.then, wait))
			run(b.Thread, 10)
			switch {
			case wait != 0 && b.Err != nil:
				t.Errorf("%s, waited for: %v", c.name, b.Err)
			case wait == 0 && (b.Err == nil || b.Err.Kind != thread.FaultHazard || !strings.Contains(b.Err.Error(), c.want)):
				t.Errorf("%s: %v, want %q", c.name, b.Err, c.want)
			}
		}
	}
}
