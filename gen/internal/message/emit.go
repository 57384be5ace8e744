package message

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/table"
)

func (t *tables) source() []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for _, l := range t.logicals {
		fmt.Fprintf(&b, "\t%s // %s\n", irtab.Camel(l.Name), l.Val.Doc)
	}
	b.WriteString("\tNumNames = iota\n)\n\n")
	words := func(doc, typ, first, number string, list []word) {
		fmt.Fprintf(&b, "// %s is %s.\ntype %[1]s uint8\n\n// The values of %[1]s.\nconst (\n", typ, doc)
		if first != "" {
			fmt.Fprintf(&b, "\t%s %s = iota\n", first, typ)
		}
		for i, w := range list {
			mark := ""
			if i == 0 && first == "" {
				mark = " " + typ + " = iota"
			}
			fmt.Fprintf(&b, "\t%s%s // %s\n", goWord(typ, w.name), mark, w.doc)
		}
		fmt.Fprintf(&b, "\t%s = iota\n)\n\n", number)
		fmt.Fprintf(&b, "var words%s = [...]string{", typ)
		if first != "" {
			b.WriteString(`"", `)
		}
		for _, w := range list {
			fmt.Fprintf(&b, "%q, ", w.name)
		}
		fmt.Fprintf(&b, "}\n\n// String is the word of the tables.\nfunc (x %s) String() string { return words%[1]s[x] }\n\n", typ)
	}
	words("what a message is given", "Source", "", "NumSources", bare(sources, func(s source) word { return s.word }))
	words("where a message works", "Space", "Nowhere", "NumSpaces", spaces)
	words("something known of a message that fields of descriptors hold", "Value", "", "NumValues", bare(values, func(v value) word { return v.word }))
	b.WriteString("var places = [NumSources]uint8{")
	for _, s := range sources {
		fmt.Fprintf(&b, "%d, ", s.place)
	}
	b.WriteString("}\n")
	b.WriteString(records)
	for _, l := range t.logicals {
		v := &l.Val
		fmt.Fprintf(&b, "\t%s: {Name: %q", irtab.Camel(l.Name), l.Name)
		list := func(key string, names []string, of string) {
			if len(names) == 0 {
				return
			}
			fmt.Fprintf(&b, ", %s: ", key)
			for i, n := range names {
				if i > 0 {
					b.WriteString(" | ")
				}
				fmt.Fprintf(&b, "1 << %s", goWord(of, n))
			}
		}
		list("sources", v.Sources, "Source")
		list("spaces", v.Spaces, "Space")
		for _, f := range []struct {
			name string
			on   bool
		}{{"Effect", v.Effect}, {"Orders", v.Orders}, {"Ends", v.Ends}, {"Spill", v.Spill}, {"Narrow", slices.Contains(v.Attributes, "bytes") && slices.Contains(v.Sources, "data")}} {
			if f.on {
				fmt.Fprintf(&b, ", %s: true", f.name)
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n// The families.\nvar (\n")
	for _, f := range t.families {
		t.emitFamily(&b, f)
	}
	b.WriteString(")\n")
	return b.Bytes()
}

func bare[T any](list []T, of func(T) word) []word {
	var out []word
	for _, x := range list {
		out = append(out, of(x))
	}
	return out
}

// goWord is the constant of a word.
func goWord(typ, name string) string {
	if typ == "Value" {
		return "Value" + irtab.Camel(name)
	}
	return irtab.Camel(name)
}

// goFamily is the variable of a family.
func goFamily(name string) string { return strings.ToUpper(name) }

func (t *tables) emitFamily(b *bytes.Buffer, f *table.Row[family]) {
	fmt.Fprintf(b, "\t// %s: %s\n\t%[1]s = &Family{Name: %[3]q,\n\t\tSurfaces: [NumSpaces]uint32{", goFamily(f.Name), f.Val.Doc, f.Name)
	for _, s := range spaces {
		if n, ok := t.surface(f, s.name); ok {
			fmt.Fprintf(b, "%s: %d, ", goWord("Space", s.name), n)
		}
	}
	b.WriteString("},\n\t\tSends: [NumNames]Send{\n")
	for _, l := range t.logicals {
		s := t.send(f, l.Name)
		if s == nil {
			continue
		}
		c := t.controls[s.Val.Message]
		desc := c.Fixed
		fields := ""
		for i := range c.Fields {
			d := &c.Fields[i]
			switch x := s.Val.Fields[d.Name].(type) {
			case int64:
				desc |= uint32(x) << d.At
			case string:
				fields += field(d, x)
			}
		}
		fmt.Fprintf(b, "\t\t\t%s: {Does: true, SFID: isa.%s, Desc: %#x", irtab.Camel(s.Val.Logical), c.SFID, desc)
		if s.Val.First == "thread_header" {
			b.WriteString(", ThreadHeader: true")
		}
		if s.Val.Base != 0 {
			fmt.Fprintf(b, ", Base: %d", s.Val.Base)
		}
		if len(s.Val.Header) > 0 {
			b.WriteString(", Header: []HeaderDword{")
			for _, d := range s.Val.Header {
				fmt.Fprintf(b, "{%d, abi.%s}, ", d.Dword, t.headers[d.Value])
			}
			b.WriteString("}")
		}
		if s.Val.All {
			b.WriteString(", AllSpaces: true")
		}
		if s.Val.Copy {
			b.WriteString(", Copy: true")
		}
		if fields != "" {
			fmt.Fprintf(b, ", Fields: []Field{\n%s\t\t\t}", fields)
		}
		b.WriteString("},\n")
	}
	b.WriteString("\t\t},\n\t}\n")
}

func field(f *isa.ControlField, value string) string {
	codes := ""
	if f.Codes != nil {
		codes = ", Codes: []uint8{"
		for _, c := range f.Codes {
			if c == isa.NoCode {
				codes += "NoCode, "
				continue
			}
			codes += fmt.Sprintf("%#x, ", c)
		}
		codes += "}"
	}
	return fmt.Sprintf("\t\t\t\t{From: %s, At: %d, Mask: %#x%s},\n", goWord("Value", value), f.At, 1<<f.Width-1, codes)
}
