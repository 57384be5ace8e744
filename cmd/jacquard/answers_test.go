// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/cmd/jacquard/report"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

// question is a shader that a user asks about, with the facts that its source shows.
type question struct {
	file    string
	group   int               // invocations of a workgroup; 0 means no compute shader
	shared  int               // bytes of shared memory
	barrier bool              // it has barriers
	arrays  map[string]int    // arrays in scratch memory, with the bytes of an invocation
	passes  map[string]string // text in the line of a remark, by its kind
}

var questions = []question{
	{"saxpy.comp", 128, 0, false, nil, nil},
	{"matmul.comp", 256, 2048, true, nil, map[string]string{"unrolled": "k < 16", "merged": "Bs[k]"}},
	{"bitonic.comp", 256, 2048, true, nil, map[string]string{"hoisted": "(j - 1)"}},
	{"spill.comp", 64, 0, true, nil, nil},
	{"scratch_spill.comp", 32, 0, false, map[string]int{"a": 8400}, map[string]string{"merged": "v[i"}},
	{"scratch_array.comp", 64, 0, false, map[string]int{"a": 1024}, map[string]string{"unrolled_partly": "for ("}},
	{"array_dynamic.comp", 64, 0, false, nil, map[string]string{"unrolled": "k < 8"}},
	{"shared_reduce.comp", 128, 512, true, nil, map[string]string{"unrolled": "for ("}},
	{"mandelbrot.comp", 32, 0, false, nil, nil},
	{"stencil.comp", 64, 0, false, nil, map[string]string{"unrolled": "for ("}},
	{"ubo_std140.comp", 16, 0, false, nil, map[string]string{"merged": ""}},
	{"sort_insertion.comp", 16, 0, false, map[string]int{"a": 48}, map[string]string{"unrolled": "for ("}},
	{"private_stride.comp", 4, 144, true, map[string]int{"x.h": 32}, nil},
	{"stages/lit.frag", 0, 0, false, nil, map[string]string{"pushed": "lights", "unrolled": "for ("}},
	{"stages/noise.frag", 0, 0, false, nil, nil},
	{"stages/branchy.frag", 0, 0, false, nil, map[string]string{"peeled": "for (", "pushed": ""}},
}

// iterations maps, by shader and line number, the loops in the sources that remain loops to their trip counts, or 0 if
// the source does not determine it.
var iterations = map[string]map[int]int{
	"bitonic.comp":       {9: 9, 10: 0}, // 2, 4, … 512
	"matmul.comp":        {13: 0},
	"scratch_array.comp": {7: 256, 12: 86},
	"stages/noise.frag":  {16: 5},
}

// machines lists the devices whose threads are counted: threads, bytes of shared memory and barriers of a subslice,
// and threads that a workgroup may have; from the manuals that defs/intel/isa/devices.toml cites.
var machines = map[string]struct{ threads, shared, barriers, group int }{
	"tgl": {112, 65536, 32, 64}, // 16 execution units of 7 threads
	"icl": {56, 65536, 16, 56},  // 8
	"skl": {56, 65536, 16, 56},
}

// TestReportAnswers checks the report's answers to a user's questions against answers derived in other ways: the most
// expensive line, the live values, the spilled values and their cost, the number of threads that fit, the chosen
// width and the reason for it, and the contents of scratch memory.
func TestReportAnswers(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for name := range machines {
		for i := range questions {
			q := &questions[i]
			if name == "skl" && q.group == 0 {
				continue // no fragment shaders
			}
			t.Run(name+"/"+q.file, func(t *testing.T) { (&answer{q: q, target: name}).check(t) })
		}
	}
}

// answer is the report that answers a question, with the material to check it against.
type answer struct {
	q      *question
	target string
	x      report.Report
	file   string   // the shader
	source []string // its lines
	module string   // the module with debug information
}

func (a *answer) check(t *testing.T) {
	a.file = filepath.Join("..", "..", "tests", "shaders", a.q.file)
	text, err := os.ReadFile(a.file)
	if err != nil {
		t.Fatal(err)
	}
	a.source = strings.Split(string(text), "\n")
	a.x = *reportOfFile(t, a.target, a.file)
	a.module = debugModuleOf(t, a.file)
	a.costs(t)
	a.threads(t)
	a.width(t)
	a.arrays(t)
	a.registers(t)
}

