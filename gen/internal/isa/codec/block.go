// SPDX-License-Identifier: MIT

package codec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
)

// codec writes the encoder or the decoder of one layout.
type codec struct {
	isatab.Coder
	file  *emit.File
	name  string // suffix of function names, "L12"
	fails string // the results before the problem in a return
	err   error  // the first one
}

// newCodec starts a file.
func newCodec(t *isatab.Tables, l *isatab.Layout, fails string) *codec {
	return &codec{Coder: isatab.Coder{T: t, L: l}, file: emit.NewFile("isa", ""), name: strings.ToUpper(l.Row.Name), fails: fails}
}

// function writes a function.
func (c *codec) function(signature string, body func(*block)) {
	c.file.Func("", signature, c.block(body)...)
}

func (c *codec) block(body func(*block)) []jen.Code {
	b := &block{codec: c}
	body(b)
	return b.code
}

// is returns an expression for whether the word has the constants of a group, whose name it joins from parts.
func (c *codec) is(group ...string) string { return c.Coder.Is(strings.Join(group, "")) }

func (c *codec) told(group ...string) bool { return c.Coder.Told(strings.Join(group, "")) }

func (c *codec) group(name ...string) bool { return c.L.HasGroup(strings.Join(name, "")) }

// format reports whether the layout has instructions of a format.
func (c *codec) format(name string) bool { return slices.Contains(c.L.V.Formats, name) }

// both reports whether all formats have words in both access modes.
func (c *codec) both() bool { return c.L.BothModes() }

// only16 returns a condition for words that are always in access mode Align16, or "".
func (c *codec) only16() string {
	switch {
	case c.both():
		return "info.Format == FormatTernary"
	case c.told("macro") && c.told("ternary"):
		return "info.Format == FormatTernary || info.Format == FormatMath && in.Math.IsMacro()"
	}
	return ""
}

// flags reports whether words of three sources have the flag in other bits than other words.
func (c *codec) flags() bool { return c.format("ternary") && c.get("t_flag") != c.get("flag") }

// targets returns an expression for the number of targets of a branch.
func (c *codec) targets() string {
	for _, p := range c.T.Platforms {
		for _, r := range c.T.Ops {
			if c.T.LayoutOf(p) == c.L && (slices.Contains(r.Val.JIPOn, p.Name) || slices.Contains(r.Val.JIPOn, p.Val.Family)) {
				return "info.TargetsOn(p)"
			}
		}
	}
	return "info.Targets"
}

// unit returns the number of bits by which a position in a register is shifted in a field.
func (c *codec) unit(field string) string { return strconv.Itoa(c.L.RegisterBits() - c.L.Width(field)) }

// badSub returns a condition for a position in a register, an expression, that a field cannot hold.
func (c *codec) badSub(sub, field string) string {
	beyond := fmt.Sprintf("%s > %d", sub, 1<<c.L.RegisterBits()-1)
	if unit := c.unit(field); unit != "0" {
		return sub + "&(1<<" + unit + "-1) != 0 || " + beyond
	}
	return beyond
}

// inUnits returns an expression for a position in a register, of type uint64, as a field has it.
func (c *codec) inUnits(sub, field string) string {
	if unit := c.unit(field); unit != "0" {
		return "uint64(" + sub + ")>>" + unit
	}
	return "uint64(" + sub + ")"
}

// position returns an expression, of type uint8, for the position in a register that a field has.
func (c *codec) position(field string) string {
	if unit := c.unit(field); unit != "0" {
		return c.inByte(field) + " << " + unit
	}
	return c.inByte(field)
}

// offset returns the number of bits by which an offset from an address is shifted in a field, and the first offset beyond
// its reach, which is 16 registers in both directions.
func (c *codec) offset(field string) (unit, beyond int) {
	return c.L.RegisterBits() + 5 - c.L.Width(field), 16 << c.L.RegisterBits()
}

// macroUnit returns the number of bits by which the number of a math-macro register is shifted in a subregister.
func (c *codec) macroUnit() int {
	if !c.group("macro") {
		return 0
	}
	return c.L.RegisterBits() - 5
}

// laneUnit returns the number of bits by which the first lane of an instruction is shifted in its field.
func (c *codec) laneUnit() int { return 5 - c.L.Width("chan_off") }

// get returns the expression for a field; an error is recorded.
func (c *codec) get(field string) string { return keep(c)(c.Coder.Get(field)) }

func (c *codec) dec(coding, field string) string { return keep(c)(c.Coder.Dec(coding, field)) }

func (c *codec) codeOf(coding, key string) string { return keep(c)(c.Coder.Code(coding, key)) }

// keep records an error.
func keep(c *codec) func(string, error) string {
	return func(text string, err error) string {
		if c.err == nil {
			c.err = err
		}
		return text
	}
}

// block is a list of statements.
type block struct {
	*codec
	code []jen.Code
}

// add adds a simple statement.
func (b *block) add(text string) { b.code = append(b.code, emit.Go(text)) }

// when adds an if statement; it returns the statement, so that an else can be added.
func (b *block) when(condition string, then func(*block)) *jen.Statement {
	s := emit.If(condition, b.block(then)...)
	b.code = append(b.code, s)
	return s
}

// fail returns a problem if a condition holds.
func (b *block) fail(condition, problem string) {
	b.when(condition, func(b *block) { b.give(problem) })
}

// give returns a problem.
func (b *block) give(problem string) { b.add("return " + b.fails + problem) }

// scope adds a block with its own names.
func (b *block) scope(body func(*block)) { b.code = append(b.code, jen.Block(b.block(body)...)) }

// one is a case of a switch, or the default if it has no values.
type one struct {
	values string
	body   func(*block)
}

// choose adds a switch.
func (b *block) choose(value string, cases ...one) {
	var list []jen.Code
	for _, x := range cases {
		if body := b.block(x.body); x.values == "" {
			list = append(list, emit.Default(body...))
		} else {
			list = append(list, emit.Case(x.values, body...))
		}
	}
	b.code = append(b.code, emit.Switch(value, list...))
}

// gives returns a case that returns a problem.
func gives(values, problem string) one {
	return one{values, func(b *block) { b.give(problem) }}
}

// none returns a case that does nothing.
func none(values string) one { return one{values, func(*block) {}} }

// put puts a value into a field.
func (b *block) put(field, value string) {
	code, err := b.Coder.Put(field, value)
	if b.err == nil {
		b.err = err
	}
	b.code = append(b.code, code...)
}

// mark writes the constants of a group.
func (b *block) mark(group ...string) {
	b.code = append(b.code, b.Coder.Mark(strings.Join(group, ""))...)
}

// option writes a field that a group may have, if on is not zero; without the field,
// an instruction that needs it has a problem.
func (b *block) option(group, field, on, problem string) {
	if b.With(group, field) {
		b.put(field, "fields.Bit("+on+")")
	} else {
		b.fail(on, problem)
	}
}
