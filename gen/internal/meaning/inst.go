// SPDX-License-Identifier: MIT

package meaning

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
)

// Inst is an instruction with expressions for its sources.
type Inst struct {
	Op   string // math_FUNCTION for math
	Dst  string // type
	Src  []Source
	Sat  bool
	CMod string        // name of the condition; "" if none
	Pred *pattern.Node // a bool; nil if not predicated
	Flag bool          // compute the flag, not the result
}

// Source is a source, interpreted by its type.
type Source struct {
	Value         *pattern.Node
	Type          string
	Neg, Abs, Not bool
}

// Type returns the type of eval for a machine type.
func (t *Table) Type(name string) (eval.Type, error) {
	m, ok := t.machine.Types[name]
	switch {
	case !ok || m.Packed:
		return eval.Type{}, fmt.Errorf("type %q is not supported", name)
	case m.Float:
		return eval.Type{Base: eval.Float, Bits: 8 * m.Size}, nil
	case m.Size == 8:
		return eval.Type{}, errors.New("64-bit integers are not supported")
	case m.Signed:
		return eval.Type{Base: eval.Int, Bits: 8 * m.Size}, nil
	}
	return eval.Type{Base: eval.Uint, Bits: 8 * m.Size}, nil
}

var int64Type = eval.Type{Base: eval.Int, Bits: 64}

// Value returns the expression of an instruction's result, or of the flag that it
// sets.
func (t *Table) Value(in *Inst) (*pattern.Node, error) {
	r := t.rows[in.Op]
	if r == nil {
		return nil, fmt.Errorf("%s has no [meaning] row", in.Op)
	}
	dst, err := t.Type(in.Dst)
	if err != nil {
		return nil, err
	}
	b := builder{t: t, in: in, dst: dst, masks: r.Val.Mask}
	for _, s := range in.Src {
		typ, err := t.Type(s.Type)
		if err != nil {
			return nil, err
		}
		b.types = append(b.types, typ)
	}
	if err := b.class(); err != nil {
		return nil, err
	}
	text := b.text(&r.Val)
	if text == "" {
		return nil, fmt.Errorf("%s is not defined for sources of type %s", in.Op, in.Src[0].Type)
	}
	if b.raw(text) {
		return in.Src[0].Value, nil
	}
	if r.Val.Keep && (r.Val.Pred == "" || in.Pred != nil) && b.exec.Base == eval.Float && b.types[0] == dst && b.types[1] == dst {
		return b.choice(strings.TrimSpace(text))
	}
	return b.value(strings.TrimSpace(text))
}

// builder builds the expression of one instruction.
type builder struct {
	t     *Table
	in    *Inst
	dst   eval.Type
	types []eval.Type // types of the sources
	exec  eval.Type   // int64, or the widest float
	bits  int         // size of the widest source, at least 16
	masks bool
}

// class computes the execution type (TGL PRM vol. 7, "Execution Data Type").
func (b *builder) class() error {
	b.exec, b.bits = int64Type, 16
	floats := 0
	for _, typ := range b.types {
		b.bits = max(b.bits, typ.Bits)
		if typ.Base == eval.Float {
			floats++
		}
	}
	if floats == 0 {
		return nil
	}
	if floats < len(b.types) {
		return errors.New("the instruction mixes integer and float sources")
	}
	b.exec = eval.Type{Base: eval.Float, Bits: b.bits}
	return nil
}

// text selects the row's expression for the instruction's class.
func (b *builder) text(r *row) string {
	switch {
	case b.in.Pred != nil && r.Pred != "":
		return r.Pred
	case r.Eval != "":
		return r.Eval
	case b.exec.Base == eval.Float:
		return r.Float
	case b.types[0].Base == eval.Int:
		return r.Int
	}
	return r.Uint
}

// raw reports whether the instruction copies floats bit by bit, as a move without a
// type conversion does (TGL PRM vol. 2a, mov: "raw move").
func (b *builder) raw(text string) bool {
	s := &b.in.Src[0]
	return text == "a" && b.exec.Base == eval.Float && b.types[0] == b.dst && !s.Neg && !s.Abs && !b.in.Sat && b.in.CMod == ""
}

