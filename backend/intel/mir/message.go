package mir

import (
	"fmt"

	"jacquard.example/generated/message"
)

// Source is the operand of a logical message that has a name. A message without it
// has one whose File is None.
func (in *Inst) Source(s message.Source) Operand {
	if !in.Msg.Name.Info().Has(s) {
		return Operand{}
	}
	return in.Src[s.Place()]
}

// sourceAt is the name of source k of a logical message, if it has one there.
func (in *Inst) sourceAt(k int) (message.Source, bool) {
	info := in.Msg.Name.Info()
	for s := range message.Source(message.NumSources) {
		if info.Has(s) && s.Place() == k {
			return s, true
		}
	}
	return 0, false
}

// checkMessage checks that a logical message has what its row says and no more. An
// atomic's data may be missing: some operations take none.
func checkMessage(in *Inst) error {
	info := in.Msg.Name.Info()
	if in.Msg.Name == message.None {
		return fmt.Errorf("asks for nothing")
	}
	if !info.Works(in.Msg.Space) {
		return fmt.Errorf("does not work in the space %q", in.Msg.Space)
	}
	for k := range in.Src {
		s, named := in.sourceAt(k)
		given := in.Src[k].File != None
		optional := s == message.Data && in.Msg.Op != 0 || s == message.Surface && in.Msg.Space != message.Buffer
		switch {
		case given && !named:
			return fmt.Errorf("source %d has no name", k)
		case !given && named && !optional:
			return fmt.Errorf("%v is missing", s)
		}
	}
	return nil
}
