// SPDX-License-Identifier: MIT

package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/table"
)

func (t *tables) source() *emit.File {
	f := emit.NewFile("message", `Package message holds the logical messages ([Name]), the compiler's machine-independent
requests to memory and fixed functions, and the families of messages that implement them
([Family]): the descriptor, header and payloads of each. Selection and spilling emit
logical messages; backend/intel/lower lowers them to sends by the target's family.
The rows are in defs/intel/message.`)
	names := []emit.Name{{Name: "None"}}
	for _, l := range t.logicals {
		names = append(names, emit.Name{Name: irtab.Camel(l.Name), Doc: l.Val.Doc})
	}
	f.Counted("Name is a logical message.", "Name", "The logical messages.", names, "NumNames")
	emitWords(f, "an operand of a logical message", "Source", "", "NumSources", bare(sources, func(s source) word { return s.word }))
	emitWords(f, "a memory space that a message accesses", "Space", "Nowhere", "NumSpaces", spaces)
	emitWords(f, "a property of a message that a descriptor field encodes", "Value", "", "NumValues",
		bare(values, func(v value) word { return v.word }))
	var places []string
	for _, s := range sources {
		places = append(places, strconv.Itoa(s.place))
	}
	f.List("", "places", "[NumSources]uint8", places)
	f.Const("", "numAtomics", strconv.Itoa(len(t.atomics)))
	records(f)
	emitWords(f, "a parameter of an operation of the sampler", "Param", "", "NumParams", params)
	var infos emit.Rows
	for _, l := range t.logicals {
		emitInfo(&infos, l)
	}
	f.Table("", "infos", "[NumNames]Info", &infos)
	var operations emit.Rows
	for _, r := range t.samples {
		operations.F("%d: {Params: []Param{", t.codes[r.Name])
		for _, n := range r.Val.Params {
			operations.F("%s, ", goWord("Param", n))
		}
		operations.F("}")
		if r.Val.Lanes != 0 {
			operations.F(", Lanes: %d", r.Val.Lanes)
		}
		operations.F("}, // %s\n", r.Name)
	}
	f.Table("Operations are the operations of the sampler, by code.", "Operations", "[32]Operation", &operations)
	var families []emit.Name
	for _, x := range t.families {
		for i := range t.controls {
			c := &t.controls[i]
			name := goFamily(x.Name) + c.Platform
			families = append(families, emit.Name{Name: name, Above: name + ": " + x.Val.Doc, Is: "= " + t.record(x, c)})
		}
	}
	f.Vars("The families.", families)
	return f
}

// emitWords writes a type whose values are words of the tables, preceded by first, a value
// without a word, unless it is "".
func emitWords(f *emit.File, doc, typ, first, number string, list []word) {
	var values []emit.Name
	var words []string
	if first != "" {
		values, words = append(values, emit.Name{Name: first}), append(words, `""`)
	}
	for _, w := range list {
		values = append(values, emit.Name{Name: goWord(typ, w.name), Doc: w.doc})
		words = append(words, strconv.Quote(w.name))
	}
	f.Counted(typ+" is "+doc+".", typ, "The values of "+typ+".", values, number)
	f.List("", "words"+typ, "[...]string", words)
	f.Returns("String returns the name used in the tables.", "(x "+typ+") String() string", "words"+typ+"[x]")
}

// emitInfo writes the row of a logical message.
func emitInfo(r *emit.Rows, l *table.Row[logical]) {
	v := &l.Val
	bits := func(names []string, typ string) (out []string) {
		for _, n := range names {
			out = append(out, "1 << "+goWord(typ, n))
		}
		return out
	}
	r.F("%s: {Name: %q", irtab.Camel(l.Name), l.Name)
	r.Set("sources", bits(v.Sources, "Source"))
	r.Set("spaces", bits(v.Spaces, "Space"))
	sized := slices.Contains(v.Attributes, "bytes")
	for _, x := range []struct {
		name string
		on   bool
	}{
		{"Effect", v.Effect}, {"Clipped", v.Clipped}, {"Orders", v.Orders}, {"Ends", v.Ends}, {"LaneBits", v.LaneBits}, {"Spill", v.Spill},
		{"Sized", sized}, {"Narrow", sized && slices.Contains(v.Sources, "data") && !slices.Contains(v.Attributes, "op")},
	} {
		if x.on {
			r.F(", %s: true", x.name)
		}
	}
	if v.Floats != "" {
		r.F(", Floats: %s", irtab.Camel(v.Floats))
	}
	r.F("},\n")
}

