// SPDX-License-Identifier: MIT

package wire

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"jacquard.example/core/ir"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Unmarshal reads the binary form of a shader. Errors are *Error.
func Unmarshal(data []byte) (s *ir.Shader, err error) {
	d := &decoder{data: data, s: ir.New(), fields: map[instrKey][]field{}}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if reason := work.Reason(r); reason != nil {
				e, ok = &Error{d.pos, reason.Error()}, true
			}
			if !ok {
				panic(r)
			}
			s, err = nil, e
		}
	}()
	d.header()
	d.dictionaries()
	d.globals()
	for f := range d.s.Funcs() {
		d.list(d.s.FirstBlock(f), 0)
	}
	if d.pos != len(d.data) {
		d.fail(d.pos, "%d bytes follow the end of the shader", len(d.data)-d.pos)
	}
	d.resolve()
	return d.s, nil
}

type decoder struct {
	data []byte
	pos  int
	s    *ir.Shader

	strs   []string
	forms  []form
	fields map[instrKey][]field // fields of the forms read so far, for any number of sources
	values []enumValue

	locs   []ir.Loc
	types  []ir.Type
	depth  []uint16 // nesting of the type
	fns    []ir.Func
	vars   []ir.Var
	instrs []ir.Value // by number; 0 is none
	blocks []ir.Node

	lastLoc int64
	srcs    []pendingSrc
	preds   []pendingPred
}

// pendingSrc is a source, whose value may be defined later in the file.
type pendingSrc struct {
	user ir.Value
	cond ir.Node // the if, for a condition
	i    int
	num  int64
	swz  ir.Swizzle
	pos  int
}

type pendingPred struct {
	user ir.Value
	word int
	num  uint32
	pos  int
}

func (d *decoder) fail(pos int, format string, args ...any) {
	panic(&Error{pos, fmt.Sprintf(format, args...)})
}

// u reads a number. what names it in errors.
func (d *decoder) u(what string) uint32 {
	x, n := binary.Uvarint(d.data[d.pos:])
	if n == 0 {
		d.fail(d.pos, "the file ends where %s is expected", what)
	}
	if n < 0 || x > 1<<32-1 {
		d.fail(d.pos, "%s is not a number of at most 32 bits", what)
	}
	d.pos += n
	return uint32(x)
}

// count reads the number of items that follow, each of which takes at least one byte.
func (d *decoder) count(what string) int {
	at := d.pos
	n := d.u(what)
	if uint64(n) > uint64(len(d.data)-d.pos) {
		d.fail(at, "%d %s, but only %d bytes are left", n, what, len(d.data)-d.pos)
	}
	return int(n)
}

// below reads a number below limit.
func (d *decoder) below(limit int, what string) uint32 {
	at := d.pos
	n := d.u(what)
	if uint64(n) >= uint64(limit) {
		d.fail(at, "%s %d, but there are %d", what, n, limit)
	}
	return n
}

func (d *decoder) byte(what string) uint8 {
	if d.pos >= len(d.data) {
		d.fail(d.pos, "the file ends where %s is expected", what)
	}
	d.pos++
	return d.data[d.pos-1]
}

func (d *decoder) bytes(n int) []byte {
	d.pos += n
	return d.data[d.pos-n : d.pos]
}

func (d *decoder) str(what string) string { return d.strs[d.below(len(d.strs), what)] }

func unzigzag(x uint32) int32 { return int32(x>>1) ^ -int32(x&1) }

func (d *decoder) header() {
	if !Is(d.data) {
		d.fail(0, "not a shader in binary form: the magic number is missing")
	}
	if len(d.data) < headerSize {
		d.fail(len(d.data), "the file ends within its header")
	}
	if v := d.data[len(magic)]; v != Version {
		d.fail(len(magic), "the file has version %d, but this program reads version %d", v, Version)
	}
	want := binary.LittleEndian.Uint32(d.data[len(magic)+1:])
	if got := crc32.Checksum(d.data[headerSize:], castagnoli()); got != want {
		d.fail(len(magic)+1, "the file is damaged: its checksum is %08x, but the header has %08x", got, want)
	}
	d.pos = headerSize
}

