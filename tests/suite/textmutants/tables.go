// SPDX-License-Identifier: MIT

package textmutants

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// declared is a kind of token whose values the tables declare.
type declared struct {
	form  *regexp.Regexp // matches the token
	value func(rng *rand.Rand, token []string) string
}

// byTables are the tokens that may become other values of the tables: sizes and components, opcodes and intrinsics, modes,
// types, indices, members and lengths.
var byTables = []declared{
	{regexp.MustCompile(`^(\s*%\d+ = \w+)\.\d+(?:x\d+)?`), func(rng *rand.Rand, t []string) string { return t[1] + "." + size(rng) }},
	{regexp.MustCompile(`^(\s*%\d+ = )(\w+)`), func(rng *rand.Rand, t []string) string { return t[1] + instruction(rng, t[2]) }},
	{regexp.MustCompile(`\bmodes=([\w|]+)`), func(rng *rand.Rand, _ []string) string { return "modes=" + member(rng, &kind.EnumMode) }},
	{regexp.MustCompile(`\btype=(?:\[[^\]]*\]|\w+)`), func(rng *rand.Rand, _ []string) string { return "type=" + typeOf(rng) }},
	{regexp.MustCompile(`\b(\w+)=([\w|-]+)`), func(rng *rand.Rand, t []string) string { return t[1] + "=" + index(rng, t[1], t[2]) }},
	{regexp.MustCompile(`\.([wxyz]{1,4})\b`), func(rng *rand.Rand, t []string) string { return "." + swizzle(rng, len(t[1])) }},
	{regexp.MustCompile(`\b[fiu]\d+(?:x\d+)*`), func(rng *rand.Rand, _ []string) string { return scalar(rng) }},
	{regexp.MustCompile(`\[(\d+) x `), func(rng *rand.Rand, _ []string) string { return fmt.Sprintf("[%d x ", number(rng)) }},
	{regexp.MustCompile(`0x[0-9a-f]+`), func(rng *rand.Rand, _ []string) string { return fmt.Sprintf("%#x", number(rng)) }},
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

func number(rng *rand.Rand) uint32 {
	return pick[uint32](rng, 0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 31, 32, 63, 64, 255, 256, 4095, 1<<16, 1<<30, 1<<31, 1<<32-1)
}

func size(rng *rand.Rand) string {
	bits, n := pick(rng, 1, 8, 16, 32, 32, 64), pick(rng, 1, 1, 2, 3, 4, 5, 8, 16)
	if n == 1 {
		return fmt.Sprint(bits)
	}
	return fmt.Sprintf("%dx%d", bits, n)
}

// instruction returns a replacement for an instruction, if possible with the same number of sources.
func instruction(rng *rand.Rand, name string) string {
	for range 64 {
		if o, ok := op.ByName(name); ok {
			if x := op.Op(1 + rng.IntN(int(op.Count)-1)); x.Info().NumSrc == o.Info().NumSrc {
				return x.Info().Name
			}
		} else if id, ok := intrinsic.ByName(name); ok {
			if x := intrinsic.ID(1 + rng.IntN(int(intrinsic.Count)-1)); x.Info().NumOperands() == id.Info().NumOperands() {
				return x.Info().Name
			}
		}
	}
	return name
}

// member returns a value of an enumeration, or some values of a set.
func member(rng *rand.Rand, e *kind.Enum) string {
	list := []string{pick(rng, e.Names...)}
	for e.Mask && rng.IntN(3) == 0 {
		list = append(list, pick(rng, e.Names...))
	}
	return strings.Join(list, "|")
}

// index returns another value for an index of an intrinsic or for a field, according to the tables.
func index(rng *rand.Rand, name, value string) string {
	for i := range intrinsic.Indices {
		if x := &intrinsic.Indices[i]; x.Name == name && x.Enum != "" {
			for _, e := range kind.Enums {
				if e.Name == x.Enum {
					return member(rng, e)
				}
			}
		}
	}
	for _, e := range kind.Enums { // a field, or a declaration of the shader
		for _, n := range e.Names {
			if n == value && rng.IntN(2) == 0 {
				return member(rng, e)
			}
		}
	}
	return fmt.Sprint(number(rng))
}

func scalar(rng *rand.Rand) string {
	t := pick(rng, "f", "i", "u") + fmt.Sprint(pick(rng, 8, 16, 32, 32, 64))
	for rng.IntN(2) == 0 {
		t += fmt.Sprintf("x%d", pick(rng, 2, 3, 4))
	}
	return t
}

func typeOf(rng *rand.Rand) string {
	switch rng.IntN(4) {
	case 0:
		return fmt.Sprintf("[%d x %s, %d]", number(rng), typeOf(rng), pick(rng, 0, 4, 16))
	case 1:
		return fmt.Sprintf("S%d", 1+rng.IntN(3))
	}
	return scalar(rng)
}

func swizzle(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "xyzw"[rng.IntN(4)]
	}
	return string(b)
}

// declare changes a token of a line to another value of the tables.
func declare(rng *rand.Rand, line string) string {
	from := rng.IntN(len(byTables))
	for i := range byTables {
		d := &byTables[(from+i)%len(byTables)]
		at := d.form.FindAllStringSubmatchIndex(line, -1)
		if len(at) == 0 {
			continue
		}
		x := at[rng.IntN(len(at))]
		var groups []string
		for k := 0; k < len(x); k += 2 {
			groups = append(groups, line[x[k]:x[k+1]])
		}
		return line[:x[0]] + d.value(rng, groups) + line[x[1]:]
	}
	return line
}
