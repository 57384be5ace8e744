// SPDX-License-Identifier: MIT

package descriptors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// MessageFile returns the file of the messages' enumerations and of the decoder.
func MessageFile(t *isatab.Tables) *emit.File {
	f := emit.NewFile("isa", "")
	for _, e := range t.MsgEnums {
		emitMsgEnum(t, f, e)
	}
	kinds, names := []emit.Name{{Name: "MsgUnknown"}}, []string{"unknown"}
	for _, m := range t.Messages {
		kinds = append(kinds, emit.Name{Name: "Msg" + isatab.GoName(m.Name, m.Val.Go), Doc: m.Val.Doc})
		names = append(names, m.Name)
	}
	f.Enum("MsgKind is a kind of message.", "MsgKind", "uint8", "The kinds of messages.", kinds)
	f.List("", "msgNames", "[...]string", emit.Quoted(names...))
	f.Returns("String returns the name of the message's row.", "(k MsgKind) String() string", `fields.Name(msgNames[:], uint8(k), "message")`)
	emitMsgInfo(t, f)
	emitWords(t, f)
	emitMsgDecoder(t, f)
	return f
}

// emitMsgEnum writes an enumeration of descriptors.
func emitMsgEnum(t *isatab.Tables, f *emit.File, e *table.Row[isatab.MsgEnum]) {
	typ := isatab.GoName(e.Name, e.Val.Go)
	var values []emit.Name
	var names emit.Rows
	var operands []jen.Code
	for _, n := range byValue(e.Val.Values) {
		name := enumPrefix(typ) + isatab.GoName(n, "")
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
		emitOn(t, f, e, typ)
	}
	if slices.ContainsFunc(t.Messages, func(m *table.Row[isatab.MessageRow]) bool {
		x := msgFieldByName(t, m.Val.Select)
		return x != nil && x.Val.Kind == e.Name
	}) {
		f.Returns("", "(x "+typ+") known() bool", fmt.Sprintf(`int(x) < len(names%s) && names%[1]s[x] != ""`, typ))
	}
}

// emitOn writes the method that reports whether a platform has an operation.
func emitOn(t *isatab.Tables, f *emit.File, e *table.Row[isatab.MsgEnum], typ string) {
	var platforms []jen.Code
	for _, p := range t.Platforms {
		var names []string
		for _, n := range lacks(&e.Val, p) {
			names = append(names, enumPrefix(typ)+isatab.GoName(n, ""))
		}
		if names != nil {
			platforms = append(platforms, emit.Case(p.Val.Go, emit.Switch("x", emit.Case(strings.Join(names, ", "), emit.Return("false")))))
		}
	}
	f.Func("On reports whether a platform has the operation.", "(x "+typ+") On(p Platform) bool",
		emit.Switch("p", platforms...),
		emit.Return(fmt.Sprintf(`int(x) < len(names%s) && names%[1]s[x] != ""`, typ)))
}

