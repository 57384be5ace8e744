package memory

import (
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// RefuseImages fails when a target whose back end has no messages for images is
// to access them.
func RefuseImages(pc *pass.Context) bool {
	c := in(pc)
	if !c.Options.NoImages {
		return false
	}
	s := c.S
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			in := s.At(v)
			name := ""
			switch {
			case in.Kind == kind.Tex:
				name = "tex_" + kind.TexOp(in.Op).String()
			case in.Kind == kind.Intrinsic && in.Intrinsic().Info().Target != intrinsic.TargetNone:
				name = in.Intrinsic().String()
			default:
				continue
			}
			c.Fail("%s: the back end for %s has no messages for images and samplers yet", name, c.Options.Target)
			return false
		}
	}
	return false
}
