// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// halve replaces the parameters of message i to the sampler, a doubleword for each lane, by their lower words. The place of a
// texel's samples (mcs) keeps both words. Each parameter has a register, although 16 words fill only half of one with 64 bytes (Mesa
// 25.0.7's code for dg2 and lnl). in is the message to be sent.
func halve(f *mir.Func, i mir.ID, in *mir.Inst) {
	params, each := message.Operations[in.Msg.Op].Params, f.Parameter(in)
	var words []mir.Operand
	add := func(from mir.Operand, registers uint8) {
		for at := uint32(0); at < f.GRF.Start(uint32(registers)); at += each {
			low, p := from.At(at).As(isa.TypeUW).WithStride(2), params[0]
			if words, params = append(words, low), params[1:]; p == message.ParamMcs0 || p == message.ParamMcs1 {
				words = append(words, low.At(2))
			}
		}
	}
	if !hasHeader(in) {
		add(in.Src[0], in.Len[0])
	}
	add(in.Src[1], in.Len[1])
	n := len(words)
	r := mir.Reg(0)
	if in.NoMask {
		r = f.NewGRFs(n)
	} else {
		r = f.NewPiece(n)
	}
	to := mir.V(r, isa.TypeUD)
	for k, from := range words {
		f.Before(i, mir.Inst{Op: isa.OpMov, Exec: in.Exec, Chan: in.Chan, NoMask: in.NoMask, Loc: in.Loc,
			Dst: to.At(f.GRF.Start(uint32(k))).As(isa.TypeUW), Src: [3]mir.Operand{from}})
	}
	in.Src[1], in.Len[1] = to, uint8(n)
	if !hasHeader(in) {
		in.Src[0], in.Len[0] = to, 1
		in.Src[1], in.Len[1] = to.At(f.GRF.Bytes()), uint8(n-1)
	}
}
