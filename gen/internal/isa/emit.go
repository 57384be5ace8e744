// SPDX-License-Identifier: MIT

package isa

import (
	"cmp"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/codec"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

func emitTables(t *isatab.Tables, out *emit.Out) error {
	compact, err := compactWords(t)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		file *emit.File
	}{
		{"enums", enums(t)},
		{"ops", opcodes(t)},
		{"inst", instFile(t)},
		{"codec", codec.Entry(t)},
		{"restrictions", restrictions(t)},
		{"devices", t.DeviceFile()},
		{"regfile", t.RegisterFiles()},
		{"surfaces", t.SurfaceFile()},
		{"compact", compact},
		{"messages", descriptors.MessageFile(t)},
		{"descriptors", descriptors.Builders(t)},
	} {
		if err := out.Code(isatab.OutDir+f.name+".go", t.Files, f.file); err != nil {
			return err
		}
	}
	return codec.EmitCodec(t, out)
}

// igaName returns a row's name in iga64's syntax.
func igaName(r *table.Row[isatab.Named]) string {
	if r.Val.IGA != nil {
		return *r.Val.IGA
	}
	return r.Name
}

// enums returns the file of enumerations.
func enums(t *isatab.Tables) *emit.File {
	f := emit.NewFile("isa", `Package isa holds Intel's EU instruction words: the decoded form
([Inst]), its encoder and decoder ([Encode], [Decode]), and the descriptors of messages.
It knows nothing of compilers. Every function takes the [Platform] whose words are
meant. backend/intel/isatext assembles and disassembles.

Words, codes, registers and restrictions are rows of defs/intel/isa;
generated/docs/machine.md lists the instructions.`)
	var platforms []emit.Name
	var names, iga []string
	for _, p := range t.Platforms {
		platforms = append(platforms, emit.Name{Name: p.Val.Go, Doc: p.Val.Doc})
		names = append(names, p.Name)
		iga = append(iga, p.Val.IGA)
	}
	f.Enum("Platform is a machine whose instructions the package supports.", "Platform", "uint8", "The platforms.",
		append(platforms, emit.Name{Name: "NumPlatforms", Is: "= iota", Above: "NumPlatforms is the number of platforms."}))
	f.List("", "platformNames", "[NumPlatforms]string", emit.Quoted(names...))
	f.List("", "igaPlatforms", "[NumPlatforms]string", emit.Quoted(iga...))
	f.Returns("String is the platform's name (\"tgl\").", "(p Platform) String() string", `fields.Name(platformNames[:], uint8(p), "platform")`)
	f.Returns("IGA is the platform's name for iga64's -p option (\"12p1\").", "(p Platform) IGA() string", `fields.Name(igaPlatforms[:], uint8(p), "platform")`)
	lookup(f, "PlatformByName finds a platform by the name of its row (\"tgl\").", "PlatformByName", "Platform", "NumPlatforms",
		"platformNames[#]")
	typeTables(t, f)
	for _, e := range enumerations(t) {
		emitCoded(t, f, e)
	}
	mathTables(t, f)
	arfTables(t, f)
	return f
}

// arfTables writes the architecture registers.
func arfTables(t *isatab.Tables, f *emit.File) {
	var list []emit.Name
	var names, counts emit.Rows
	inBytes := 0
	for _, r := range t.Arfs {
		c, _ := t.AnyCode(r.Val.Code)
		list = append(list, emit.Name{Name: "ARF" + isatab.GoName(r.Name, r.Val.Go), Is: fmt.Sprintf("= %#02x", c), Doc: r.Val.Doc})
		names.F("%d: %q,\n", c>>4, igaName(r))
		if r.Val.Bytes {
			inBytes |= 1 << (c >> 4)
		}
	}
	for _, p := range t.Platforms {
		counts.F("%s: {", p.Val.Go)
		for _, r := range t.Arfs {
			if c, ok := r.Val.Code.At(p); ok {
				n, _ := r.Val.Count.At(p)
				counts.F("%d: %d, ", c>>4, n)
			}
		}
		counts.F("},\n")
	}
	f.Consts("Architecture registers: the register byte of number 0 of each kind.", list)
	f.Table("ARFNames are the names of the kinds of architecture registers, by the high nibble of the\nregister byte, as ARFCounts is.",
		"ARFNames", "[16]string", &names)
	f.Const("ARFBytes are the kinds whose subregisters texts count in bytes.", "ARFBytes", fmt.Sprintf("%#x", inBytes))
	f.Table("ARFCounts is the number of registers of each kind, by platform.", "ARFCounts", "[NumPlatforms][16]uint8", &counts)
	f.Func("ARFExists reports a register byte that names an architecture register of some\nplatform.", "ARFExists(code uint8) bool",
		emit.For("p := range ARFCounts", emit.If("code&15 < ARFCounts[p][code>>4]", emit.Return("true"))),
		emit.Return("false"))
}