// choice selects among floats as bits: only the values compared are flushed.
func (b *builder) choice(text string) (*pattern.Node, error) {
	bits := eval.Type{Base: eval.Uint, Bits: b.dst.Bits}
	sign := uint64(1) << (bits.Bits - 1)
	args, err := b.sources()
	if err != nil {
		return nil, err
	}
	for i, s := range b.in.Src[:2] {
		args[i] = s.Value
		if s.Abs {
			if args[i], err = b.t.unary("abs", fmt.Sprintf("a &^ %#x", sign), args[i], bits, bits); err != nil {
				return nil, err
			}
		}
		if s.Neg {
			if args[i], err = b.t.unary("neg", fmt.Sprintf("a ^ %#x", sign), args[i], bits, bits); err != nil {
				return nil, err
			}
		}
	}
	n, err := b.operation(b.name(b.typeNames()), text, bits, args, func(i int) opcodes.Operand {
		if i < 2 {
			return opcodes.Operand{Name: letter(i), Base: bits.Base, Bits: bits.Bits}
		}
		return opcodes.Operand{Name: letter(i), Base: b.exec.Base, Bits: b.exec.Bits}
	})
	if err == nil && b.in.Sat {
		n, err = b.t.unary("sat", "sel(asfloat(a) > 0.0, asuint(min(asfloat(a), 1.0)), 0)", n, bits, bits)
	}
	return n, err
}

func (b *builder) value(text string) (*pattern.Node, error) {
	args, err := b.sources()
	if err != nil {
		return nil, err
	}
	if b.exec.Base == eval.Float && !b.masks {
		return b.float(text, args)
	}
	return b.integer(text, args)
}

// name returns the name of an operation in counterexamples and in the ledger: the row's name with the types that
// distinguish it from others.
func (b *builder) name(rest ...string) string {
	s := strings.Replace(b.in.Op, "math_", "math.", 1)
	if b.in.CMod != "" {
		s += "." + b.in.CMod
	}
	if b.in.Pred != nil {
		s = "(p)" + s
	}
	for _, x := range rest {
		s += x
	}
	return s
}

// typeNames returns the types of destination and sources, only one if all are the
// same.
func (b *builder) typeNames() string {
	s, same := ":"+b.in.Dst, true
	for _, x := range b.in.Src {
		s += "," + x.Type
		same = same && x.Type == b.in.Dst
	}
	if same {
		return ":" + b.in.Dst
	}
	return s
}

// sources converts float sources to the execution type and applies their modifiers. Modifiers
// of integers are applied where they are extended.
func (b *builder) sources() ([]*pattern.Node, error) {
	var out []*pattern.Node
	for i, s := range b.in.Src {
		n := s.Value
		if b.exec.Base == eval.Float {
			var err error
			if b.types[i] != b.exec {
				if n, err = b.t.unary(fmt.Sprintf("float%d", b.exec.Bits), fmt.Sprintf("float%d(a)", b.exec.Bits), n, b.types[i],
					b.exec); err != nil {
					return nil, err
				}
			}
			for _, m := range []struct {
				on         bool
				name, text string
			}{{s.Abs, "abs", "abs(a)"}, {s.Neg, "neg", "-a"}} {
				if !m.on {
					continue
				}
				if n, err = b.t.unary(m.name, m.text, n, b.exec, b.exec); err != nil {
					return nil, err
				}
			}
		}
		out = append(out, n)
	}
	return out, nil
}

// float computes in floats, saturates and converts.
func (b *builder) float(text string, args []*pattern.Node) (*pattern.Node, error) {
	if b.dst.Base == eval.Float && b.dst.Bits > b.exec.Bits && text != "a" {
		return nil, fmt.Errorf("%s is not defined where the result is wider than the sources", b.in.Op)
	}
	n, err := b.operation(b.name(b.typeNames()), text, b.exec, args, func(i int) opcodes.Operand {
		return opcodes.Operand{Name: letter(i), Base: eval.Float, Bits: b.exec.Bits}
	})
	if err != nil {
		return nil, err
	}
	if b.in.Sat && b.dst.Base == eval.Float {
		if n, err = b.t.unary("sat", "sel(a > 0.0, min(a, 1.0), 0.0)", n, b.exec, b.exec); err != nil {
			return nil, err
		}
	}
	switch {
	case b.in.Flag:
		return b.t.unary("flag."+b.in.CMod, test(b.in.CMod, "a", "0.0", true), n, b.exec, boolType)
	case text == "a" && b.dst.Base == eval.Float && b.dst.Bits < b.exec.Bits:
		// The conversion keeps denormals in every mode.
		bits := eval.Type{Base: eval.Uint, Bits: b.dst.Bits}
		return b.t.unary(b.in.Dst, fmt.Sprintf("asuint(%s(a))", b.dst), n, b.exec, bits)
	case b.dst != b.exec:
		return b.t.unary(b.in.Dst, fmt.Sprintf("%s(a)", b.dst), n, b.exec, b.dst)
	}
	return n, nil
}