func bare[T any](list []T, of func(T) word) []word {
	var out []word
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// goWord returns the constant of a word.
func goWord(typ, name string) string {
	if typ == "Value" || typ == "Param" {
		return typ + irtab.Camel(name)
	}
	return irtab.Camel(name)
}

// goFamily returns the variable of a family.
func goFamily(name string) string { return strings.ToUpper(name) }

// record returns a family as Go, with the descriptors of some platforms.
func (t *tables) record(x *table.Row[family], controls *descriptors.ControlSet) string {
	var r emit.Rows
	r.F("&Family{Name: %q,\nSurfaces: [NumSpaces]uint32{", x.Name)
	for _, s := range spaces {
		if n, ok := t.surface(x, s.name); ok {
			r.F("%s: %d, ", goWord("Space", s.name), n)
		}
	}
	r.F("},\nBindless: %d,\nSends: [NumNames]Send{\n", t.bindless(x))
	for _, l := range t.logicals {
		if s := t.send(x, l.Name); s != nil {
			if c := controls.ByName[s.Val.Message]; c != nil {
				t.emitSend(&r, &s.Val, c)
			}
		}
	}
	r.F("},\nAtomics: [numAtomics]Code{\n")
	t.emitAtomics(&r, x)
	r.F("},\n}")
	return r.String()
}

// emitSend writes how a family implements a message.
func (t *tables) emitSend(r *emit.Rows, v *send, c *descriptors.Control) {
	desc := c.Fixed
	if v.Bit19 {
		desc |= descriptors.HeaderBit
	}
	var fields []string
	for i := range c.Fields {
		d := &c.Fields[i]
		switch x := v.Fields[d.Name].(type) {
		case int64:
			desc |= uint32(x) << d.At
		case string:
			fields = append(fields, field(d, x)+",\n")
		}
	}
	r.F("%s: {Does: true, SFID: isa.%s, Desc: %#x", irtab.Camel(v.Logical), c.SFID, desc)
	if v.First == "thread_header" {
		r.F(", ThreadHeader: true")
	}
	if v.Lanes != 0 {
		r.F(", Lanes: %d", v.Lanes)
	}
	if v.Base != 0 {
		r.F(", Base: %d", v.Base)
	}
	if len(v.Header) > 0 {
		r.F(", Header: []HeaderDword{")
		for _, d := range v.Header {
			r.F("{%d, abi.%s}, ", d.Dword, t.headers[d.Value])
		}
		r.F("}")
	}
	if v.All {
		r.F(", AllSpaces: true")
	}
	if v.Above != 0 {
		r.F(", Extended: %d", v.Above)
	}
	if v.Ordered {
		r.F(", Ordered: true")
	}
	if v.Copy {
		r.F(", Copy: true")
	}
	if v.Most != 0 {
		r.F(", Registers: %d", v.Most)
	}
	if len(fields) > 0 {
		r.F(", Fields: []Field{\n%s}", strings.Join(fields, ""))
	}
	r.F("},\n")
}

// field returns, as Go, a part of a descriptor that holds a value.
func field(f *descriptors.ControlField, value string) string {
	codes := ""
	if f.Codes != nil {
		var list []string
		for _, c := range f.Codes {
			if c == descriptors.NoCode {
				list = append(list, "NoCode")
			} else {
				list = append(list, fmt.Sprintf("%#x", c))
			}
		}
		codes = ", Codes: []uint8{" + strings.Join(list, ", ") + "}"
	}
	return fmt.Sprintf("{From: %s, At: %d, Mask: %#x%s}", goWord("Value", value), f.At, 1<<f.Width-1, codes)
}
