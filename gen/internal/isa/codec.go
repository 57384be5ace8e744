package isa

import (
	"slices"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// platformData is the dispatch's data about one platform.
type platformData struct {
	Platform, Name string
	Compact        bool
	CompactName    string
	Compacted      int // bit of the word
	WholeExDesc    bool
	MacroRegion    []int
	MacroScalar    bool
	MacroAcc       int // the accumulator that is math-macro register 0
	Opcode         string
	Lacks          []string
	OnePayload     bool // a send has a single payload
	// Whether destination and source have types, of send and of sends.
	SendTypes, SendsTypes [2]bool
}

func (t *tables) emitCodec(out *emit.Out) error {
	var disp []platformData
	done := map[string]bool{}
	for _, p := range t.platforms {
		l := t.layoutOf(p)
		name := strings.ToUpper(l.row.Name)
		opcode, err := coder{t, l}.get("opcode")
		if err != nil {
			return err
		}
		d := platformData{
			Platform: p.Val.Go, Name: name, Compacted: l.spans["compacted"][0].lo, WholeExDesc: l.v.WholeExDesc,
			MacroRegion: l.v.MacroRegion, MacroScalar: l.v.MacroScalar, MacroAcc: t.macroAcc(p), Opcode: opcode, Lacks: l.lacksOptions(),
		}
		for i, o := range []string{"dst", "src0"} {
			d.SendTypes[i] = slices.Contains(l.v.With["send"], "s_"+o+"_type")
			d.SendsTypes[i] = slices.Contains(l.v.With["sends"], "ss_"+o+"_type")
		}
		d.OnePayload = !slices.Contains(l.v.With["send"], "s_src1_reg")
		if t.hasCompact(p) {
			d.Compact, d.CompactName = true, p.Val.Go
		}
		disp = append(disp, d)
		if done[name] {
			continue
		}
		done[name] = true
		codes := emit.NewFile("isa", "")
		t.emitCodings(codes, l, name)
		t.emitOpBits(codes, l, name)
		if err := out.Code(outDir+"codes_"+l.row.Name+".go", t.files, codes); err != nil {
			return err
		}
		for _, f := range []struct {
			name string
			of   func(*layout) (*emit.File, error)
		}{{"encode", t.encoder}, {"decode", t.decoder}} {
			file, err := f.of(l)
			if err != nil {
				return err
			}
			if err := out.Code(outDir+f.name+"_"+l.row.Name+".go", t.files, file); err != nil {
				return err
			}
		}
	}
	return out.Code(outDir+"dispatch.go", t.files, dispatch(disp))
}

// macroAcc returns the number of the accumulator that is math-macro register 0.
func (t *tables) macroAcc(p *table.Row[platform]) int {
	for _, r := range t.arfs {
		if n, ok := r.Val.Macros.at(p); ok {
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
}

// lacksOptions returns the names of the options that a layout lacks.
func (l *layout) lacksOptions() (out []string) {
	for _, o := range options {
		_, code := l.v.Codes[o.coding][o.key]
		if !code && !slices.Contains(l.v.With[o.group], o.field) {
			out = append(out, o.name)
		}
	}
	return out
}

// emitOpBits writes the constants of single opcodes, and the origins of branch
// targets.
func (t *tables) emitOpBits(f *emit.File, l *layout, suffix string) {
	if len(l.v.Ops) > 0 {
		var rows emit.Rows
		for _, n := range sortedKeys(l.v.Ops) {
			_, v := l.mask(l.v.Ops[n])
			rows.F("Op%s: {%#x, %#x},\n", goName(n, ""), v[0], v[1])
		}
		f.Table("opBits"+suffix+" are constants in the words of single opcodes.", "opBits"+suffix, "[NumOps][2]uint64", &rows)
	}
	if len(l.v.FromNext) > 0 {
		var list []string
		for _, n := range l.v.FromNext {
			list = append(list, "Op"+goName(n, "")+": InstSize")
		}
		f.List("origin"+suffix+" is the distance from a branch to the origin of its target.", "origin"+suffix, "[NumOps]int32", list)
	}
}

// predSet returns the set of predicates in a list, and no predicate; 0 without a list.
func (t *tables) predSet(names []string) (set int) {
	for i, v := range t.values(&coded{none: "none", rows: t.preds}) {
		if v >= 0 && slices.Contains(names, t.preds[i].Name) {
			set |= 1<<v | 1
		}
	}
	return set
}
