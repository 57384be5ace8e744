package isa

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// The support files are fixed text: types, assembler and so on, which read the
// emitted tables.
//
//go:embed support/*.go.txt
var support embed.FS

const outDir = "isa/"

func (t *tables) emit(out *emit.Out) error {
	for _, f := range []struct {
		name string
		body func(*bytes.Buffer)
	}{
		{"enums.go", t.emitEnums},
		{"ops.go", t.emitOps},
		{"messages.go", t.emitMessages},
		{"descriptors.go", t.emitBuilders},
		{"restrictions.go", t.emitRestricts},
		{"devices.go", t.emitDevices},
		{"regfile.go", t.emitRegFiles},
	} {
		var b bytes.Buffer
		f.body(&b)
		if err := out.Go(outDir+f.name, t.files, b.Bytes()); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := t.emitCompact(&b); err != nil {
		return err
	}
	if err := out.Go(outDir+"compact.go", t.files, b.Bytes()); err != nil {
		return err
	}
	if err := t.emitCodec(out); err != nil {
		return err
	}
	return t.emitSupport(out)
}

func (t *tables) emitSupport(out *emit.Out) error {
	files, err := support.ReadDir("support")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := support.ReadFile("support/" + f.Name())
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(f.Name(), ".txt")
		if err := out.Go(outDir+name, []string{"gen/internal/isa/support/" + f.Name()}, text); err != nil {
			return err
		}
	}
	return nil
}