// debugModuleOf returns a file with the module of a shader.
func debugModuleOf(t *testing.T, file string) string {
	t.Helper()
	a := &cli.App{Ctx: t.Context()}
	in, err := a.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := a.Module(in)
	if err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(t.TempDir(), "module.spv")
	if err := os.WriteFile(module, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return module
}

// chosen returns the width that the report marks as chosen.
func (a *answer) chosen(t *testing.T) *report.Variant {
	for i := range a.x.Widths {
		if a.x.Widths[i].Chosen {
			return &a.x.Widths[i]
		}
	}
	t.Fatal("no width is chosen")
	return nil
}

// listed is an instruction of a listing: its line, the shader instruction it was selected for, and its cycles.
type listed struct {
	line, cycles int
	ir           string
}

// from matches the comments of compile --explain before instructions, explained those after them.
var from = regexp.MustCompile(`^// (?:\S*:(\d+): )?(.*?)(?:; made by rule [^;]*)?(?:; selected by [^;]*)?$`)

// listingOf reads the listing of compile --explain.
func listingOf(t *testing.T, module, target string, simd int) (list []listed) {
	now := listed{}
	for text := range strings.Lines(written(t, "compile", "--explain", "--target", target, "--simd", strconv.Itoa(simd), module)) {
		text = strings.TrimSuffix(text, "\n")
		if m := from.FindStringSubmatch(text); m != nil {
			now = listed{ir: m[2]}
			now.line, _ = strconv.Atoi(m[1])
			continue
		}
		m := explained.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		number := func(s string, other int) int {
			if n, err := strconv.Atoi(s); err == nil {
				return n
			}
			return other
		}
		now.cycles = (number(m[1], 0) + number(m[2], 0)) * number(m[3], 1)
		list = append(list, now)
	}
	return list
}

// costs: the cycles of the lines are the sums of the listing's cycles, and the first line has the most.
func (a *answer) costs(t *testing.T) {
	sums, total, most := map[int]int{}, 0, 0
	for _, in := range listingOf(t, a.module, a.target, a.chosen(t).SIMD) {
		sums[in.line] += in.cycles
		total += in.cycles
		most = max(most, in.cycles)
	}
	if total != a.chosen(t).Cycles || len(sums) != len(a.x.Lines) {
		t.Errorf("%d cycles of %d lines, of %d and %d", a.chosen(t).Cycles, len(a.x.Lines), total, len(sums))
	}
	for i, l := range a.x.Lines {
		if l.Cycles != sums[l.Line] || l.Cycles > a.x.Lines[0].Cycles || l.Share != float64(l.Cycles)/float64(total) {
			t.Errorf("line %d, number %d: %d cycles, %f; the listing has %d of %d", l.Line, i, l.Cycles, l.Share, sums[l.Line], total)
		}
		if l.Line > 0 && l.Source != strings.TrimSpace(a.source[l.Line-1]) {
			t.Errorf("line %d is %q", l.Line, l.Source)
		}
	}
	if len(a.x.Instructions) != 3 || a.x.Instructions[0].Cycles != most {
		t.Errorf("instructions %+v; the highest cost is %d", a.x.Instructions, most)
	}
}

// threads: the number of threads equals a count by hand from the resources.
func (a *answer) threads(t *testing.T) {
	m := machines[a.target]
	for _, w := range a.x.Widths {
		if w.Error != "" {
			continue
		}
		group := max((a.q.group+w.SIMD-1)/w.SIMD, 1)
		groups := m.threads / group
		if a.q.shared > 0 {
			each := 1024
			for each < a.q.shared {
				each *= 2
			}
			groups = min(groups, m.shared/each)
		}
		if a.q.barrier && group > 1 { // a thread does not wait for itself
			groups = min(groups, m.barriers)
		}
		if group > m.group {
			groups = 0
		}
		if w.Threads.Fit != groups*group || w.Threads.Room != m.threads || w.Shared != a.q.shared {
			t.Errorf("%d lanes: %s with %d bytes; %d groups of %d fit, with %d", w.SIMD, &w.Threads, w.Shared, groups, group, a.q.shared)
		}
	}
}

// width: cycles per lane equal the figures of separate compilations, and the chosen width follows the documented
// rule.
func (a *answer) width(t *testing.T) {
	alone := map[int]record.Variant{}
	for _, simd := range []int{8, 16, 32} {
		c := &cli.App{Ctx: t.Context(), Stdin: strings.NewReader(""), Stdout: new(strings.Builder), Stderr: new(strings.Builder)}
		status := c.Main(commands(), []string{"compile", "--target", a.target, "--simd", strconv.Itoa(simd), "--emit", "json", a.module})
		var p record.Program
		if err := json.Unmarshal([]byte(c.Stdout.(*strings.Builder).String()), &p); err != nil {
			t.Fatal(err)
		}
		if status == cli.StatusOK {
			alone[simd] = p.Programs[0]
		}
	}
	module, err := os.ReadFile(a.module)
	if err != nil {
		t.Fatal(err)
	}
	points, err := jacquard.EntryPoints(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range a.x.Widths {
		lanes := float64(w.SIMD)
		if points[0].Stage == jacquard.Compute { // only lanes that a workgroup fills
			size := points[0].LocalSize[0] * points[0].LocalSize[1] * points[0].LocalSize[2]
			lanes = float64(size) / math.Ceil(float64(size)/float64(w.SIMD))
		}
		p, ok := alone[w.SIMD]
		off := math.Abs(w.CyclesPerLane*lanes/float64(max(p.Cycles, 1)) - 1)
		if ok != (w.Error == "") || ok && (w.Stats != p.Stats || off > 1e-9 || w.Scratch != p.Scratch) {
			t.Errorf("%d lanes: %+v, alone %+v", w.SIMD, w, p)
		}
	}
	want, reason := 16, jacquard.WidthUsual
	switch narrow, wide := alone[8], alone[16]; {
	case a.q.group > 0 && a.q.group <= 8:
		want, reason = 8, jacquard.WidthWorkgroup
	case wide.Spills > 0 && narrow.SIMD == 8:
		reason = jacquard.WidthSpills
		if float64(narrow.Cycles)/8 < float64(wide.Cycles)/16 {
			want = 8
		}
	}
	if got := a.chosen(t).SIMD; got != want || a.x.Width.SIMD != want || a.x.Width.Reason != reason {
		t.Errorf("%d lanes (%+v), want %d (%s)", got, a.x.Width, want, reason)
	}
}

// arrays: the arrays in scratch memory are in the source, at lines with an index; so are loops and the lines of
// remarks.
func (a *answer) arrays(t *testing.T) {
	got := map[string]int{}
	for _, x := range a.x.Arrays {
		got[x.Name] = x.Bytes
		name, _, _ := strings.Cut(x.Name, ".")
		for _, p := range x.Indexed {
			if !strings.Contains(a.source[p.Line-1], name+"[") && !strings.Contains(a.source[p.Line-1], x.Name+"[") {
				t.Errorf("%s is not indexed at line %d", x.Name, p.Line)
			}
		}
		if len(x.Indexed) == 0 || x.Varying < len(x.Indexed) {
			t.Errorf("%s is not indexed", x.Name)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(a.q.arrays) && len(got)+len(a.q.arrays) > 0 {
		t.Errorf("in scratch: %v, want %v", got, a.q.arrays)
	}
	loops := iterations[a.q.file]
	for _, l := range a.x.Loops {
		if n, known := loops[l.Line]; known && (n != l.Trips*l.Copies || n == 0 && l.Assumed == 0) {
			t.Errorf("%+v, want %d iterations", l, n)
		}
	}
	if len(a.x.Loops) < len(loops) {
		t.Errorf("loops %+v", a.x.Loops)
	}
	for kind, text := range a.q.passes {
		if !slices.ContainsFunc(a.x.Remarks, func(r jacquard.Remark) bool {
			n, counted := strings.CutPrefix(text, "k < ")
			return r.Kind == kind && r.Line > 0 && strings.Contains(a.source[r.Line-1], text) && (!counted || n == strconv.Itoa(r.N))
		}) {
			t.Errorf("nothing is %s at a line with %q: %+v", kind, text, a.x.Remarks)
		}
	}
}

// registers: the peak equals the peak of the machine code's registers, and the spilled values are the values that the
// code stores to scratch memory and loads from there.
func (a *answer) registers(t *testing.T) {
	simd := a.chosen(t).SIMD
	p, ok := isa.PlatformByName(a.target)
	if !ok {
		t.Fatal(a.target)
	}
	data, err := os.ReadFile(a.module)
	if err != nil {
		t.Fatal(err)
	}
	program, err := jacquard.Compile(t.Context(), data, jacquard.Options{Target: jacquard.Target(a.target), SIMD: simd})
	if err != nil {
		t.Fatal(err)
	}
	lives := livesOf(p, program.Variants[0].Code)
	counts := lives.registers()
	// The allocator may keep a register that an inner loop writes live throughout an outer loop.
	loops := slices.ContainsFunc(a.x.Loops, func(l jacquard.Loop) bool { return !l.Innermost })
	if most := slices.Max(counts); most != a.x.Peak.Registers && !(loops && most < a.x.Peak.Registers && a.x.Peak.Registers < most+8) {
		t.Errorf("%d live registers, recomputed %d", a.x.Peak.Registers, most)
	}
	sum := 0
	for _, l := range a.x.Peak.Live {
		sum += l.Registers
	}
	if sum < a.x.Peak.Registers {
		t.Errorf("%d registers of %d are named", sum, a.x.Peak.Registers)
	}
	list := listingOf(t, a.module, a.target, simd)
	if len(list) != len(lives.code) {
		t.Fatalf("%d instructions in the listing, %d in the code", len(list), len(lives.code))
	}
	a.spilled(t, lives, list)
}

// spilled compares the spilled values, one after another, with the scratch memory that holds them.
func (a *answer) spilled(t *testing.T, lives *machineLives, list []listed) {
	type slot struct{ stores, fills int }
	found, makers := map[int]slot{}, map[int]string{}
	for i := range lives.code {
		m, ok := lives.code[i].Message(lives.platform)
		if !ok || m.Kind != isa.MsgScratchBlock {
			continue
		}
		s := found[int(m.ScratchOffset)]
		if m.ScratchWrite {
			s.stores++
			if makers[int(m.ScratchOffset)] == "" {
				makers[int(m.ScratchOffset)] = list[lives.writer(i)].ir
			}
		} else {
			s.fills++
		}
		found[int(m.ScratchOffset)] = s
	}
	from := 0 // in registers
	for _, x := range a.x.Spilled {
		if x.How != jacquard.InScratch {
			if x.Stores+x.Fills != 0 {
				t.Errorf("%+v", x)
			}
			continue
		}
		to, sum := from+(x.Bytes+grf-1)/grf, slot{}
		for at := from; at < to; at++ {
			sum.stores += found[at].stores
			sum.fills += found[at].fills
			delete(found, at)
		}
		if sum.stores != x.Stores || sum.fills != x.Fills {
			t.Errorf("%q: %d stores and %d fills; the code has %+v for it", x.IR, x.Stores, x.Fills, sum)
		}
		if makers[from] != x.IR {
			t.Errorf("%q is spilled, the code stores what was computed by %q", x.IR, makers[from])
		}
		if x.Live <= a.x.Peak.Registers {
			t.Errorf("%q: spilled although %d registers were live, %d are now", x.IR, x.Live, a.x.Peak.Registers)
		}
		from = to
	}
	if len(found) > 0 {
		t.Errorf("scratch memory that no value is in: %v", found)
	}
	if w := a.chosen(t); (len(a.x.Spilled) > 0) != (w.Spills+w.Fills > 0) && w.Spills > 0 {
		t.Errorf("%d values, %d spills", len(a.x.Spilled), w.Spills)
	}
}
