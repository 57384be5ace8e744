package isa

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// messageFile returns the file of the messages' enumerations and of the decoder.
func (t *tables) messageFile() *emit.File {
	f := emit.NewFile("isa", "")
	for _, e := range t.msgEnums {
		t.emitMsgEnum(f, e)
	}
	kinds, names := []emit.Name{{Name: "MsgUnknown"}}, []string{"unknown"}
	for _, m := range t.messages {
		kinds = append(kinds, emit.Name{Name: "Msg" + goName(m.Name, m.Val.Go), Doc: m.Val.Doc})
		names = append(names, m.Name)
	}
	f.Enum("MsgKind is a kind of message.", "MsgKind", "uint8", "The kinds of messages.", kinds)
	f.List("", "msgNames", "[...]string", emit.Quoted(names...))
	f.Returns("String returns the name of the message's row.", "(k MsgKind) String() string", `fields.Name(msgNames[:], uint8(k), "message")`)
	t.emitMsgInfo(f)
	t.emitWords(f)
	t.emitMsgDecoder(f)
	return f
}

// emitMsgEnum writes an enumeration of descriptors.
func (t *tables) emitMsgEnum(f *emit.File, e *table.Row[msgEnum]) {
	typ := goName(e.Name, e.Val.Go)
	var values []emit.Name
	var names emit.Rows
	var operands []jen.Code
	for _, n := range byValue(e.Val.Values) {
		name := enumPrefix(typ) + goName(n, "")
		values = append(values, emit.Name{Name: name, Is: fmt.Sprintf("%s = %d", typ, e.Val.Values[n])})
		names.F("%d: %q,\n", e.Val.Values[n], n)
		if k, ok := e.Val.Operands[n]; ok {
			operands = append(operands, emit.Case(name, emit.Return(strconv.Itoa(k))))
		}
	}
	f.Type(typ+" is "+e.Val.Doc+"; the values are the machine's codes.", typ, "uint8")
	f.Consts("The values of "+typ+".", values)
	f.Table("", "names"+typ, "[...]string", &names)
	f.Returns("String returns the name.", "(x "+typ+") String() string", fmt.Sprintf("fields.Name(names%s[:], uint8(x), %q)", typ, e.Name))
	if e.Val.Operands != nil {
		f.Func("Operands returns the number of data operands of the operation.", "(x "+typ+") Operands() int",
			emit.Switch("x", operands...),
			emit.Return("1"))
	}
	if e.Val.Lacks != nil {
		t.emitOn(f, e, typ)
	}
}

// emitOn writes the method that reports whether a platform has an operation.
func (t *tables) emitOn(f *emit.File, e *table.Row[msgEnum], typ string) {
	var platforms []jen.Code
	for _, p := range t.platforms {
		var names []string
		for _, n := range e.Val.lacks(p) {
			names = append(names, enumPrefix(typ)+goName(n, ""))
		}
		if names != nil {
			platforms = append(platforms, emit.Case(p.Val.Go, emit.Switch("x", emit.Case(strings.Join(names, ", "), emit.Return("false")))))
		}
	}
	f.Func("On reports whether a platform has the operation.", "(x "+typ+") On(p Platform) bool",
		emit.Switch("p", platforms...),
		emit.Return(fmt.Sprintf(`int(x) < len(names%s) && names%[1]s[x] != ""`, typ)))
}

// builders returns the file with one function for each message that builds its descriptors.
func (t *tables) builders() *emit.File {
	f := emit.NewFile("isa", "")
	for i, m := range t.messages {
		for _, p := range t.platforms {
			if x := t.messagesOn(p); x != nil {
				x.emitBuilder(f, x.messages[i], p)
			}
		}
		t.emitBuilder(f, m, nil)
	}
	return f
}

// enumPrefix keeps the constants' names short: AtomicOp becomes Atomic….
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

