package match

import "jacquard.example/core/ir"

// Steps computes the automaton's state of every instruction of a function,
// bottom-up, as a pass does in which no rule can match.
func (p *Pass) Steps(s *ir.Shader, f ir.Func, set *Set) {
	if p.S == nil {
		p.begin(s, f, set, nil, nil)
		t := *p.tables
		t.rules = make([]bool, len(t.rules))
		p.tables = &t
	}
	for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
		p.scan(s.First(b))
	}
}
