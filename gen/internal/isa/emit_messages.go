package isa

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/table"
)

// emitMessages writes the messages' enumerations and the decoder.
func (t *tables) emitMessages(b *bytes.Buffer) {
	b.WriteString("package isa\n\n")
	for _, e := range t.msgEnums {
		typ := goName(e.Name, e.Val.Go)
		fmt.Fprintf(b, "// %s is %s; the values are the machine's codes.\ntype %s uint8\n\n// The values of %s.\nconst (\n", typ, e.Val.Doc, typ, typ)
		for _, n := range byValue(e.Val.Values) {
			fmt.Fprintf(b, "\t%s%s %s = %d\n", enumPrefix(typ), goName(n, ""), typ, e.Val.Values[n])
		}
		fmt.Fprintf(b, ")\n\nvar names%s = [...]string{\n", typ)
		for _, n := range byValue(e.Val.Values) {
			fmt.Fprintf(b, "\t%d: %q,\n", e.Val.Values[n], n)
		}
		fmt.Fprintf(b, "}\n\n// String is the name.\nfunc (x %s) String() string { return nameOf(names%s[:], uint8(x), %q) }\n\n", typ, typ, e.Name)
		if e.Val.Operands != nil {
			fmt.Fprintf(b, "// Operands is the number of data operands of the operation.\nfunc (x %s) Operands() int {\n\tswitch x {\n", typ)
			for _, n := range byValue(e.Val.Values) {
				if k, ok := e.Val.Operands[n]; ok {
					fmt.Fprintf(b, "\tcase %s%s:\n\t\treturn %d\n", enumPrefix(typ), goName(n, ""), k)
				}
			}
			b.WriteString("\t}\n\treturn 1\n}\n\n")
		}
		if e.Val.Lacks != nil {
			t.emitOn(b, e, typ)
		}
	}
	b.WriteString("// MsgKind is a kind of message.\ntype MsgKind uint8\n\n// The kinds of messages.\nconst (\n\tMsgUnknown MsgKind = iota\n")
	for _, m := range t.messages {
		fmt.Fprintf(b, "\tMsg%s // %s\n", goName(m.Name, m.Val.Go), m.Val.Doc)
	}
	b.WriteString(")\n\nvar msgNames = [...]string{\"unknown\", ")
	for _, m := range t.messages {
		fmt.Fprintf(b, "%q, ", m.Name)
	}
	b.WriteString("}\n\n// String is the name of the message's row.\nfunc (k MsgKind) String() string { return nameOf(msgNames[:], uint8(k), \"message\") }\n\n")
	t.emitMsgInfo(b)
	t.emitMsgDecoder(b)
}

// emitOn writes whether a platform has an operation.
func (t *tables) emitOn(b *bytes.Buffer, e *table.Row[msgEnum], typ string) {
	fmt.Fprintf(b, "// On reports whether a platform has the operation.\nfunc (x %s) On(p Platform) bool {\n\tswitch p {\n", typ)
	for _, p := range t.platforms {
		var names []string
		for _, n := range e.Val.lacks(p) {
			names = append(names, enumPrefix(typ)+goName(n, ""))
		}
		if names != nil {
			fmt.Fprintf(b, "\tcase %s:\n\t\tswitch x {\n\t\tcase %s:\n\t\t\treturn false\n\t\t}\n", p.Val.Go, strings.Join(names, ", "))
		}
	}
	fmt.Fprintf(b, "\t}\n\treturn int(x) < len(names%s) && names%[1]s[x] != \"\"\n}\n\n", typ)
}

// emitBuilders writes one function for each message that makes its descriptors.
func (t *tables) emitBuilders(b *bytes.Buffer) {
	b.WriteString("package isa\n\n")
	for i, m := range t.messages {
		for _, p := range t.platforms {
			if x := t.messagesOn(p); x != nil {
				x.emitBuilder(b, x.messages[i], p)
			}
		}
		t.emitBuilder(b, m, nil)
	}
}

// enumPrefix keeps the constants' names short: AtomicOp gives Atomic….
func enumPrefix(typ string) string {
	if n := len(typ) - 2; n > 0 && typ[n:] == "Op" {
		return typ[:n]
	}
	return typ
}

func (t *tables) goKind(f *table.Row[msgField]) string {
	switch f.Val.Kind {
	case "", "uint":
		return "uint32"
	case "bool":
		return "bool"
	case "lanes", "comps":
		return "int"
	}
	e := t.msgEnumByName(f.Val.Kind)
	return goName(e.Name, e.Val.Go)
}