func (t *tables) emitMsgInfo(f *emit.File) {
	fields := `
		Kind MsgKind
		SFID SFID
		Mlen int // GRFs of the first payload
		Rlen int // GRFs of the response
		Xlen int // GRFs of the second payload
		Header bool // the first payload starts with a header

		Mask uint8 // enabled channels, bit 0 = x, for messages with components
`
	seen := map[string]bool{}
	for _, r := range t.msgFields {
		n := infoName(r)
		if seen[n] {
			continue
		}
		seen[n] = true
		doc := r.Val.Doc
		if n == "Lanes" {
			doc = "lanes: 8 or 16"
		}
		fields += fmt.Sprintf("\n%s %s // %s", n, t.goKind(r), doc)
	}
	f.Struct("MsgInfo is a decoded message descriptor. Fields that the message does not\nhave are zero.", "MsgInfo", fields)
}

// emitBuilder writes the builder of a message on one platform; without a platform, the common builder, which calls the
// platforms' builders.
func (t *tables) emitBuilder(f *emit.File, m *table.Row[messageRow], p *table.Row[platform]) {
	name := goName(m.Name, m.Val.Go)
	var params []string
	for _, n := range m.Val.Fields {
		x := t.msgFieldByName(n)
		params = append(params, paramName(x)+" "+t.goKind(x))
	}
	if m.Val.Mlen == "" {
		params = append(params, "mlen, xlen, rlen int")
	}
	_, value, _ := m.Val.fixedBits()
	if m.Val.Header {
		value |= HeaderBit
	}
	var body []jen.Code
	doc, function := "", "desc"+name
	if p == nil {
		doc = "Desc" + name + " returns a platform's descriptors of: " + m.Val.Doc
		if m.Val.Mlen == "" {
			doc += "\nmlen, xlen and rlen are the GRFs of the payloads and of the response."
		}
		body = t.onPlatforms(function, t.builderArgs(m))
		function, params = "Desc"+name, append([]string{"p Platform"}, params...)
	} else {
		function += p.Val.Go
	}
	body = append(body, emit.Go(fmt.Sprintf("desc = %#x", value)))
	for _, n := range m.Val.Fields {
		body = append(body, fieldBits(t.msgFieldByName(n), name)...)
	}
	ml, rl, xl := "mlen", "rlen", "xlen"
	if m.Val.Mlen != "" {
		ml, _ = t.lengthExpr(m, m.Val.Mlen)
		rl, _ = t.lengthExpr(m, m.Val.Rlen)
		xl, _ = t.lengthExpr(m, m.Val.Xlen)
	}
	body = append(body, emit.Return("desc | DescLengths("+ml+", "+rl+"), ExDescLength("+xl+")"))
	f.Func(doc, function+"("+strings.Join(params, ", ")+") (desc, exdesc uint32)", body...)
}

// fieldBits returns code that puts a parameter of a message's builder into the descriptor.
func fieldBits(f *table.Row[msgField], message string) (out []jen.Code) {
	p := paramName(f)
	v := "uint32(" + p + ")"
	switch f.Val.Kind {
	case "bool":
		v = "uint32(fields.Bit(" + p + "))"
	case "comps":
		v = "0xF&^(1<<" + p + "-1)"
	case "lanes":
		v = "laneCode"
		var cases []jen.Code
		for _, l := range byValue(f.Val.Values) {
			cases = append(cases, emit.Case(l, emit.Go(fmt.Sprintf("laneCode = %d", f.Val.Values[l]))))
		}
		wrong := fmt.Sprintf("panic(%q)", "isa: Desc"+message+" does not exist for this number of lanes")
		out = append(out, emit.Go("var laneCode uint32"), emit.Switch(p, append(cases, emit.Default(emit.Go(wrong)))...))
	case "", "uint":
		v = p
	}
	spans, _ := parseBits(f.Val.Bits)
	for _, pc := range pieces(spans) {
		part := "(" + v + ")"
		if pc.from > 0 {
			part += fmt.Sprintf(">>%d", pc.from)
		}
		out = append(out, emit.Go(fmt.Sprintf("desc |= %s & %#x << %d", part, uint32(1)<<pc.width-1, pc.at)))
	}
	return out
}

// builderArgs returns the parameters of a builder as arguments.
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

// onPlatforms forwards a call to the function of a platform that has its own messages.
func (t *tables) onPlatforms(name, args string) (out []jen.Code) {
	for _, p := range t.platforms {
		if t.messagesOn(p) != nil {
			out = append(out, emit.If("p == "+p.Val.Go, emit.Return(name+p.Val.Go+"("+args+")")))
		}
	}
	return out
}

