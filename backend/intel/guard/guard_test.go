// SPDX-License-Identifier: MIT

package guard_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/guard"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
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

// loop builds a loop with a body, followed by a store of r10.0 by each lane. If together is set, all lanes of
// fused threads leave it at once.
func loop(together bool, body ...mir.Inst) *mir.Func {
	f := mir.New(8, isa.TGL.Registers())
	f.Append(0, one(isa.OpMov, scalar(10, 0), mir.UD(0)))
	b := f.NewBlock()
	start := branch(mir.OpLoop)
	start.Uniform = together
	f.Append(b, start)
	for _, in := range body {
		if in.Op == isa.OpElse || in.Op == isa.OpEndif {
			b = f.NewBlock()
		}
		f.Append(b, in)
		switch in.Op {
		case isa.OpIf, isa.OpElse, isa.OpEndif, isa.OpCont:
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
	if err := new(guard.Guard).Insert(f, target.TGL.Registers); err != nil {
		t.Fatal(err)
	}
	if err := validate.Func(f); err != nil {
		t.Fatal(err)
	}
	if err := allocheck.CheckFused(f); err != nil {
		t.Errorf("%v in\n%s", err, f)
	}
	return f.String()
}

// TestGuards checks which instructions are guarded, and how, in a loop whose lanes read r10.0 and f0
// after they have left it.
func TestGuards(t *testing.T) {
	count := one(isa.OpAdd, scalar(10, 0), scalar(10, 0), mir.UD(1))
	condition := func(in mir.Inst, flag mir.Flag) mir.Inst { in.CMod, in.Flag = isa.CModNE, flag; return in }
	again := condition(lanes(isa.OpCmp, mir.Null(ud), mir.Fixed(5, ud), mir.UD(0)), 0)
	sel := one(isa.OpSel, scalar(10, 0), scalar(10, 0), mir.UD(1))
	sel.Pred = isa.PredNormal
	selAll := sel
	selAll.Exec = 8
	when := branch(isa.OpIf)
	when.Pred = isa.PredNormal
	whenAll := when
	whenAll.Uniform = true
	set := one(isa.OpMov, scalar(12, 0), mir.UD(1))
	get := lanes(isa.OpMov, mir.Fixed(21, ud), scalar(12, 0))
	fill := mir.Inst{Op: isa.OpSend, Exec: 8, NoMask: true, SFID: isa.SFIDDC0,
		Msg: mir.Msg{Name: message.ScratchRead, Space: message.Private},
		Dst: mir.Fixed(30, ud), Src: [3]mir.Operand{mir.Fixed(0, ud), mir.Null(ud)}, Len: [3]uint8{1, 0, 1}}
	fillElsewhere := fill
	fillElsewhere.Src[0] = mir.Fixed(31, ud)
	meet := mir.Inst{Op: isa.OpSend, Exec: 8, NoMask: true, SFID: isa.SFIDGateway, Msg: mir.Msg{Name: message.Barrier}, SideEff: true,
		Dst: mir.Null(ud), Src: [3]mir.Operand{mir.Fixed(31, ud), mir.Null(ud)}, Len: [3]uint8{1}}
	met := mir.Inst{Op: isa.OpSync, Sync: isa.SyncBar, Exec: 1, NoMask: true, SideEff: true, Src: [3]mir.Operand{mir.Null(ud)}}
	read := mir.Inst{Op: isa.OpSend, Exec: 8, NoMask: true, SFID: isa.SFIDDC1, Dst: mir.Fixed(30, ud), Src: [3]mir.Operand{mir.Fixed(31, ud), mir.Null(ud)}, Len: [3]uint8{1, 0, 1}}
	named := read
	named.Msg = mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}
	inHeader := named
	inHeader.Src[0] = mir.Fixed(0, ud)
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
		{"a value for lanes that wait for the next iteration", []mir.Inst{again, next, reused}, []string{"any16h", "ce0"}, nil},
		{"a message", []mir.Inst{read, again}, []string{"any16h", "ce0"}, nil},
		{"a read at an address that may be anything", []mir.Inst{named, again}, []string{"any16h", "ce0"}, nil},
		{"a read whose payload is where the header was", []mir.Inst{inHeader, again}, []string{"any16h", "ce0"}, nil},
		{"a fill", []mir.Inst{fill, again}, nil, []string{"any16h", "ce0"}},
		{"a fill with a computed header", []mir.Inst{fillElsewhere, again}, []string{"any16h", "ce0"}, nil},
		{"a choice is copied", []mir.Inst{sel, again}, []string{"any16h) mov(1) r10<1>:ud r126<0>:ud", "ce0"}, []string{"~"}},
		{"a choice of a register is undone", []mir.Inst{selAll, again}, []string{"~", "any16h", "ce0"}, nil},
		{"where a barrier is", []mir.Inst{count, meet, met, again}, nil, []string{"any16h", "ce0"}},
		{"an arm", []mir.Inst{set, when, set, branch(isa.OpEndif), get, again}, []string{"any16h", "ce0"}, nil},
		{"what both arms write", []mir.Inst{when, set, branch(isa.OpElse), set, branch(isa.OpEndif), get, again}, []string{"any16h", "ce0"}, nil},
		{"read in the else", []mir.Inst{set, when, set, branch(isa.OpElse), get, branch(isa.OpEndif), again}, []string{"any16h", "ce0"}, nil},
		{"overwritten in the else", []mir.Inst{when, set, set, branch(isa.OpElse), one(isa.OpMov, scalar(12, 0), mir.UD(2)), branch(isa.OpEndif), get, again}, []string{"any16h) mov(1) r12<1>:ud 0x2"}, []string{"any16h) mov(1) r12<1>:ud 0x1"}},
		{"an arm that all take, in a loop that they do not leave together", []mir.Inst{set, whenAll, set, branch(isa.OpEndif), get, again}, []string{"any16h", "ce0"}, nil},
		{"flags that are in use are saved", []mir.Inst{again, other, count, usesOther}, []string{"r126<1>:ud f1<0>:ud", "any16h"}, nil},
		{"one load serves several", []mir.Inst{count, count, again}, []string{"any16h"}, nil},
	} {
		f := loop(false, c.body...)
		if err := allocheck.CheckFused(f); (err != nil) != (c.want != nil) {
			t.Errorf("%s: without guards, the check returns %v", c.name, err)
		}
		text := insert(t, f)
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
			t.Errorf("%s: %d reads of ce0, want at most 1, in\n%s", c.name, n, text)
		}
	}
}