var boolType = eval.Type{Base: eval.Bool, Bits: 1}

// integer computes in 64 bits, saturates and truncates to the destination.
func (b *builder) integer(text string, args []*pattern.Node) (*pattern.Node, error) {
	out := b.dst
	if b.masks && out.Base == eval.Float { // only its size matters
		out.Base = eval.Int
	}
	name := b.name()
	if b.in.Sat {
		name += ".sat"
	}
	name += b.typeNames()
	head, param := b.extended(&name)
	if head == "" && text == "a" && !b.in.Sat && !b.in.Flag && b.in.CMod == "" {
		// A move of an integer: exactness does not apply.
		return b.operation(name, fmt.Sprintf("%s(a)", out), out, args, func(i int) opcodes.Operand {
			return opcodes.Operand{Name: "a", Base: b.types[i].Base, Bits: b.types[i].Bits}
		})
	}
	if head == "" {
		head = b.extend()
	}
	lines := strings.Split(text, "\n")
	last := len(lines) - 1
	lines[last] = "result := int64(" + lines[last] + ")"
	body := head + strings.Join(lines, "\n") + "\n"
	result := "result"
	if b.in.Sat && out.Base != eval.Float {
		lo, hi := int64(0), int64(1)<<out.Bits-1
		if out.Base == eval.Int {
			lo, hi = -1<<(out.Bits-1), 1<<(out.Bits-1)-1
		}
		body += fmt.Sprintf("clamped := min(max(result, %d), %d)\n", lo, hi)
		result = "clamped"
	}
	if b.in.Flag {
		return b.operation("flag."+name, body+b.flag(result, out), boolType, args, param)
	}
	n, err := b.operation(name, body+fmt.Sprintf("%s(%s)", out, result), out, args, param)
	if err == nil && b.in.Sat && out.Base == eval.Float {
		n, err = b.t.unary("sat", "sel(a > 0.0, min(a, 1.0), 0.0)", n, out, out)
	}
	return n, err
}

// flag tests the result of an integer operation, converted to the destination's type.
func (b *builder) flag(result string, out eval.Type) string {
	switch {
	case b.masks:
		return result + " != 0"
	case out.Base == eval.Float && b.in.Sat:
		return test(b.in.CMod, "min(max("+result+", 0), 1)", "0", false)
	case out.Base == eval.Float:
		return test(b.in.CMod, result, "0", false)
	case b.in.CMod == "ov":
		return fmt.Sprintf("int64(%s(result)) != result", out)
	}
	return test(b.in.CMod, fmt.Sprintf("int64(%s(%s))", out, result), "0", false)
}

// extended writes the modified sources as 64-bit integers; "" if no source is
// modified. The modifiers are appended to the name.
func (b *builder) extended(name *string) (head string, param func(i int) opcodes.Operand) {
	param = func(i int) opcodes.Operand {
		return opcodes.Operand{Name: fmt.Sprintf("src%d", i), Base: b.types[i].Base, Bits: b.types[i].Bits}
	}
	if b.exec.Base == eval.Float { // a comparison: the sources are modified already
		return " ", func(i int) opcodes.Operand {
			return opcodes.Operand{Name: letter(i), Base: eval.Float, Bits: b.exec.Bits}
		}
	}
	mods := ""
	for i, s := range b.in.Src {
		m := map[bool]string{true: "|" + letter(i) + "|", false: letter(i)}[s.Abs]
		switch {
		case s.Neg:
			m = "-" + m
		case s.Not:
			m = "~" + m
		}
		if m != letter(i) {
			mods += " " + m
		}
	}
	if mods == "" {
		return "", param
	}
	*name += "(" + mods[1:] + ")"
	return b.extend(), param
}

