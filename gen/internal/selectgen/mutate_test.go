// SPDX-License-Identifier: MIT

package selectgen

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"jacquard.example/gen/internal/pattern"
)

// mutant is a row with one change in the instructions it emits.
type mutant struct {
	of   *row
	kind string
	emit []string
}

func (m *mutant) String() string {
	var was []string
	for _, in := range m.of.emit {
		was = append(was, in.text)
	}
	return fmt.Sprintf("%s, %s: %s => %s", m.of.name, m.kind, strings.Join(was, "; "), strings.Join(m.emit, "; "))
}

// kinds are the kinds of changes.
var kinds = []string{"opcode", "operand", "swap", "modifier", "saturation", "condition", "constant", "type", "offset"}

// line is an instruction of a row taken apart.
type line struct {
	pred, op, typ string // op with its modifiers
	args          []string
}

func (x line) String() string {
	s := x.op
	if x.pred != "" {
		s = x.pred + " " + s
	}
	if x.typ != "" {
		s += ":" + x.typ
	}
	return s + " " + strings.Join(x.args, " ")
}

func split(in *instr) line {
	words := strings.Fields(in.text)
	var x line
	if strings.HasPrefix(words[0], "(") {
		x.pred, words = words[0], words[1:]
	}
	x.op, x.typ, _ = strings.Cut(words[0], ":")
	x.args = words[1:]
	return x
}

// mutate changes one thing in a row; it returns nil if the kind drawn does not apply to
// the row.
func mutate(rng *rand.Rand, l *loader, r *row) *mutant {
	m := &mutant{of: r, kind: kinds[rng.IntN(len(kinds))]}
	lines := make([]line, len(r.emit))
	for i, in := range r.emit {
		lines[i] = split(in)
	}
	var places []func()
	for i := range lines {
		places = append(places, l.places(rng, m.kind, r, r.emit[i], &lines[i])...)
	}
	if len(places) == 0 {
		return nil
	}
	places[rng.IntN(len(places))]()
	for _, x := range lines {
		m.emit = append(m.emit, x.String())
	}
	return m
}

// places returns the changes of a kind that apply to an instruction.
func (l *loader) places(rng *rand.Rand, kind string, r *row, in *instr, x *line) (out []func()) {
	name, rest, _ := strings.Cut(x.op, ".")
	if rest != "" {
		rest = "." + rest
	}
	first := 0 // index of the first source among the operands
	if in.dst != nil {
		first = 1
	}
	set := func(i int, s string) func() { return func() { x.args[i] = s } }
	switch kind {
	case "opcode":
		if in.math != "" {
			for _, fn := range []string{"inv", "log2", "exp2", "sqrt", "rsqrt", "sin", "cos", "iquot", "irem"} {
				if fn != in.math && l.machine.Maths[fn].Src == l.machine.Maths[in.math].Src {
					out = append(out, func() { x.op = strings.Replace(x.op, in.math, fn, 1) })
				}
			}
			return out
		}
		for _, o := range []string{"mov", "not", "rndd", "rndu", "rnde", "rndz", "frc", "lzd", "fbh", "fbl", "cbit", "bfrev",
			"sel", "cmp", "and", "or", "xor", "shr", "shl", "asr", "rol", "ror", "add", "mul", "avg", "bfi1", "mad", "bfe", "bfi2", "dp4a", "csel"} {
			if o != name && l.machine.Ops[o].Src == in.op.Src {
				out = append(out, func() { x.op = o + rest })
			}
		}
	case "operand":
		for i := first; i < len(x.args); i++ {
			if in.src[i-first].kind == operImm {
				continue
			}
			for _, v := range append(r.typing.Vars[:len(r.typing.Vars):len(r.typing.Vars)], &pattern.VarInfo{Name: "0"},
				&pattern.VarInfo{Name: "t0"}) {
				if was := in.src[i-first].name; v.Name != was {
					out = append(out, set(i, strings.Replace(x.args[i], was, v.Name, 1)))
				}
			}
		}
	case "swap":
		for i := first; i < len(x.args); i++ {
			for j := first; j < i; j++ {
				if x.args[i] != x.args[j] {
					out = append(out, func() { x.args[i], x.args[j] = x.args[j], x.args[i] })
				}
			}
		}
	case "modifier":
		for i := first; i < len(x.args); i++ {
			if in.src[i-first].kind == operImm {
				continue
			}
			a, typ, typed := strings.Cut(x.args[i], ":")
			if typed {
				typ = ":" + typ
			}
			bare := strings.Trim(a, "-~|")
			for _, s := range []string{bare, "-" + bare, "|" + bare + "|", "-|" + bare + "|", "~" + bare} {
				if s != a {
					out = append(out, set(i, s+typ))
				}
			}
		}
	case "saturation":
		out = append(out, func() {
			if in.sat {
				x.op = strings.Replace(x.op, ".sat", "", 1)
			} else {
				x.op += ".sat"
			}
		})
	case "condition":
		for _, c := range []string{"eq", "ne", "gt", "ge", "lt", "le"} {
			if in.cmod != "" && l.machine.CMods[c] != in.cmod {
				out = append(out, func() {
					for _, was := range []string{"eq", "ne", "gt", "ge", "lt", "le"} {
						if l.machine.CMods[was] == in.cmod {
							x.op = strings.Replace(x.op, "."+was, "."+c, 1)
						}
					}
				})
			}
		}
	case "constant":
		for i := first; i < len(x.args); i++ {
			if n := in.src[i-first]; n.kind == operImm && n.imm.LitKind == pattern.LitInt {
				for _, v := range []int64{int64(n.imm.Int) + 1, int64(n.imm.Int) - 1, int64(n.imm.Int) * 2, 0, int64(n.imm.Int ^ 1<<rng.IntN(5))} {
					if v != int64(n.imm.Int) {
						out = append(out, set(i, fmt.Sprint(v)))
					}
				}
			}
		}
	case "type":
		list := []string{"ub", "b", "uw", "w", "ud", "d", "hf", "f", "int", "uint", "float"}
		for _, t := range list {
			if x.typ != "" && t != x.typ {
				out = append(out, func() { x.typ = t })
			}
			for i := range x.args {
				a, was, typed := strings.Cut(x.args[i], ":")
				if (typed || x.typ != "") && t != was {
					out = append(out, set(i, a+":"+t))
				}
			}
		}
	case "offset":
		for i := range x.args {
			a, typ, typed := strings.Cut(x.args[i], ":")
			if typed {
				typ = ":" + typ
			}
			if base, found := strings.CutSuffix(a, "+2"); found {
				out = append(out, set(i, base+typ))
			} else if !strings.ContainsAny(a, "|0123456789") {
				out = append(out, set(i, a+"+2"+typ))
			}
		}
	}
	return out
}
