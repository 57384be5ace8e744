// SPDX-License-Identifier: MIT

package ruleset

import (
	"slices"

	"jacquard.example/core/match/prog"
)

// late moves every Load of a program to just before the first read of its register, or as far as it may pass (see
// passes), since most programs end before that. It removes Loads of unused registers.
func late(code []prog.Word) []prog.Word {
	for i := len(code) - 1; i >= 0; i-- {
		w := code[i]
		if w.Code() != prog.Load {
			continue
		}
		to, read := i+1, false
		for ; to < len(code); to++ {
			if read = reads(code[to], w.A()); read || !passes(w, code[to]) {
				break
			}
		}
		if !read && !slices.ContainsFunc(code[to:], func(x prog.Word) bool { return reads(x, w.A()) }) {
			code = slices.Delete(code, i, i+1)
			continue
		}
		copy(code[i:], code[i+1:to])
		code[to-1] = w
	}
	return code
}

// passes reports whether a Load may move past a word: not past the condition on constants or the start of the
// replacement, nor past another pair if it depends on the order of the latest pair.
func passes(load, w prog.Word) bool {
	switch w.Code() {
	case prog.Order:
		return load.C()&prog.Swapped == 0
	case prog.Begin, prog.BeginAt, prog.Swizzle, prog.Done, prog.Where:
		return false
	}
	return true
}

// reads reports whether a word reads a register.
func reads(w prog.Word, reg uint8) bool {
	switch w.Code() {
	case prog.Load, prog.Op, prog.Int, prog.IntWide, prog.Float, prog.Const, prog.Whole, prog.MayBe, prog.PushComp, prog.Swizzle:
		return w.B() == reg
	case prog.Again:
		return w.B() == reg || uint8(w.X()) == reg
	case prog.Same:
		return w.A() == reg || w.B() == reg
	case prog.Size, prog.Reads, prog.Is, prog.Allows, prog.BeginAt, prog.Done:
		return w.A() == reg
	case prog.Where:
		return w.C() != 0 && w.B() == reg
	case prog.Push, prog.PushWide, prog.Compute, prog.Lit, prog.LitWide, prog.LitFloat:
		return w.C() == prog.BySource && w.B() == reg
	case prog.ALU:
		for i := range 4 {
			if uint8(w.X()>>(8*i)) == reg {
				return true
			}
		}
	}
	return false
}
