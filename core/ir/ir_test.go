// SPDX-License-Identifier: MIT

package ir_test

import (
	"testing"
	"unsafe"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// TestInstrSize: the size of a record, of which a shader has one per instruction, does not grow by accident.
func TestInstrSize(t *testing.T) {
	if n := unsafe.Sizeof(ir.Instr{}); n != 40 {
		t.Errorf("a record has %d bytes, doc.go says 40", n)
	}
}

func TestUsesFollowEdits(t *testing.T) {
	s := ir.New()
	f := s.NewFunc("main")
	b := ir.NewBuilder(s)
	b.AtEnd(s.FirstBlock(f))
	x := b.Const(32, 1, 2, 3, 4)
	y := b.Imm(5)
	sum := b.ALU(op.IAdd, x, y)
	if sum.N != 4 || s.At(sum.Val).Bits != 32 {
		t.Fatalf("iadd of vec4 and scalar has %d x %d bits", sum.N, s.At(sum.Val).Bits)
	}
	if got := s.Src(sum.Val, 1).Swz; got != 0 {
		t.Errorf("the scalar is read with swizzle %x, not broadcast", got)
	}
	neg := b.ALU(op.INeg, sum.Swizzle("wz"))
	s.ReplaceUses(sum.Val, ir.Src{Val: x.Val, Swz: x.Swizzle("yyxx").Swz, N: 4})
	if s.At(sum.Val).Used() || s.Src(neg.Val, 0).Val != x.Val {
		t.Fatal("uses were not replaced")
	}
	if z := s.Src(neg.Val, 0).Swz; z.Comp(0) != 0 || z.Comp(1) != 0 {
		t.Errorf("swizzle %x is not composed", z)
	}
	s.Remove(sum.Val)
	if !s.UsedOnce(x.Val) || s.At(y.Val).Used() {
		t.Errorf("x is used once: %v, y has uses: %v", s.UsedOnce(x.Val), s.At(y.Val).Used())
	}
}

// TestR01StructuredControlFlow: nesting is a tree, and the loop depth is found by walking up.
func TestR01StructuredControlFlow(t *testing.T) {
	s := ir.New()
	f := s.NewFunc("main")
	b := ir.NewBuilder(s)
	b.AtEnd(s.FirstBlock(f))
	c := b.True()
	loop := s.InsertLoop(s.FirstBlock(f))
	iff := s.InsertIf(s.Body(loop), c)
	b.AtEnd(s.Then(iff))
	b.Jump(kind.JumpBreak)
	var order []int
	for n := range s.Blocks(f) {
		order = append(order, loopDepth(s, n))
	}
	want := []int{0, 1, 1, 1, 1, 0}
	if len(order) != len(want) {
		t.Fatalf("blocks have depths %v, want %v", order, want)
	}
	for i := range want {
		if order[i] != want[i] {
			t.Fatalf("blocks have depths %v, want %v", order, want)
		}
	}
	if s.LoopOf(s.Then(iff)) != loop || s.Parent(iff) != loop {
		t.Error("parents do not follow the nesting")
	}
	s.RemoveNode(loop)
	if s.At(c.Val).Used() {
		t.Error("the removed if still reads its condition")
	}
}

// TestRecordsStay: records do not move, whether they reuse memory of an earlier shader or not.
func TestRecordsStay(t *testing.T) {
	s := ir.New()
	for _, n := range []int{700, 1500, 100} {
		s.Reset()
		var values []ir.Value
		var at []*ir.Instr
		for i := range n {
			v := s.New(kind.Undef, uint16(i), 0, 0)
			values, at = append(values, v), append(at, s.At(v))
		}
		for i, v := range values {
			if s.At(v) != at[i] || at[i].Op != uint16(i) {
				t.Fatalf("of %d, record %d has moved", n, i)
			}
		}
	}
}

// loopDepth returns the number of loops that contain a node.
func loopDepth(s *ir.Shader, n ir.Node) int {
	if n = s.LoopOf(n); n == 0 {
		return 0
	}
	return 1 + loopDepth(s, n)
}
