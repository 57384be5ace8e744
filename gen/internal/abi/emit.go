// SPDX-License-Identifier: MIT

package abi

import (
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

func source(rows []*table.Row[row]) *emit.File {
	f := emit.NewFile("abi", `Package abi describes the registers that a thread starts with: an [ABI] for each row
of defs/intel/abi, for the compiler that reads the registers and for the launchers
that fill them. Both get the layout only from here; a launcher of another project
compares the version and hash that the compiler prints. It depends on
nothing.`)
	var list, abis []emit.Name
	for _, v := range values {
		list = append(list, emit.Name{Name: goName(v.name), Doc: v.doc})
	}
	f.Counted("Value is a value that a launcher supplies.", "Value", "The values.", list, "NumValues")
	var tables []emit.Name
	var bytes []string
	for _, t := range bufferTables {
		tables = append(tables, emit.Name{Name: goName(t.name), Doc: t.doc})
		bytes = append(bytes, strconv.Itoa(t.bytes))
	}
	f.Counted("Table is a table with one entry for each entry of the binding table.", "Table", "The tables.", tables, "NumTables")
	f.List("TableBytes holds the size in bytes of an entry of each table.", "TableBytes", "[NumTables]uint32", bytes)
	var names []emit.Name
	var sizes []string
	for _, p := range parts {
		names = append(names, emit.Name{Name: goName(p.name), Doc: p.doc})
		sizes = append(sizes, fmt.Sprintf("{%d, %d, %v}", p.regs, p.lanes, p.slots))
	}
	f.Counted("Part is a part of the payload of a vertex or fragment shader.", "Part", "The parts.", names, "NumParts")
	partNames := make([]string, len(parts))
	for i, p := range parts {
		partNames[i] = strconv.Quote(p.name)
	}
	f.List("", "partNames", "[NumParts]string", partNames)
	f.Struct("PartSize is the size of a part.", "PartSize", `
		Regs uint8 // registers
		Lanes uint8 // doublewords for each lane, used instead
		Slots bool // whether the number applies to each input slot`)
	f.List("PartSizes are the sizes of the parts; the size of User depends on the program.", "PartSizes", "[NumParts]PartSize", sizes)
	types(f)
	for _, r := range rows {
		doc := strings.Join(strings.Fields(r.Val.Doc), " ")
		abis = append(abis, emit.Name{Name: goName(r.Name), Above: goName(r.Name) + ": " + doc, Is: "= " + r.Val.source(r.Name, doc)})
	}
	f.Vars("The rows.", abis)
	return f
}

// types writes the types of the rows.
func types(f *emit.File) {
	f.Struct("Field is the position of a value: bits of dword Dword of register Reg.", "Field", `
		Value Value
		Reg, Dword uint8
		Mask uint32 // the bits of the value, filled from the lowest`)
	f.Func("Bits returns a value shifted into the bits of the field.", "(f Field) Bits(value uint32) (bits uint32)",
		emit.For("left := f.Mask; left != 0; left &= left - 1",
			emit.If("value&1 != 0", emit.Go("bits |= left & -left")),
			emit.Go("value >>= 1")),
		emit.Return("bits"))
	f.Enum("Bindings is the numbering of binding table entries.", "Bindings", "uint8", "The numberings.", []emit.Name{
		{Name: "BySetBinding", Doc: "in order of (set, binding), as the program's metadata lists them"},
		{Name: "Listed", Doc: "by a table supplied with the program"},
	})
	f.Struct("Inline is the place of inline data: the first bytes of a register.", "Inline", "Reg, Bytes uint8")
	f.Struct("ABI is one row.", "ABI", `
		Name string
		Doc string
		Version int // incremented when something moves, or when new programs need a value that old launchers do not supply
		Hash string // hash of all that follows, in hexadecimal
		Header []Field
		PushReg uint8 // first register of the push data, counted from Block
		Push []Value // its dwords
		UserReg uint8 // first register of the program's own push constants, counted from Block
		Inline Inline // a copy of the first bytes of the program's own push constants and tables; no bytes if there is none
		LocalIDReg uint8 // first register of local ids, when LocalIDs > 0
		LocalIDs uint8 // channels of local ids
		Stage string // vertex or fragment; empty means compute
		PartReg uint8 // first register of the parts
		VertexLanes uint8 // lanes of each vertex of a vertex thread; 0 means 1
		Parts []Part // parts used by the program after the header of a vertex or fragment shader, each starting at the next register
		Tables []Table // tables after the push constants, as far as a program reads them; each is aligned to its entries
		Ranges uint8 // maximum number of ranges of uniform buffers after the tables, each starting at the next register
		RangeRegs uint8 // maximum number of registers of the ranges
		Bindings Bindings`)
	f.Func("Block returns the register that PushReg and UserReg are counted from, for threads of that\n"+
		"many lanes and registers of grf bytes: the one after the local ids, which are 16-bit words; 0 without\n"+
		"local ids.", "(a *ABI) Block(lanes, grf int) int",
		emit.If("a.LocalIDs == 0", emit.Return("0")),
		emit.Return("int(a.LocalIDReg) + int(a.LocalIDs)*a.IDRegs(lanes, grf)"))
	f.Func("IDRegs returns the number of registers, of grf bytes, of one channel of local ids.", "(a *ABI) IDRegs(lanes, grf int) int",
		emit.Return("(2*lanes + grf - 1) / grf"))
	f.Func("Vertices returns the number of vertices of a vertex thread of that many lanes.", "(a *ABI) Vertices(lanes int) int",
		emit.Return("lanes / max(int(a.VertexLanes), 1)"))
	f.Returns("String returns the name of the part in the tables.", "(p Part) String() string", "partNames[p]")
	f.Func("PartRegs returns the number of registers of a part other than User, for threads whose lanes have a doubleword each\n"+
		"in that many registers, of a program with a number of input slots. Registers of 64 bytes have another form of Setup.",
		"(p Part) PartRegs(each, slots int) int",
		emit.Go("s := &PartSizes[p]"),
		emit.Go("n := int(s.Regs) + int(s.Lanes)*each"),
		emit.If("s.Slots", emit.Go("n *= slots")),
		emit.Return("n"))
	f.Func("PushDword returns the position of a push value, with its register, of grf bytes, counted from Block.",
		"(a *ABI) PushDword(v Value, grf int) (reg, dword uint8, ok bool)",
		emit.For("i, p := range a.Push", emit.If("p == v", emit.Return("a.PushReg + uint8(4*i/grf), uint8(4 * i % grf / 4), true"))),
		emit.Return("0, 0, false"))
	f.Func("HeaderField returns the position of a header value.", "(a *ABI) HeaderField(v Value) (Field, bool)",
		emit.For("_, f := range a.Header", emit.If("f.Value == v", emit.Return("f, true"))),
		emit.Return("Field{}, false"))
}

// source returns a row as Go.
func (v *row) source(name, doc string) string {
	var r emit.Rows
	r.F("&ABI{Name: %q, Doc: %q, Version: %d, Hash: %q,\nHeader: []Field{\n", name, doc, v.Version, v.hash())
	for _, f := range v.Header {
		mask, _ := f.mask()
		r.F("{%s, %d, %d, %#x},\n", goName(f.Value), f.Reg, f.Dword, mask)
	}
	r.F("},\n")
	if len(v.Push) > 0 || v.UserReg > 0 {
		var push []string
		for _, p := range v.Push {
			push = append(push, goName(p))
		}
		r.F("PushReg: %d, UserReg: %d,\nPush: []Value{%s},\n", v.PushReg, v.UserReg, strings.Join(push, ", "))
	}
	if p := v.Inline; p.Bytes > 0 {
		r.F("Inline: Inline{Reg: %d, Bytes: %d},\n", p.Reg, p.Bytes)
	}
	if len(v.Parts) > 0 {
		var list []string
		for _, n := range v.Parts {
			list = append(list, goName(n))
		}
		r.F("Stage: %q, PartReg: %d,\nParts: []Part{%s},\n", v.Stage, v.PartReg, strings.Join(list, ", "))
	}
	if v.VertexLanes > 0 {
		r.F("VertexLanes: %d,\n", v.VertexLanes)
	}
	if len(v.LocalIDs) > 0 {
		r.F("LocalIDReg: %d, LocalIDs: %d,\n", v.LocalIDReg, len(v.LocalIDs))
	}
	if len(v.Tables) > 0 {
		var tables []string
		for _, n := range v.Tables {
			tables = append(tables, goName(n))
		}
		r.F("Tables: []Table{%s},\n", strings.Join(tables, ", "))
	}
	if v.Ranges > 0 {
		r.F("Ranges: %d, RangeRegs: %d,\n", v.Ranges, v.RangeRegs)
	}
	r.F("Bindings: %s,\n}", bindings[v.Bindings])
	return r.String()
}
