package mir

import (
	"fmt"

	"jacquard.example/generated/message"
)

// Source returns the named operand of a logical message. Its File is None if the message does not have it.
func (in *Inst) Source(s message.Source) Operand {
	if !in.Msg.Name.Info().Has(s) {
		return Operand{}
	}
	return in.Src[s.Place()]
}

// sourceAt returns the name of source k of a logical message, if it has one.
func (in *Inst) sourceAt(k int) (message.Source, bool) {
	info := in.Msg.Name.Info()
	for s := range message.Source(message.NumSources) {
		if info.Has(s) && s.Place() == k {
			return s, true
		}
	}
	return 0, false
}

// checkMessage checks that a logical message has exactly the sources and lengths that its row requires. Data of
// an atomic may be missing, since some operations take none, and data of a read, since some images have a
// single coordinate.
func (f *Func) checkMessage(in *Inst) string {
	info := in.Msg.Name.Info()
	if !info.Works(in.Msg.Space) {
		return fmt.Sprintf("does not work in the space %q", in.Msg.Space)
	}
	lens := [...]uint8{in.Len[0], in.Len[1], 0}
	for k := range in.Src {
		o := &in.Src[k]
		s, named := in.sourceAt(k)
		given := o.File != None
		optional := s == message.Data && (in.Msg.Op != 0 || !info.Effect) || s == message.Surface && in.Msg.Space != message.Buffer && in.Msg.Space != message.Image
		msg := ""
		switch {
		case given && !named:
			return fmt.Sprintf("source %d has no name", k)
		case !given && named && !optional:
			return fmt.Sprintf("%v is missing", s)
		case given && s == message.Address64:
			msg = f.checkAddress64(in, o)
		case given && s == message.Header:
			msg = f.checkPayload(o, lens[k], s.String())
		case given && k < 2:
			msg = f.checkParameters(in, o, lens[k], s.String())
		case given && s == message.Offset && o.File != Imm:
			return "the offset is not an immediate"
		case given && !o.IsScalar():
			return fmt.Sprintf("%v is not a scalar", s)
		case given:
			msg = f.checkOperand(o, 4, s.String())
		case lens[k] != 0:
			return fmt.Sprintf("%d registers of a missing source", lens[k])
		}
		if msg != "" {
			return msg
		}
	}
	return f.checkResult(in)
}

// checkAddress64 checks the 64-bit addresses of a logical message: a quadword for every lane, in whole
// registers.
func (f *Func) checkAddress64(in *Inst, o *Operand) string {
	if n := uint8(2 * in.Parameter() / GRFBytes); in.Len[0] != n {
		return fmt.Sprintf("64-bit addresses of %d lanes fill %d registers, not %d", in.Exec, n, in.Len[0])
	}
	return f.checkPayload(o, in.Len[0], message.Address64.String())
}

// SourceByName returns the source of logical messages with a given name.
func SourceByName(name string) (message.Source, bool) {
	for s := range message.Source(message.NumSources) {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}
