// SPDX-License-Identifier: MIT

package opcodes

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"jacquard.example/core/num"
	"jacquard.example/gen/internal/eval"
)

var vectorSyntax = regexp.MustCompile(`^\(([a-z0-9_]+)(?:@(\d+))?\s+(.*)\)\s*=\s*(\S.*)$`)

// vector runs one test vector such as "(ishl@8 0x81 1) = 0x02".
func (c *checker) vector(o *Op, text string) {
	fail := func(format string, args ...any) {
		c.errorf("test", "%q: %s", text, fmt.Sprintf(format, args...))
	}
	m := vectorSyntax.FindStringSubmatch(text)
	if m == nil {
		fail("a vector has the form (%s@bits values) = value", o.Name)
		return
	}
	if m[1] != o.Name {
		fail("tests %s, but belongs to %s", m[1], o.Name)
		return
	}
	size := 0
	switch {
	case o.Unsized() && m[2] == "":
		fail("needs an execution size, such as %s@%d", o.Name, o.Sizes[0])
		return
	case !o.Unsized() && m[2] != "":
		fail("every operand of %s has its own width; @%s has no effect", o.Name, m[2])
		return
	case o.Unsized():
		size, _ = strconv.Atoi(m[2])
		if !o.SizeAllowed(size) {
			fail("%s has no form at %d bits", o.Name, size)
			return
		}
	}
	fields := splitValues(m[3])
	if len(fields) != len(o.Srcs) {
		fail("%d sources; %s takes %d", len(fields), o.Name, len(o.Srcs))
		return
	}
	args := make([][]uint64, len(fields))
	for i, f := range fields {
		v, err := parseValues(f, o.Srcs[i], size)
		if err != nil {
			fail("source %s: %v", o.Srcs[i].Name, err)
			return
		}
		args[i] = v
	}
	want, err := parseValues(m[4], o.Out, size)
	if err != nil {
		fail("result: %v", err)
		return
	}
	got, err := o.Run(size, args)
	if err != nil {
		fail("%v", err)
		return
	}
	for i := range want {
		if got[i] != want[i] {
			fail("eval returns %s", formatValues(got, o.Out.Type(size)))
			return
		}
	}
}

// splitValues splits at spaces outside brackets.
func splitValues(s string) []string {
	var out []string
	depth := 0
	start := -1
	for i, r := range s + " " {
		switch {
		case r == ' ' && depth == 0:
			if start >= 0 {
				out = append(out, s[start:i])
			}
			start = -1
			continue
		case r == '[':
			depth++
		case r == ']':
			depth--
		}
		if start < 0 {
			start = i
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}

func parseValues(text string, o Operand, size int) ([]uint64, error) {
	t := o.Type(size)
	fields := []string{text}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		fields = strings.Fields(text[1 : len(text)-1])
	}
	if len(fields) != max(o.Comps, 1) {
		return nil, fmt.Errorf("%d components, not %d", len(fields), max(o.Comps, 1))
	}
	out := make([]uint64, len(fields))
	for i, f := range fields {
		v, err := ParseValue(f, t)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// ParseValue parses one value of a type: true and false, an integer in any
// base with or without sign, for a float also a number with a point or an
// exponent, inf or nan. For a float, an integer denotes its bits.
func ParseValue(text string, t eval.Type) (uint64, error) {
	if t.Base == eval.Bool || t.Bits == 1 {
		switch text {
		case "true":
			return 1, nil
		case "false":
			return 0, nil
		}
	}
	if i, ok := new(big.Int).SetString(text, 0); ok {
		lim := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
		low := new(big.Int).Neg(new(big.Int).Rsh(lim, 1))
		if i.Cmp(lim) >= 0 || i.Cmp(low) < 0 {
			return 0, fmt.Errorf("%s does not fit in %s", text, t)
		}
		return new(big.Int).Mod(i, lim).Uint64(), nil
	}
	if t.Base != eval.Float {
		return 0, fmt.Errorf("%q is not a value of type %s", text, t)
	}
	switch text {
	case "nan":
		return eval.FloatBits(math.NaN(), t.Bits), nil
	case "inf":
		return eval.FloatBits(math.Inf(1), t.Bits), nil
	case "-inf":
		return eval.FloatBits(math.Inf(-1), t.Bits), nil
	}
	if t.Bits == 32 {
		if f, err := strconv.ParseFloat(text, 32); err == nil {
			return num.Store32(float32(f), 0), nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a value of type %s", text, t)
	}
	return eval.FloatBits(f, t.Bits), nil
}

// formatValues formats values in the syntax of vectors.
func formatValues(v []uint64, t eval.Type) string {
	out := make([]string, len(v))
	for i, x := range v {
		out[i] = FormatValue(x, t)
	}
	if len(out) == 1 {
		return out[0]
	}
	return "[" + strings.Join(out, " ") + "]"
}

// FormatValue formats one value for messages: a float as its bits, followed by the number in parentheses, and other
// values as ParseValue reads them.
func FormatValue(x uint64, t eval.Type) string {
	switch t.Base {
	case eval.Bool:
		return strconv.FormatBool(x != 0)
	case eval.Int:
		return strconv.FormatInt(int64(x<<(64-t.Bits))>>(64-t.Bits), 10)
	case eval.Float:
		return fmt.Sprintf("%#x (%v)", x, eval.FloatValue(x, t.Bits))
	}
	return fmt.Sprintf("%#x", x)
}
