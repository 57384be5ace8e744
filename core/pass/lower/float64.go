package lower

import (
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// RefuseFloat64 fails when a target without 64-bit floats is to compute with
// them.
func RefuseFloat64(pc *pass.Context) bool {
	c := in(pc)
	if !c.Options.NoFloat64 {
		return false
	}
	s := c.S
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			if in.Kind != kind.ALU {
				continue
			}
			info := in.ALUOp().Info()
			found := info.Out.Base == op.Float && in.Bits == 64
			for i := range int(in.NSrc) {
				found = found || info.Src[i].Base == op.Float && s.At(s.SrcVal(v, i)).Bits == 64
			}
			if found {
				c.Fail("64-bit floats are not supported on %s (%s)", c.Options.Target, in.ALUOp())
				return false
			}
		}
	}
	return false
}