// typeName returns the constant of a type.
func typeName(name string) string { return "Type" + strings.ToUpper(name) }

// typeTables writes the types of operands and their codes.
func typeTables(t *isatab.Tables, f *emit.File) {
	list := []emit.Name{{Name: "TypeNone", Doc: "an operand without a type (sends, branches)"}}
	var rows emit.Rows
	for _, r := range t.Types {
		list = append(list, emit.Name{Name: typeName(r.Name), Doc: r.Val.Doc})
		rows.F("%s: {%q, %d, %v, %v, %s},\n", typeName(r.Name), r.Name, r.Val.Size, r.Val.Signed, r.Val.Float,
			typeName(cmp.Or(r.Val.Elem, r.Name)))
	}
	f.Enum("Type is the type of an operand.", "Type", "uint8", "The types.",
		append(list, emit.Name{Name: "NumTypes", Is: "= iota", Above: "NumTypes is the number of types."}))
	f.Struct("", "typeInfo", `
		name string
		size uint8
		signed, float bool
		elem Type`)
	f.Table("", "types", "[NumTypes]typeInfo", &rows)
	var sizes emit.Rows
	for _, r := range t.Types {
		sizes.F("%s: %d,\n", typeName(r.Name), r.Val.Size)
	}
	f.Table("typeSizes has a row for every number, so that none need be checked.", "typeSizes", "[256]uint8", &sizes)
	typeFuncs(f)
	for _, k := range []struct {
		name, doc string
		get       func(*isatab.TypeRow) isatab.Codes
	}{
		{"typeCode", "the codes of register operands", func(r *isatab.TypeRow) isatab.Codes { return r.Code }},
		{"typeImm", "the codes of immediates", func(r *isatab.TypeRow) isatab.Codes { return r.Imm }},
		{"typeTernary", "the codes of three-source operands; bit 3 is the class", func(r *isatab.TypeRow) isatab.Codes { return r.Ternary }},
	} {
		var to, of emit.Rows
		for _, p := range t.Platforms {
			to.F("%s: {noCode, ", p.Val.Go)
			of.F("%s: {", p.Val.Go)
			for _, r := range t.Types {
				c, ok := k.get(&r.Val).At(p)
				if !ok {
					to.F("noCode, ")
					continue
				}
				if r.Val.Float && k.name == "typeTernary" && t.LayoutOf(p).Has("t_class") {
					c |= 8
				}
				to.F("%d, ", c)
				of.F("%d: %s, ", c, typeName(r.Name))
			}
			to.F("},\n")
			of.F("},\n")
		}
		f.Table(k.name+" are "+k.doc+", by type; noCode where there is none.", k.name, "[NumPlatforms][NumTypes]uint8", &to)
		f.Table(k.name+"Of is its inverse.", k.name+"Of", "[NumPlatforms][16]Type", &of)
	}
}

// typeFuncs writes the methods of Type that return its properties.
func typeFuncs(f *emit.File) {
	ask := func(doc, signature, value, otherwise string) {
		f.Func(doc, "(t Type) "+signature,
			emit.If("int(t) < NumTypes", emit.Return(value)),
			emit.Return(otherwise))
	}
	f.Returns("Size is the width in bytes; for UV, V and VF, the width of a packed immediate's\nwhole word.", "(t Type) Size() int",
		"int(typeSizes[t])")
	ask("IsFloat reports HF, F, DF and VF.", "IsFloat() bool", "types[t].float", "false")
	ask("IsSigned reports signed integers and floats.", "IsSigned() bool", "types[t].signed", "false")
	ask("Elem is the type a lane sees: words for V and UV, floats for VF, else t.", "Elem() Type", "types[t].elem", "t")
	f.Func("String is the name in iga64's syntax (\"ud\").", "(t Type) String() string",
		emit.If("t == TypeNone || int(t) >= NumTypes", emit.Return(`"type(" + strconv.Itoa(int(t)) + ")"`)),
		emit.Return("types[t].name"))
	f.Func("TypeByName finds a type by its name in iga64's syntax.", "TypeByName(name string) (Type, bool)",
		emit.For("t := TypeNone + 1; t < NumTypes; t++", emit.If("types[t].name == name", emit.Return("t, true"))),
		emit.Return("TypeNone, false"))
	f.Returns("HasImm reports whether a platform has immediates of the type.", "(t Type) HasImm(p Platform) bool",
		"immType(p, t) != noCode")
}

