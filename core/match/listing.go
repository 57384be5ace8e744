// SPDX-License-Identifier: MIT

package match

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"jacquard.example/core/match/prog"
	"jacquard.example/generated/op"
)

// Listing disassembles the program of a rule, one instruction per line.
func (set *Set) Listing(rule int) []string {
	var lines []string
	for pc := set.Rows[rule].Program; ; pc++ {
		w := prog.At(set.Programs, pc)
		lines = append(lines, set.listed(w))
		if w.Code() == prog.Done {
			return lines
		}
	}
}

// listed formats one instruction.
func (set *Set) listed(w prog.Word) string {
	a, b, c := w.A(), w.B(), w.C()
	operand := fmt.Sprintf("%s r%d = r%d.%d", w.Code(), a, b, c&3)
	if c&prog.Swapped != 0 {
		operand += "'" // the other operand in the second order
	}
	size := fmt.Sprint(c)
	if c == prog.BySource {
		size = fmt.Sprintf("r%d", b)
	}
	wide := func(i uint32) uint64 { return uint64(prog.At(set.Wide, i)) }
	switch w.Code() {
	case prog.Load, prog.Const:
		return operand
	case prog.Op:
		return fmt.Sprintf("%s %s", operand, op.Op(w.X()))
	case prog.Int:
		return fmt.Sprintf("%s %#x", operand, w.Number())
	case prog.IntWide, prog.Float:
		return fmt.Sprintf("%s %#x", operand, wide(w.X()))
	case prog.Again:
		return fmt.Sprintf("%s r%d", operand, w.X())
	case prog.Same, prog.Whole:
		return fmt.Sprintf("%s r%d r%d", w.Code(), a, b)
	case prog.Size:
		s := fmt.Sprintf("%s r%d", w.Code(), a)
		for _, bits := range []uint8{1, 8, 16, 32, 64} {
			if op.SizeOf(bits)&op.Sizes(w.X()) != 0 {
				s += fmt.Sprintf(" %d", bits)
			}
		}
		return s
	case prog.Is:
		return fmt.Sprintf("%s r%d %s", w.Code(), a, funcName(set.Is[w.X()]))
	case prog.Allows, prog.BeginAt, prog.Done:
		return fmt.Sprintf("%s r%d", w.Code(), a)
	case prog.GivesUp:
		return fmt.Sprintf("%s %#x", w.Code(), w.X())
	case prog.Reads:
		return fmt.Sprintf("%s r%d %#x", w.Code(), a, w.X())
	case prog.MayBe:
		return fmt.Sprintf("%s m%d = r%d", w.Code(), a, b)
	case prog.PushComp:
		return fmt.Sprintf("%s r%d", w.Code(), b)
	case prog.PushMayBe:
		return fmt.Sprintf("%s m%d", w.Code(), a)
	case prog.Push:
		return fmt.Sprintf("%s@%s %#x", w.Code(), size, w.Number())
	case prog.PushWide:
		return fmt.Sprintf("%s@%s %#x", w.Code(), size, wide(w.X()))
	case prog.Compute:
		return fmt.Sprintf("%s@%s %s", w.Code(), size, op.Op(w.X()))
	case prog.Lit:
		return fmt.Sprintf("%s@%s r%d = %#x", w.Code(), size, a, w.Number())
	case prog.LitWide, prog.LitFloat:
		return fmt.Sprintf("%s@%s r%d = %#x", w.Code(), size, a, wide(w.X()))
	case prog.Swizzle:
		return fmt.Sprintf("%s r%d = r%d %#x", w.Code(), a, b, w.X())
	case prog.ALU:
		o, _ := w.ALU()
		s := fmt.Sprintf("%s r%d = %s", w.Code(), a, op.Op(o))
		for i := range op.Op(o).Info().NumSrc {
			s += fmt.Sprintf(" r%d", uint8(w.X()>>(8*i)))
		}
		return s
	}
	return w.Code().String()
}

// funcName returns the name of a function without its package.
func funcName(f Predicate) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return name[strings.LastIndexByte(name, '.')+1:]
}
