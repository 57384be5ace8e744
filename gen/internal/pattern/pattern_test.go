// SPDX-License-Identifier: MIT

package pattern

import (
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/table"
	"jacquard.example/tests/support/variants"
)

func look(t testing.TB) Lookup {
	t.Helper()
	ops, err := opcodes.Load(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}})
	if err != nil {
		t.Fatal(err)
	}
	return Opcodes{ops}
}

// TestRoundTrip: a formatted pattern parses to itself.
func TestRoundTrip(t *testing.T) {
	l := look(t)
	for _, text := range []string{
		"a", "#b:pow2", "a@16|32", "a.x", "a:p:q.wzyx", "-1", "0x7f", "1.0", "-0.0", "0x1p-14", "-inf", "true",
		"(iadd a 0)", "(iadd@32:used_once (imul a b) #c)", "(fdot2 a.xy b)", "(bcsel (ilt@8|16 a b) a b)",
	} {
		n, err := Parse(text, l)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := n.String(); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
}

// TestLiterals: the bits of literals, and literals that do not fit.
func TestLiterals(t *testing.T) {
	l := look(t)
	for _, c := range []struct {
		text string
		size int
		bits uint64
		ok   bool
	}{
		{"-1", 8, 0xff, true}, {"-1", 64, ^uint64(0), true}, {"-128", 8, 0x80, true}, {"-129", 8, 0, false},
		{"255", 8, 0xff, true}, {"256", 8, 0, false}, {"true", 1, 1, true}, {"true", 32, 0, false},
		{"1.0", 16, 0x3c00, true}, {"-0.0", 32, 0x80000000, true}, {"0x1p-24", 16, 1, true}, {"65504.0", 16, 0x7bff, true},
		{"0.1", 16, 0x2e66, true}, {"inf", 64, 0x7ff0000000000000, true}, {"1.0", 8, 0, false},
	} {
		n, err := Parse(c.text, l)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := n.Bits(c.size); ok != c.ok || ok && got != c.bits {
			t.Errorf("%s at %d bits: %#x, %v; want %#x, %v", c.text, c.size, got, ok, c.bits, c.ok)
		}
	}
}

// TestExpand: templates, their order and their arithmetic.
func TestExpand(t *testing.T) {
	rounds, err := Expand(map[string]any{
		"N":       []any{int64(8), int64(16)},
		"lt, min": []any{[]any{"ilt", "imin"}, []any{"ult", "umin"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rounds {
		s, err := r.Apply("$lt@$N $min ${N-1} ${1<<N}")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Suffix+" "+s)
	}
	want := []string{
		"/N=8,lt=ilt ilt@8 imin 7 256", "/N=8,lt=ult ult@8 umin 7 256",
		"/N=16,lt=ilt ilt@16 imin 15 65536", "/N=16,lt=ult ult@16 umin 15 65536",
	}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

// TestCovers: which pattern covers which.
func TestCovers(t *testing.T) {
	l := look(t)
	infer := func(text string) (*Node, *Typing) {
		n, err := Parse(text, l)
		if err != nil {
			t.Fatal(err)
		}
		typ, err := Infer(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		return n, typ
	}
	for _, c := range []struct {
		general, special string
		want             bool
	}{
		{"(iadd a b)", "(iadd c (imul d e))", true},
		{"(iadd a a)", "(iadd c (imul d e))", false},
		{"(iadd a a)", "(iadd (imul d e) (imul d e))", true},
		{"(iadd (ineg a) b)", "(iadd c (ineg d))", true},
		{"(isub (ineg a) b)", "(isub c (ineg d))", false},
		{"(iadd (iadd a b) b)", "(iadd x (iadd x y))", true},
		{"(iadd a #b)", "(iadd a 0)", true},
		{"(iadd a 0)", "(iadd a #b)", false},
		{"(iadd@32 a b)", "(iadd a b)", false},
		{"(iadd a b)", "(iadd@32 a b)", true},
		{"(fadd a 0.0)", "(fadd a -0.0)", false},
		{"(iadd (imul:used_once a b) c)", "(iadd (imul a b) c)", false},
	} {
		g, gt := infer(c.general)
		s, st := infer(c.special)
		if got := Covers(g, gt, s, st, nil); got != c.want {
			t.Errorf("%s covers %s: %v", c.general, c.special, got)
		}
	}
}

// FuzzParse: no text makes the parser, the inference or the formatter panic, and
// a parsed pattern is formatted so that it parses again.
func FuzzParse(fuzz *testing.F) {
	f := variants.Of(fuzz)
	l := look(f)
	for _, s := range []string{"(iadd a #b:pow2)", "(fdot2 a.xy b)", "(bcsel@32 c 1.0 -0.0)", "((", "a@", "(iadd@8|99 a b)", "-0x", "#.x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text, l)
		if err != nil {
			return
		}
		again, err := Parse(n.String(), l)
		if err != nil || again.String() != n.String() {
			t.Fatalf("%q is written %q, which gives %v, %v", text, n, again, err)
		}
		if n.Kind == Op {
			if _, err := Infer(n, nil); err == nil && n.Class < 0 {
				t.Fatalf("%q has no size class", text)
			}
		}
	})
}
