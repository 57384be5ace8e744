// SPDX-License-Identifier: MIT

package isa

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

// speaker writes instructions as Mesa's disassembler does, or as intel-gen4disasm, which is older.
type speaker struct{ old bool }

// driverConds and driverMath are the driver's names where they differ from ours.
var driverConds = map[isa.CMod]string{
	isa.CModEQ: "z", isa.CModNE: "nz", isa.CModGT: "g", isa.CModGE: "ge", isa.CModLT: "l", isa.CModLE: "le", isa.CModOV: "o", isa.CModUN: "u",
}

var driverMath = map[isa.MathFn]string{isa.MathRsqrt: "rsq", isa.MathSqrt: "sqrt", isa.MathIQuot: "intdiv", isa.MathIRem: "intmod"}

// line returns an instruction's line.
func (s speaker) line(in *isa.Inst) string {
	info := &isa.Ops[in.Op]
	var b strings.Builder
	flag := fmt.Sprintf("f%d.%d", in.Flag>>1, in.Flag&1)
	if s.old {
		flag = strings.TrimSuffix(flag, ".0")
	}
	if in.Pred != isa.PredNone {
		sign := map[bool]string{false: "+", true: "-"}[in.PredInv]
		b.WriteString("(" + sign + flag)
		if in.Pred != isa.PredNormal {
			fmt.Fprintf(&b, ".%v", in.Pred)
		}
		b.WriteString(") ")
	}
	b.WriteString(info.Name)
	if info.Format == isa.FormatMath {
		name := driverMath[in.Math]
		if name == "" {
			name = in.Math.String()
		}
		b.WriteString(" " + name)
	}
	if in.Sat {
		b.WriteString(".sat")
	}
	if in.CMod != isa.CModNone {
		cond := driverConds[in.CMod]
		if s.old {
			cond = strings.Replace(strings.Replace(cond, "nz", "ne", 1), "z", "e", 1)
		}
		b.WriteString("." + cond)
		if in.Op != isa.OpSel {
			b.WriteString("." + flag)
		}
	}
	fmt.Fprintf(&b, "(%d)", in.ExecSize)
	switch info.Format {
	case isa.FormatBasic, isa.FormatMath, isa.FormatTernary:
		b.WriteString(" " + s.dst(&in.Dst))
		for i := range in.Src[:sources(in)] {
			b.WriteString(" " + s.src(in, &in.Src[i]))
		}
		if info.Format == isa.FormatMath && sources(in) == 1 {
			b.WriteString(" null" + map[bool]string{false: "<4>F", true: ""}[s.old]) // the driver's, which means nothing
		}
	case isa.FormatBranch:
		if s.old { // in units of 8 bytes
			if info.TargetsOn(isa.HSW) == 2 {
				fmt.Fprintf(&b, " %d", in.UIP/8)
			}
			fmt.Fprintf(&b, " %d", in.JIP/8)
		}
	case isa.FormatSend:
		d, p := in.Dst, in.Src[0]
		d.HStride = 1
		b.WriteString(" " + s.dst(&d) + " " + s.register(&p))
	}
	b.WriteString(" " + s.options(in))
	return b.String()
}

func (s speaker) dst(o *isa.Operand) string {
	text := s.register(o)
	if o.Indirect || s.old && o.IsNull() {
		return text
	}
	text += fmt.Sprintf("<%d>", o.HStride)
	if o.Mask != 0 {
		text += "." + o.Mask.String()
	}
	return text + strings.ToUpper(o.Type.String())
}

// register returns a register with its subregister in elements.
func (s speaker) register(o *isa.Operand) string {
	switch {
	case o.Indirect:
		return "Indirect align16 address mode not supported"
	case o.IsNull():
		return "null"
	}
	name := "g" + strconv.Itoa(int(o.Reg))
	if o.File == isa.FileARF {
		name = isa.ARFNames[o.Reg>>4] + strconv.Itoa(int(o.Reg&15))
	}
	if o.Sub != 0 {
		name += "." + strconv.Itoa(int(o.Sub)/o.Type.Size())
	}
	return name
}

