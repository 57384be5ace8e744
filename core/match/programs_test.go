// SPDX-License-Identifier: MIT

package match_test

import (
	"fmt"
	"testing"

	"jacquard.example/core/match"
	"jacquard.example/core/match/prog"
	"jacquard.example/generated/op"
)

// checked is the state of the checker of a rule's program.
type checked struct {
	set   *match.Set
	holds map[uint8]op.Op // registers with a value, with the opcode of the instruction that each reads
	pairs int
	made  bool // the replacement has begun
}

// unknown is the opcode for a register whose instruction no word has matched.
const unknown = op.Op(op.Count)

// TestPrograms checks the words of every program: registers are read after they are written, operands exist in the
// opcode that the pattern has there, numbers and predicates are in the set's lists, and the programs follow one another
// without gaps.
func TestPrograms(t *testing.T) {
	words := 0
	for _, set := range sets {
		next := uint32(0)
		for i := range set.Rows {
			r := set.Rule(i)
			if r.Program != next {
				t.Fatalf("%s: [%s] starts at word %d; the one before ends at %d", r.Place, r.Name, r.Program, next)
			}
			find, _ := parseExpr(r.Text)
			root, _ := op.ByName(find.head)
			c := checked{set: set, holds: map[uint8]op.Op{0: root}}
			end, err := c.program(next)
			if err != nil {
				t.Fatalf("%s: [%s] %v in\n%v", r.Place, r.Name, err, set.Listing(i))
			}
			words += int(end - next)
			next = end
		}
		if int(next)*prog.Bytes != len(set.Programs) {
			t.Errorf("set %s has %d bytes of programs after the last one", set.Name, len(set.Programs)-int(next)*prog.Bytes)
		}
	}
	if words < 20000 {
		t.Errorf("only %d words: the test says little", words)
	}
}

// program checks the program at pc and returns its end.
func (c *checked) program(pc uint32) (end uint32, err error) {
	for {
		w := prog.At(c.set.Programs, pc)
		pc++
		if w.Code() == prog.Where {
			if pc, err = c.condition(w, pc); err != nil {
				return 0, err
			}
			continue
		}
		if err := c.word(w); err != nil {
			return 0, fmt.Errorf("%s: %w", w.Code(), err)
		}
		if w.Code() == prog.Done {
			return pc, nil
		}
	}
}

// reads returns an error if one of the registers has no value.
func (c *checked) reads(regs ...uint8) error {
	for _, r := range regs {
		if _, ok := c.holds[r]; !ok {
			return fmt.Errorf("reads register %d, which holds nothing", r)
		}
	}
	return nil
}

// wide returns an error unless the set has wide numbers i to i+n-1.
func (c *checked) wide(i uint32, n int) error {
	if (int(i)+n)*prog.Bytes > len(c.set.Wide) {
		return fmt.Errorf("wide number %d does not exist; the set has %d", i, len(c.set.Wide)/prog.Bytes)
	}
	return nil
}

// operand checks a word that reads an operand.
func (c *checked) operand(w prog.Word) error {
	if c.made {
		return fmt.Errorf("comes after the checks")
	}
	o, ok := c.holds[w.B()]
	if !ok || o == unknown {
		return fmt.Errorf("register %d reads no known instruction", w.B())
	}
	info := o.Info()
	i := w.C() & 3
	if i >= info.NumSrc || w.C()&^(3|prog.Fixed|prog.Swapped) != 0 {
		return fmt.Errorf("operand %d of %s does not exist", w.C(), o)
	}
	if w.C()&prog.Swapped != 0 && (c.pairs == 0 || i > 1 || !info.Has(op.Commutative)) {
		return fmt.Errorf("operand %d of %s cannot be swapped", i, o)
	}
	if (w.C()&prog.Fixed != 0) != (info.Src[i].Comps != 0) {
		return fmt.Errorf("operand %d of %s: the flag Fixed is wrong", i, o)
	}
	c.holds[w.A()] = unknown
	return nil
}

// size checks the size of a sized word (see package prog).
func (c *checked) size(w prog.Word) error {
	switch w.C() {
	case 0, 1, 8, 16, 32, 64:
		return nil
	case prog.BySource:
		return c.reads(w.B())
	}
	return fmt.Errorf("there is no size %d", w.C())
}

