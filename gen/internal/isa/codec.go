package isa

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// The templates hold the logic that all layouts share; put and get expand to
// straight-line code for the fields of one.
//
//go:embed templates/*.go.tmpl
var templates embed.FS

// layoutData is what the templates see of one layout.
type layoutData struct {
	Layout   string // "l12"
	Name     string // suffix of function names, "L12"
	OpBits   bool   // branches have constants of their own
	FromNext bool   // some branches count from the next instruction
	// The predicates of words in access mode Align16 as a set, 0 for all.
	Preds16      int
	VectorRegion []int
}

// platformData is what the dispatch knows of one platform.
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
	OnePayload     bool // a send has one
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
		for _, f := range []string{"encode", "decode"} {
			text, err := t.expand(f, l)
			if err != nil {
				return err
			}
			if err := out.Source(outDir+f+"_"+l.row.Name+".go", t.files, string(text)); err != nil {
				return err
			}
		}
	}
	return out.Code(outDir+"dispatch.go", t.files, dispatch(disp))
}

// macroAcc is the number of the accumulator that is math-macro register 0.
func (t *tables) macroAcc(p *table.Row[platform]) int {
	for _, r := range t.arfs {
		if n, ok := r.Val.Macros.at(p); ok {
			return n
		}
	}
	return 16
}

// options are the fields of an instruction that a layout may have no place for, and
// the names that assembly has for them.
var options = []struct{ group, field, coding, key, name string }{
	{group: "exec", field: "atomic", coding: "thread_ctrl", key: "atomic", name: "Atomic"},
	{coding: "thread_ctrl", key: "switch", name: "Switch"},
	{coding: "thread_ctrl", key: "no_preempt", name: "NoPreempt"},
	{group: "dep", field: "no_dd_clr", name: "NoDDClr"},
	{group: "dep", field: "no_dd_chk", name: "NoDDChk"},
}

// lacksOptions are the names of the options that a layout has no place for.
func (l *layout) lacksOptions() (out []string) {
	for _, o := range options {
		_, code := l.v.Codes[o.coding][o.key]
		if !code && !slices.Contains(l.v.With[o.group], o.field) {
			out = append(out, o.name)
		}
	}
	return out
}

// emitOpBits writes the constants of single opcodes, and what the targets of branches
// count from.
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
		f.List("origin"+suffix+" is how far behind a branch the place is that its target counts from.", "origin"+suffix, "[NumOps]int32", list)
	}
}

// expand runs a template for one layout. putn and getn name the fields of
// source n of the basic formats, putt and gett those of three-source ones, puts and
// gets those of one of the two kinds of message.
func (t *tables) expand(name string, l *layout) ([]byte, error) {
	c := coder{t, l}
	return runTemplate(name, template.FuncMap{
		"put":     c.put,
		"get":     c.get,
		"putn":    func(n, f, v string) (string, error) { return c.put("src"+n+"_"+f, v) },
		"getn":    func(n, f string) (string, error) { return c.get("src" + n + "_" + f) },
		"putt":    func(n, f, v string) (string, error) { return c.put("t_src"+n+"_"+f, v) },
		"gett":    func(n, f string) (string, error) { return c.get("t_src" + n + "_" + f) },
		"puts":    func(p, f, v string) (string, error) { return c.put(p+"_"+f, v) },
		"gets":    func(p, f string) (string, error) { return c.get(p + "_" + f) },
		"mark":    func(g ...string) string { return c.mark(strings.Join(g, "")) },
		"is":      func(g ...string) string { return c.is(strings.Join(g, "")) },
		"told":    c.told,
		"may":     c.with,
		"option":  c.option,
		"enc":     c.enc,
		"dec":     c.dec,
		"code":    c.code,
		"hasCode": c.hasCode,
		"group":   func(g ...string) bool { return l.hasGroup(strings.Join(g, "")) },
		"format":  func(f string) bool { return slices.Contains(l.v.Formats, f) },
		"width":   l.width,
		"unit":    func(f string) string { return strconv.Itoa(5 - l.width(f)) },
		"overlap": l.overlap,
		"join":    func(s ...string) string { return strings.Join(s, "") },
		"list":    func(s ...string) []string { return s },
		"map": func(kv ...string) map[string]string {
			m := map[string]string{}
			for i := 0; i < len(kv); i += 2 {
				m[kv[i]] = kv[i+1]
			}
			return m
		},
	}, layoutData{l.row.Name, strings.ToUpper(l.row.Name), len(l.v.Ops) > 0, len(l.v.FromNext) > 0, t.predSet(l.v.Preds16), l.v.VecRegion})
}

// predSet is the set of predicates, and of none; 0 for no list.
func (t *tables) predSet(names []string) (set int) {
	for i, v := range t.values(&coded{none: "none", rows: t.preds}) {
		if v >= 0 && slices.Contains(names, t.preds[i].Name) {
			set |= 1<<v | 1
		}
	}
	return set
}

func runTemplate(name string, funcs template.FuncMap, data any) ([]byte, error) {
	file := name + ".go.tmpl"
	text, err := templates.ReadFile("templates/" + file)
	if err != nil {
		return nil, err
	}
	tm, err := template.New(file).Funcs(funcs).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := tm.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return b.Bytes(), nil
}
