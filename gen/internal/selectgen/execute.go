// SPDX-License-Identifier: MIT

package selectgen

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/meaning"
	"jacquard.example/gen/internal/pattern"
)

// register is the state of one lane of a register in a claim: the parts written so far,
// as expressions.
type register struct {
	bits  int
	parts []part
	rest  *pattern.Node // the unwritten bits; nil if not read yet
}

// part is an expression at some bit of a register.
type part struct {
	at, bits int
	value    *pattern.Node
}

// register returns the state of dst or a temporary.
func (c *claim) register(name string, bits int) *register {
	r := c.regs[name]
	if r == nil {
		r = &register{bits: bits}
		c.regs[name] = r
	}
	return r
}

// write writes a value at a bit.
func (r *register) write(c *claim, at, bits int, v *pattern.Node) error {
	if at+bits > r.bits {
		return fmt.Errorf("%d bits at byte %d are beyond the register's %d bits", bits, at/8, r.bits)
	}
	kept := r.parts[:0:0]
	for _, p := range r.parts {
		switch {
		case p.at+p.bits <= at || at+bits <= p.at:
			kept = append(kept, p)
		case at <= p.at && p.at+p.bits <= at+bits: // completely overwritten
		default:
			whole, err := r.whole(c)
			if err != nil {
				return err
			}
			r.parts = []part{{0, r.bits, whole}}
			return r.insert(c, at, bits, v)
		}
	}
	r.parts = append(kept, part{at, bits, v})
	return nil
}

// insert overwrites some bits of the register's only part.
func (r *register) insert(c *claim, at, bits int, v *pattern.Node) error {
	x, err := r.join(c, r.parts[0].value, part{at, bits, v})
	r.parts[0].value = x
	return err
}

// join inserts a part into a value of the whole register.
func (r *register) join(c *claim, whole *pattern.Node, p part) (*pattern.Node, error) {
	mask := (uint64(1)<<p.bits - 1) << p.at
	text := fmt.Sprintf("a &^ %#x | uint%d(b) << %d", mask, r.bits, p.at)
	return c.meanings.Apply("put"+strconv.Itoa(p.at), text, []eval.Type{uintType(r.bits), uintType(p.bits)}, uintType(r.bits), whole, p.value)
}