func (s speaker) src(in *isa.Inst, o *isa.Operand) string {
	typ := strings.ToUpper(o.Type.String())
	if o.File == isa.FileImm {
		if s.old && o.Type == isa.TypeVF {
			typ = ""
		}
		return s.immediate(o) + typ
	}
	text := ""
	if o.Neg {
		text = "-"
	}
	if o.Abs {
		text += "(abs)"
	}
	text += s.register(o)
	swizzle := ""
	if o.Swizzle != 0 {
		swizzle = "." + o.Swizzle.String()
		if swizzle[1:] == strings.Repeat(swizzle[1:2], 4) {
			swizzle = swizzle[:2]
		}
	}
	switch {
	case ternary(in) && o.HStride == 0 && s.old: // which does not know that it is a scalar; the driver's swizzle is zeros
		return text + "<4,1,1>" + typ + ".x"
	case ternary(in) && o.HStride == 0:
		if o.Sub == 0 {
			text += ".0"
		}
		return text + "<0,1,0>" + typ
	case ternary(in) && s.old:
		return text + "<4,1,1>" + typ + swizzle
	case ternary(in):
		text += "<4,4,1>"
	case s.old && o.IsNull():
		return text
	case in.Align16 && !s.old:
		text += fmt.Sprintf("<%d>", o.VStride)
	default:
		text += fmt.Sprintf("<%d,%d,%d>", o.VStride, o.Width, o.HStride)
	}
	return text + swizzle + typ
}

func (s speaker) immediate(o *isa.Operand) string {
	switch o.Type {
	case isa.TypeD:
		return strconv.Itoa(int(int32(o.Imm)))
	case isa.TypeF, isa.TypeVF:
		switch {
		case s.old && o.Type == isa.TypeVF:
			return "Vector Float"
		case s.old:
			return strconv.FormatFloat(float64(math.Float32frombits(uint32(o.Imm))), 'g', 6, 64)
		}
		return fmt.Sprintf("0x%x", o.Imm)
	}
	return fmt.Sprintf("0x%08x", o.Imm)
}

func (s speaker) options(in *isa.Inst) string {
	mode := "align1"
	if in.Align16 || ternary(in) {
		mode = "align16"
	}
	words := []string{mode}
	switch {
	case in.NoMask:
		words = append(words, "WE_all")
	case s.old:
		words = append(words, "WE_normal")
	}
	var dep []string
	if in.NoDDClr {
		dep = append(dep, "NoDDClr")
	}
	if in.NoDDChk {
		dep = append(dep, "NoDDChk")
	}
	if dep != nil {
		words = append(words, strings.Join(dep, ","))
	}
	switch {
	case in.ExecSize == 8 && (in.ChanOff%8 == 0 || s.old):
		words = append(words, fmt.Sprintf("%dQ", in.ChanOff/8+1))
	case !s.old:
		words = append(words, fmt.Sprintf("%dN", in.ChanOff/4+1))
	}
	for _, x := range []struct {
		on   bool
		name string
	}{{in.AccWrEn, "AccWrEnable"}, {in.Switch, "switch"}, {in.EOT, "EOT"}} {
		if x.on {
			words = append(words, x.name)
		}
	}
	return "{ " + strings.Join(words, " ") + " }"
}

// payloadRegion matches what the driver prints of a payload's region and type, and of the descriptor.
var payloadRegion = regexp.MustCompile(`^(\S*send\(\d+\) \S+ \w+)<\d>\S*( [^{]*)`)

// TestVec4Driver: we read every word as the driver means it: opcode, predicate, condition, lanes, destination with mask and
// type, sources with modifiers, rows, swizzle and type, immediates and options.
func TestVec4Driver(t *testing.T) {
	for _, w := range vec4Words(t) {
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Fatal(err)
		}
		want, got := w.text, speaker{}.line(&in)
		if send(&in) {
			m := payloadRegion.FindStringSubmatch(want)
			if m == nil {
				t.Fatalf("no message: %s", want)
			}
			want = strings.Replace(want, m[0], m[1]+" ", 1)
			desc := fmt.Sprintf(" %#08x ", in.Desc|uint32(fields.Bit(in.EOT))<<31)
			if computed := strings.Contains(m[2], "a0<0>"); in.DescReg != computed || !computed && desc != m[2] {
				t.Errorf("%s: descriptor %#x, in a0: %v", w.text, in.Desc, in.DescReg)
			}
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", wordText(w.word), got, want)
		}
	}
}

// elderWords returns the texts of words by intel-gen4disasm, without runs of blanks. Words on which it dies have none.
func elderWords(t *testing.T, words []vec4Word) []string {
	var b strings.Builder
	for _, w := range words {
		for at := 0; at < isa.InstSize; at += 4 {
			fmt.Fprintf(&b, "0x%08x ", binary.LittleEndian.Uint32(w.word[at:]))
		}
		b.WriteByte('\n')
	}
	file := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	out, _, err := oracle.Run(t, "intel-gen4disasm", nil, "-g", "7.5", file)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for x := range strings.SplitSeq(string(out), "};") {
		texts = append(texts, strings.Join(strings.Fields(x), " "))
	}
	return texts
}

