package ir_test

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// TestMayHave: a shader knows what has been created in it, and forgets it when it is emptied.
func TestMayHave(t *testing.T) {
	sets := []*ir.Occurrences{
		ir.Kinds(kind.Phi),
		ir.Ops(func(o op.Op) bool { return o == op.Count-1 }),
		ir.Intrinsics(intrinsic.Count - 1),
	}
	s := ir.New()
	for i, create := range []func(){
		func() { s.New(kind.Phi, 0, 0, 0) },
		func() { s.New(kind.ALU, uint16(op.Count-1), 1, 0) },
		func() { s.New(kind.Intrinsic, uint16(intrinsic.Count-1), 0, 0) },
	} {
		s.Reset()
		create()
		for k, set := range sets {
			if got := s.MayHave(set); got != (i == k) {
				t.Errorf("after creation %d, set %d: %v", i, k, got)
			}
		}
	}
}
