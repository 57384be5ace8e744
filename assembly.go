package jacquard

import (
	"strings"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/target"
)

// Assembly returns the code of a variant as assembly in the syntax of Intel's iga64: one instruction per line, with
// labels at the destinations of branches.
func (p *Program) Assembly(v *Variant) (string, error) {
	t, ok := target.ByName(string(p.Target))
	if !ok {
		return "", &Error{Msg: "unknown target " + string(p.Target)}
	}
	var b strings.Builder
	if err := isatext.Disassemble(t.Platform, v.Code, &b); err != nil {
		return "", &Error{Msg: err.Error()}
	}
	return b.String(), nil
}