// elderLacks are the opcodes that intel-gen4disasm does not know.
var elderLacks = []isa.Op{isa.OpAddc, isa.OpBfe, isa.OpBfi1, isa.OpBfi2, isa.OpBfrev, isa.OpCbit, isa.OpF16to32, isa.OpF32to16, isa.OpFbh,
	isa.OpFbl, isa.OpLrp, isa.OpSubb}

// elderMessage matches its text of a message: destination, payload, lengths and options.
var elderMessage = regexp.MustCompile(`^(\S*send\(\d+\) \S+ \w+)<[\d,]+>\S* .*?(mlen \d+ rlen \d+|indirect) ({.*)$`)

// TestVec4Elder: an older disassembler with other authors' tables reads the words as we do, in particular access mode
// Align16, which iga64 refuses: destination with mask, sources with rows and swizzles, predicates and options.
func TestVec4Elder(t *testing.T) {
	oracle.Need(t, "intel-gen4disasm")
	words := slices.DeleteFunc(vec4Words(t), func(w vec4Word) bool { return strings.Contains(w.text, "DF") }) // on which it dies
	texts := elderWords(t, words)
	if len(texts) <= len(words) {
		t.Fatalf("%d texts of %d words", len(texts), len(words))
	}
	compared := 0
	for i, w := range words {
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Fatal(err)
		}
		if want := texts[i]; strings.HasPrefix(want, "*** invalid opcode") ||
			strings.HasPrefix(want, "(+f") && strings.Contains(want, "invalid opcode") {
			if !slices.Contains(elderLacks, in.Op) {
				t.Errorf("%s: no text of %s", wordText(w.word), speaker{old: true}.line(&in))
			}
			continue
		}
		elderAgrees(t, w, &in, texts[i])
		compared++
	}
	if compared < 2250 {
		t.Errorf("only %d words were compared", compared)
	}
}

// branchSources matches the operands that the older disassembler prints after the targets of a branch: it reads fields of the
// word that branches do not have as sources, and what is in them is undefined. Opcode, predicate, targets and options count.
var branchSources = regexp.MustCompile(`^(.*\) -?\d+ -?\d+) .*?( \{ align.*)$`)

// branchTargets matches the targets of a branch as it prints them a second time, as an immediate.
var branchTargets = regexp.MustCompile(` -?\d+U?[WD]$`)

// elderAgrees checks that the older disassembler's text of a word is what we read. Messages and branches are compared
// without what it does not print.
func elderAgrees(t *testing.T, w vec4Word, in *isa.Inst, text string) {
	t.Helper()
	want, got := text+" }", speaker{old: true}.line(in)
	switch {
	case send(in):
		m := elderMessage.FindStringSubmatch(want)
		if m == nil {
			t.Errorf("%s: no message: %s", wordText(w.word), want)
			return
		}
		want = m[1] + " " + m[3]
		if lengths := fmt.Sprintf("mlen %d rlen %d", in.Desc>>25&0xF, in.Desc>>20&0x1F); !in.DescReg && m[2] != lengths {
			t.Errorf("%s: %s, want %s", w.text, lengths, m[2])
		}
	case branch(in):
		before, rest, found := strings.Cut(want, " null ")
		if at := strings.Index(rest, " {"); found && at >= 0 {
			want = before + rest[at:]
		} else if found { // a word with its targets as an immediate
			want = branchTargets.ReplaceAllString(before, "") + " " + rest
		} else if m := branchSources.FindStringSubmatch(want); m != nil {
			want = m[1] + m[2]
		}
	}
	if got != want {
		t.Errorf("%s\ngot  %s\nwant %s", wordText(w.word), got, want)
	}
}

// TestVec4DriverIsLegal: the driver's words break no restriction on vectors, so that these are not stricter than the
// machine. Words with 64-bit floats, and those that move them through addresses, are left out: the driver's validator
// refuses them, too.
func TestVec4DriverIsLegal(t *testing.T) {
	rules := []string{"cmp_null_switch", "math_immediate", "one_lane_of_four", "urb_pairs", "vectors_aligned", "vectors_dst_stride",
		"vectors_rows"}
	for _, rule := range rules {
		if !slices.ContainsFunc(isa.Restrictions[:], func(r isa.Restriction) bool { return r.ID == rule }) {
			t.Errorf("no restriction is called %s", rule)
		}
	}
	for _, w := range vec4Words(t) {
		if strings.Contains(w.text, "DF") || strings.Contains(w.text, "Indirect") {
			continue
		}
		for _, v := range legal.Check(isa.HSW, w.word) {
			if slices.Contains(rules, v.Rule) {
				t.Errorf("%s: %v", w.text, v)
			}
		}
	}
}
