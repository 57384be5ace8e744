// SPDX-License-Identifier: MIT

package codec

import (
	"slices"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// platformData is the dispatch's data about one platform.
type platformData struct {
	Platform, Name string
	Compact        bool
	CompactName    string
	Compacted      int // bit of the word
	WholeExDesc    bool
	ResponseUD     bool
	SecondLen      bool
	WordLen        string // an expression for a mask of shared functions
	MacroRegion    []int
	MacroScalar    bool
	MacroAcc       int // the accumulator that is math-macro register 0
	SubUnit        int // bytes that the field for the subregister of source 1 counts
	Opcode         string
	Lacks          []string
	Scoreboard     bool // the words have a field for waits
	MathTokens     bool // math allocates tokens
	OnePayload     bool // a send has a single payload
	// Whether the destination and the source of send and of sends have types.
	SendTypes, SendsTypes [2]bool
}

// EmitCodec writes the functions that encode and decode words.
func EmitCodec(t *isatab.Tables, out *emit.Out) error {
	var disp []platformData
	done := map[string]bool{}
	for _, p := range t.Platforms {
		l := t.LayoutOf(p)
		name := strings.ToUpper(l.Row.Name)
		opcode, err := isatab.Coder{T: t, L: l}.Get("opcode")
		if err != nil {
			return err
		}
		d := platformData{
			Platform: p.Val.Go, Name: name, Compacted: l.Spans["compacted"][0].Lo, WholeExDesc: l.V.WholeExDesc,
			ResponseUD: l.V.ResponseUD, SecondLen: l.V.SecondLen, WordLen: sfidMask(t, l.V.WordLen),
			MacroRegion: l.V.MacroRegion, MacroScalar: l.V.MacroScalar, MacroAcc: macroAcc(t, p),
			SubUnit: 1 << (l.RegisterBits() - l.Width("src1_sub")), Opcode: opcode, Lacks: lacksOptions(l),
		}
		for i, o := range []string{"dst", "src0"} {
			d.SendTypes[i] = slices.Contains(l.V.With["send"], "s_"+o+"_type")
			d.SendsTypes[i] = slices.Contains(l.V.With["sends"], "ss_"+o+"_type")
		}
		d.Scoreboard = l.Has("swsb")
		_, d.MathTokens = l.V.Scoreboard["math"]["$t"]
		d.OnePayload = !slices.Contains(l.V.With["send"], "s_src1_reg")
		if t.HasCompact(p) {
			d.Compact, d.CompactName = true, p.Val.Go
		}
		disp = append(disp, d)
		if done[name] {
			continue
		}
		done[name] = true
		codes := emit.NewFile("isa", "")
		t.EmitCodings(codes, l, name)
		emitOpBits(t, codes, l, name)
		emitWaits(codes, l, name)
		if err := out.Code(isatab.OutDir+"codes_"+l.Row.Name+".go", t.Files, codes); err != nil {
			return err
		}
		for _, f := range []struct {
			name string
			of   func(*isatab.Tables, *isatab.Layout) (*emit.File, error)
		}{{"encode", encoder}, {"decode", decoder}} {
			file, err := f.of(t, l)
			if err != nil {
				return err
			}
			if err := out.Code(isatab.OutDir+f.name+"_"+l.Row.Name+".go", t.Files, file); err != nil {
				return err
			}
		}
	}
	return out.Code(isatab.OutDir+"dispatch.go", t.Files, dispatch(disp))
}

// macroAcc returns the number of the accumulator that is math-macro register 0.
func macroAcc(t *isatab.Tables, p *table.Row[isatab.Platform]) int {
	for _, r := range t.Arfs {
		if n, ok := r.Val.Macros.At(p); ok {
			return n
		}
	}
	return 16
}

// options are the fields of an instruction that a layout may lack, and
// their names in assembly.
var options = []struct{ group, field, coding, key, name string }{
	{group: "exec", field: "atomic", coding: "thread_ctrl", key: "atomic", name: "Atomic"},
	{coding: "thread_ctrl", key: "switch", name: "Switch"},
	{coding: "thread_ctrl", key: "no_preempt", name: "NoPreempt"},
	{group: "dep", field: "no_dd_clr", name: "NoDDClr"},
	{group: "dep", field: "no_dd_chk", name: "NoDDChk"},
	{group: "send_exdesc_reg", field: "s_exbso", name: "ExBSO"},
	{group: "alu", field: "acc_wr", name: "AccWrEn"},
}

// align16 is the option of words in access mode Align16, of layouts in which all formats have both modes.
const align16 = "Align16"

// lacksOptions returns the names of the options that a layout lacks.
func lacksOptions(l *isatab.Layout) (out []string) {
	for _, o := range options {
		_, code := l.V.Codes[o.coding][o.key]
		if !code && !slices.Contains(l.V.With[o.group], o.field) {
			out = append(out, o.name)
		}
	}
	if !l.BothModes() {
		out = append(out, align16)
	}
	return out
}

// sfidMask returns an expression with a bit for each of the shared functions.
func sfidMask(t *isatab.Tables, names []string) string {
	mask := []string{"0"}
	for _, r := range t.Sfids {
		if slices.Contains(names, r.Name) {
			mask = append(mask, "1<<SFID"+isatab.GoName(r.Name, r.Val.Go))
		}
	}
	return strings.Join(mask[min(1, len(mask)-1):], " | ")
}

// emitOpBits writes the constants of single opcodes, and the origins of branch
// targets.
func emitOpBits(t *isatab.Tables, f *emit.File, l *isatab.Layout, suffix string) {
	if len(l.V.Ops) > 0 {
		var rows emit.Rows
		for _, n := range isatab.SortedKeys(l.V.Ops) {
			_, v := l.Mask(l.V.Ops[n])
			rows.F("Op%s: {%#x, %#x},\n", isatab.GoName(n, ""), v[0], v[1])
		}
		f.Table("opBits"+suffix+" are constants in the words of single opcodes.", "opBits"+suffix, "[NumOps][2]uint64", &rows)
	}
	if len(l.V.FromNext) > 0 {
		var list []string
		for _, n := range l.V.FromNext {
			list = append(list, "Op"+isatab.GoName(n, "")+": InstSize")
		}
		f.List("origin"+suffix+" is the distance from a branch to the origin of its target.", "origin"+suffix, "[NumOps]int32", list)
	}
	if len(l.V.Far) > 0 {
		var list []string
		for _, n := range l.V.Far {
			list = append(list, "Op"+isatab.GoName(n, "")+": true")
		}
		f.List("far"+suffix+" are the branches whose targets have any distance, in bytes.", "far"+suffix, "[NumOps]bool", list)
	}
}
