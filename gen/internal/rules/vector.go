package rules

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
)

// counterexample writes the vector: both sides with the values put in.
func (tr *trial) counterexample(want, got []uint64) string {
	base := tr.r.Find.Base
	if tr.r.Replace.Base == eval.Float {
		base = eval.Float
	}
	size := tr.size(tr.r.Find.Class)
	value := func(x []uint64, b eval.Base, size int) string {
		var s []string
		for _, v := range x {
			s = append(s, literal(v, eval.Type{Base: b, Bits: size}))
		}
		if len(s) == 1 {
			return s[0]
		}
		return "[" + strings.Join(s, " ") + "]"
	}
	var write func(n *pattern.Node) string
	write = func(n *pattern.Node) string {
		switch n.Kind {
		case pattern.Lit:
			return n.Name
		case pattern.Var:
			v := tr.r.Typing.Var(n.Name)
			s := value(tr.env[n.Name], v.Base, tr.size(v.Class))
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
			s += " " + write(a)
		}
		return s + ")"
	}
	mode := ""
	if tr.flush {
		mode = " (denormals flushed)"
	}
	return fmt.Sprintf("%s = %s, but %s = %s%s", write(tr.r.Find), value(want, base, size), write(tr.r.Replace), value(got, base, size), mode)
}

// literal writes a value as patterns and test vectors do: a float as a number
// where that is short and exact, everything else in hexadecimal.
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