func (t *tables) emitMsgInfo(b *bytes.Buffer) {
	b.WriteString(`// MsgInfo is a decoded message descriptor. Fields that the message does not
// have are zero.
type MsgInfo struct {
	Kind   MsgKind
	SFID   SFID
	Mlen   int  // GRFs of the first payload
	Rlen   int  // GRFs of the response
	Xlen   int  // GRFs of the second payload
	Header bool // the first payload starts with a header

	Mask uint8 // enabled channels, bit 0 = x, for messages with components

`)
	seen := map[string]bool{}
	for _, f := range t.msgFields {
		n := infoName(f)
		if seen[n] {
			continue
		}
		seen[n] = true
		doc := f.Val.Doc
		if n == "Lanes" {
			doc = "lanes: 8 or 16"
		}
		fmt.Fprintf(b, "\t%s %s // %s\n", n, t.goKind(f), doc)
	}
	b.WriteString("}\n\n")
}

// emitBuilder writes the builder of a message on one platform; without one, the builder
// that all have, which asks those.
func (t *tables) emitBuilder(b *bytes.Buffer, m *table.Row[messageRow], p *table.Row[platform]) {
	name := goName(m.Name, m.Val.Go)
	if p == nil {
		fmt.Fprintf(b, "// Desc%s returns a platform's descriptors of: %s", name, m.Val.Doc)
		if m.Val.Mlen == "" {
			b.WriteString("\n// mlen, xlen and rlen are the GRFs of the payloads and of the response.")
		}
		fmt.Fprintf(b, "\nfunc Desc%s(p Platform, ", name)
	} else {
		fmt.Fprintf(b, "func desc%s%s(", name, p.Val.Go)
	}
	for _, n := range m.Val.Fields {
		f := t.msgFieldByName(n)
		fmt.Fprintf(b, "%s %s, ", paramName(f), t.goKind(f))
	}
	if m.Val.Mlen == "" {
		b.WriteString("mlen, xlen, rlen int")
	}
	_, value, _ := m.Val.fixedBits()
	if m.Val.Header {
		value |= headerBit
	}
	b.WriteString(") (desc, exdesc uint32) {\n")
	if p == nil {
		t.onPlatforms(b, "desc"+name, t.builderArgs(m))
	}
	fmt.Fprintf(b, "\tdesc = %#x\n", value)
	for _, n := range m.Val.Fields {
		f := t.msgFieldByName(n)
		p := paramName(f)
		spans, _ := parseBits(f.Val.Bits)
		v := "uint32(" + p + ")"
		switch f.Val.Kind {
		case "bool":
			v = "uint32(bit(" + p + "))"
		case "comps":
			v = "0xF&^(1<<" + p + "-1)"
		case "lanes":
			v = "laneCode"
			fmt.Fprintf(b, "\tvar laneCode uint32\n\tswitch %s {\n", p)
			for _, l := range byValue(f.Val.Values) {
				fmt.Fprintf(b, "\tcase %s:\n\t\tlaneCode = %d\n", l, f.Val.Values[l])
			}
			fmt.Fprintf(b, "\tdefault:\n\t\tpanic(\"isa: Desc%s does not exist for this number of lanes\")\n\t}\n", name)
		case "", "uint":
			v = p
		}
		for _, pc := range pieces(spans) {
			part := "(" + v + ")"
			if pc.from > 0 {
				part += fmt.Sprintf(">>%d", pc.from)
			}
			fmt.Fprintf(b, "\tdesc |= %s & %#x << %d\n", part, uint32(1)<<pc.width-1, pc.at)
		}
	}
	if m.Val.Mlen == "" {
		b.WriteString("\treturn desc | DescLengths(mlen, rlen), ExDescLength(xlen)\n}\n\n")
		return
	}
	ml, _ := t.lengthExpr(m, m.Val.Mlen)
	rl, _ := t.lengthExpr(m, m.Val.Rlen)
	xl, _ := t.lengthExpr(m, m.Val.Xlen)
	fmt.Fprintf(b, "\treturn desc | DescLengths(%s, %s), ExDescLength(%s)\n}\n\n", ml, rl, xl)
}

// builderArgs are the parameters of a builder, handed on.
func (t *tables) builderArgs(m *table.Row[messageRow]) string {
	var args []string
	for _, n := range m.Val.Fields {
		args = append(args, paramName(t.msgFieldByName(n)))
	}
	if m.Val.Mlen == "" {
		args = append(args, "mlen", "xlen", "rlen")
	}
	return strings.Join(args, ", ")
}