func (b *builder) extend() string {
	var h strings.Builder
	for i, s := range b.in.Src {
		x := fmt.Sprintf("int64(src%d)", i)
		if s.Abs {
			x = fmt.Sprintf("sel(%s < 0, -%s, %s)", x, x, x)
		}
		switch {
		case s.Neg:
			x = "-" + x
		case s.Not:
			x = "^" + x
		}
		fmt.Fprintf(&h, "%s := %s\n", letter(i), x)
	}
	return h.String()
}

func letter(i int) string { return string(rune('a' + i)) }

var (
	condSyntax   = regexp.MustCompile(`cond\((\w+), (\w+)\)`)
	signedSyntax = regexp.MustCompile(`\b([abc])_signed\b`)
)

// operation applies the operation of the opcode itself.
func (b *builder) operation(name, text string, out eval.Type, args []*pattern.Node,
	param func(i int) opcodes.Operand) (*pattern.Node, error) {
	if condSyntax.MatchString(text) && b.in.CMod == "" {
		return nil, fmt.Errorf("%s needs a condition modifier", b.in.Op)
	}
	text = condSyntax.ReplaceAllStringFunc(text, func(s string) string {
		m := condSyntax.FindStringSubmatch(s)
		return test(b.in.CMod, m[1], m[2], b.exec.Base == eval.Float)
	})
	text = signedSyntax.ReplaceAllStringFunc(text, func(s string) string {
		return fmt.Sprint(b.types[s[0]-'a'].Base == eval.Int)
	})
	var srcs []opcodes.Operand
	for i := range args {
		srcs = append(srcs, param(i))
	}
	if b.in.Pred != nil {
		srcs, args = append(srcs, opcodes.Operand{Name: "p", Base: eval.Bool, Bits: 1}), append(args[:len(args):len(args)], b.in.Pred)
	}
	return b.t.apply(name, text, b.bits, srcs, out, args)
}

// test returns the condition of a condition modifier.
func test(cmod, x, y string, float bool) string {
	op := map[string]string{"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}[cmod]
	switch {
	case op != "":
		return "(" + x + " " + op + " " + y + ")"
	case !float:
		return "(" + x + " != " + x + ")"
	case cmod == "un":
		return "(isnan(" + x + ") || isnan(" + y + "))"
	}
	return "(" + x + " == inf || " + x + " == -inf)"
}

// unary applies an operation of one source.
func (t *Table) unary(name, text string, x *pattern.Node, from, to eval.Type) (*pattern.Node, error) {
	return t.apply(name, text, 0, []opcodes.Operand{{Name: "a", Base: from.Base, Bits: from.Bits}}, to, []*pattern.Node{x})
}

// Apply applies an operation that is not an instruction: text over the sources a, b ….
func (t *Table) Apply(name, text string, from []eval.Type, to eval.Type, args ...*pattern.Node) (*pattern.Node, error) {
	var srcs []opcodes.Operand
	for i, typ := range from {
		srcs = append(srcs, opcodes.Operand{Name: letter(i), Base: typ.Base, Bits: typ.Bits})
	}
	return t.apply(name, text, 0, srcs, to, args)
}

func (t *Table) apply(name, text string, size int, srcs []opcodes.Operand, to eval.Type, args []*pattern.Node) (*pattern.Node, error) {
	key := fmt.Sprintf("%s %v %v\n%s", name, srcs, to, text)
	o := t.ops[key]
	if o == nil {
		var params []eval.Param
		for _, s := range srcs {
			params = append(params, eval.Param{Name: s.Name, Type: s.Type(0)})
		}
		fn, err := eval.Compile(text, params, eval.Param{Type: to}, size)
		if err != nil {
			var e *eval.Error
			if errors.As(err, &e) {
				err = errors.New(e.Msg)
			}
			return nil, fmt.Errorf("%s has no meaning: %w", name, err)
		}
		o = &opcodes.Op{Name: name, Srcs: srcs, Out: opcodes.Operand{Base: to.Base, Bits: to.Bits}, Eval: text,
			Meaning: map[int]*eval.Func{0: fn}}
		t.ops[key] = o
	}
	n := &pattern.Node{Kind: pattern.Op, Name: name, Code: o, Args: args, Exec: -1}
	for _, a := range args {
		a.Parent = n
	}
	return n, nil
}

// Machine returns the instruction set of the rows.
func (t *Table) Machine() *isa.Machine { return t.machine }
