// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// NestContinues removes continues from loops: the code that a continue skips moves into the arm of the if that does not
// continue, so no code is copied. If the code would have to be in both arms, the loop is left alone. Loops without
// continues can be unrolled, and their ifs become selects.
func NestContinues(pc *pass.Context) bool {
	s := pc.S
	t := pass.Scratch[nester](pc)
	t.context, t.s = in(pc), s
	t.way, t.jump = repeats, kind.JumpContinue
	return t.nestLoops(s.Body(s.Func(pc.F).Node))
}

// nestLoops removes the continues of the loops of a list.
func (t *nester) nestLoops(first ir.Node) (changed bool) {
	s := t.s
	for n := first; n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) == ir.NodeBlock {
			continue
		}
		for _, list := range [...]ir.Node{s.Then(n), s.Else(n)} {
			if list != 0 {
				changed = t.nestLoops(list) || changed
			}
		}
		if s.NodeKind(n) != ir.NodeLoop {
			continue
		}
		t.paths = reuse.Slice(t.paths, s.NumNodes())
		t.leaving = 0
		if t.scan(s.Body(n))&unclean == 0 && t.leaving > 0 && t.nestable(n) {
			t.after = s.Body(n)
			t.nest(t.after)
			changed = true
		}
	}
	return changed
}