// goName is a row's identifier: its go key, or its name in camel case.
func goName(name, explicit string) string {
	if explicit != "" {
		return explicit
	}
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// igaName is a row's name in iga64's syntax.
func igaName(r *table.Row[named]) string {
	if r.Val.IGA != nil {
		return *r.Val.IGA
	}
	return r.Name
}

func (t *tables) emitEnums(b *bytes.Buffer) {
	fmt.Fprintf(b, `// Package isa holds Intel's EU instruction words: what a decoded instruction
// is, its encoder, decoder, disassembler and assembler (in iga64's syntax), and
// the descriptors of messages. It knows nothing of compilers: bytes and text go
// in, bytes and text come out.
package isa

// Platform is a machine whose instructions the package knows.
type Platform uint8

// The platforms.
const (
`)
	for i, p := range t.platforms {
		fmt.Fprintf(b, "\t%s", p.Val.Go)
		if i == 0 {
			fmt.Fprintf(b, " Platform = iota")
		}
		fmt.Fprintf(b, " // %s\n", p.Val.Doc)
	}
	fmt.Fprintf(b, "\t// NumPlatforms is their number.\n\tNumPlatforms = iota\n)\n\n")
	fmt.Fprintf(b, "var platformNames = [NumPlatforms]string{")
	for _, p := range t.platforms {
		fmt.Fprintf(b, "%q, ", p.Name)
	}
	fmt.Fprintf(b, "}\n\nvar igaPlatforms = [NumPlatforms]string{")
	for _, p := range t.platforms {
		fmt.Fprintf(b, "%q, ", p.Val.IGA)
	}
	fmt.Fprintf(b, "}\n\n")
	t.emitTypes(b)
	for _, e := range t.enumerations() {
		t.emitCoded(b, e)
	}
	t.emitMath(b)
	fmt.Fprintf(b, "// Architecture registers: the register byte of number 0 of each kind.\nconst (\n")
	for _, r := range t.arfs {
		c, _ := t.code(r.Val.Code)
		fmt.Fprintf(b, "\tARF%s = %#02x // %s\n", goName(r.Name, r.Val.Go), c, r.Val.Doc)
	}
	fmt.Fprintf(b, ")\n\n// arfNames and arfCounts are indexed by the high nibble of the register byte.\nvar arfNames = [16]string{\n")
	for _, r := range t.arfs {
		c, _ := t.code(r.Val.Code)
		fmt.Fprintf(b, "\t%d: %q,\n", c>>4, igaName(r))
	}
	bytes := 0
	for _, r := range t.arfs {
		if c, _ := t.code(r.Val.Code); r.Val.Bytes {
			bytes |= 1 << (c >> 4)
		}
	}
	fmt.Fprintf(b, "}\n\n// arfBytes are the kinds whose subregisters texts count in bytes.\nconst arfBytes = %#x\n", bytes)
	fmt.Fprintf(b, "\nvar arfCounts = [NumPlatforms][16]uint8{\n")
	for _, p := range t.platforms {
		fmt.Fprintf(b, "\t%s: {", p.Val.Go)
		for _, r := range t.arfs {
			if c, ok := r.Val.Code.at(p); ok {
				n, _ := r.Val.Count.at(p)
				fmt.Fprintf(b, "%d: %d, ", c>>4, n)
			}
		}
		fmt.Fprintf(b, "},\n")
	}
	fmt.Fprintf(b, "}\n")
}

// code is the code of an enumeration that all platforms share: the first one's.
func (t *tables) code(c codes) (int, bool) {
	for _, p := range t.platforms {
		if v, ok := c.at(p); ok {
			return v, true
		}
	}
	return 0, false
}

func (t *tables) emitTypes(b *bytes.Buffer) {
	fmt.Fprintf(b, "// Type is the type of an operand.\ntype Type uint8\n\n// The types.\nconst (\n\tTypeNone Type = iota // an operand without a type (sends, branches)\n")
	for _, r := range t.types {
		fmt.Fprintf(b, "\tType%s // %s\n", strings.ToUpper(r.Name), r.Val.Doc)
	}
	fmt.Fprintf(b, "\t// NumTypes is their number.\n\tNumTypes = iota\n)\n\n")
	fmt.Fprintf(b, "type typeInfo struct {\n\tname string\n\tsize uint8\n\tsigned, float bool\n\telem Type\n}\n\nvar types = [NumTypes]typeInfo{\n")
	for _, r := range t.types {
		elem := "Type" + strings.ToUpper(r.Name)
		if r.Val.Elem != "" {
			elem = "Type" + strings.ToUpper(r.Val.Elem)
		}
		fmt.Fprintf(b, "\tType%s: {%q, %d, %v, %v, %s},\n", strings.ToUpper(r.Name), r.Name, r.Val.Size, r.Val.Signed, r.Val.Float, elem)
	}
	fmt.Fprintf(b, "}\n\n")
	for _, k := range []struct {
		name, doc string
		get       func(*typeRow) codes
	}{
		{"typeCode", "the codes of register operands", func(r *typeRow) codes { return r.Code }},
		{"typeImm", "the codes of immediates", func(r *typeRow) codes { return r.Imm }},
		{"typeTernary", "the codes of three-source operands; bit 3 is the class", func(r *typeRow) codes { return r.Ternary }},
	} {
		fmt.Fprintf(b, "// %s are %s, by type; noCode where there is none.\nvar %s = [NumPlatforms][NumTypes]uint8{\n", k.name, k.doc, k.name)
		var back bytes.Buffer
		for _, p := range t.platforms {
			fmt.Fprintf(b, "\t%s: {noCode, ", p.Val.Go)
			fmt.Fprintf(&back, "\t%s: {", p.Val.Go)
			for _, r := range t.types {
				if c, ok := k.get(&r.Val).at(p); ok {
					if r.Val.Float && k.name == "typeTernary" && t.layoutOf(p).has("t_class") {
						c |= 8
					}
					fmt.Fprintf(b, "%d, ", c)
					fmt.Fprintf(&back, "%d: Type%s, ", c, strings.ToUpper(r.Name))
				} else {
					fmt.Fprintf(b, "noCode, ")
				}
			}
			fmt.Fprintf(b, "},\n")
			fmt.Fprintf(&back, "},\n")
		}
		fmt.Fprintf(b, "}\n\n// %sOf is its inverse.\nvar %sOf = [NumPlatforms][16]Type{\n%s}\n\n", k.name, k.name, back.String())
	}
}

// platformSet is a bit for each platform that a list of platforms and families names.
func (t *tables) platformSet(names []string) (set uint32) {
	for i, p := range t.platforms {
		if index(names, p.Name) >= 0 || index(names, p.Val.Family) >= 0 {
			set |= 1 << i
		}
	}
	return set
}

func (t *tables) emitOps(b *bytes.Buffer) {
	fmt.Fprintf(b, "package isa\n\n// Op is an opcode.\ntype Op uint8\n\n// The opcodes.\nconst (\n")
	for i, r := range t.ops {
		fmt.Fprintf(b, "\tOp%s", goName(r.Name, ""))
		if i == 0 {
			fmt.Fprintf(b, " Op = iota")
		}
		fmt.Fprintf(b, " // %s\n", r.Val.Doc)
	}
	fmt.Fprintf(b, "\t// NumOps is their number.\n\tNumOps = iota\n)\n\n")
	fmt.Fprintf(b, "// Ops describes every opcode.\nvar Ops = [NumOps]OpInfo{\n")
	for _, r := range t.ops {
		v := &r.Val
		fmt.Fprintf(b, "\tOp%s: {Name: %q, Code: [NumPlatforms]uint8{", goName(r.Name, ""), r.Name)
		for _, p := range t.platforms {
			if c, ok := v.Code.at(p); ok {
				fmt.Fprintf(b, "%s: %#02x, ", p.Val.Go, c)
			} else {
				fmt.Fprintf(b, "%s: noCode, ", p.Val.Go)
			}
		}
		fmt.Fprintf(b, "}, Format: Format%s, NumSrc: %d, Targets: %d, ", goName(v.Format, ""), v.Src, v.Targets)
		for _, f := range []struct {
			name string
			on   bool
		}{
			{"HasDst", v.Dst}, {"CanSat", v.Sat}, {"CanCMod", v.CMod}, {"CanPred", v.Pred},
			{"ReadsAcc", v.Acc == "reads"}, {"WritesAcc", v.Acc == "writes"}, {"SrcMods", v.Mods != ""}, {"LogicMods", v.Mods == "logic"}, {"BranchCtrl", v.BCtrl}, {"RegTarget", v.RegTgt}, {"Scalar", v.Scalar},
		} {
			if f.on {
				fmt.Fprintf(b, "%s: true, ", f.name)
			}
		}
		if on := t.platformSet(v.SatOn); on != 0 {
			fmt.Fprintf(b, "SatOn: %#x, ", on)
		}
		fmt.Fprintf(b, "Types: []TypeRule{")
		for _, text := range v.Types {
			s, _ := t.signature(text, v.Src)
			on := ^uint32(0)
			if s.on != nil {
				on = t.platformSet(s.on)
			}
			fmt.Fprintf(b, "{%#x, %#x, [3]uint32{%#x, %#x, %#x}}, ", on, s.dst, s.src[0], s.src[1], s.src[2])
		}
		fmt.Fprintf(b, "}},\n")
	}
	fmt.Fprintf(b, "}\n\n// opOf is the opcode of each 7-bit code, or NumOps.\nvar opOf = [NumPlatforms][128]Op{\n")
	for _, p := range t.platforms {
		fmt.Fprintf(b, "\t%s: {", p.Val.Go)
		var have [128]string
		for _, r := range t.ops {
			if c, ok := r.Val.Code.at(p); ok {
				have[c] = "Op" + goName(r.Name, "")
			}
		}
		for c, n := range have {
			if n == "" {
				n = "NumOps"
			}
			if c%8 == 0 {
				fmt.Fprintf(b, "\n\t\t")
			}
			fmt.Fprintf(b, "%s, ", n)
		}
		fmt.Fprintf(b, "\n\t},\n")
	}
	fmt.Fprintf(b, "}\n")
}
