// SPDX-License-Identifier: MIT

package operators

import (
	"fmt"
	"strings"
)

const head = `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
`

var lanes = fmt.Sprintf("layout(local_size_x = %d) in;\n", Lanes)

// array declares a buffer of scalars.
func array(binding int, t Type, name string) string {
	return fmt.Sprintf("layout(set = 0, binding = %d) buffer B%d { %s %s[]; };\n", binding, binding, t.Name, name)
}

// relations returns overloads that compare scalars and vectors alike.
func relations(t Type) string {
	var b strings.Builder
	for _, r := range []struct{ name, scalar, vector string }{
		{"LT", "<", "lessThan"}, {"LE", "<=", "lessThanEqual"}, {"GT", ">", "greaterThan"},
		{"GE", ">=", "greaterThanEqual"}, {"EQ", "==", "equal"}, {"NE", "!=", "notEqual"},
	} {
		fmt.Fprintf(&b, "bool %s(%s x, %[2]s y) { return x %s y; }\n", r.name, t.Name, r.scalar)
		for n := 2; n <= 4; n++ {
			fmt.Fprintf(&b, "bvec%d %s(%s x, %[3]s y) { return %s(x, y); }\n", n, r.name, t.of(n), r.vector)
		}
	}
	return b.String()
}

// fill replaces the names in an operation's text.
func fill(text string, t Type, n int) string {
	b := "bool"
	first, firstY := "x", "y"
	if n > 1 {
		b = fmt.Sprint("bvec", n)
		first, firstY = "x.x", "y.x"
	}
	short := "int16_t"
	if n > 1 {
		short = fmt.Sprint("i16vec", n)
	}
	return strings.NewReplacer("$PARTY(0)", firstY, "$PART(0)", first, "$X16", short,
		"$V", t.of(n), "$T", t.Name, "$I", intType.of(n), "$U", uintType.of(n), "$B", b, "$N", fmt.Sprintf("%du", n)).Replace(text)
}

// slots maps a width of 1 to 4 components to its first slot among the components of one invocation.
var slots = [5]int{1: 0, 2: 1, 3: 3, 4: 6}

const perLane = 10

// shader returns the case of an operation on a type, at all widths.
func (o *op) shader(t Type) Case {
	out := t
	switch o.result {
	case "u":
		out = uintType
	case "i":
		out = intType
	}
	from, to := max(o.from, 1), o.to
	if to == 0 {
		to = 4
	}
	var b strings.Builder
	b.WriteString(head + lanes)
	for i := range o.args {
		b.WriteString(array(i, t, string("abc"[i])))
	}
	b.WriteString(array(len(o.args), out, "o"))
	if strings.Contains(o.expr+o.helper, "L") || strings.Contains(o.expr, "Q(") {
		b.WriteString(relations(t))
	}
	for n := from; n <= to && o.helper != ""; n++ {
		b.WriteString(fill(o.helper, t, n) + "\n")
	}
	b.WriteString("void main() {\n  uint i = gl_GlobalInvocationID.x;\n")
	for n := from; n <= to; n++ {
		b.WriteString("  {\n")
		for k := range o.args {
			fmt.Fprintf(&b, "    %s %c = %s(", t.of(n), "xyz"[k], t.of(n))
			for c := range n {
				if c > 0 {
					b.WriteString(", ")
				}
				fmt.Fprintf(&b, "%c[i * 4u + %du]", "abc"[k], c)
			}
			b.WriteString(");\n")
		}
		w := n
		if o.scalar {
			w = 1
		}
		fmt.Fprintf(&b, "    %s r = %s;\n", out.of(w), fill(o.expr, t, n))
		for c := range w {
			part := "r"
			if w > 1 {
				part = fmt.Sprintf("r[%d]", c)
			}
			fmt.Fprintf(&b, "    o[i * %du + %du] = %s;\n", perLane, slots[n]+c, part)
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	c := Case{Name: o.name + "/" + t.Name, Source: b.String(), Output: out, Len: Lanes * perLane, Tol: o.tol}
	r := random(c.Name)
	for _, d := range o.args {
		c.Inputs = append(c.Inputs, values(r, t, d, 4*Lanes))
	}
	return c
}

// conversion returns the case that converts from one type to another, with inputs in the range of the result's type.
func conversion(from, to Type) Case {
	var b strings.Builder
	b.WriteString(head + lanes + array(0, from, "a") + array(1, to, "o"))
	b.WriteString("void main() {\n  uint i = gl_GlobalInvocationID.x;\n")
	for n := 1; n <= 4; n++ {
		part := make([]string, n)
		for c := range part {
			part[c] = fmt.Sprintf("a[i * 4u + %du]", c)
		}
		fmt.Fprintf(&b, "  { %s r = %[1]s(%s(%s));\n", to.of(n), from.of(n), strings.Join(part, ", "))
		for c := range n {
			get := "r"
			if n > 1 {
				get = fmt.Sprintf("r[%d]", c)
			}
			fmt.Fprintf(&b, "    o[i * %du + %du] = %s;\n", perLane, slots[n]+c, get)
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	d := Any
	if from.Kind == Float && to.Kind == Uint {
		d = Positive
	}
	tol := exact
	if to.Kind == Float { // correctly rounded, in a direction of the implementation's choice
		tol = oneUp
	}
	c := Case{Name: "convert/" + from.Name + "_to_" + to.Name, Source: b.String(), Output: to, Len: Lanes * perLane, Tol: tol}
	in := values(random(c.Name), from, d, 4*Lanes)
	if to.Bits == 16 && to.Kind == Float && from.Kind != Float && from.Bits > 8 {
		clearHigh(in, from.Bits/8, 15) // to the range of a half float
	}
	c.Inputs = [][]byte{in}
	return c
}

// clearHigh clears bit and all higher bits of each element of size bytes.
func clearHigh(b []byte, size, bit int) {
	for i := range b {
		if at := i % size * 8; at >= bit+1 {
			b[i] = 0
		} else if at+8 > bit {
			b[i] &= 1<<(bit-at) - 1
		}
	}
}