// emitMsgDecoder writes the decoder of messages, for all platforms.
func (t *tables) emitMsgDecoder(f *emit.File) {
	f.Returns("DescLengths puts the payload's and the response's length into a descriptor.", "DescLengths(mlen, rlen int) uint32", "uint32(mlen)&0xF<<25 | uint32(rlen)&0x1F<<20")
	f.Returns("ExDescLength puts the second payload's length into an extended descriptor.", "ExDescLength(xlen int) uint32", "uint32(xlen) & 0x1F << 6")
	done := emit.Return("m, m.Kind != MsgUnknown")
	body := []jen.Code{
		emit.Go("m.SFID = sfid"),
		emit.Go("m.Mlen = int(desc >> 25 & 0xF)"),
		emit.Go("m.Rlen = int(desc >> 20 & 0x1F)"),
		emit.Go("m.Xlen = int(exdesc >> 6 & 0x1F)"),
		emit.Go("m.Header = desc>>19&1 != 0"),
	}
	for _, p := range t.platforms {
		if t.messagesOn(p) != nil {
			body = append(body, emit.If("p == "+p.Val.Go, emit.Go("m.decode"+p.Val.Go+"(desc)"), done))
		}
	}
	f.Func("DecodeMessage decodes a message; ok is false if no row of the tables\ndescribes it, in which case only the lengths are set.",
		"DecodeMessage(p Platform, sfid SFID, desc, exdesc uint32) (m MsgInfo, ok bool)",
		append(body, emit.Go("m.decode(desc)"), done)...)
	t.emitMsgFields(f, "")
	for _, p := range t.platforms {
		if x := t.messagesOn(p); x != nil {
			x.emitMsgFields(f, p.Val.Go)
		}
	}
}

// emitMsgFields writes the decoder of the messages' own bits on a platform, or on all
// others.
func (t *tables) emitMsgFields(f *emit.File, platform string) {
	var functions []jen.Code
	for _, s := range t.sfids {
		var cases []jen.Code
		for _, m := range t.messages {
			if m.Val.SFID != s.Name {
				continue
			}
			body := []jen.Code{emit.Go("m.Kind = Msg" + goName(m.Name, m.Val.Go))}
			for _, n := range m.Val.Fields {
				body = append(body, t.decodeMsgField(t.msgFieldByName(n))...)
			}
			if mask, value, _ := m.Val.fixedBits(); mask == 0 {
				cases = append(cases, emit.Default(body...))
			} else {
				cases = append(cases, emit.Case(fmt.Sprintf("desc&%#x == %#x", mask, value), body...))
			}
		}
		if cases != nil {
			functions = append(functions, emit.Case("SFID"+goName(s.Name, s.Val.Go), emit.Switch("", cases...)))
		}
	}
	f.Func("", "(m *MsgInfo) decode"+platform+"(desc uint32)", emit.Switch("m.SFID", functions...))
}

func (t *tables) decodeMsgField(f *table.Row[msgField]) []jen.Code {
	spans, _ := parseBits(f.Val.Bits)
	var parts []string
	for _, p := range pieces(spans) {
		s := fmt.Sprintf("desc>>%d&%#x", p.at, uint32(1)<<p.width-1)
		if p.from > 0 {
			s = fmt.Sprintf("(%s)<<%d", s, p.from)
		}
		parts = append(parts, s)
	}
	get, to := strings.Join(parts, "|"), "m."+infoName(f)
	switch f.Val.Kind {
	case "bool":
		return []jen.Code{emit.Go(to + " = " + get + " != 0")}
	case "comps":
		return []jen.Code{emit.Go("m.Mask = uint8(^(" + get + ")) & 0xF"), emit.Go(to + " = fields.LeadingComps(m.Mask)")}
	case "lanes":
		var cases []jen.Code
		for _, l := range byValue(f.Val.Values) {
			cases = append(cases, emit.Case(strconv.Itoa(f.Val.Values[l]), emit.Go(to+" = "+l)))
		}
		return []jen.Code{emit.Switch(get, cases...)}
	case "", "uint":
		return []jen.Code{emit.Go(to + " = " + get)}
	}
	return []jen.Code{emit.Go(to + " = " + t.goKind(f) + "(" + get + ")")}
}