// platformSet returns a bit for each platform in a list of platforms and families.
func platformSet(t *isatab.Tables, names []string) (set uint32) {
	for i, p := range t.Platforms {
		if isatab.Index(names, p.Name) >= 0 || isatab.Index(names, p.Val.Family) >= 0 {
			set |= 1 << i
		}
	}
	return set
}

// opcodes returns the file of opcodes.
func opcodes(t *isatab.Tables) *emit.File {
	f := emit.NewFile("isa", "")
	var list []emit.Name
	var rows, of emit.Rows
	for _, r := range t.Ops {
		list = append(list, emit.Name{Name: "Op" + isatab.GoName(r.Name, ""), Doc: r.Val.Doc})
		opRow(t, &rows, r)
	}
	for _, p := range t.Platforms {
		of.F("%s: {", p.Val.Go)
		var have [128]string
		for _, r := range t.Ops {
			if c, ok := r.Val.Code.At(p); ok {
				have[c] = "Op" + isatab.GoName(r.Name, "")
			}
		}
		for c, n := range have {
			if c%8 == 0 {
				of.F("\n")
			}
			of.F("%s, ", cmp.Or(n, "NumOps"))
		}
		of.F("\n},\n")
	}
	f.Enum("Op is an opcode.", "Op", "uint8", "The opcodes.",
		append(list, emit.Name{Name: "NumOps", Is: "= iota", Above: "NumOps is the number of opcodes."}))
	f.Table("Ops describes every opcode.", "Ops", "[NumOps]OpInfo", &rows)
	f.Func("String is the mnemonic.", "(o Op) String() string",
		emit.If("int(o) < NumOps", emit.Return("Ops[o].Name")),
		emit.Return(`"op(" + strconv.Itoa(int(o)) + ")"`))
	lookup(f, "OpByName finds an opcode by its mnemonic.", "OpByName", "Op", "NumOps", "Ops[#].Name")
	f.Returns("IsOutOfOrder reports the opcodes that complete out of order and carry tokens.", "(o Op) IsOutOfOrder() bool",
		"int(o) < NumOps && (Ops[o].Format == FormatSend || Ops[o].Format == FormatSends || Ops[o].Format == FormatMath)")
	f.Table("opOf is the opcode of each 7-bit code, or NumOps.", "opOf", "[NumPlatforms][128]Op", &of)
	return f
}

func opRow(t *isatab.Tables, b *emit.Rows, r *table.Row[isatab.OpRow]) {
	v := &r.Val
	b.F("Op%s: {Name: %q, Code: [NumPlatforms]uint8{", isatab.GoName(r.Name, ""), r.Name)
	for _, p := range t.Platforms {
		if c, ok := v.Code.At(p); ok {
			b.F("%s: %#02x, ", p.Val.Go, c)
		} else {
			b.F("%s: noCode, ", p.Val.Go)
		}
	}
	b.F("}, Format: Format%s, NumSrc: %d, Targets: %d, ", isatab.GoName(v.Format, ""), v.Src, v.Targets)
	for _, x := range []struct {
		name string
		on   bool
	}{
		{"HasDst", v.Dst}, {"CanSat", v.Sat}, {"CanCMod", v.CMod}, {"CanPred", v.Pred},
		{"ReadsAcc", v.Acc == "reads"}, {"WritesAcc", v.Acc == "writes"}, {"SrcMods", v.Mods != ""}, {"LogicMods", v.Mods == "logic"}, {"Table", v.Table}, {"BranchCtrl", v.BCtrl}, {"RegTarget", v.RegTgt}, {"Scalar", v.Scalar},
	} {
		if x.on {
			b.F("%s: true, ", x.name)
		}
	}
	if on := platformSet(t, v.SatOn); on != 0 {
		b.F("SatOn: %#x, ", on)
	}
	if on := platformSet(t, v.JIPOn); on != 0 {
		b.F("JIPOn: %#x, ", on)
	}
	b.F("Types: []TypeRule{")
	for _, text := range v.Types {
		s, _ := signature(t, text, v.Src)
		on := ^uint32(0)
		if s.on != nil {
			on = platformSet(t, s.on)
		}
		b.F("{%#x, %#x, [3]uint32{%#x, %#x, %#x}}, ", on, s.dst, s.src[0], s.src[1], s.src[2])
	}
	b.F("}},\n")
}
