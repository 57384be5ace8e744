// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/message"
)

// checkMessage checks that a logical message has exactly the sources and lengths that its row requires. Data of
// an atomic may be missing, since some operations take none, and data of a read, since some images have a
// single coordinate. So may the surface, except in buffers and images.
func checkMessage(f *mir.Func, in *mir.Inst) string {
	info := in.Msg.Name.Info()
	if !info.Works(in.Msg.Space) {
		return fmt.Sprintf("does not work in the space %q", in.Msg.Space)
	}
	lens := [...]uint8{in.Len[0], in.Len[1], 0}
	for k := range in.Src {
		o := &in.Src[k]
		s, named := in.SourceAt(k)
		given := o.File != mir.None
		optional := s == message.Data && (in.Msg.Op != 0 || !info.Effect) ||
			s == message.Surface && in.Msg.Space != message.Buffer && in.Msg.Space != message.Image
		msg := ""
		switch {
		case given && !named:
			return fmt.Sprintf("source %d has no name", k)
		case !given && named && !optional:
			return fmt.Sprintf("%v is missing", s)
		case given && s == message.Address64:
			msg = checkAddress64(f, in, o)
		case given && s == message.Header:
			msg = checkPayload(f, o, lens[k], s.String())
		case given && k < 2:
			msg = checkParameters(f, in, o, lens[k], s.String())
		case given && s == message.Offset && o.File != mir.Imm:
			return "the offset is not an immediate"
		case given && !o.IsScalar():
			return fmt.Sprintf("%v is not a scalar", s)
		case given:
			msg = checkOperand(f, o, 4, s.String())
		case lens[k] != 0:
			return fmt.Sprintf("%d registers of a missing source", lens[k])
		}
		if msg != "" {
			return msg
		}
	}
	return checkResult(f, in)
}

// checkAddress64 checks the 64-bit addresses of a logical message: a quadword for every lane, in whole
// registers.
func checkAddress64(f *mir.Func, in *mir.Inst, o *mir.Operand) string {
	if n := uint8(f.GRF.Of(2 * f.Parameter(in))); in.Len[0] != n {
		return fmt.Sprintf("64-bit addresses of %d lanes fill %d registers, not %d", in.Exec, n, in.Len[0])
	}
	return checkPayload(f, o, in.Len[0], message.Address64.String())
}
