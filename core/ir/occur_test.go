package ir_test

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// TestMayHave: a shader knows what instructions have been created in it and which nodes it has, and
// forgets both when it is emptied.
func TestMayHave(t *testing.T) {
	sets := []*ir.Occurrences{
		ir.Kinds(kind.Phi),
		ir.Ops(func(o op.Op) bool { return o == op.Count-1 }),
		ir.Intrinsics(intrinsic.Count - 1),
		ir.Derefs(kind.DerefCast),
		ir.Jumps(kind.JumpContinue),
		ir.Nodes(ir.NodeIf),
		ir.Nodes(ir.NodeLoop),
	}
	all := sets[0]
	for _, set := range sets[1:] {
		all = all.Or(set)
	}
	s := ir.New()
	block := func() ir.Node { return s.FirstBlock(s.NewFunc("f")) }
	for i, create := range []func(){
		func() { s.New(kind.Phi, 0, 0, 0) },
		func() { s.New(kind.ALU, uint16(op.Count-1), 1, 0) },
		func() { s.New(kind.Intrinsic, uint16(intrinsic.Count-1), 0, 0) },
		func() { s.New(kind.Deref, uint16(kind.DerefCast), 1, 0) },
		func() { s.New(kind.Jump, uint16(kind.JumpContinue), 0, 0) },
		func() { s.InsertIf(block(), ir.Src{}) },
		func() { s.InsertLoop(block()) },
	} {
		s.Reset()
		if s.MayHave(all) {
			t.Errorf("before creation %d: something is there", i)
		}
		create()
		if !s.MayHave(all) {
			t.Errorf("after creation %d: not in the union", i)
		}
		for k, set := range sets {
			if got := s.MayHave(set); got != (i == k) {
				t.Errorf("after creation %d, set %d: %v", i, k, got)
			}
		}
	}
}

// TestMayHaveResults: what results are is known however the instruction came to be.
func TestMayHaveResults(t *testing.T) {
	s := ir.New()
	copied := func(v ir.Value) {
		s.SeenNone((ir.Vectors | ir.VectorPhis | ir.Wide).Occurrences())
		var c ir.Cloner
		c.Start(s)
		c.Instr(v)
	}
	for _, x := range []struct {
		make func(b *ir.Builder) ir.Value
		want ir.Results
	}{
		{func(b *ir.Builder) ir.Value { return b.Undef(1, 32).Val }, 0},
		{func(b *ir.Builder) ir.Value { return b.Undef(2, 32).Val }, ir.Vectors},
		{func(b *ir.Builder) ir.Value { return b.Const(64, 1).Val }, ir.Wide},
		{func(b *ir.Builder) ir.Value { return b.Const(64, 1, 2).Val }, ir.Wide | ir.Vectors},
		{func(b *ir.Builder) ir.Value { return b.Phi(2, 32, 1) }, ir.VectorPhis},
		{func(b *ir.Builder) ir.Value { x := b.Imm(1); return b.ALU(op.Vec2, x, x).Val }, 0},
		{func(b *ir.Builder) ir.Value { return b.ALUN(op.INot, 2, b.Imm(1)).Val }, ir.Vectors},
		{func(b *ir.Builder) ir.Value { return b.ALU(op.Pack64_2x32Split, b.Imm(1), b.Imm(2)).Val }, ir.Wide},
	} {
		s.Reset()
		b := ir.NewBuilder(s)
		b.AtEnd(s.FirstBlock(s.NewFunc("f")))
		v := x.make(&b)
		check := func(how string) {
			for _, r := range []ir.Results{ir.Vectors, ir.VectorPhis, ir.Wide} {
				if got, want := s.MayHave(r.Occurrences()), x.want&r != 0; got != want {
					t.Errorf("%s, %d components of %d bits, %s: result %d: %v, want %v", s.At(v).Kind, s.At(v).Comps, s.At(v).Bits, how, r, got, want)
				}
			}
		}
		check("built")
		copied(v)
		check("copied")
	}
}

// TestMayHaveNodes: nodes that are removed, alone or with the node around them, are no longer there.
func TestMayHaveNodes(t *testing.T) {
	s := ir.New()
	loops, ifs := ir.Nodes(ir.NodeLoop), ir.Nodes(ir.NodeIf)
	first := s.FirstBlock(s.NewFunc("f"))
	outer := s.InsertLoop(first)
	inner := s.InsertIf(s.Body(outer), ir.Src{})
	s.InsertLoop(s.Then(inner))
	s.InsertIf(s.Else(inner), ir.Src{})
	s.RemoveNode(inner)
	if s.MayHave(ifs) || !s.MayHave(loops) {
		t.Errorf("without the if around a loop and an if: ifs %v, loops %v", s.MayHave(ifs), s.MayHave(loops))
	}
	s.RemoveNode(outer)
	if s.MayHave(loops) {
		t.Error("without its loops: there is one")
	}
}
