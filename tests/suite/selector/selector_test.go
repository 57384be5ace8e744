// SPDX-License-Identifier: MIT

// Package selector tests the instruction selector, generated/intel/select, with a target that only records its input:
// the machine instructions selected for an expression and the modifiers folded into them, by row and by operand. Every
// row must be reached by a shader, and none may hide the rows after it. The results of the instructions are tested
// where they run.
package selector

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/text"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
	"jacquard.example/generated/target"
)

// recorder is a Target that knows no registers: a value is its number.
type recorder struct {
	sel.Target // methods that no test calls
	s          *ir.Shader
	out        []string
	stored     []ir.Value
	temps      uint32
}

func (r *recorder) Reg(_ ir.Value, x ir.Src, off uint32, t isa.Type) mir.Operand {
	return mir.V(mir.Reg(x.Val), t).At(off)
}

func (r *recorder) Src(v ir.Value, x ir.Src, off uint32, t isa.Type) mir.Operand {
	if r.s.At(x.Val).IsConst() {
		return mir.ImmOp(uint32(r.s.Const(x.Val, int(x.Swz.Comp(0)))), t)
	}
	return r.Reg(v, x, off, t)
}

func (r *recorder) Dst(v ir.Value, off uint32, t isa.Type) mir.Operand {
	return mir.V(mir.Reg(v), t).At(off)
}

func (r *recorder) Temp(_ ir.Value, t isa.Type) mir.Operand {
	r.temps++
	return mir.V(mir.Reg(10000+r.temps), t)
}

func (r *recorder) Message(v ir.Value, _ *selector.Message) { r.stored = append(r.stored, v) }

func (r *recorder) DemoteIf(v ir.Value) { r.stored = append(r.stored, v) }

func (r *recorder) IsUniform(ir.Value) bool { return false }

var cmods = map[isa.CMod]string{isa.CModEQ: ".eq", isa.CModNE: ".ne", isa.CModGT: ".gt", isa.CModGE: ".ge", isa.CModLT: ".lt", isa.CModLE: ".le"}

func (r *recorder) Emit(_ ir.Value, in mir.Inst) {
	s := in.Op.String() + cmods[in.CMod]
	if in.Sat {
		s += ".sat"
	}
	if in.Pred != isa.PredNone {
		s = "(p) " + s
	}
	for _, x := range in.Src[:isa.Ops[in.Op].NumSrc] {
		switch {
		case x.File == mir.None:
			continue
		case x.File == mir.Imm:
			s += fmt.Sprintf(" %#x", x.Num)
			continue
		}
		name := "v"
		if x.Num > 10000 {
			name = "t"
		}
		if x.Abs {
			name = "|" + name + "|"
		}
		if x.Neg {
			name = "-" + name
		}
		s += " " + name
	}
	r.out = append(r.out, s)
}

// program is a shader of one block that stores its result.
type program struct {
	ir.Builder
	f       ir.Func
	machine *target.Target
}

func newProgram() *program {
	s := ir.New()
	p := &program{Builder: ir.NewBuilder(s), machine: target.TGL}
	p.f = s.NewFunc("main")
	s.Func(p.f).Entry = true
	p.AtEnd(s.FirstBlock(p.f))
	p.Float = uint16(kind.FloatContract | kind.FloatReassoc | kind.FloatTransform | kind.FloatNsz | kind.FloatDenorm)
	return p
}

func (p *program) input() ir.Src       { return p.Undef(1, 32) }
func (p *program) f32(x uint32) ir.Src { return p.Const(32, uint64(x)) }

func (p *program) store(x ir.Src) {
	if p.S.At(x.Val).Bits == 1 { // no message has bools
		p.Builder.Intrinsic(intrinsic.DemoteIf, 1, 0, x)
		return
	}
	v := p.Builder.Intrinsic(intrinsic.StoreSSBO, 1, 0, x, p.Imm(0), p.Imm(0))
	p.S.SetIndex(v, intrinsic.IxWriteMask, 1) // without it, the store writes nothing
}

// selected rewrites the shader as the pipeline does and returns the machine
// instructions that are chosen.
func (p *program) selected(t *testing.T) []string {
	t.Helper()
	for _, set := range []*match.Set{&opt.Set, &late.Set} {
		if _, err := match.Apply(p.S, p.f, set, &p.machine.Rewrite, nil); err != nil {
			t.Fatal(err)
		}
	}
	r := &recorder{s: p.S}
	x := sel.Selector{T: r}
	if err := x.Prepare(&sel.Rows, p.S, p.f, p.machine); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(p.S))
	}
	for b := range p.S.Blocks(p.f) {
		for v := range p.S.Instrs(b) {
			x.Emit(v)
		}
	}
	if len(r.stored) == 0 {
		t.Fatal("the store was not selected")
	}
	return r.out
}

func (p *program) want(t *testing.T, want ...string) {
	t.Helper()
	was := text.Print(p.S)
	got := p.selected(t)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("selected\n  %s\nwant\n  %s\nof\n%s", strings.Join(got, "\n  "), strings.Join(want, "\n  "), was)
	}
}

const (
	zero    = 0x00000000
	negZero = 0x80000000
	quarter = 0x3e800000
	threeQ  = 0x3f400000
	one     = 0x3f800000
	minus1  = 0xbf800000
)