// whole returns the value of the whole register.
func (r *register) whole(c *claim) (*pattern.Node, error) {
	if len(r.parts) == 1 && r.parts[0].bits == r.bits {
		return r.parts[0].value, nil
	}
	if r.rest == nil {
		r.rest = c.unknown(r.bits)
	}
	x := r.rest
	var err error
	for _, p := range r.parts {
		if x, err = r.join(c, x, p); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// read returns bits of the register.
func (r *register) read(c *claim, at, bits int) (*pattern.Node, error) {
	if at+bits > r.bits {
		return nil, fmt.Errorf("%d bits at byte %d are beyond the register's %d bits", bits, at/8, r.bits)
	}
	from := part{0, r.bits, nil}
	for _, p := range r.parts {
		if p.at <= at && at+bits <= p.at+p.bits {
			from = p
		}
	}
	if from.value == nil {
		var err error
		if from.value, err = r.whole(c); err != nil {
			return nil, err
		}
	}
	if from.bits == bits {
		return from.value, nil
	}
	text := fmt.Sprintf("uint%d(a >> %d)", bits, at-from.at)
	return c.meanings.Apply(fmt.Sprintf("get%d", at), text, []eval.Type{uintType(from.bits)}, uintType(bits), from.value)
}

// inst executes one instruction of a row.
func (c *claim) inst(in *instr) error {
	if in.accWrEn {
		return errors.New("the accumulator is not supported here; name a method with call")
	}
	m := meaning.Inst{Op: in.name, Sat: in.sat}
	if in.math != "" {
		m.Op = "math_" + in.math
	}
	for _, name := range slices.Sorted(maps.Keys(c.machine.CMods)) {
		if in.cmod != "" && c.machine.CMods[name] == in.cmod {
			m.CMod = name
		}
	}
	for _, s := range in.src {
		x, err := c.source(s)
		if err != nil {
			return err
		}
		m.Src = append(m.Src, x)
	}
	var pred *pattern.Node
	if in.pred != "" {
		if in.pred != c.machine.Preds["normal"] {
			return errors.New("a predicate over several lanes is not supported here; name a method with call")
		}
		pred = c.flag(in.flag)
		if in.predInv {
			var err error
			if pred, err = c.meanings.Apply("not", "!a", []eval.Type{boolType}, boolType, pred); err != nil {
				return err
			}
		}
	}
	if in.dst == nil {
		return errors.New("an instruction without a destination is not supported here; name a method with call")
	}
	m.Dst = c.typeOf(in.dst)
	chooses := pred != nil && c.meanings.Chooses(m.Op)
	if chooses {
		m.Pred = pred
	}
	v, err := c.meanings.Value(&m)
	if err != nil {
		return err
	}
	if in.cmod != "" && !c.meanings.KeepsFlag(m.Op) {
		m.Flag = true
		f, err := c.meanings.Value(&m)
		if err != nil {
			return err
		}
		if pred != nil {
			if f, err = c.meanings.Apply("pred", "sel(a, b, c)", []eval.Type{boolType, boolType, boolType}, boolType, pred, f, c.flag(in.flag)); err != nil {
				return err
			}
		}
		defer func() { c.flags[in.flag] = f }()
	}
	return c.store(in.dst, v, pred, chooses)
}

// store writes a result, subject to the predicate.
func (c *claim) store(d *operand, v, pred *pattern.Node, chooses bool) error {
	bits := 8 * c.machine.Types[c.typeOf(d)].Size
	var r *register
	switch d.kind {
	case operNull:
		return nil
	case operDst:
		r = c.register("dst", max(c.size(c.row.find.Class), 32))
	case operTemp:
		r = c.register(d.name, bits)
	default:
		return errors.New("the accumulator is not supported here; name a method with call")
	}
	if pred != nil && !chooses {
		old, err := r.read(c, 8*d.off, bits)
		if err != nil {
			return err
		}
		t := uintType(bits)
		if v, err = c.meanings.Apply("pred", "sel(a, b, c)", []eval.Type{boolType, t, t}, t, pred, v, old); err != nil {
			return err
		}
	}
	return r.write(c, 8*d.off, bits, v)
}

// typeOf returns the machine type of an operand at the current sizes.
func (c *claim) typeOf(o *operand) string {
	if !generic[o.typ] {
		return o.typ
	}
	bits := c.size(o.class)
	switch o.typ {
	case "float":
		return map[int]string{16: "hf", 32: "f", 64: "df"}[bits]
	case "int":
		return map[int]string{8: "b", 16: "w", 32: "d", 64: "q"}[bits]
	}
	return map[int]string{8: "ub", 16: "uw", 32: "ud", 64: "uq"}[bits]
}

// source reads a source. The modifiers that find folds are applied before the modifiers of emit, as in mir's Minus and
// Absolute.
func (c *claim) source(o *operand) (meaning.Source, error) {
	s := meaning.Source{Type: c.typeOf(o)}
	bits := 8 * c.machine.Types[s.Type].Size
	var r *register
	switch o.kind {
	case operImm:
		n, err := c.immediate(o, s.Type, bits)
		s.Value = n
		return s, err
	case operTemp:
		r = c.regs[o.name]
	case operVar:
		var err error
		if r, err = c.variable(o); err != nil {
			return s, err
		}
		m := c.mods[o.name]
		s.Neg, s.Abs, s.Not = m.neg, m.abs, m.not
	default:
		return s, errors.New("the accumulator is not supported here; name a method with call")
	}
	if r == nil {
		return s, fmt.Errorf("%s is read before it is written", o.name)
	}
	if o.abs {
		s.Abs, s.Neg = true, false
	}
	if o.neg {
		s.Neg = !s.Neg
	}
	if o.not {
		s.Not = !s.Not
	}
	var err error
	s.Value, err = r.read(c, 8*o.off, bits)
	return s, err
}

// variable returns the register of a variable: a value of fewer than 32 bits is
// in the low bits of a lane's 32, a bool is 0 or all ones.
func (c *claim) variable(o *operand) (*register, error) {
	if r := c.vars[o.name]; r != nil {
		return r, nil
	}
	v := &pattern.Node{Kind: pattern.Var, Name: o.name}
	size := c.size(c.row.typing.Var(o.name).Class)
	r := &register{bits: max(size, 32), parts: []part{{0, size, v}}}
	c.vars[o.name] = r
	if size == 1 {
		n, err := c.lanes(v)
		r.parts[0] = part{0, 32, n}
		return r, err
	}
	return r, nil
}

// immediate returns a number at a type.
func (c *claim) immediate(o *operand, typ string, bits int) (*pattern.Node, error) {
	n := o.imm
	n.Sizes = pattern.SizeSet(bits)
	t, err := c.meanings.Type(typ)
	if err != nil || t.Base != eval.Float || n.LitKind == pattern.LitFloat {
		return &n, err
	}
	return c.meanings.Apply("bits", "asfloat(a)", []eval.Type{uintType(bits)}, t, &n)
}
