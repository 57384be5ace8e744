// SPDX-License-Identifier: MIT

package irgen

import (
	"fmt"
	"path"
	"strings"

	"jacquard.example/gen/internal/irtab"
)

const intrinsicsHead = `# Intrinsics

An intrinsic is an operation other than pure arithmetic and control flow. Its signature
names the declared sources with their components and the result's; n is the number that
the instruction holds. image or texture at the end is one more operand: the object that
it acts on. Constant indices are words of the instruction; kinds.md describes them, and
the defaults that the printer leaves out. Flags are permissions for passes:

- can_eliminate: it may be dropped when nothing reads its result;
- can_reorder: it may be moved and merged like arithmetic;
- convergent: it must stay under the same control flow.

Over a subgroup a result is the same for all invocations that run the instruction
together always, never, or (when nothing is said) when the sources are. An intrinsic
without stages has a meaning in all of them; the validator refuses it elsewhere.

A row of a file below defs/intrinsics is all that an intrinsic takes. The target of a
family such as the image intrinsics is given in one of three forms: as a deref, an
index into the binding table, or a bindless handle; the index form selects one.

`

// intrinsicPage writes the reference of the intrinsics.
func intrinsicPage(t *irtab.Tables) []byte {
	var b buf
	b.f("%s", intrinsicsHead)
	b.f("There are %d intrinsics.\n", len(t.Intrinsics))
	file := ""
	for _, in := range t.Intrinsics {
		if f := in.Row.Pos.File; f != file {
			file = f
			b.f("\n## %s\n", topic(f))
		}
		d := &in.Row.Val
		b.f("\n### %s\n\n%s\n\n    %s\n", in.Row.Name, d.Doc, in)
		var more []string
		add := func(what string, words ...string) {
			if text := strings.Join(words, ", "); text != "" {
				more = append(more, what+" "+text)
			}
		}
		var ix []string
		for _, x := range in.Indices {
			ix = append(ix, x.Row.Name)
		}
		add("Indices", ix...)
		add("flags", d.Flags...)
		add("stages", d.Stages...)
		switch d.Uniform {
		case "":
		case "cluster":
			add("over a cluster", "the same")
		default:
			add("over a subgroup", d.Uniform+" the same")
		}
		add("traits", d.Traits...)
		add("atomic operation", d.AtomicOp)
		if len(d.Bits) > 0 {
			add("bits", strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Bits), " ", ", "), "[]"))
		}
		if in.Form >= 0 {
			add("form", t.Enum("target_form").Val.Values[in.Form].Name)
		}
		if len(more) > 0 {
			text := strings.Join(more, "; ") + ".\n"
			b.f("\n%s", strings.ToUpper(text[:1])+text[1:])
		}
	}
	return b.Bytes()
}

const kindsHead = `# Kinds of instructions, indices, enumerations, formats of texels

Every instruction has a record with the size of its result, its float flags, and its
place in the source; a kind adds sources, and fields that are words after the record. From a row of defs/ir/kinds.toml follow the printer, the parser, the
binary form, copying, hashing, comparison, visiting, checks, and a constructor.

Types of fields and indices: u32, i32, u64, bool; a value of an enumeration (enum) or a
set of them (mask); type, var, func; blocks and enums, one for each source; data, one
word for each component, two at 64 bits. The text format writes NAME=VALUE and leaves
out fields that are zero and indices with their defaults: numbers in decimal, u64 in hexadecimal,
true, names of values, and sets as names with | between them.

`

// kindPage writes the reference of the kinds, indices and enumerations.
func kindPage(t *irtab.Tables) []byte {
	var b buf
	b.f("%s## Kinds\n", kindsHead)
	for _, k := range t.Kinds {
		d := &k.Row.Val
		b.f("\n### %s\n\n%s\n\n", k.Row.Name, d.Doc)
		if d.Sub != "" {
			b.f("- opcode: %s\n", d.Sub)
		}
		b.f("- result: %s\n", strings.ReplaceAll(d.Result, "by_sub", "depends on the opcode"))
		shape(&b, k.Src, k.Variadic, k.Fields)
		for _, v := range k.Variants {
			src, fields := v.Src[len(k.Src):], v.Fields[len(k.Fields):]
			if v.Doc != "" || len(src)+len(fields) > 0 {
				b.f("\n%s_%s: %s\n\n", k.Row.Name, v.Value, v.Doc)
				shape(&b, src, false, fields)
			}
		}
	}
	b.f("\n## Indices\n\n| index | type | default | at most | meaning |\n|---|---|---|---|---|\n")
	for _, x := range t.Indices {
		def, most := "", ""
		if v := x.Row.Val.Default; v != nil {
			def = fmt.Sprint(v)
		}
		if m := x.Row.Val.Max; m != nil {
			most = fmt.Sprint(*m)
		}
		b.f("| %s | %s | %s | %s | %s |\n", x.Row.Name, x.Row.Val.Type, def, most, x.Row.Val.Doc)
	}
	b.f("\n## Enumerations\n")
	for _, e := range t.Enums {
		what := ""
		if e.Val.Mask {
			what = " A field holds a set of them."
		}
		b.f("\n### %s\n\n%s%s\n\n", e.Name, e.Val.Doc, what)
		var plain []string
		for _, v := range e.Val.Values {
			if v.Doc == "" {
				plain = append(plain, v.Name)
				continue
			}
			b.f("- %s: %s\n", v.Name, v.Doc)
		}
		if len(plain) > 0 {
			b.f("- %s\n", strings.Join(plain, ", "))
		}
	}
	formatPage(&b, t)
	return b.Bytes()
}

func shape(b *buf, src []string, variadic bool, fields []irtab.Field) {
	if variadic {
		src = append(append([]string{}, src...), "any number")
	}
	if len(src) > 0 {
		b.f("- sources: %s\n", strings.Join(src, ", "))
	}
	for _, f := range fields {
		typ := f.Class.String()
		if f.Enum != nil {
			typ += " " + f.Enum.Name
		}
		b.f("- %s: %s\n", f.Name, typ)
	}
}

func topic(file string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(path.Base(file), ".toml"), "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}