// onPlatforms hands a call on to the function of a platform that has its own messages.
func (t *tables) onPlatforms(b *bytes.Buffer, name, args string) {
	for _, p := range t.platforms {
		if t.messagesOn(p) != nil {
			fmt.Fprintf(b, "\tif p == %[1]s {\n\t\treturn %[2]s%[1]s(%[3]s)\n\t}\n", p.Val.Go, name, args)
		}
	}
}

// emitMsgDecoder writes what tells what a message is, for all platforms.
func (t *tables) emitMsgDecoder(b *bytes.Buffer) {
	b.WriteString(`// DescLengths puts the payload's and the response's length into a descriptor.
func DescLengths(mlen, rlen int) uint32 { return uint32(mlen)&0xF<<25 | uint32(rlen)&0x1F<<20 }

// ExDescLength puts the second payload's length into an extended descriptor.
func ExDescLength(xlen int) uint32 { return uint32(xlen) & 0x1F << 6 }

// DecodeMessage says what a message is; ok is false when no row of the tables
// describes it, and then only the lengths are set.
func DecodeMessage(p Platform, sfid SFID, desc, exdesc uint32) (m MsgInfo, ok bool) {
	m.SFID = sfid
	m.Mlen = int(desc >> 25 & 0xF)
	m.Rlen = int(desc >> 20 & 0x1F)
	m.Xlen = int(exdesc >> 6 & 0x1F)
	m.Header = desc>>19&1 != 0
`)
	for _, p := range t.platforms {
		if t.messagesOn(p) != nil {
			fmt.Fprintf(b, "\tif p == %s {\n\t\tm.decode%[1]s(desc)\n\t\treturn m, m.Kind != MsgUnknown\n\t}\n", p.Val.Go)
		}
	}
	b.WriteString("\tm.decode(desc)\n\treturn m, m.Kind != MsgUnknown\n}\n\n")
	t.emitMsgFields(b, "")
	for _, p := range t.platforms {
		if x := t.messagesOn(p); x != nil {
			x.emitMsgFields(b, p.Val.Go)
		}
	}
}

// emitMsgFields writes the decoder of the messages' own bits on a platform, or on all
// others.
func (t *tables) emitMsgFields(b *bytes.Buffer, platform string) {
	fmt.Fprintf(b, "func (m *MsgInfo) decode%s(desc uint32) {\n\tswitch m.SFID {\n", platform)
	for _, s := range t.sfids {
		first := true
		for _, m := range t.messages {
			if m.Val.SFID != s.Name {
				continue
			}
			if first {
				fmt.Fprintf(b, "\tcase SFID%s:\n\t\tswitch {\n", goName(s.Name, s.Val.Go))
				first = false
			}
			mask, value, _ := m.Val.fixedBits()
			if mask == 0 {
				b.WriteString("\t\tdefault:\n")
			} else {
				fmt.Fprintf(b, "\t\tcase desc&%#x == %#x:\n", mask, value)
			}
			fmt.Fprintf(b, "\t\t\tm.Kind = Msg%s\n", goName(m.Name, m.Val.Go))
			for _, n := range m.Val.Fields {
				t.emitMsgField(b, t.msgFieldByName(n))
			}
		}
		if !first {
			b.WriteString("\t\t}\n")
		}
	}
	b.WriteString("\t}\n}\n\n")
}

func (t *tables) emitMsgField(b *bytes.Buffer, f *table.Row[msgField]) {
	spans, _ := parseBits(f.Val.Bits)
	get := ""
	for i, p := range pieces(spans) {
		if i > 0 {
			get += "|"
		}
		s := fmt.Sprintf("desc>>%d&%#x", p.at, uint32(1)<<p.width-1)
		if p.from > 0 {
			s = fmt.Sprintf("(%s)<<%d", s, p.from)
		}
		get += s
	}
	n := infoName(f)
	switch f.Val.Kind {
	case "bool":
		fmt.Fprintf(b, "\t\t\tm.%s = %s != 0\n", n, get)
	case "comps":
		fmt.Fprintf(b, "\t\t\tm.Mask = uint8(^(%s)) & 0xF\n\t\t\tm.%s = leadingComps(m.Mask)\n", get, n)
	case "lanes":
		fmt.Fprintf(b, "\t\t\tswitch %s {\n", get)
		for _, l := range byValue(f.Val.Values) {
			fmt.Fprintf(b, "\t\t\tcase %d:\n\t\t\t\tm.%s = %s\n", f.Val.Values[l], n, l)
		}
		b.WriteString("\t\t\t}\n")
	case "", "uint":
		fmt.Fprintf(b, "\t\t\tm.%s = %s\n", n, get)
	default:
		fmt.Fprintf(b, "\t\t\tm.%s = %s(%s)\n", n, t.goKind(f), get)
	}
}
