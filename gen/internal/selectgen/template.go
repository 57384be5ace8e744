// SPDX-License-Identifier: MIT

package selectgen

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/pattern"
)

// instr is one parsed template of emit.
type instr struct {
	text    string
	op      isa.MachineOp
	name    string
	math    string
	sat     bool
	accWrEn bool
	cmod    string // Go constant
	flag    int
	pred    string // Go constant; empty if not predicated
	predInv bool
	dst     *operand
	src     []*operand
}

type operKind uint8

const (
	operVar operKind = iota
	operDst
	operTemp
	operNull
	operAcc
	operImm
)

// operand is one operand of a template.
type operand struct {
	kind          operKind
	name          string
	temp          int
	neg, abs, not bool
	off           int
	typ           string // a machine type, or float, int, uint
	class         int    // size class that determines a generic type
	imm           pattern.Node
}

var generic = map[string]bool{"float": true, "int": true, "uint": true}

// genericSizes are the sizes of each generic type.
var genericSizes = map[string]pattern.Sizes{
	"float": pattern.SizeSet(16, 32, 64), "int": pattern.SizeSet(8, 16, 32, 64), "uint": pattern.SizeSet(8, 16, 32, 64),
}

var flagNumber = map[string]int{"f0": 0, "f0.0": 0, "f0.1": 1, "f1": 2, "f1.0": 2, "f1.1": 3}