// TestFlagOfTheInstruction checks an instruction whose result is moved and that writes the flag that its copy
// would use: the flag is loaded after the instruction, and loaded again for earlier instructions.
func TestFlagOfTheInstruction(t *testing.T) {
	count := one(isa.OpAdd, scalar(10, 0), scalar(10, 0), mir.UD(1))
	compared := one(isa.OpCmp, scalar(10, 0), scalar(10, 0), mir.UD(3))
	compared.CMod, compared.Flag = isa.CModNE, 2
	again := lanes(isa.OpCmp, mir.Null(ud), mir.Fixed(5, ud), mir.UD(0))
	again.CMod = isa.CModNE
	text := insert(t, loop(false, count, compared, again))
	if n := strings.Count(text, "ce0"); n != 2 {
		t.Errorf("%d loads of the lanes in\n%s", n, text)
	}
}

// TestUniformBranches checks that nothing is guarded where lanes go the same way together.
func TestUniformBranches(t *testing.T) {
	count := one(isa.OpAdd, scalar(10, 0), scalar(10, 0), mir.UD(1))
	again := lanes(isa.OpCmp, mir.Null(ud), mir.Fixed(5, ud), mir.UD(0))
	again.CMod = isa.CModNE
	when := branch(isa.OpIf)
	when.Pred = isa.PredNormal
	for _, together := range []bool{false, true} {
		when.Uniform = together
		text := insert(t, loop(true, count, when, count, branch(isa.OpEndif), again))
		if want := map[bool]int{false: 1, true: 0}[together]; strings.Count(text, "any16h") != want {
			t.Errorf("together %v:\n%s", together, text)
		}
	}
}
