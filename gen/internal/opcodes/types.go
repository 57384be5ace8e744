// SPDX-License-Identifier: MIT

package opcodes

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/eval"
)

// Operand is a source or the result of an opcode.
type Operand struct {
	Name  string // in eval and documentation; empty for the result
	Base  eval.Base
	Bits  int // 0 = the execution size
	Comps int // 0 = per component; otherwise a vector of exactly this many
}

func (a Operand) sameType(b Operand) bool {
	return a.Base == b.Base && a.Bits == b.Bits && a.Comps == b.Comps
}

// String returns the type as written in tables.
func (a Operand) String() string {
	s := a.Base.String()
	if a.Bits != 0 && a.Base != eval.Bool {
		s += strconv.Itoa(a.Bits)
	}
	if a.Comps != 0 {
		s += "x" + strconv.Itoa(a.Comps)
	}
	return s
}

var typeSyntax = regexp.MustCompile(`^(int|uint|float|bool|bits)(\d+)?(?:x(\d+))?$`)

// sizesOf lists the widths each base type comes in.
var sizesOf = map[eval.Base][]int{
	eval.Int:   {8, 16, 32, 64},
	eval.Uint:  {8, 16, 32, 64},
	eval.Float: {16, 32, 64},
	eval.Bool:  {1},
	eval.Bits:  {1, 8, 16, 32, 64},
}

var compCounts = []int{1, 2, 3, 4, 5, 8, 16}

func (c *checker) operand(field, text string) (Operand, bool) {
	m := typeSyntax.FindStringSubmatch(text)
	if m == nil {
		c.errorf(field, "unknown type %q; a type is int, uint, float, bool or bits, optionally with a width (uint32), then a "+
			"number of components (float32x4)", text)
		return Operand{}, false
	}
	op := Operand{Base: eval.BaseByName(m[1])}
	if m[2] != "" {
		op.Bits, _ = strconv.Atoi(m[2])
		if !slices.Contains(sizesOf[op.Base], op.Bits) {
			c.errorf(field, "%q: there is no %s of %s bits", text, m[1], m[2])
			return op, false
		}
	}
	if op.Base == eval.Bool {
		op.Bits = 1
	}
	if m[3] != "" {
		op.Comps, _ = strconv.Atoi(m[3])
		if !slices.Contains(compCounts, op.Comps) {
			c.errorf(field, "%q: a vector has 1, 2, 3, 4, 5, 8 or 16 components", text)
			return op, false
		}
	}
	return op, true
}

// types reads in, out and sizes.
func (c *checker) types(o *Op) {
	v := &c.r.Val
	switch {
	case len(v.In) == 0:
		c.errorf("in", "missing; the list of the sources' types")
	case len(v.In) > MaxSrc:
		c.errorf("in", "%d sources; an ALU instruction has at most %d", len(v.In), MaxSrc)
		return
	}
	seen := map[string]bool{}
	for i, text := range v.In {
		name, typ, named := strings.Cut(strings.TrimSpace(text), " ")
		if !named {
			name, typ = string(rune('a'+i)), name
		}
		op, ok := c.operand("in", strings.TrimSpace(typ))
		if !ok {
			continue
		}
		op.Name = name
		if reason := eval.CheckName(name); reason != "" {
			c.errorf("in", "source name %q %s", name, reason)
		} else if seen[name] {
			c.errorf("in", "two sources are named %q", name)
		}
		seen[name] = true
		o.Srcs = append(o.Srcs, op)
	}
	if v.Out == "" {
		c.errorf("out", "missing; the type of the result")
	} else {
		o.Out, _ = c.operand("out", v.Out)
	}
	if c.bad {
		return
	}
	if o.Out.Comps == 0 {
		for _, s := range o.Srcs {
			if s.Comps != 0 {
				c.errorf("out", "a source is a vector of %d, so the result needs a number of components too, such as %sx1", s.Comps, o.Out)
				return
			}
		}
	} else {
		for _, s := range o.Srcs {
			if s.Comps == 0 {
				c.errorf("in", "the result has a number of components, so source %s needs one too, such as %sx1", s.Name, s)
				return
			}
		}
	}
	c.sizes(o)
}

// sizes computes the execution sizes: the sizes that every unsized operand allows, restricted by the row's own list.
func (c *checker) sizes(o *Op) {
	unsized := false
	sizes := []int{1, 8, 16, 32, 64}
	for _, s := range append(slices.Clone(o.Srcs), o.Out) {
		if s.Bits == 0 {
			unsized = true
			sizes = slices.DeleteFunc(sizes, func(n int) bool { return !slices.Contains(sizesOf[s.Base], n) })
		}
	}
	if o.Out.Bits == 0 && !slices.ContainsFunc(o.Srcs, func(s Operand) bool { return s.Bits == 0 }) {
		c.errorf("out", "%s has no width, and no source determines it", o.Out)
		return
	}
	if !unsized {
		if len(c.r.Val.Sizes) != 0 {
			c.errorf("sizes", "every operand has a width already")
		}
		return
	}
	if own := c.r.Val.Sizes; len(own) != 0 {
		for i, n := range own {
			if !slices.Contains(sizes, n) {
				c.errorf("sizes", "%d is not a size that the operands allow %v", n, sizes)
				return
			}
			if i > 0 && own[i-1] >= n {
				c.errorf("sizes", "not in ascending order")
				return
			}
		}
		sizes = own
	}
	o.Sizes = sizes
}