// Builders returns the file with one function for each message that builds its descriptors.
func Builders(t *isatab.Tables) *emit.File {
	f := emit.NewFile("isa", "")
	for _, m := range t.Messages {
		for _, p := range t.Platforms {
			if !differs(t, m, p) {
				continue
			}
			x := messagesOn(t, p)
			if at := slices.IndexFunc(x.Messages, func(r *table.Row[isatab.MessageRow]) bool { return r.Name == m.Name }); at >= 0 {
				emitBuilder(x, f, x.Messages[at], p)
			}
		}
		emitBuilder(t, f, m, nil)
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

func goKind(t *isatab.Tables, f *table.Row[isatab.MsgField]) string {
	switch f.Val.Kind {
	case "", "uint":
		return "uint32"
	case "bool":
		return "bool"
	case "lanes", "comps", "number":
		return "int"
	}
	e := msgEnumByName(t, f.Val.Kind)
	return isatab.GoName(e.Name, e.Val.Go)
}

func emitMsgInfo(t *isatab.Tables, f *emit.File) {
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
	for _, r := range t.MsgFields {
		n := infoName(r)
		if seen[n] {
			continue
		}
		seen[n] = true
		doc := r.Val.Doc
		if n == "Lanes" {
			doc = "lanes: 8 or 16"
		}
		fields += fmt.Sprintf("\n%s %s // %s", n, goKind(t, r), doc)
	}
	f.Struct("MsgInfo is a decoded message descriptor. Fields that the message does not\nhave are zero.", "MsgInfo", fields)
}

// emitBuilder writes the builder of a message on one platform; without a platform, the common builder, which calls the
// platforms' builders.
func emitBuilder(t *isatab.Tables, f *emit.File, m *table.Row[isatab.MessageRow], p *table.Row[isatab.Platform]) {
	name := isatab.GoName(m.Name, m.Val.Go)
	var params []string
	for _, n := range m.Val.Fields {
		x := msgFieldByName(t, n)
		params = append(params, paramName(x)+" "+goKind(t, x))
	}
	if m.Val.Mlen == "" {
		params = append(params, "mlen, xlen, rlen int")
	}
	_, value, _ := fixedBits(&m.Val)
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
		body = onPlatforms(t, m, function)
		function, params = "Desc"+name, append([]string{"p Platform"}, params...)
	} else {
		function += p.Val.Go
	}
	body = append(body, emit.Go(fmt.Sprintf("desc = %#x", value)))
	for _, n := range m.Val.Fields {
		body = append(body, fieldBits(msgFieldByName(t, n), name)...)
	}
	ml, rl, xl := "mlen", "rlen", "xlen"
	if m.Val.Mlen != "" {
		ml, _ = lengthExpr(t, m, m.Val.Mlen)
		rl, _ = lengthExpr(t, m, m.Val.Rlen)
		xl, _ = lengthExpr(t, m, m.Val.Xlen)
	}
	body = append(body, emit.Return("desc | DescLengths("+ml+", "+rl+"), ExDescLength("+xl+")"))
	f.Func(doc, function+"("+strings.Join(params, ", ")+") (desc, exdesc uint32)", body...)
}

// fieldBits returns code that puts a parameter of a message's builder into the descriptor.
func fieldBits(f *table.Row[isatab.MsgField], message string) (out []jen.Code) {
	p := paramName(f)
	v := "uint32(" + p + ")"
	switch f.Val.Kind {
	case "bool":
		v = "uint32(fields.Bit(" + p + "))"
	case "comps":
		v = "0xF&^(1<<" + p + "-1)"
	case "lanes", "number":
		what := "lanes"
		if v = "laneCode"; f.Val.Kind == "number" {
			v, what = p+"Code", strings.ReplaceAll(f.Name, "_", " ")
		}
		var cases []jen.Code
		for _, l := range byValue(f.Val.Values) {
			cases = append(cases, emit.Case(l, emit.Go(fmt.Sprintf("%s = %d", v, f.Val.Values[l]))))
		}
		wrong := fmt.Sprintf("panic(%q)", "isa: Desc"+message+" does not exist for this number of "+what)
		out = append(out, emit.Go("var "+v+" uint32"), emit.Switch(p, append(cases, emit.Default(emit.Go(wrong)))...))
	case "", "uint":
		v = p
	}
	spans, _ := isatab.ParseBits(f.Val.Bits)
	for _, pc := range isatab.Pieces(spans) {
		part := "(" + v + ")"
		if pc.From > 0 {
			part += fmt.Sprintf(">>%d", pc.From)
		}
		out = append(out, emit.Go(fmt.Sprintf("desc |= %s & %#x << %d", part, uint32(1)<<pc.Width-1, pc.At)))
	}
	return out
}

// builderArgs returns the parameters of a builder as arguments.
func builderArgs(t *isatab.Tables, m *table.Row[isatab.MessageRow]) string {
	var args []string
	for _, n := range m.Val.Fields {
		args = append(args, paramName(msgFieldByName(t, n)))
	}
	if m.Val.Mlen == "" {
		args = append(args, "mlen", "xlen", "rlen")
	}
	return strings.Join(args, ", ")
}

// onPlatforms forwards a call to the builder of a platform on which a message differs.
func onPlatforms(t *isatab.Tables, m *table.Row[isatab.MessageRow], name string) (out []jen.Code) {
	for _, p := range t.Platforms {
		if differs(t, m, p) && !lists(m.Val.Not, p) && (m.Val.Only == nil || lists(m.Val.Only, p)) {
			out = append(out, emit.If("p == "+p.Val.Go, emit.Return(name+p.Val.Go+"("+builderArgs(t, m)+")")))
		}
	}
	return out
}

// emitMsgDecoder writes the decoder of messages, for all platforms.
func emitMsgDecoder(t *isatab.Tables, f *emit.File) {
	f.Returns("DescLengths puts the payload's and the response's length into a descriptor.", "DescLengths(mlen, rlen int) uint32",
		"uint32(mlen)&0xF<<25 | uint32(rlen)&0x1F<<20")
	f.Returns("ExDescLength puts the second payload's length into an extended descriptor.", "ExDescLength(xlen int) uint32",
		"uint32(xlen) & 0x1F << 6")
	done := emit.Return("m, m.Kind != MsgUnknown")
	body := []jen.Code{
		emit.Go("m.SFID = sfid"),
		emit.Go("m.Mlen = int(desc >> 25 & 0xF)"),
		emit.Go("m.Rlen = int(desc >> 20 & 0x1F)"),
		emit.Go("m.Xlen = int(exdesc >> 6 & 0x1F)"),
		emit.Go("m.Header = desc>>19&1 != 0"),
	}
	for _, p := range t.Platforms {
		if messagesOn(t, p) != nil {
			body = append(body, emit.If("p == "+p.Val.Go, emit.Go("m.decode"+p.Val.Go+"(desc)"), done))
		}
	}
	f.Func("DecodeMessage decodes a message; ok is false if no row of the tables\ndescribes it, in which case only the lengths are set.",
		"DecodeMessage(p Platform, sfid SFID, desc, exdesc uint32) (m MsgInfo, ok bool)",
		append(body, emit.Go("m.decode(desc)"), done)...)
	emitMsgFields(common(t), f, "")
	for _, p := range t.Platforms {
		if x := messagesOn(t, p); x != nil {
			emitMsgFields(x, f, p.Val.Go)
		}
	}
}

// emitMsgFields writes the decoder of the messages' own bits on a platform, or on all
// others.
func emitMsgFields(t *isatab.Tables, f *emit.File, platform string) {
	var functions []jen.Code
	var done []string // shared functions
	for _, s := range t.Sfids {
		if slices.Contains(done, s.Name) {
			continue
		}
		var alike []string
		for _, o := range t.Sfids {
			if slices.Equal(messagesOf(t, o.Name), messagesOf(t, s.Name)) {
				alike, done = append(alike, "SFID"+isatab.GoName(o.Name, o.Val.Go)), append(done, o.Name)
			}
		}
		if cases := messageCases(t, s.Name); cases != nil {
			functions = append(functions, emit.Case(strings.Join(alike, ", "), emit.Switch("", cases...)))
		}
	}
	f.Func("", "(m *MsgInfo) decode"+platform+"(desc uint32)", emit.Switch("m.SFID", functions...))
}

// messagesOf returns the messages of a shared function.
func messagesOf(t *isatab.Tables, sfid string) (out []*table.Row[isatab.MessageRow]) {
	for _, m := range t.Messages {
		if m.Val.SFID == sfid || slices.Contains(m.Val.Also, sfid) {
			out = append(out, m)
		}
	}
	return out
}

// messageCases returns the cases of the decoder for a shared function.
func messageCases(t *isatab.Tables, sfid string) (cases []jen.Code) {
	for _, m := range messagesOf(t, sfid) {
		body := []jen.Code{emit.Go("m.Kind = Msg" + isatab.GoName(m.Name, m.Val.Go))}
		for _, n := range m.Val.Fields {
			f := msgFieldByName(t, n)
			if fieldMask(f)&HeaderBit != 0 {
				body = append(body, emit.Go("m.Header = false"))
			}
			body = append(body, decodeMsgField(t, f)...)
		}
		mask, value, _ := fixedBits(&m.Val)
		switch {
		case m.Val.Select != "":
			f := msgFieldByName(t, m.Val.Select)
			cases = append(cases, emit.Case(goKind(t, f)+"("+getField(f)+").known()", body...))
		case mask == 0:
			cases = append(cases, emit.Default(body...))
		default:
			cases = append(cases, emit.Case(fmt.Sprintf("desc&%#x == %#x", mask, value), body...))
		}
	}
	return cases
}

// fieldMask returns the bits of a field.
func fieldMask(f *table.Row[isatab.MsgField]) uint32 {
	spans, _ := isatab.ParseBits(f.Val.Bits)
	mask, _ := scatter(spans, 0)
	return mask
}

// getField returns an expression for the value of a field.
func getField(f *table.Row[isatab.MsgField]) string {
	spans, _ := isatab.ParseBits(f.Val.Bits)
	var parts []string
	for _, p := range isatab.Pieces(spans) {
		s := fmt.Sprintf("desc>>%d&%#x", p.At, uint32(1)<<p.Width-1)
		if p.From > 0 {
			s = fmt.Sprintf("(%s)<<%d", s, p.From)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "|")
}

func decodeMsgField(t *isatab.Tables, f *table.Row[isatab.MsgField]) []jen.Code {
	get, to := getField(f), "m."+infoName(f)
	switch f.Val.Kind {
	case "bool":
		return []jen.Code{emit.Go(to + " = " + get + " != 0")}
	case "comps":
		return []jen.Code{emit.Go("m.Mask = uint8(^(" + get + ")) & 0xF"), emit.Go(to + " = fields.LeadingComps(m.Mask)")}
	case "lanes", "number":
		var cases []jen.Code
		for _, l := range byValue(f.Val.Values) {
			cases = append(cases, emit.Case(strconv.Itoa(f.Val.Values[l]), emit.Go(to+" = "+l)))
		}
		return []jen.Code{emit.Switch(get, cases...)}
	case "", "uint":
		return []jen.Code{emit.Go(to + " = " + get)}
	}
	return []jen.Code{emit.Go(to + " = " + goKind(t, f) + "(" + get + ")")}
}