// word checks a word outside of a condition.
func (c *checked) word(w prog.Word) error {
	set := func(err error) error { // writes register a
		c.holds[w.A()] = unknown
		return err
	}
	switch w.Code() {
	case prog.Order:
		if c.pairs++; c.pairs > prog.MaxPairs {
			return fmt.Errorf("more than %d pairs", prog.MaxPairs)
		}
		return nil
	case prog.Load, prog.Int, prog.Const:
		return c.operand(w)
	case prog.IntWide:
		return first(c.operand(w), c.wide(w.X(), 1))
	case prog.Float:
		return first(c.operand(w), c.wide(w.X(), 2))
	case prog.Op:
		if w.X() >= uint32(op.Count) {
			return fmt.Errorf("there is no opcode %d", w.X())
		}
		err := c.operand(w)
		c.holds[w.A()] = op.Op(w.X())
		return err
	case prog.Again:
		return first(c.reads(uint8(w.X())), c.operand(w))
	case prog.Same:
		return c.reads(w.A(), w.B())
	case prog.Size, prog.Reads, prog.Allows:
		return c.reads(w.A())
	case prog.Whole:
		return set(c.reads(w.B()))
	case prog.Is:
		if int(w.X()) >= len(c.set.Is) {
			return fmt.Errorf("predicate %d does not exist; the set has %d", w.X(), len(c.set.Is))
		}
		return c.reads(w.A())
	case prog.GivesUp:
		return nil
	case prog.Begin, prog.BeginAt:
		c.made = true
		return c.reads(w.A())
	case prog.Lit:
		return set(c.size(w))
	case prog.LitWide:
		return set(first(c.size(w), c.wide(w.X(), 1)))
	case prog.LitFloat:
		return set(first(c.size(w), c.wide(w.X(), 2)))
	case prog.Swizzle:
		return set(c.reads(w.B()))
	case prog.ALU:
		o, comps := w.ALU()
		if op.Op(o) >= op.Count || !c.made {
			return fmt.Errorf("opcode %d does not exist, or the replacement has not begun", o)
		}
		info := op.Op(o).Info()
		if comps != prog.SameComps && comps > 16 {
			return fmt.Errorf("no vector has %d components", comps)
		}
		var err error
		for i := range info.NumSrc {
			err = first(err, c.reads(uint8(w.X()>>(8*i))))
		}
		return set(err)
	case prog.Done:
		return c.reads(w.A())
	}
	return fmt.Errorf("is not allowed here")
}

// condition checks the words of a condition.
func (c *checked) condition(w prog.Word, pc uint32) (uint32, error) {
	if err := c.reads(w.B()); err != nil {
		return 0, err
	}
	may := w.X()
	for range may {
		w := prog.At(c.set.Programs, pc)
		pc++
		if w.Code() != prog.MayBe || w.A() >= prog.MaxMayBe {
			return 0, fmt.Errorf("%s of number %d, want may_be of a number below %d", w.Code(), w.A(), prog.MaxMayBe)
		}
		if err := c.reads(w.B()); err != nil {
			return 0, err
		}
	}
	for depth := 0; ; {
		w := prog.At(c.set.Programs, pc)
		pc++
		var err error
		switch w.Code() {
		case prog.Push:
			err = c.size(w)
		case prog.PushWide:
			err = first(c.size(w), c.wide(w.X(), 1))
		case prog.PushComp:
			err = c.reads(w.B())
		case prog.PushMayBe:
			if uint32(w.A()) >= may {
				err = fmt.Errorf("number %d is not set; %d numbers are", w.A(), may)
			}
		case prog.Compute:
			err = c.size(w)
			if n := int(op.Op(w.X()).Info().NumSrc); depth < n {
				err = fmt.Errorf("%s with only %d numbers on the stack", op.Op(w.X()), depth)
			} else {
				depth -= n
			}
		case prog.Holds:
			if depth != 1 {
				err = fmt.Errorf("%d numbers are left", depth)
			}
			return pc, err
		default:
			err = fmt.Errorf("is not allowed in a condition")
		}
		if depth++; depth > prog.MaxStack {
			err = fmt.Errorf("%d numbers on the stack", depth)
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", w.Code(), err)
		}
	}
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