// TestR04Saturate: a clamp to 1 from a bound in [0, 1] is one instruction with
// saturation; other clamps stay as they are.
func TestR04Saturate(t *testing.T) {
	for _, c := range []struct {
		name   string
		lo, hi uint32
		want   []string
	}{
		{"0 to 1", zero, one, []string{"mov.sat v"}},
		{"a quarter to 1", quarter, one, []string{"sel.ge.sat v 0x3e800000"}},
		{"1 to 1", one, one, nil}, // only 1 is left
		{"-1 to 1", minus1, one, []string{"sel.ge v 0xbf800000", "sel.lt v 0x3f800000"}},
		{"-0 to 1", negZero, one, []string{"sel.ge v 0x80000000", "sel.lt v 0x3f800000"}},
		{"a quarter to three", quarter, threeQ, []string{"sel.ge v 0x3e800000", "sel.lt v 0x3f400000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram()
			p.store(p.ALU(op.FMin, p.ALU(op.FMax, p.input(), p.f32(c.lo)), p.f32(c.hi)))
			p.want(t, c.want...)
		})
	}
	t.Run("of a sum", func(t *testing.T) {
		p := newProgram()
		sum := p.ALU(op.FAdd, p.input(), p.input())
		p.store(p.ALU(op.FMin, p.ALU(op.FMax, sum, p.f32(zero)), p.f32(one)))
		p.want(t, "add.sat v v")
	})
	t.Run("of a sum that is read elsewhere", func(t *testing.T) {
		p := newProgram()
		sum := p.ALU(op.FAdd, p.input(), p.input())
		p.store(p.ALU(op.FSat, sum))
		p.store(sum)
		p.want(t, "add v v", "mov.sat v")
	})
}

// TestR05Modifiers: the core knows no source modifiers, only fneg, fabs and
// their like; the selector folds them where a machine operand takes them.
func TestR05Modifiers(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(p *program)
		want  []string
	}{
		{"negation and magnitude", func(p *program) {
			p.store(p.ALU(op.FAdd, p.ALU(op.FNeg, p.input()), p.ALU(op.FAbs, p.input())))
		}, []string{"add -v |v|"}},
		{"negated magnitude", func(p *program) {
			p.store(p.ALU(op.FMul, p.ALU(op.FNeg, p.ALU(op.FAbs, p.input())), p.input()))
		}, []string{"mul -|v| v"}},
		{"for all readers", func(p *program) {
			n := p.ALU(op.FNeg, p.input())
			p.store(p.ALU(op.FAdd, n, p.input()))
			p.store(p.ALU(op.FMul, n, p.input()))
		}, []string{"add -v v", "mul -v v"}},
		{"a reader without modifiers needs the value", func(p *program) {
			n := p.ALU(op.FNeg, p.input())
			p.store(p.ALU(op.FAdd, n, p.input()))
			p.store(n)
		}, []string{"mov -v", "add -v v"}},
		{"a constant takes the place of the immediate", func(p *program) {
			p.store(p.ALU(op.FAdd, p.f32(quarter), p.ALU(op.FNeg, p.input())))
		}, []string{"add -v 0x3e800000"}},
		{"fused", func(p *program) {
			p.store(p.ALU(op.FAdd, p.ALU(op.FMul, p.input(), p.ALU(op.FNeg, p.input())), p.input()))
		}, []string{"mad v v -v"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram()
			c.build(p)
			p.want(t, c.want...)
		})
	}
}

// TestNoContraction checks that a product and a sum that may not be fused remain two instructions.
func TestNoContraction(t *testing.T) {
	p := newProgram()
	p.Float &^= uint16(kind.FloatContract)
	p.store(p.ALU(op.FAdd, p.ALU(op.FMul, p.input(), p.input()), p.input()))
	p.want(t, "mul v v", "add v v")
}

// TestUncoveredIsNamed: the error for an operation that no row covers names it.
func TestUncoveredIsNamed(t *testing.T) {
	p := newProgram()
	a := p.Undef(1, 64)
	p.store(p.ALU(op.F2F32, p.ALU(op.FSqrt, a)))
	x := sel.Selector{T: &recorder{s: p.S}}
	err := x.Prepare(&sel.Rows, p.S, p.f, p.machine)
	if err == nil || !strings.Contains(err.Error(), "64 bits") && !strings.Contains(err.Error(), "f2f32") {
		t.Errorf("Prepare gives %v", err)
	}
}

// TestRowsOfMachines: if several rows match an operation, a machine's capabilities choose among them.
func TestRowsOfMachines(t *testing.T) {
	for _, m := range target.All {
		p := newProgram()
		product := p.ALU(op.IMul, p.input(), p.input())
		p.store(product)
		x := sel.Selector{T: &recorder{s: p.S}}
		if err := x.Prepare(&sel.Rows, p.S, p.f, m); err != nil {
			t.Fatal(err)
		}
		want := "imul"
		if m.Can(target.Mul32x32) {
			want = "imul_dwords"
		}
		if got := x.Chosen(product.Val); got != want {
			t.Errorf("%v multiplies by the row %q, want %q", m, got, want)
		}
	}
}
