// SPDX-License-Identifier: MIT

package wire

import (
	"encoding/binary"
	"hash/crc32"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Marshal returns the binary form of a shader.
func Marshal(s *ir.Shader) []byte { return newEncoder(s).file() }

func newEncoder(s *ir.Shader) *encoder {
	return &encoder{s: s, strs: map[string]uint32{"": 0}, forms: map[string]uint32{}, instrForms: map[instrKey]instrForm{},
		enums: map[enumValue]uint32{}}
}

// file returns the encoded shader.
func (e *encoder) file() []byte {
	s := e.s
	e.number()
	e.globals()
	for f := range s.Funcs() {
		e.list(s.Body(s.Func(f).Node))
	}
	out := make([]byte, headerSize, headerSize+len(e.strOut)+len(e.formOut)+len(e.enumOut)+len(e.out)+16)
	for _, part := range []struct {
		n    int
		data []byte
	}{{len(e.strs) - 1, e.strOut}, {len(e.forms), e.formOut}, {len(e.enums), e.enumOut}} {
		out = append(binary.AppendUvarint(out, uint64(part.n)), part.data...)
	}
	out = append(out, e.out...)
	copy(out, magic)
	out[len(magic)] = Version
	putChecksum(out)
	return out
}

// putChecksum writes the checksum of a file into its header.
func putChecksum(file []byte) {
	binary.LittleEndian.PutUint32(file[len(magic)+1:], crc32.Checksum(file[headerSize:], castagnoli()))
}

type instrKey struct {
	kind kind.Kind
	sub  uint16
	nsrc uint16
}

// instrForm is the form of all instructions with the same key.
type instrForm struct {
	number uint32
	fields []field
}

type enumValue struct {
	enum  *kind.Enum
	value uint32
}

type encoder struct {
	s   *ir.Shader
	out []byte // the shader; the dictionaries precede it

	strs       map[string]uint32
	strOut     []byte
	forms      map[string]uint32
	instrForms map[instrKey]instrForm
	formOut    []byte
	enums      map[enumValue]uint32
	enumOut    []byte

	values  []uint32 // number in the file by value; all instructions are numbered
	blocks  []uint32
	vars    []uint32
	types   []uint32
	order   []ir.Type
	fns     []uint32
	locs    []uint32
	locList []ir.Loc

	at      uint32 // number of the instruction being written
	lastLoc uint32
}

func (e *encoder) u(x uint32) { e.out = binary.AppendUvarint(e.out, uint64(x)) }

func zigzag(d int32) uint32 { return uint32(d<<1) ^ uint32(d>>31) }

// str returns the number of a string in the table of strings, to which it adds new ones.
func (e *encoder) str(text string) uint32 {
	n, ok := e.strs[text]
	if !ok {
		n = uint32(len(e.strs))
		e.strs[text] = n
		e.strOut = binary.AppendUvarint(e.strOut, uint64(len(text)))
		e.strOut = append(e.strOut, text...)
	}
	return n
}

// form returns the number of a form.
func (e *encoder) form(kindName, sub string, nsrc int, fields []field) uint32 {
	entry := binary.AppendUvarint(nil, uint64(e.str(kindName)))
	entry = binary.AppendUvarint(entry, uint64(e.str(sub)))
	entry = binary.AppendUvarint(entry, uint64(nsrc))
	entry = binary.AppendUvarint(entry, uint64(len(fields)))
	for _, f := range fields {
		entry = binary.AppendUvarint(entry, uint64(e.str(f.name)))
		entry = binary.AppendUvarint(entry, uint64(e.str(f.typ)))
	}
	n, ok := e.forms[string(entry)]
	if !ok {
		n = uint32(len(e.forms))
		e.forms[string(entry)] = n
		e.formOut = append(e.formOut, entry...)
	}
	return n
}

// enum returns the number of a value: 0 for an empty mask.
func (e *encoder) enum(en *kind.Enum, w uint32) uint32 {
	if en.Mask && w == 0 {
		return 0
	}
	n, ok := e.enums[enumValue{en, w}]
	if !ok {
		n = uint32(len(e.enums)) + 1
		e.enums[enumValue{en, w}] = n
		names := []string{en.String(w)}
		if en.Mask {
			names = strings.Split(names[0], "|")
		}
		e.enumOut = binary.AppendUvarint(e.enumOut, uint64(e.str(en.Name)))
		e.enumOut = binary.AppendUvarint(e.enumOut, uint64(len(names)))
		for _, name := range names {
			e.enumOut = binary.AppendUvarint(e.enumOut, uint64(e.str(name)))
		}
	}
	return n
}

// number numbers everything that will be written.
func (e *encoder) number() {
	s := e.s
	e.values = make([]uint32, s.NumValues())
	e.blocks = make([]uint32, s.NumNodes())
	e.vars = make([]uint32, s.NumVars())
	e.types = make([]uint32, s.Types.Num())
	e.fns = make([]uint32, s.NumFuncs())
	e.locs = make([]uint32, s.Locs.Num())
	var nval, nblock, nvar, nfn uint32
	for v := range s.Vars(^kind.Mode(0)) {
		nvar++
		e.vars[v] = nvar
		e.useType(s.Var(v).Type)
	}
	for _, b := range s.Info.Bindings {
		e.useType(b.Type)
	}
	for f := range s.Funcs() {
		nfn++
		e.fns[f] = nfn
		for b := range s.Blocks(f) {
			e.blocks[b] = nblock
			nblock++
			for v := range s.Instrs(b) {
				nval++
				e.values[v] = nval
				if l := s.At(v).Loc; l != 0 && e.locs[l] == 0 {
					e.locList = append(e.locList, l)
					e.locs[l] = uint32(len(e.locList))
				}
				e.useTypes(v)
			}
		}
	}
}

func (e *encoder) useTypes(v ir.Value) {
	in := e.s.At(v)
	if in.Kind == kind.Intrinsic {
		return
	}
	at := 0
	for _, f := range kind.Infos[in.Kind].ShapeOf(in.Op).Fields {
		if f.Class == kind.ClassType {
			e.useType(ir.Type(e.s.Words(v)[at]))
		}
		at += f.Class.Words()
	}
}

// useType numbers a type after its component types.
func (e *encoder) useType(t ir.Type) {
	if t == 0 || e.types[t] != 0 {
		return
	}
	x := e.s.Types.At(t)
	e.useType(x.Elem)
	if x.Kind == ir.TypeStruct {
		for _, m := range e.s.Types.Members(t) {
			e.useType(m.Type)
		}
	}
	e.order = append(e.order, t)
	e.types[t] = uint32(len(e.order))
}

func (e *encoder) globals() {
	s := e.s
	writeRecord(e, "info", infoProps, &s.Info)
	e.u(uint32(len(s.Info.ConstData)))
	e.out = append(e.out, s.Info.ConstData...)
	e.u(uint32(len(e.locList)))
	for _, l := range e.locList {
		x := s.Locs.At(l)
		writeRecord(e, "loc", locProps, &loc{x.File, x.Line, x.Column})
	}
	e.u(uint32(len(e.order)))
	for _, t := range e.order {
		x := *s.Types.At(t)
		var members []ir.Member
		if x.Kind == ir.TypeStruct {
			members, x.Len = s.Types.Members(t), 0
		}
		writeRecord(e, "type", typeProps, &x)
		if x.Kind == ir.TypeStruct {
			writeRecords(e, "member", memberProps, members)
		}
	}
	nfn := uint32(0)
	for range s.Funcs() {
		nfn++
	}
	e.u(nfn)
	for f := range s.Funcs() {
		writeRecord(e, "fn", fnProps, &fn{s.Func(f).Name, s.Entry() == f})
		writeRecords(e, "param", paramProps, s.Func(f).Params)
	}
	var vars []ir.VarInfo
	for v := range s.Vars(^kind.Mode(0)) {
		vars = append(vars, *s.Var(v))
	}
	writeRecords(e, "var", varProps, vars)
	var regs []ir.RegInfo
	for r := uint32(1); r < s.Regs.Num(); r++ {
		regs = append(regs, *s.Regs.At(r))
	}
	writeRecords(e, "reg", regProps, regs)
	writeRecords(e, "binding", bindingProps, s.Info.Bindings)
}

func writeRecords[T any](e *encoder, name string, props []prop[T], xs []T) {
	e.u(uint32(len(xs)))
	for i := range xs {
		writeRecord(e, name, props, &xs[i])
	}
}

func writeRecord[T any](e *encoder, name string, props []prop[T], x *T) {
	fields := make([]field, 0, len(props))
	words := make([]uint32, 0, len(props))
	for _, p := range props {
		w := p.get(x)
		if w == 0 && (p.enum == nil || p.enum.Mask) {
			continue
		}
		switch {
		case p.enum != nil:
			w = e.enum(p.enum, w)
		case p.typ == propString:
			w = e.str(e.s.Strs.Text(ir.Str(w)))
		case p.typ == "type":
			w = e.types[w]
		case p.typ == "func":
			w = e.fns[w]
		}
		fields = append(fields, field{name: p.name, typ: p.typ})
		words = append(words, w)
	}
	e.u(e.form(record, name, 0, fields))
	for _, w := range words {
		e.u(w)
	}
}

// Tags after a block in a list of nodes.
const (
	tagEnd = iota
	tagIf
	tagLoop
)

func (e *encoder) list(n ir.Node) {
	s := e.s
	for {
		count := uint32(0)
		for range s.Instrs(n) {
			count++
		}
		e.u(count)
		for v := range s.Instrs(n) {
			e.instr(v)
		}
		if n = s.NextNode(n); n == 0 {
			e.u(tagEnd)
			return
		}
		x := nodeOf(s, n)
		if s.NodeKind(n) == ir.NodeIf {
			e.u(tagIf)
			writeRecord(e, "node", nodeProps, &x)
			e.src(s.Cond(n))
			e.list(s.Then(n))
			e.list(s.Else(n))
		} else {
			e.u(tagLoop)
			writeRecord(e, "node", nodeProps, &x)
			e.list(s.Body(n))
		}
		n = s.NextNode(n)
	}
}

// subName returns the name of the value in an instruction's opcode field.
func subName(k kind.Kind, sub uint16) string {
	switch info := &kind.Infos[k]; info.Sub {
	case kind.SubOp:
		return op.Op(sub).String()
	case kind.SubIntrinsic:
		return intrinsic.ID(sub).String()
	case kind.SubEnum:
		return info.SubEnum.String(uint32(sub))
	}
	return ""
}

func (e *encoder) instr(v ir.Value) {
	in := e.s.At(v)
	e.at++
	key := instrKey{in.Kind, in.Op, in.NSrc}
	form, ok := e.instrForms[key]
	if !ok {
		form.fields = fieldsOf(in.Kind, in.Op)
		form.number = e.form(in.Kind.String(), subName(in.Kind, in.Op), int(in.NSrc), form.fields)
		e.instrForms[key] = form
	}
	e.u(form.number)
	e.out = append(e.out, in.Bits, in.Comps)
	e.u(e.enum(&kind.EnumFloatMask, uint32(in.Float)))
	l := e.locs[in.Loc]
	e.u(zigzag(int32(l - e.lastLoc)))
	e.lastLoc = l
	for i := range int(in.NSrc) {
		e.src(e.s.Src(v, i))
	}
	words := e.s.Words(v)
	for i := range form.fields {
		f := &form.fields[i]
		n := f.class.Words()
		if n == 0 {
			n = len(words)
		}
		for _, w := range words[:n] {
			e.u(e.word(f, w))
		}
		words = words[n:]
	}
}

// src writes the instruction that is read, as a distance back from the user, and the swizzle unless it is the identity.
func (e *encoder) src(r ir.Src) {
	if r.Val == 0 {
		e.u(0)
		return
	}
	d := zigzag(int32(e.at-e.values[r.Val])) + 1
	if r.Swz == ir.Identity {
		e.u(d << 1)
		return
	}
	e.u(d<<1 | 1)
	e.u(uint32(r.Swz))
}

func (e *encoder) word(f *field, w uint32) uint32 {
	switch f.class {
	case kind.ClassI32:
		return zigzag(int32(w))
	case kind.ClassEnum, kind.ClassEnums, kind.ClassMask:
		return e.enum(f.enum, w)
	case kind.ClassType:
		return e.types[w]
	case kind.ClassVar:
		return e.vars[w]
	case kind.ClassFunc:
		return e.fns[w]
	case kind.ClassBlocks:
		return e.blocks[w]
	}
	return w
}
