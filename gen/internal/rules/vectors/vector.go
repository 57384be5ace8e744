// SPDX-License-Identifier: MIT

package vectors

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
)

// counterexample formats the vector: both sides with the values substituted.
func (tr *trial) counterexample(want, got []uint64) string {
	mode := ""
	if tr.flush {
		mode = " (denormals flushed)"
	}
	return tr.side(tr.r.Find, want) + ", but " + tr.side(tr.r.Replace, got) + mode
}

// keepExample keeps the vector as the rule's example if it is better than the current
// one: at 32 bits, and with a nonzero result.
func (tr *trial) keepExample(want []uint64) {
	score := 1
	if e := tr.r.Find.Exec; e >= 0 && tr.size(e) == 32 {
		score = 3
	}
	for _, x := range want {
		if f := eval.FloatValue(x, 64); x != 0 && !math.IsNaN(f) {
			score++
			break
		}
	}
	if score > tr.score {
		tr.score, tr.example = score, tr.side(tr.r.Find, want)
		if r := tr.write(tr.r.Replace); tr.r.Replace.Kind == pattern.Op && r != tr.write(tr.r.Find) {
			tr.example += " = " + r
		}
	}
}

// side formats an expression with the values substituted, followed by its result.
func (tr *trial) side(n *pattern.Node, result []uint64) string {
	base := tr.r.Find.Base
	if tr.r.Replace.Base == eval.Float {
		base = eval.Float
	}
	size := tr.size(tr.r.Find.Class)
	return tr.write(n) + " = " + values(result, base, size)
}

// values formats the components of a value.
func values(x []uint64, b eval.Base, size int) string {
	var s []string
	for _, v := range x {
		s = append(s, literal(v, eval.Type{Base: b, Bits: size}))
	}
	if len(s) == 1 {
		return s[0]
	}
	return "[" + strings.Join(s, " ") + "]"
}

// write formats an expression with the values substituted.
func (tr *trial) write(n *pattern.Node) string {
	switch n.Kind {
	case pattern.Lit:
		return n.Name
	case pattern.Var:
		v := tr.r.Typing.Var(n.Name)
		s := values(tr.env[n.Name], v.Base, tr.size(v.Class))
		if n.Swz != "" {
			s += "." + n.Swz
		}
		return s
	}
	s := "(" + n.Name
	if n.Exec >= 0 {
		s += fmt.Sprintf("@%d", tr.size(n.Exec))
	}
	for _, a := range n.Args {
		s += " " + tr.write(a)
	}
	return s + ")"
}

// literal formats a value in the syntax of patterns and test vectors: a float as a number
// if that is short and exact, everything else in hexadecimal.
func literal(x uint64, t eval.Type) string {
	hex := fmt.Sprintf("%#x", x)
	switch {
	case t.Base == eval.Bool:
		return strconv.FormatBool(x != 0)
	case t.Base != eval.Float || t.Bits == 1:
		return hex
	}
	f := eval.FloatValue(x, t.Bits)
	text := strconv.FormatFloat(f, 'f', -1, 64)
	switch {
	case math.IsNaN(f):
		text = "nan"
	case math.IsInf(f, 0):
		text = strings.TrimPrefix(strings.ToLower(text), "+")
	case !strings.Contains(text, "."):
		text += ".0"
	}
	if len(text) > 12 || eval.FloatBits(f, t.Bits) != x {
		return hex
	}
	return text
}
