package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"jacquard.example"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

var reportCommand = command{
	name:  "report",
	args:  "FILE…",
	brief: "show what a shader costs, and where",
	text: `
For each shader, shows a table with a row for every SIMD width: the estimated cycles of a thread and of a lane, the
registers that are allocated, spills and fills, bytes of scratch space of a thread and of shared memory of a workgroup, and
how many threads fit on a subslice of the device, with what limits them: threads, the size of the workgroup, or shared
memory. A thread has all of its registers to itself, so these are no limit; the number of barriers is not counted. The
width that compile chooses is marked with *; for this one, messages are counted by kind, the source lines and the
instructions that cost most are listed with their share of the cycles, and so is the instruction before which most
registers are live. 'jacquard help compile' explains the estimate.

Source lines need debug information, which glslangValidator -g writes; GLSL is translated with it.

--format json writes an array with an object for each file:
  {"file", "target", "stage", "entry", "device", "error", "widths": [{"simd", "chosen", "error", the statistics of compile
  --emit json, "cycles_per_lane", "scratch_bytes", "shared_bytes", "messages": {KIND: number}, "threads": {"group", "fit",
  "room", "limit"}}], "lines": [{"file", "line", "cycles", "share"}], "instructions": [{"text", "ir", "file", "line",
  "cycles", "share"}], "live": {"registers", "file", "line", "ir"}}

Examples:
  jacquard report shader.comp
  jacquard report a.frag b.frag --target icl --format json`,
	setup: func(fs *flagSet) func(*app, []string) error {
		r := &reporter{target: jacquard.DefaultTarget, format: "text"}
		fs.target(&r.target, "the GPU to compile for")
		r.selection.flags(fs)
		fs.choice(&r.format, "format", []string{"text", "json"}, "how to write it")
		return r.run
	},
}

type reporter struct {
	target, format string
	selection
}

// shaderReport is the report of a shader.
type shaderReport struct {
	File         string        `json:"file"`
	Target       string        `json:"target"`
	Stage        string        `json:"stage"`
	Entry        string        `json:"entry"`
	Device       string        `json:"device"`
	Error        *string       `json:"error"`
	Widths       []widthReport `json:"widths"`
	Lines        []lineCost    `json:"lines"`
	Instructions []instrCost   `json:"instructions"`
	Live         live          `json:"live"`
}

type widthReport struct {
	SIMD          int            `json:"simd"`
	Chosen        bool           `json:"chosen"`
	Error         string         `json:"error,omitempty"`
	CyclesPerLane float64        `json:"cycles_per_lane"`
	Scratch       int            `json:"scratch_bytes"`
	Shared        int            `json:"shared_bytes"`
	Messages      map[string]int `json:"messages"`
	Threads       threads        `json:"threads"`
	jacquard.Stats
}

// lineCost is the cost of a source line.
type lineCost struct {
	File   string  `json:"file"`
	Line   int     `json:"line"` // 0: for the whole shader, or without a position
	Cycles int     `json:"cycles"`
	Share  float64 `json:"share"`
}

// instrCost is the cost of an instruction.
type instrCost struct {
	Text string `json:"text"`
	IR   string `json:"ir"`
	lineCost
}

