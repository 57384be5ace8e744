package guard_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/guard"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

const ud = isa.TypeUD

func scalar(r int, off uint32) mir.Operand { return mir.FixedScalar(r, off, ud) }

func one(op isa.Op, dst mir.Operand, src ...mir.Operand) mir.Inst {
	in := mir.Inst{Op: op, Exec: 1, NoMask: true, Dst: dst.WithStride(1)}
	copy(in.Src[:], src)
	return in
}

func branch(op isa.Op) mir.Inst { return mir.Inst{Op: op, Exec: 8, SideEff: true} }

func lanes(op isa.Op, dst mir.Operand, src ...mir.Operand) mir.Inst {
	in := one(op, dst, src...)
	in.Exec, in.NoMask = 8, false
	return in
}

// loop makes a loop with a body, and after it a store of r10.0 by each lane.
func loop(body ...mir.Inst) *mir.Func {
	f := mir.New(8)
	f.Append(0, one(isa.OpMov, scalar(10, 0), mir.UD(0)))
	b := f.NewBlock()
	f.Append(b, branch(mir.OpLoop))
	for _, in := range body {
		f.Append(b, in)
		if in.Op == isa.OpCont {
			b = f.NewBlock()
		}
	}
	while := branch(isa.OpWhile)
	while.Pred = isa.PredNormal
	f.Append(f.NewBlock(), while)
	b = f.NewBlock()
	f.Append(b, lanes(isa.OpMov, mir.Fixed(20, ud), scalar(10, 0)))
	f.Append(b, mir.Inst{Op: isa.OpSend, Exec: 8, NoMask: true, EOT: true, SideEff: true, Dst: mir.Null(ud), Src: [3]mir.Operand{mir.Fixed(127, ud), mir.Null(ud)}, Len: [3]uint8{1}})
	f.BuildCFG()
	return f
}

// insert guards a function and returns its code.
func insert(t *testing.T, f *mir.Func) string {
	t.Helper()
	if err := guard.Insert(f, target.TGL.Registers); err != nil {
		t.Fatal(err)
	}
	if err := f.Validate(); err != nil {
		t.Fatal(err)
	}
	return f.String()
}

// TestGuards: what is guarded, and how, in a loop that leaves r10.0 and f0 to the lanes
// after it.
func TestGuards(t *testing.T) {
	count := one(isa.OpAdd, scalar(10, 0), scalar(10, 0), mir.UD(1))
	condition := func(in mir.Inst, flag mir.Flag) mir.Inst { in.CMod, in.Flag = isa.CModNE, flag; return in }
	again := condition(lanes(isa.OpCmp, mir.Null(ud), mir.Fixed(5, ud), mir.UD(0)), 0)
	sel := one(isa.OpSel, scalar(10, 0), scalar(10, 0), mir.UD(1))
	sel.Pred = isa.PredNormal
	read := mir.Inst{Op: isa.OpSend, Exec: 8, NoMask: true, SFID: isa.SFIDDC1, Dst: mir.Fixed(30, ud), Src: [3]mir.Operand{mir.Fixed(31, ud), mir.Null(ud)}, Len: [3]uint8{1, 0, 1}}
	other := condition(lanes(isa.OpCmp, mir.Null(ud), mir.Fixed(6, ud), mir.UD(0)), 2)
	usesOther := lanes(isa.OpMov, mir.Fixed(7, ud), mir.UD(0))
	usesOther.Pred, usesOther.Flag = isa.PredNormal, 2
	next := branch(isa.OpCont)
	next.Pred = isa.PredNormal
	reused := one(isa.OpAdd, scalar(11, 0), scalar(11, 0), mir.UD(1))
	for _, c := range []struct {
		name      string
		body      []mir.Inst
		want, not []string
	}{
		{"a counter", []mir.Inst{count, again}, []string{"f1.0", "ce0", "any16h"}, []string{"~"}},
		{"what ends with the trip", []mir.Inst{one(isa.OpAdd, scalar(11, 0), scalar(10, 0), mir.UD(1)), again}, nil, []string{"any16h", "ce0"}},
		{"what only the next trip needs", []mir.Inst{reused, again}, nil, []string{"any16h", "ce0"}},
		{"what the next trip needs of lanes that wait for it", []mir.Inst{again, next, reused}, []string{"any16h", "ce0"}, nil},
		{"a message", []mir.Inst{read, again}, []string{"any16h", "ce0"}, nil},
		{"a choice is undone", []mir.Inst{sel, again}, []string{"~", "any16h", "ce0"}, nil},
		{"flags that are in use are saved", []mir.Inst{again, other, count, usesOther}, []string{"r126<1>:ud f1<0>:ud", "any16h"}, nil},
		{"one load serves several", []mir.Inst{count, count, again}, []string{"any16h"}, nil},
	} {
		text := insert(t, loop(c.body...))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		for _, not := range c.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q in\n%s", c.name, not, text)
			}
		}
		if n := strings.Count(text, "ce0"); n > 1 {
			t.Errorf("%s: %d loads of the lanes in\n%s", c.name, n, text)
		}
	}
}