func (d *decoder) globals() {
	s := d.s
	d.fns = []ir.Func{0}
	readRecord(d, "info", infoProps, &s.Info)
	s.Info.ConstData = append([]byte(nil), d.bytes(d.count("bytes of constant data"))...)
	d.locs = []ir.Loc{0}
	for range d.count("locations") {
		var l loc
		readRecord(d, "loc", locProps, &l)
		d.locs = append(d.locs, s.Locs.New(ir.Location{File: l.file, Line: l.line, Column: l.col}))
	}
	d.types, d.depth = []ir.Type{0}, []uint16{0}
	for range d.count("types") {
		d.typ()
	}
	for range d.count("functions") {
		var f fn
		at := d.pos
		readRecord(d, "fn", fnProps, &f)
		params := readRecords(d, "param", paramProps)
		d.fns = append(d.fns, s.NewFunc(s.Strs.Text(f.name), params...))
		if f.entry {
			if s.Entry() != 0 {
				d.fail(at, "two functions are the entry point")
			}
			s.Func(d.fns[len(d.fns)-1]).Entry = true
		}
	}
	d.vars = []ir.Var{0}
	for range d.count("variables") {
		x := ir.VarInfo{Location: -1}
		at := d.pos
		readRecord(d, "var", varProps, &x)
		if x.Mode == 0 {
			d.fail(at, "variable %q has no mode", s.Strs.Text(x.Name))
		}
		d.vars = append(d.vars, s.NewVar(x))
	}
	for range d.count("registers") {
		var r ir.RegInfo
		readRecord(d, "reg", regProps, &r)
		*s.Regs.At(s.Regs.New(r.Comps, r.Bits)) = r
	}
	s.Info.Bindings = readRecords(d, "binding", bindingProps)
	d.instrs = []ir.Value{0}
}

func (d *decoder) typ() {
	at := d.pos
	var x ir.TypeInfo
	readRecord(d, "type", typeProps, &x)
	depth := d.depthOf(x.Elem)
	var t ir.Type
	if x.Kind == ir.TypeStruct {
		var members []ir.Member
		for range d.count("members") {
			m := ir.Member{Offset: ir.NoOffset}
			readRecord(d, "member", memberProps, &m)
			members = append(members, m)
			depth = max(depth, d.depthOf(m.Type))
		}
		t = d.s.Types.Struct(x, members)
	} else {
		t = d.s.Types.Intern(x)
	}
	if depth >= maxNest {
		d.fail(at, "types are nested too deeply")
	}
	d.types = append(d.types, t)
	for len(d.depth) < d.s.Types.Num() {
		d.depth = append(d.depth, depth+1)
	}
}

// depthOf returns the nesting depth of a type.
func (d *decoder) depthOf(t ir.Type) uint16 { return d.depth[t] }

func readRecords[T any](d *decoder, name string, props []prop[T]) []T {
	var out []T
	for range d.count(name + " records") {
		var x T
		readRecord(d, name, props, &x)
		out = append(out, x)
	}
	return out
}

func readRecord[T any](d *decoder, name string, props []prop[T], x *T) {
	at := d.pos
	f := &d.forms[d.below(len(d.forms), "form")]
	if f.record != name {
		d.fail(at, "expected a %s, but the form is that of %s", name, f.title())
	}
	for _, slot := range f.slots {
		p := &props[slot]
		at := d.pos
		var w uint32
		switch {
		case p.enum != nil:
			w = d.enum(p.enum, p.name)
		case p.typ == propString:
			w = uint32(d.s.Strs.Intern(d.str(p.name)))
		case p.typ == "type":
			w = uint32(d.types[d.below(len(d.types), "type")])
		case p.typ == "func":
			w = uint32(d.fns[d.below(len(d.fns), "function")])
		default:
			w = d.u(p.name)
		}
		if p.typ == propU8 && w > 255 || p.typ == "bool" && w > 1 {
			d.fail(at, "%s of %s is %d, which is too large", p.name, name, w)
		}
		p.set(x, w)
	}
}

// enum reads a value of an enumeration.
func (d *decoder) enum(e *kind.Enum, what string) uint32 {
	at := d.pos
	n := d.below(len(d.values), what)
	if n == 0 {
		if !e.Mask {
			d.fail(at, "%s is missing; it is a value of %s", what, e.Name)
		}
		return 0
	}
	if d.values[n].enum != e {
		d.fail(at, "%s is a value of %s, not of %s", what, d.values[n].enum.Name, e.Name)
	}
	return d.values[n].value
}