// live is the instruction before which most registers are live.
type live struct {
	Registers int    `json:"registers"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	IR        string `json:"ir"`
}

// listedCosts is how many lines and instructions are listed.
const listedCosts = 3

func (r *reporter) run(a *app, args []string) error {
	if len(args) == 0 {
		return usagef("FILE is missing")
	}
	var reports []*shaderReport
	var failed []error
	for _, file := range args {
		x, err := r.report(a, file)
		if err != nil {
			msg := err.Error()
			x = &shaderReport{File: file, Target: r.target, Error: &msg, Widths: []widthReport{}, Lines: []lineCost{}, Instructions: []instrCost{}}
			failed = append(failed, err)
		}
		reports = append(reports, x)
	}
	if r.format == "json" {
		return errors.Join(append(failed, a.write("", marshal(reports)))...)
	}
	for i, x := range reports {
		if x.Error != nil {
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := x.write(a.stdout); err != nil {
			return fileError("(standard output)", err)
		}
	}
	return errors.Join(failed...)
}

// report compiles a file at each width.
func (r *reporter) report(a *app, file string) (*shaderReport, error) {
	in, err := a.load(file)
	if err != nil {
		return nil, err
	}
	if in.kind == mirInput {
		return nil, &jacquard.Error{File: in.name, Msg: "report needs a shader: machine IR has one width and no source"}
	}
	module, err := a.debugModule(in)
	if err != nil {
		return nil, err
	}
	c := &compile{target: r.target, simd: "auto", explain: true, selection: r.selection}
	o := c.options(in.name)
	if o.Specialize, err = r.specialize.of(in, module); err != nil {
		return nil, err
	}
	chosen, err := jacquard.Compile(a.ctx, module, o)
	if err != nil {
		return nil, err
	}
	if in.kind == glslInput { // glslangValidator calls standard input stdin
		for i := range chosen.Variants[0].Lines {
			if l := &chosen.Variants[0].Lines[i]; l.File == "stdin" {
				l.File = in.name
			}
		}
	}
	machine, _ := target.ByName(r.target)
	device := &devices(machine.Platform)[0]
	x := &shaderReport{File: file, Target: r.target, Stage: chosen.Stage, Entry: chosen.Entry, Device: device.Name, Widths: []widthReport{}}
	for _, simd := range machine.Widths {
		o.SIMD = simd
		p := chosen
		if simd != chosen.Variants[0].SIMD {
			if p, err = jacquard.Compile(a.ctx, module, o); err != nil {
				x.Widths = append(x.Widths, widthReport{SIMD: simd, Error: err.Error(), Messages: map[string]int{}})
				continue
			}
		}
		w := widthOf(machine, device, p, &p.Variants[0])
		w.Chosen = p == chosen
		x.Widths = append(x.Widths, w)
	}
	return x, x.costs(chosen)
}

// widthOf describes a variant.
func widthOf(machine *target.Target, device *isa.Device, p *jacquard.Program, v *jacquard.Variant) widthReport {
	group := 1
	if size := p.ABI.LocalSize; p.Stage == "compute" {
		group = int(size[0]*size[1]*size[2]+uint32(v.SIMD)-1) / v.SIMD
	}
	return widthReport{
		SIMD: v.SIMD, CyclesPerLane: float64(v.Stats.Cycles) / float64(v.SIMD), Scratch: v.Scratch, Shared: p.ABI.SharedBytes,
		Messages: messages(machine.Platform, v.Code), Threads: threadsOn(device, group, p.ABI.SharedBytes), Stats: v.Stats,
	}
}

// messages counts the messages of code by kind.
func messages(p isa.Platform, code []byte) map[string]int {
	list := map[string]int{}
	for at := 0; at < len(code); {
		in, err := isa.Decode(p, code[at:])
		if err != nil {
			break
		}
		at += int(in.Size)
		if f := isa.Ops[in.Op].Format; f != isa.FormatSend && f != isa.FormatSends {
			continue
		}
		kind := in.SFID.String()
		if m, ok := isa.DecodeMessage(p, in.SFID, in.Desc, in.ExDesc); ok && !in.DescReg {
			kind = m.Kind.String()
		}
		list[kind]++
	}
	return list
}

// debugModule is like module, but translates GLSL with debug information.
func (a *app) debugModule(in *input) ([]byte, error) {
	if in.kind == glslInput {
		return a.translate(in, true)
	}
	return a.module(in)
}

// costs finds the lines and instructions with the highest costs, and the most live registers.
func (x *shaderReport) costs(p *jacquard.Program) error {
	v := &p.Variants[0]
	code, err := disassemble(p.Entry, p.Target, v.Code, nil)
	if err != nil {
		return err
	}
	total := 0
	for _, l := range v.Lines {
		total += (l.Wait + l.Issue) * l.Times
	}
	share := func(cycles int) float64 { return float64(cycles) / float64(max(total, 1)) }
	byLine := map[lineCost]int{}
	x.Instructions = []instrCost{}
	for i, l := range v.Lines {
		cycles := (l.Wait + l.Issue) * l.Times
		at := lineCost{File: l.File, Line: l.Line}
		byLine[at] += cycles
		if i < len(code.Instructions) {
			at.Cycles, at.Share = cycles, share(cycles)
			x.Instructions = append(x.Instructions, instrCost{code.Instructions[i].Text, l.IR, at})
		}
		if l.Registers > x.Live.Registers {
			x.Live = live{l.Registers, l.File, l.Line, l.IR}
		}
	}
	x.Lines = []lineCost{}
	inOrder := func(a, b lineCost) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) }
	for _, at := range slices.SortedFunc(maps.Keys(byLine), inOrder) {
		cycles := byLine[at]
		at.Cycles, at.Share = cycles, share(cycles)
		x.Lines = append(x.Lines, at)
	}
	slices.SortStableFunc(x.Lines, func(a, b lineCost) int { return cmp.Compare(b.Cycles, a.Cycles) })
	slices.SortStableFunc(x.Instructions, func(a, b instrCost) int { return cmp.Compare(b.Cycles, a.Cycles) })
	x.Lines = x.Lines[:min(len(x.Lines), listedCosts)]
	x.Instructions = x.Instructions[:min(len(x.Instructions), listedCosts)]
	return nil
}

// write writes a report as text.
func (x *shaderReport) write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s %s on %s (threads of device %s)\n\n", x.File, x.Stage, x.Entry, x.Target, x.Device)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  lanes\tcycles\ta lane\tregisters\tspills\tfills\tscratch\tshared\tthreads of a subslice")
	for i := range x.Widths {
		v := &x.Widths[i]
		mark := " "
		if v.Chosen {
			mark = "*"
		}
		if v.Error != "" {
			continue
		}
		fmt.Fprintf(t, "%s %d\t%d\t%.1f\t%d\t%d\t%d\t%d\t%d\t%s\n",
			mark, v.SIMD, v.Cycles, v.CyclesPerLane, v.Registers, v.Spills, v.Fills, v.Scratch, v.Shared, v.Threads.String())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range x.Widths {
		switch v := &x.Widths[i]; {
		case v.Error != "":
			fmt.Fprintf(w, "  %d: %s\n", v.SIMD, v.Error)
		case v.Chosen:
			var kinds []string
			for _, k := range slices.Sorted(maps.Keys(v.Messages)) {
				kinds = append(kinds, fmt.Sprintf("%d %s", v.Messages[k], k))
			}
			fmt.Fprintf(w, "\nmessages: %s\n", strings.Join(kinds, ", "))
			if v.AssumedLoops > 0 {
				fmt.Fprintf(w, "%s of unknown count: the estimate assumes their iterations\n", count(v.AssumedLoops, "loop"))
			}
		}
	}
	fmt.Fprintln(w, "\nhighest costs:")
	if len(x.Lines) == 1 && x.Lines[0].Line == 0 {
		fmt.Fprintln(w, "  source lines are unknown: there is no debug information")
		x.Lines = nil
	}
	for _, l := range x.Lines {
		fmt.Fprintf(w, "  %3.0f %%  %s\n", 100*l.Share, place(l.File, l.Line))
	}
	for i := range x.Instructions {
		in := &x.Instructions[i]
		fmt.Fprintf(w, "  %3.0f %%  %s  (%s)\n", 100*in.Share, in.Text, cmp.Or(plain(in.IR), "for the whole shader, or its control flow"))
	}
	_, err := fmt.Fprintf(w, "most live registers: %d, before %s  (%s)\n", x.Live.Registers, place(x.Live.File, x.Live.Line), plain(x.Live.IR))
	return err
}

// plain returns the text of an instruction without its float flags.
func plain(ir string) string {
	ir, _, _ = strings.Cut(ir, " float=")
	return ir
}

// place returns a position in the source, or says that there is none.
func place(file string, line int) string {
	if line == 0 {
		return "an instruction without a source line"
	}
	return file + ":" + strconv.Itoa(line)
}
