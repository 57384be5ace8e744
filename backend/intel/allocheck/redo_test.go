// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// TestRematerialization removes the sum of u and a constant by hand, and recomputes it where it is read,
// correctly and wrongly.
func TestRematerialization(t *testing.T) {
	const u, v, w = 10, 11, 12 // their registers
	type code struct {
		*small
		u, v, w mir.Operand
		y       mir.Operand // in the register of u
		sum     mir.ID      // v = u + 4
		use     mir.ID      // reads v
		mid     mir.ID      // an instruction in between
		after   *mir.Func
	}
	sum := func(dst, src int) mir.Inst {
		return mir.Inst{Op: isa.OpAdd, Exec: 8, Dst: mir.Fixed(dst, ud), Src: [3]mir.Operand{mir.Fixed(src, ud), mir.UD(4)}}
	}
	start := func(x *code) {
		x.op(isa.OpMov, x.u, mir.FixedScalar(1, 0, ud))
		x.op(isa.OpMov, x.w, mir.FixedScalar(1, 4, ud))
		x.op(isa.OpAdd, x.v, x.u, mir.UD(4))
		x.sum = x.ids[len(x.ids)-1]
	}
	use := func(x *code) {
		x.small.use(x.v)
		x.use = x.ids[len(x.ids)-1]
		x.small.use(x.u)
		x.small.use(x.w)
	}
	straight := func(between ...func(x *code) *mir.Inst) func(x *code) {
		return func(x *code) {
			start(x)
			for _, do := range between {
				do(x)
			}
			use(x)
		}
	}
	gone := func(x *code) { x.after.Retire(x.sum) }
	redo := func(in mir.Inst) func(x *code) {
		return func(x *code) { gone(x); x.after.Before(x.use, in) }
	}
	for _, c := range []struct {
		name   string
		before func(x *code)
		after  func(x *code)
		want   string // part of the error
	}{
		{"before it is read", straight(), redo(sum(v, u)), ""},
		{"and where it was", straight(), func(x *code) { x.after.Before(x.use, sum(v, u)) }, ""},
		{"nowhere", straight(), gone, "which is nowhere on some path"},
		{"of another register", straight(), redo(sum(v, w)), "source 0 should be byte 0 of v1"},
		{"to another register", straight(), redo(sum(13, u)), "which is at r13+0 and the result of an operation, not at r11+0"},
		{"over its own operand", straight(), func(x *code) { redo(sum(u, u))(x); x.after.At(x.use).Src[0].Num = u }, "source 0 should be byte 0 of v1"},
		{"with another constant", straight(), func(x *code) {
			in := sum(v, u)
			in.Src[1].Num = 5
			redo(in)(x)
		}, "is new, "},
		{"in fewer lanes", straight(), func(x *code) {
			in := sum(v, u)
			in.Exec = 4
			redo(in)(x)
		}, "is new, "},
		{"under a predicate", straight(), func(x *code) {
			in := sum(v, u)
			in.Pred = isa.PredNormal
			redo(in)(x)
		}, "is new, "},
		{"after another operand was written", straight(func(x *code) *mir.Inst { return x.op(isa.OpMov, x.w, mir.FixedScalar(1, 8, ud)) }), redo(sum(v, u)), ""},
		{"after its operand was written", straight(func(x *code) *mir.Inst { return x.op(isa.OpMov, x.u, mir.FixedScalar(1, 8, ud)) }), redo(sum(v, u)), "not at r11"},
		{"after a part of that was written", straight(func(x *code) *mir.Inst {
			in := x.op(isa.OpMov, x.u.At(16), mir.FixedScalar(1, 8, ud))
			in.Exec, in.Chan = 4, 4
			return in
		}), redo(sum(v, u)), "not at r11"},
		{"after its operand was undefined", straight(func(x *code) *mir.Inst { return x.op(mir.OpUndef, x.u) }), redo(sum(v, u)), "not at r11"},
		{"in another float mode", straight(func(x *code) *mir.Inst {
			in := x.all(isa.OpOr, mir.Arch(isa.ARFCR0, 0, ud), mir.Arch(isa.ARFCR0, 0, ud), mir.UD(16))
			in.Exec, in.SideEff = 1, true
			return in
		}), redo(sum(v, u)), "not at r11"},
		{"in an arm, where it is read", func(x *code) {
			start(x)
			x.branch(isa.OpIf)
			use(x)
			x.branch(isa.OpEndif)
			x.small.use(x.u)
		}, redo(sum(v, u)), ""},
		{"in an arm, and read after it", func(x *code) {
			start(x)
			x.branch(isa.OpIf)
			x.op(isa.OpMov, x.w, mir.FixedScalar(1, 8, ud))
			x.mid = x.ids[len(x.ids)-1]
			x.branch(isa.OpEndif)
			use(x)
		}, func(x *code) { gone(x); x.after.Before(x.mid, sum(v, u)) }, "which is at the result of an operation, not at r11"},
		{"from a dead register", func(x *code) {
			start(x)
			x.branch(isa.OpIf)
			x.op(isa.OpMov, x.y, mir.FixedScalar(1, 8, ud))
			x.small.use(x.v)
			x.use = x.ids[len(x.ids)-1]
			x.small.use(x.y)
			x.branch(isa.OpEndif)
		}, redo(sum(v, u)), "source 0 should be byte 0 of v1"},
		{"around a loop", func(x *code) {
			start(x)
			x.loop()
			use(x)
			x.branch(isa.OpWhile)
			x.small.use(x.u)
		}, redo(sum(v, u)), ""},
		{"around a loop that writes its operand", func(x *code) {
			start(x)
			x.loop()
			use(x)
			x.op(isa.OpMov, x.u, mir.FixedScalar(1, 8, ud))
			x.branch(isa.OpWhile)
			x.small.use(x.u)
		}, redo(sum(v, u)), "not at r11"},
		// The value that all lanes receive in the next iteration differs from the value of a lane that left the
		// loop.
		{"after a loop whose trips write its operand", func(x *code) {
			x.loop()
			x.all(isa.OpMov, x.u, mir.FixedScalar(1, 0, ud))
			x.op(isa.OpMov, x.w, mir.FixedScalar(1, 4, ud))
			x.op(isa.OpAdd, x.v, x.u, mir.UD(4))
			x.sum = x.ids[len(x.ids)-1]
			x.branch(isa.OpWhile)
			use(x)
		}, redo(sum(v, u)), "not at r11"},
	} {
		x := &code{small: newSmall()}
		x.u, x.v = x.vec(1), x.vec(1)
		x.w, x.y = x.vec(1), x.vec(1)
		c.before(x)
		x.after = x.placed(map[uint32]uint32{1: u, 2: v, 3: w, 4: u})
		c.after(x)
		err := allocheck.Check(x.Func, x.after, allocheck.Options{})
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
