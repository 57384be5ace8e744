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
		t.emitInfo(&infos, l)
	}
	f.Table("", "infos", "[NumNames]Info", &infos)
	var operations emit.Rows
	for _, r := range t.samples {
		operations.F("%d: {Params: %s", t.codes[r.Name], paramList(r.Val.Params))
		if r.Val.Vectors != nil {
			operations.F(", Vectors: %s", paramList(r.Val.Vectors))
		}
		if r.Val.Row {
			operations.F(", Row: true")
		}
		if r.Val.Halves {
			operations.F(", Halves: true")
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

// paramList returns parameters as Go.
func paramList(names []string) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = goWord("Param", n)
	}
	return "[]Param{" + strings.Join(list, ", ") + "}"
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
func (t *tables) emitInfo(r *emit.Rows, l *table.Row[logical]) {
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
	for _, x := range t.logicals {
		if x.Val.Of == l.Name {
			r.F(", OfVertices: %s", irtab.Camel(x.Name))
		}
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
		t.emitSends(&r, l.Name, t.rows(x, l.Name), controls)
	}
	r.F("},\nAtomics: [numAtomics]Code{\n")
	t.emitAtomics(&r, x)
	r.F("},\n}")
	return r.String()
}

// emitSends writes how a family implements a message: the first row, and the others for their spaces.
func (t *tables) emitSends(r *emit.Rows, name string, rows []*table.Row[send], controls *descriptors.ControlSet) {
	rows = slices.DeleteFunc(rows, func(s *table.Row[send]) bool { return controls.ByName[s.Val.Message] == nil })
	if len(rows) == 0 {
		return
	}
	r.F("%s: {", irtab.Camel(name))
	t.emitSend(r, &rows[0].Val, controls.ByName[rows[0].Val.Message])
	if len(rows) > 1 {
		r.F(", In: []SpaceSend{\n")
		for _, s := range rows[1:] {
			for _, space := range s.Val.Spaces {
				r.F("{%s, Send{", goWord("Space", space))
				t.emitSend(r, &s.Val, controls.ByName[s.Val.Message])
				r.F("}},\n")
			}
		}
		r.F("}")
	}
	r.F("},\n")
}

// emitSend writes the fields of a Send.
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
			if d.Numbers != nil {
				x = int64(d.Numbers[strconv.FormatInt(x, 10)])
			}
			desc |= uint32(x) << d.At
		case string:
			if code, ok := d.Words[x]; ok {
				desc |= uint32(code) << d.At
				continue
			}
			fields = append(fields, t.field(d, x, v)+",\n")
		}
	}
	sfid := c.SFID
	if v.SFID != "" {
		sfid = c.Also[v.SFID]
	}
	r.F("Does: true, SFID: isa.%s, Desc: %#x", sfid, desc)
	switch v.First {
	case "thread_header":
		r.F(", ThreadHeader: true")
	case "offset":
		r.F(", Offset: true")
	case "lane_offsets":
		r.F(", LaneOffsets: true")
	}
	if v.Single {
		r.F(", Single: true")
	}
	if v.Binding != 0 {
		r.F(", Binding: %d", v.Binding)
	}
	if v.Added != 0 {
		r.F(", Added: %d", v.Added)
	}
	if v.State != 0 {
		r.F(", State: %d", v.State)
	}
	if v.Fields["half_params"] == "halves" {
		r.F(", Halves: true")
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
			if d.Also != 0 {
				r.F("{%d, abi.%s, %d}, ", d.Dword, t.headers[d.Value], d.Also)
			} else {
				r.F("{%d, abi.%s, 0}, ", d.Dword, t.headers[d.Value])
			}
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
}

// fieldCodes returns the codes of a value in a field, or nil if the field holds the value itself.
func (t *tables) fieldCodes(f *descriptors.ControlField, value string, v *send) []uint8 {
	list := func(n int, code func(i int) (int, bool)) []uint8 {
		out := make([]uint8, n)
		for i := range out {
			out[i] = descriptors.NoCode
			if c, ok := code(i); ok {
				out[i] = uint8(c)
			}
		}
		return out
	}
	number := func(n int) (int, bool) { c, ok := f.Numbers[strconv.Itoa(n)]; return c, ok }
	switch {
	case f.Numbers != nil && value == "log2_dwords":
		return list(7, func(i int) (int, bool) { return number(1 << i) })
	case f.Numbers != nil && value == "dwords":
		return list(9, number)
	case f.Numbers != nil:
		return list(5, number)
	case f.Kind == "lsc_data_size": // in a register, data of less than 32 bits have a doubleword
		return list(4, func(i int) (int, bool) {
			c, ok := f.Words[[...]string{"d8u32", "d16u32", "d32", "d64"}[i]]
			return c, ok
		})
	case f.Kind == "lsc_addr_type":
		return list(2, func(i int) (int, bool) { c, ok := f.Words[[...]string{"bti", "bss"}[i]]; return c, ok })
	case f.Kind == "lsc_atomic_op":
		return t.operations(f, v)
	}
	return f.Codes
}

// operations returns the codes of the load/store unit for the operations of a message on integers or floats, by their codes.
func (t *tables) operations(f *descriptors.ControlField, v *send) []uint8 {
	ops := t.ints
	if slices.ContainsFunc(t.logicals, func(l *table.Row[logical]) bool { return l.Val.Floats == v.Logical }) {
		ops = t.floats
	}
	out := slices.Repeat([]uint8{descriptors.NoCode}, 16)
	for name, code := range ops {
		if c, ok := f.Words[name]; ok {
			out[code] = uint8(c)
		}
	}
	return out
}

// field returns, as Go, a part of a descriptor that holds a value.
func (t *tables) field(f *descriptors.ControlField, value string, v *send) string {
	codes := ""
	if of := t.fieldCodes(f, value, v); of != nil {
		var list []string
		for _, c := range of {
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