func (l *loader) instr(text string, x *row) (*instr, error) {
	in := &instr{text: text}
	words := strings.Fields(text)
	if len(words) > 0 && strings.HasPrefix(words[0], "(") {
		if err := l.predicate(in, words[0]); err != nil {
			return nil, err
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("an opcode is missing")
	}
	typ, err := l.opcode(in, words[0])
	if err != nil {
		return nil, err
	}
	want := in.op.Src
	if in.name == "math" {
		want = l.machine.Maths[in.math].Src
	}
	if in.op.Dst {
		want++
	}
	if len(words)-1 != want {
		return nil, fmt.Errorf("%s takes %d operands, including the destination, not %d", in.name, want, len(words)-1)
	}
	for i, w := range words[1:] {
		o, err := l.operand(w, typ, x)
		if err != nil {
			return nil, err
		}
		if i == 0 && in.op.Dst {
			in.dst = o
			continue
		}
		in.src = append(in.src, o)
	}
	if err := l.types(in, x); err != nil {
		return nil, err
	}
	return in, l.positions(in, x)
}

var predSyntax = regexp.MustCompile(`^\((~?)(f[01](?:\.[01])?)(?:\.([a-z0-9]+))?\)$`)

func (l *loader) predicate(in *instr, w string) error {
	m := predSyntax.FindStringSubmatch(w)
	if m == nil {
		return fmt.Errorf("%s is not a predicate; examples are (f0), (~f0.1) and (f1.any4h)", w)
	}
	kind := m[3]
	if kind == "" {
		kind = "normal"
	}
	var ok bool
	if in.pred, ok = l.machine.Preds[kind]; !ok {
		return errors.New(diag.Unknown("kind of predicate", kind, maps.Keys(l.machine.Preds)))
	}
	in.predInv = m[1] != ""
	in.flag = flagNumber[m[2]]
	return nil
}

// opcode reads op.modifiers:type and returns the type.
func (l *loader) opcode(in *instr, w string) (string, error) {
	w, typ, _ := strings.Cut(w, ":")
	parts := strings.Split(w, ".")
	in.name = parts[0]
	var ok bool
	if in.op, ok = l.machine.Ops[in.name]; !ok {
		return "", errors.New(diag.Unknown("machine opcode", in.name, maps.Keys(l.machine.Ops)))
	}
	if in.op.Format != "basic" && in.op.Format != "ternary" && in.op.Format != "math" {
		return "", fmt.Errorf("%s is emitted by the back end itself; name one of its methods with call", in.name)
	}
	rest := parts[1:]
	for i := 0; i < len(rest); i++ {
		p := rest[i]
		switch {
		case in.name == "math" && in.math == "":
			if _, ok := l.machine.Maths[p]; !ok {
				return "", errors.New(diag.Unknown("math function", p, maps.Keys(l.machine.Maths)))
			}
			in.math = p
		case p == "sat":
			in.sat = true
		case p == "accwr":
			in.accWrEn = true
		case l.machine.CMods[p] != "":
			in.cmod = l.machine.CMods[p]
		case p == "f0" || p == "f1":
			name := p
			if i+1 < len(rest) && (rest[i+1] == "0" || rest[i+1] == "1") {
				i++
				name += "." + rest[i]
			}
			if in.pred != "" && in.flag != flagNumber[name] {
				return "", fmt.Errorf("the predicate and the condition modifier must name the same flag")
			}
			in.flag = flagNumber[name]
		default:
			return "", errors.New(diag.Unknown("modifier of "+in.name, p, l.modifierNames()))
		}
	}
	switch {
	case in.name == "math" && in.math == "":
		return "", fmt.Errorf("math needs a function, such as math.inv")
	case in.sat && !in.op.Sat:
		return "", fmt.Errorf("%s cannot saturate", in.name)
	case in.cmod != "" && !in.op.CMod:
		return "", fmt.Errorf("%s takes no condition modifier", in.name)
	case in.pred != "" && !in.op.Pred:
		return "", fmt.Errorf("%s cannot be predicated", in.name)
	}
	return typ, l.knownType(typ)
}

// modifierNames yields the modifiers that an opcode may have.
func (l *loader) modifierNames() iter.Seq[string] {
	return diag.Join(slices.Values([]string{"sat", "accwr", "f0", "f1"}), maps.Keys(l.machine.CMods))
}

// typeNames yields the types of operands.
func (l *loader) typeNames() iter.Seq[string] {
	return diag.Join(maps.Keys(l.machine.Types), maps.Keys(generic))
}

func (l *loader) knownType(t string) error {
	if _, ok := l.machine.Types[t]; !ok && !generic[t] && t != "" {
		return errors.New(diag.Unknown("type", t, l.typeNames()))
	}
	return nil
}

var (
	operSyntax = regexp.MustCompile(`^([-~]?)(\|?)([A-Za-z_][A-Za-z0-9_]*|-?[0-9][0-9A-Fa-fx.p+-]*?|-?inf)(\+[0-9]+)?(\|?)(?::([a-z]+))?$`)
	tempName   = regexp.MustCompile(`^t[0-9]$`)
)

func (l *loader) operand(w, typ string, x *row) (*operand, error) {
	m := operSyntax.FindStringSubmatch(w)
	if m == nil || (m[2] == "") != (m[5] == "") {
		return nil, fmt.Errorf("%q is not an operand", w)
	}
	o := &operand{name: m[3], typ: typ, class: x.find.Class}
	if m[6] != "" {
		o.typ = m[6]
	}
	if err := l.knownType(o.typ); err != nil {
		return nil, err
	}
	if m[4] != "" {
		o.off, _ = strconv.Atoi(m[4][1:])
	}
	o.neg, o.not, o.abs = m[1] == "-", m[1] == "~", m[2] != ""
	first := o.name[0]
	switch {
	case o.name == "dst":
		o.kind = operDst
	case o.name == "null":
		o.kind = operNull
	case o.name == "acc0":
		o.kind = operAcc
	case first >= '0' && first <= '9' || first == '-' || o.name == "inf":
		o.kind = operImm
		lit, err := pattern.Parse(o.name, pattern.Opcodes{Table: l.ops})
		if err != nil || lit.Kind != pattern.Lit {
			return nil, fmt.Errorf("%q is not a number", o.name)
		}
		if o.neg { // -1 was parsed as a negation
			lit, _ = pattern.Parse("-"+o.name, pattern.Opcodes{Table: l.ops})
			o.neg = false
		}
		o.imm = *lit
		return o, nil
	default:
		v := x.typing.Var(o.name)
		switch {
		case v != nil:
			o.kind, o.class = operVar, v.Class
		case tempName.MatchString(o.name):
			o.kind = operTemp
			o.temp = int(o.name[1] - '0')
		default:
			return nil, fmt.Errorf("%s is neither bound in find nor a temporary (t0 to t9)", o.name)
		}
	}
	return o, nil
}

// types assigns types to null and immediates and checks that generic types can
// be resolved.
func (l *loader) types(in *instr, x *row) error {
	all := in.src
	if in.dst != nil {
		all = append([]*operand{in.dst}, all...)
	}
	lead := -1 // the class that determines the type of null and immediates of a generic type
	for _, o := range in.src {
		if o.kind == operVar {
			lead = o.class
			break
		}
	}
	if lead < 0 {
		lead = x.find.Class
	}
	for _, o := range all {
		if o.kind == operNull || o.kind == operImm || o.kind == operAcc {
			o.class = lead
		}
		if o.typ == "" {
			return fmt.Errorf("%s has no type; write one after the opcode or the operand", o.name)
		}
		if !generic[o.typ] {
			continue
		}
		if set := x.typing.Set(o.class); set&^genericSizes[o.typ] != 0 {
			return fmt.Errorf("%s may have %s bits, which %q has no machine type for; restrict the size in find or write a type", o.name,
				set, o.typ)
		}
	}
	return nil
}

// positions checks that operands are allowed in their positions.
func (l *loader) positions(in *instr, x *row) error {
	if d := in.dst; d != nil {
		switch {
		case d.kind == operVar || d.kind == operImm:
			return fmt.Errorf("%s cannot be a destination", d.name)
		case d.neg || d.abs || d.not:
			return fmt.Errorf("a destination cannot have a modifier")
		case d.kind == operDst && x.root == condRoot:
			return fmt.Errorf("a condition has no dst; it leaves its result in a flag")
		}
	}
	for i, s := range in.src {
		switch s.kind {
		case operDst:
			return fmt.Errorf("dst cannot be read; use a temporary")
		case operNull:
			return fmt.Errorf("null cannot be read")
		}
		mods := ""
		if s.kind == operVar {
			mods = modifiers(x.typing.Var(s.name).First)
		}
		arith := s.neg || s.abs || strings.Contains(mods, "mod") || strings.Contains(mods, "abs") || strings.Contains(mods, "neg")
		if arith && in.op.Mods != "arith" {
			return fmt.Errorf("%s takes no negation or magnitude", in.name)
		}
		if (s.not || strings.Contains(mods, "not")) && in.op.Mods != "logic" {
			return fmt.Errorf("%s takes no complement", in.name)
		}
		imm := s.kind == operImm || strings.Contains(mods, "imm")
		if !imm {
			continue
		}
		if in.op.Format == "basic" && in.op.Src == 2 && i == 0 {
			return fmt.Errorf("%s: an immediate can only be the second source of a two-source instruction", s.name)
		}
		if in.op.Format == "ternary" && i == 1 {
			return fmt.Errorf("%s: an immediate cannot be the second source of a three-source instruction", s.name)
		}
		if s.kind == operImm {
			if err := l.fits(s, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// fits checks that an immediate can be represented in its type.
func (l *loader) fits(o *operand, x *row) error {
	for _, bits := range l.bitsOf(o, x) {
		if _, ok := o.imm.Bits(bits); !ok {
			return fmt.Errorf("%s does not fit %d bits", o.name, bits)
		}
	}
	float := o.typ == "float" || l.machine.Types[o.typ].Float
	if o.imm.LitKind == pattern.LitFloat && !float {
		return fmt.Errorf("%s is a float, but its type is %s", o.name, o.typ)
	}
	return nil
}

func (l *loader) bitsOf(o *operand, x *row) []int {
	if generic[o.typ] {
		return x.typing.Set(o.class).List()
	}
	return []int{8 * l.machine.Types[o.typ].Size}
}

// immBits returns an immediate's bits at a size; an integer of a float
// type is its encoding.
func immBits(o *operand, bits int) uint64 {
	v, _ := o.imm.Bits(bits)
	return v
}

// modifiers returns the flags of a variable that concern its operand.
func modifiers(n *pattern.Node) string {
	var out []string
	for _, p := range n.Preds {
		if p == "mod" || p == "abs" || p == "neg" || p == "not" || p == "imm" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

func isFloatVar(v *pattern.VarInfo) bool { return v.Base == eval.Float }
