// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/listing"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/target"
)

// unreadable lists, for the help, the formats that targets can read only if the shader declares them.
func unreadable() string {
	var b strings.Builder
	for _, name := range jacquard.TargetsOf(jacquard.Compute) {
		line := "  " + string(name) + ":"
		for _, f := range jacquard.UnreadableFormats(name) {
			if len(line)+len(f) > 120 {
				b.WriteString(line + "\n")
				line = "      "
			}
			line += " " + f
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

var compileCommand = cli.Command{
	Name:  "compile",
	Args:  "FILE [FRAGMENT]",
	Brief: "compile a shader to machine code",
	Text: `
Compiles one entry point of a shader; if a module has several, --entry or --stage says which. FILE is a SPIR-V module
(.spv), Jacquard's own text format (.jir), or a source in another language; - is standard input. Sources are translated
by programs that are not part of Jacquard, with debug information, and all of their errors are shown: GLSL (.comp,
.vert, .frag, or .glsl with --stage), SPIR-V assembly (.spvasm), HLSL (.hlsl), Slang (.slang) and WGSL (.wgsl).
'jacquard info languages' lists the programs, and where they are. Machine IR (.mir) is compiled from the pass after the
one that its text names.

An archive is like a folder: FILE may be a file in a zip, tar or gzipped tar archive, such as a.zip/x/y.spv, or a stage of a
pipeline in a Fossilize archive, a.foz/HASH:STAGE, which gives the shader its entry point, the values of its specialization
constants, and the SIMD width if the pipeline requires a size of subgroups. 'jacquard info ARCHIVE' lists what is in it.

With debug information (OpLine, or DebugLine of NonSemantic.Shader.DebugInfo.100), an error about an instruction of a
module begins with FILE:LINE:COLUMN of the source, or FILE:LINE if the column is unknown, and ends with the word of the
module. Without, it begins with the word.

If FRAGMENT is given, FILE is a vertex shader and FRAGMENT the fragment shader that follows it. They are linked: what
one passes to the other is matched by location, simplified and packed. --emit asm writes both; json and abi write an
object with "vertex", "fragment" and "interface", which counts the 32-bit components that linking has changed; bin
writes OUT.vert and OUT.frag.

In fragment shaders, invocations that OpKill discards (GLSL's discard) go on as helpers where derivatives, implicit
levels of detail or exchange within quads follow, until no invocation of the quad is alive or nothing of that kind
follows. They leave a loop that might not end for them as soon as no living invocation of their quad is in it.
OpTerminateInvocation ends them at once.

--emit selects the output:
  asm    machine code as assembly, with its statistics; comments say what messages ask for
  bin    machine code only
  zebin  the ELF file that Intel's Level Zero and OpenCL runtimes load; --emit abi lists its
         arguments, Program.Zebin of package jacquard documents them
  ir     the shader in Jacquard's text format, before a target is chosen, or after the IR pass that --stop-after names;
         in binary form if OUT is named .jirb
  mir    machine IR as text, after instruction selection or after the back-end pass that --stop-after names; at the
         width that compile would choose, unless --simd is given
  abi    what a launcher has to know to run the code, as JSON: the name, version and hash of the row of the ABI
         table that describes how threads are started, the workgroup's size, shared memory, push constants, the tables
         of buffer sizes and addresses and the ranges of uniform buffers that the code reads after them, bindings with the
         surface format of each image that declares one, whether a null surface must follow them ("null_target"), the width
         and the scratch space of a thread; under "zebin" the same row for the zebin, and its arguments by index
  json   one JSON object, to which fields are only ever added; version is 1:
         {"version", "target", "stage", "entry", "programs": [{"simd", "instructions", "sends", "loops", "spills",
         "fills", "cycles", "bytes", "registers", "scratch_bytes", "shared_bytes", "sha256", "statistics": [{"name",
         "description", "value"}]}], "error"}
         A program with accesses whose bounds code checks has their number as "bounds_checks".
         programs has an element for each SIMD width, the preferred one first; error is null, or what went wrong,
         in which case programs is empty and the exit status is not 0. Instructions exclude NOP and sync.nop; cycles
         are estimated. Scratch space is a thread's, shared memory a workgroup's; sha256 is the hash of the machine
         code. statistics repeats some of these as Vulkan drivers for Intel GPUs report them by
         VK_KHR_pipeline_executable_properties. With --instructions, a program has "listing", an array with an object
         for each instruction of the code:
         {"offset", "bytes", "text", "file", "line", "column", "ir", "rule", "row", "issue", "wait", "times",
         "assumed", "live_registers"}
         --explain shows these. Bytes are hexadecimal; issue and wait are the cycles of one execution, and times is
         the number of executions. Strings are empty and line is 0 where nothing is known.

Typed reads of some formats return the bits of a texel, which code converts if the shader declares the format. An image
that is read without a declared format must not have one of these formats; drivers do not offer the feature for them.
--emit abi lists them with the image, run --on eu refuses such a binding, and run --on interp reads all formats:
` + unreadable() + `

Cycles are an estimate for one thread that has an execution unit to itself. The instructions of a loop are multiplied by
its trip count, which is known if the exits depend on constants: their conditions are executed for up to 4096 iterations,
and for any number of iterations of integer counters that go up or down to a constant.
A loop of unknown count is assumed to run ` + strconv.Itoa(perf.AssumedTrips) + ` times, or fewer if a known exit limits it. "assumed_loops"
is the number of such loops if there are any, and --explain marks their instructions. The estimate ignores divergence
(both arms of an if count, and loops run to the end), the number of threads and their waits at barriers, caches and addresses
(neighboring lanes are assumed to access neighboring memory). 'jacquard run --on eu --stats' counts these on the model.

'jacquard info passes' lists the passes, the back-end passes last.

Examples:
  jacquard compile saxpy.comp
  jacquard compile shader.spv --simd 16 --emit bin -o shader.bin
  jacquard compile shader.spv --emit ir --stop-after explicit_io -o shader.jir
  jacquard compile shader.spv --simd 16 --emit mir --stop-after legalize -o shader.mir
  jacquard compile shader.mir --print-after allocate
  jacquard compile saxpy.comp --explain
  jacquard compile saxpy.comp -I shaders -D STEPS=4
  cat saxpy.comp | jacquard compile - --lang glsl --stage compute
  jacquard compile saxpy.comp --emit json --instructions
  jacquard compile lit.vert lit.frag --emit abi
  jacquard compile game.foz/00000000000000b1:compute
  glslangValidator --quiet -V -o /dev/stdout x.comp | jacquard compile - --emit json`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		c := &compile{target: string(jacquard.DefaultTarget), simd: "auto", emit: "asm"}
		fs.Target(&c.target, "the GPU to compile for; for machine IR, its text names the target")
		c.target = "" // unless given
		fs.Choice(&c.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width")
		c.Selection.Flags(fs)
		c.Codegen.Flags(fs)
		fs.Choice(&c.emit, "emit", []string{"asm", "bin", "zebin", "ir", "mir", "abi", "json"}, "what to write")
		fs.Text(&c.stopAfter, "stop-after", "PASS",
			"with --emit mir: the back-end pass to stop after; with --emit ir: the IR pass to stop after, PASS:N for its Nth run")
		fs.Text(&c.printAfter, "print-after", "PASS", "also print the result of this pass to standard error")
		fs.Boolean(&c.explain, "explain",
			"with --emit asm: print for each instruction what it was selected for, its source line, its rows and its cost")
		fs.Boolean(&c.instructions, "instructions", "with --emit json: also write a record for each instruction, as \"listing\"")
		fs.Boolean(&c.bytes, "bytes", "with --emit asm: print the offset and the bytes of each instruction")
		fs.Boolean(&c.timePasses, "time-passes", "print the time of each pass to standard error")
		fs.Boolean(&c.verify, "verify", "check the result of every pass, including register allocation and the scoreboard along all paths")
		fs.Text(&c.out, "o", "OUT", "the file to write; standard output if there is none")
		return c.run
	},
}

type compile struct {
	target, simd, emit, out     string
	stopAfter, printAfter       string
	timePasses, verify, explain bool
	instructions, bytes         bool
	cli.Selection
	cli.Codegen
}

// emitters write a program, by the value of --emit, except for asm and json.
var emitters = map[string]func(*jacquard.Program) ([]byte, error){
	"bin":   emitBin,
	"abi":   func(p *jacquard.Program) ([]byte, error) { return cli.JSON(launch(p)), nil },
	"zebin": (*jacquard.Program).Zebin,
}

func (c *compile) run(a *cli.App, args []string) error {
	if len(args) == 2 {
		return c.runPair(a, args[0], args[1])
	}
	file, err := cli.OneFile(args)
	if err != nil {
		return err
	}
	if err := c.checkPasses(); err != nil {
		return err
	}
	binary := c.emit == "bin" || c.emit == "zebin"
	if binary && c.out == "" && cli.IsTerminal(a.Stdout) {
		return cli.ErrTerminal // before compiling, not after
	}
	if c.emit == "ir" {
		return c.emitIR(a, file)
	}
	look := &passWatch{c: c, a: a, times: newPassTimes(), mir: map[int][]byte{}}
	p, err := c.compile(a, file, look)
	if err != nil {
		if c.emit == "json" {
			err = errors.Join(a.Write(c.out, cli.JSON(c.failure(err))), err)
		}
		return err
	}
	warnUnchecked(a, file, p)
	if err := look.done(); err != nil {
		return err
	}
	if c.emit == "mir" {
		return a.Write(c.out, look.mir[p.Variants[0].SIMD])
	}
	emit := emitters[c.emit]
	switch c.emit {
	case "json":
		emit = c.emitJSON
	case "asm":
		emit = assembly(c.bytes)
	}
	data, err := emit(p)
	if err != nil {
		if e := (*jacquard.Error)(nil); errors.As(err, &e) && e.File == "" {
			e.File = file
		}
		return err
	}
	return a.Write(c.out, data)
}

// warnUnchecked writes a warning to standard error about each check of --verify that was not made.
func warnUnchecked(a *cli.App, file string, p *jacquard.Program) {
	for _, what := range p.Unchecked {
		fmt.Fprintf(a.Stderr, "%s: warning: --verify did not check %s\n", file, what)
	}
}

// emitIR writes the shader after the target-independent passes, or after the IR pass that --stop-after names.
func (c *compile) emitIR(a *cli.App, file string) error {
	s, name, isText, err := a.Shader(file, &c.Selection)
	if err != nil {
		return err
	}
	o := &opt{
		command: "--emit ir", target: c.target, Codegen: c.Codegen,
		printAfter: c.printAfter, stopAfter: c.stopAfter, timePasses: c.timePasses,
	}
	o.verify.IsSet = c.verify
	rows := pipeline.Optimize
	if c.stopAfter != "" {
		rows = pipeline.Compute
	}
	if err := o.checkPrintAfter(rows); err != nil {
		return err
	}
	if err := o.transform(a, name, s, isText, rows); err != nil {
		return err
	}
	return a.WriteShader(c.out, s)
}

func (c *compile) compile(a *cli.App, file string, look *passWatch) (*jacquard.Program, error) {
	in, err := a.Load(file)
	if err != nil {
		return nil, err
	}
	module, err := a.Module(in)
	if err != nil {
		return nil, err
	}
	if in.Kind == cli.MirInput && c.emit == "mir" && c.stopAfter == "" {
		return nil, cli.Usagef("--emit mir for machine IR needs --stop-after with a later pass")
	}
	if in.Kind == cli.MirInput && (c.explain || c.instructions) {
		return nil, cli.Usagef("--%s needs a shader: machine IR does not say what it was selected for", c.explaining())
	}
	o := c.options(in)
	if err := c.Selection.Apply(a, in, module, &o); err != nil {
		return nil, err
	}
	if o.Specialize, err = c.Specialize.Of(in, module); err != nil {
		return nil, err
	}
	if c.printAfter != "" || c.timePasses || c.emit == "mir" {
		o.Trace = look.step
	}
	if c.simd != "auto" || in.Kind == cli.MirInput { // otherwise the whole code decides the width
		o.StopAfter = c.lastPass()
	}
	p, err := jacquard.Compile(a.Ctx, module, o)
	if err != nil || !c.Robust || o.StopAfter != "" {
		return p, err
	}
	return p, c.reportCost(a, module, o, p)
}

// reportCost writes the cost of the bounds checks of --robust to standard error. It compiles the shader again without
// them.
func (c *compile) reportCost(a *cli.App, module []byte, o jacquard.Options, p *jacquard.Program) error {
	v := &p.Variants[0]
	o.Robust, o.Verify = false, false
	o.Trace, o.SIMD = nil, v.SIMD
	q, err := jacquard.Compile(a.Ctx, module, o)
	if err != nil {
		return err
	}
	s, plain := &v.Stats, &q.Variants[0].Stats
	fmt.Fprintf(a.Stderr, "robust: bounds of %d accesses are checked in code, %d without --robust; instructions %+d to %d, "+
		"cycles %+d to %d, registers %+d to %d\n",
		s.BoundsChecks, plain.BoundsChecks, s.Instructions-plain.Instructions, s.Instructions, s.Cycles-plain.Cycles, s.Cycles,
		s.Registers-plain.Registers, s.Registers)
	return nil
}

// options returns the options for package jacquard.
func (c *compile) options(in *cli.Input) jacquard.Options {
	simd, err := strconv.Atoi(c.simd)
	if err != nil { // auto
		simd = in.Width()
	}
	o := jacquard.Options{
		File: in.Name, Target: jacquard.Target(c.target), SIMD: simd, Entry: c.Entry, Stage: jacquard.Stage(c.Stage),
		Verify: c.verify, Zebin: c.emit == "zebin", Explain: c.explain || c.instructions,
	}
	c.Codegen.Apply(&o)
	return o
}

// writeStats writes the statistics of a variant as a comment.
func writeStats(b *bytes.Buffer, p *jacquard.Program, v *jacquard.Variant) {
	s := &v.Stats
	fmt.Fprintf(b, "// %s %s %s SIMD%d: %d instructions, %d sends, %d loops, %d spills, %d fills, %d cycles%s, %d bytes, %d registers",
		p.Target, p.Stage, p.Entry, v.SIMD, s.Instructions, s.Sends, s.Loops, s.Spills, s.Fills, s.Cycles, assumed(s), s.Bytes, s.Registers)
	if s.BoundsChecks > 0 {
		fmt.Fprintf(b, ", %d bounds checks", s.BoundsChecks)
	}
	b.WriteString("\n")
}

// assumed returns a note with the number of loops whose trip count the estimate assumes, or "" if there are none.
func assumed(s *jacquard.Stats) string {
	if s.AssumedLoops == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d trip counts assumed)", s.AssumedLoops)
}

// emitJSON describes the program as JSON.
func (c *compile) emitJSON(p *jacquard.Program) ([]byte, error) {
	r, err := c.describe(p)
	if err != nil {
		return nil, err
	}
	return cli.JSON(r), nil
}

// emitBin returns the machine code at the preferred width.
func emitBin(p *jacquard.Program) ([]byte, error) {
	if len(p.Variants) == 0 {
		return nil, errors.New("jacquard: error: the compiler returned no machine code")
	}
	return p.Variants[0].Code, nil
}

// describe returns the JSON object of --emit json.
func (c *compile) describe(p *jacquard.Program) (*record.Program, error) {
	r := record.Of(p)
	for i := range p.Variants {
		if !c.instructions {
			break
		}
		platform, err := platformOf(string(p.Target))
		if err != nil {
			return nil, err
		}
		code, err := listing.Read(p.Entry, platform, p.Variants[i].Code, listing.Bindings(&p.ABI))
		if err != nil {
			return nil, err
		}
		r.List(p, i, code)
	}
	return r, nil
}

func (c *compile) failure(err error) *record.Program {
	return record.Refused(string(cmp.Or(jacquard.Target(c.target), jacquard.DefaultTarget)), c.Stage, c.Entry, err)
}

// launchReport is the information about the preferred variant that a launcher needs.
type launchReport struct {
	*jacquard.ABI
	Target  string       `json:"target"`
	Entry   string       `json:"entry"`
	SIMD    int          `json:"simd"`
	Scratch int          `json:"scratch_bytes"` // per thread
	Zebin   *zebinReport `json:"zebin"`         // null for other stages than compute, and for targets without zebins
}

// zebinReport is the ABI of the zebin and its arguments by index.
type zebinReport struct {
	Name      string              `json:"name"`
	Version   int                 `json:"version"`
	Hash      string              `json:"hash"`
	Arguments []jacquard.Argument `json:"arguments"`
}

func launch(p *jacquard.Program) *launchReport {
	r := &launchReport{ABI: &p.ABI, Target: string(p.Target), Entry: p.Entry}
	if len(p.Variants) > 0 {
		r.SIMD, r.Scratch = p.Variants[0].SIMD, p.Variants[0].Scratch
	}
	if t, ok := target.ByName(string(p.Target)); ok && t.Zebin != nil && p.Stage == jacquard.Compute {
		r.Zebin = &zebinReport{t.Zebin.Name, t.Zebin.Version, t.Zebin.Hash, p.ZebinArguments()}
	}
	return r
}
