package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"jacquard.example"
	"jacquard.example/core/pass/pipeline"
)

var compileCommand = command{
	name:  "compile",
	args:  "FILE",
	brief: "compile a shader to machine code",
	text: `
Compiles one entry point of a shader. FILE is a SPIR-V module (.spv), its assembly (.spvasm), GLSL (.comp, .vert, .frag)
or Jacquard's own text (.jir); - is standard input. Assembly and GLSL go through spirv-as and
glslangValidator, where they are installed. Of machine IR (.mir), compile goes on behind the pass that its text names.

--emit says what comes out:
  asm    machine code as assembly, with its statistics
  bin    machine code alone
  zebin  a binary that Intel's Level Zero driver loads (not available yet)
  ir     the shader in Jacquard's text, before a target is chosen, or behind the pass of the IR that --stop-after names;
         in binary form if OUT is named .jirb
  mir    machine IR as text, as instructions were selected, or behind the pass of the back end that --stop-after
         names; of the width that compile would choose, unless --simd says which
  abi    what a launcher has to know to run the code, as JSON: the name, version and hash of the row of the ABI
         table that says how threads are started, the workgroup's size, shared memory, push constants, bindings
  json   one JSON object:
         {"target", "stage", "entry", "programs": [{"simd", "instructions", "sends", "loops", "spills", "fills",
         "cycles", "bytes", "registers"}], "error"}
         programs has an element for each SIMD width, the one to prefer first; error is null, or what went wrong,
         and then programs is empty and the exit status is not 0. Instructions leave out NOP and sync.nop; cycles
         are estimated.

'jacquard info passes' lists the passes, those of the back end last.

Examples:
  jacquard compile saxpy.comp
  jacquard compile shader.spv --simd 16 --emit bin -o shader.bin
  jacquard compile shader.spv --emit ir --stop-after explicit_io -o shader.jir
  jacquard compile shader.spv --simd 16 --emit mir --stop-after legalize -o shader.mir
  jacquard compile shader.mir --print-after allocate
  glslangValidator -V -o /dev/stdout x.comp | jacquard compile - --emit json`,
	setup: func(fs *flagSet) func(*app, []string) error {
		c := &compile{target: jacquard.DefaultTarget, simd: "auto", emit: "asm"}
		fs.choice(&c.target, "target", jacquard.Targets(), "the GPU to compile for; that of machine IR is what its text says")
		c.target = "" // unless it is asked for
		fs.choice(&c.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width")
		fs.text(&c.entry, "entry", "NAME", "the entry point (default: the only one)")
		fs.choice(&c.stage, "stage", jacquard.Stages(), "the stage of the entry point")
		fs.choice(&c.emit, "emit", []string{"asm", "bin", "zebin", "ir", "mir", "abi", "json"}, "what to write")
		fs.text(&c.stopAfter, "stop-after", "PASS", "with --emit mir: the pass of the back end to stop after; with --emit ir: the pass of the IR, of whose runs PASS:N names the Nth")
		fs.text(&c.printAfter, "print-after", "PASS", "also print what this pass leaves, to standard error")
		fs.boolean(&c.timePasses, "time-passes", "print what each pass took, to standard error")
		fs.boolean(&c.verify, "verify", "check what every pass leaves, register allocation and the scoreboard along all paths")
		fs.text(&c.out, "o", "OUT", "the file to write; standard output if there is none")
		return c.run
	},
}

type compile struct {
	target, simd, entry, stage, emit, out string
	stopAfter, printAfter                 string
	timePasses, verify                    bool
}

// emitters write a program, by the word after --emit.
var emitters = map[string]func(*jacquard.Program) ([]byte, error){
	"asm":  emitAsm,
	"bin":  emitBin,
	"abi":  func(p *jacquard.Program) ([]byte, error) { return marshal(&p.ABI), nil },
	"json": func(p *jacquard.Program) ([]byte, error) { return marshal(report(p)), nil },
}

func (c *compile) run(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	if err := c.checkPasses(); err != nil {
		return err
	}
	binary := c.emit == "bin" || c.emit == "zebin"
	if binary && c.out == "" && isTerminal(a.stdout) {
		return errTerminal // before the work, not after it
	}
	if c.emit == "ir" {
		return c.emitIR(a, file)
	}
	look := &passWatch{c: c, a: a, times: newPassTimes(), mir: map[int][]byte{}}
	p, err := c.compile(a, file, look)
	if err != nil {
		if c.emit == "json" {
			err = errors.Join(a.write(c.out, marshal(c.failure(err))), err)
		}
		return err
	}
	if err := look.done(); err != nil {
		return err
	}
	if c.emit == "mir" {
		return a.write(c.out, look.mir[p.Variants[0].SIMD])
	}
	emit := emitters[c.emit]
	if emit == nil {
		return notAvailable("compile --emit " + c.emit)
	}
	data, err := emit(p)
	if err != nil {
		return err
	}
	return a.write(c.out, data)
}

// emitIR writes the shader as the passes leave it that know no target, or a pass of
// either that --stop-after names.
func (c *compile) emitIR(a *app, file string) error {
	s, name, isText, err := a.shader(file, c.entry)
	if err != nil {
		return err
	}
	o := &opt{target: c.target, printAfter: c.printAfter, stopAfter: c.stopAfter, timePasses: c.timePasses}
	o.verify.set = c.verify
	rows := pipeline.Optimize
	if c.stopAfter != "" {
		rows = defaultPasses(s.Info.Stage)
	}
	if err := o.checkPrintAfter(rows); err != nil {
		return err
	}
	if err := o.transform(a, name, s, isText, rows); err != nil {
		return err
	}
	return a.writeShader(c.out, s)
}

func (c *compile) compile(a *app, file string, look *passWatch) (*jacquard.Program, error) {
	in, err := a.load(file)
	if err != nil {
		return nil, err
	}
	module, err := a.module(in)
	if err != nil {
		return nil, err
	}
	if in.kind == mirInput && c.emit == "mir" && c.stopAfter == "" {
		return nil, usagef("--emit mir of machine IR takes the --stop-after of a later pass")
	}
	o := c.options(in.name)
	if c.printAfter != "" || c.timePasses || c.emit == "mir" {
		o.Trace = look.step
	}
	if c.simd != "auto" || in.kind == mirInput { // else the width is chosen by all of the code
		o.StopAfter = c.lastPass()
	}
	return jacquard.Compile(a.ctx, module, o)
}

// options are those of the library.
func (c *compile) options(name string) jacquard.Options {
	simd, _ := strconv.Atoi(c.simd) // auto is 0
	return jacquard.Options{File: name, Target: c.target, SIMD: simd, Entry: c.entry, Stage: c.stage, Verify: c.verify}
}

// program compiles a module.
func (c *compile) program(a *app, name string, module []byte) (*jacquard.Program, error) {
	return jacquard.Compile(a.ctx, module, c.options(name))
}

// emitAsm writes every width as assembly, its figures before it.
func emitAsm(p *jacquard.Program) ([]byte, error) {
	var b bytes.Buffer
	for i, v := range p.Variants {
		if i > 0 {
			b.WriteString("\n")
		}
		s := v.Stats
		fmt.Fprintf(&b, "// %s %s %s SIMD%d: %d instructions, %d sends, %d loops, %d spills, %d fills, %d cycles, %d bytes, %d registers\n",
			p.Target, p.Stage, p.Entry, v.SIMD, s.Instructions, s.Sends, s.Loops, s.Spills, s.Fills, s.Cycles, s.Bytes, s.Registers)
		text, err := disassemble(p.Entry, p.Target, v.Code)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}

// emitBin gives the machine code of the width to prefer.
func emitBin(p *jacquard.Program) ([]byte, error) {
	if len(p.Variants) == 0 {
		return nil, errors.New("jacquard: error: the compiler gave no machine code")
	}
	return p.Variants[0].Code, nil
}

// programReport is the JSON object of --emit json. Its form is documented in
// the help and only grows.
type programReport struct {
	Target   string          `json:"target"`
	Stage    string          `json:"stage"`
	Entry    string          `json:"entry"`
	Programs []variantReport `json:"programs"`
	Error    *string         `json:"error"`
}

type variantReport struct {
	SIMD int `json:"simd"`
	jacquard.Stats
}

func report(p *jacquard.Program) *programReport {
	r := &programReport{Target: p.Target, Stage: p.Stage, Entry: p.Entry, Programs: []variantReport{}}
	for _, v := range p.Variants {
		r.Programs = append(r.Programs, variantReport{v.SIMD, v.Stats})
	}
	return r
}

func (c *compile) failure(err error) *programReport {
	msg := err.Error()
	return &programReport{Target: cmp.Or(c.target, jacquard.DefaultTarget), Stage: c.stage, Entry: c.entry, Programs: []variantReport{}, Error: &msg}
}

// marshal writes one JSON object on a line.
func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // only types of this package come here
	}
	return slices.Concat(data, []byte("\n"))
}
