// SPDX-License-Identifier: MIT

package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"jacquard.example"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/backend/run/tools"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
)

// Step is one step of checking a module.
type Step uint8

const (
	Read     Step = iota // SPIR-V to IR
	Validate             // the IR is well formed
	Text                 // its text is the same after parsing and printing again
	Binary               // its binary form is the same after decoding and encoding again
	Run                  // the interpreter runs it on generated inputs, or in a synthetic draw
	Passes               // after all passes it is well formed and gives the same bytes, or the same picture
	Compile              // there is machine code for the default target
	// there is code for all pairs, except at widths that a machine cannot have, and it breaks no restriction; for vertex
	// and fragment shaders, for all pairs that do not refuse the shader
	Legal
	Model // it gives the same bytes on the model as on the interpreter, or the same picture
	Steps
)

var stepNames = [Steps]string{"read", "validated", "text", "binary", "interpreted", "same after passes",
	"compiled for " + string(jacquard.DefaultTarget), "legal", "same on the model"}

func (s Step) String() string { return stepNames[s] }

// NotReached is the reason of a step that was not tried because an earlier one failed.
const NotReached = "not reached"

// Outcome is the result of checking an entry point of a module.
type Outcome struct {
	Module *modules.Module
	Stage  string
	Entry  string
	Why    [Steps]string // "" if the step went well
	Codes  []Code        // one for each pair
	// Time and Bytes are the time of reading, validating, printing, writing, passes and compiling, and the memory that
	// they allocated in total.
	Time  time.Duration
	Bytes uint64
}

// Code is the result of compiling a shader for a pair.
type Code struct {
	Pair
	Bytes   []byte // machine code; nil if the shader is refused
	Refused string // why it is refused
	Words   int    // doublewords or texels that are the same on the model and the interpreter
	Drawn   bool   // the model drew with the vertex or fragment shader
	LeftOut string // why nothing was compared
}

// stageOf are the stages that the reader knows.
var stageOf = map[string]kind.Stage{
	"compute": kind.StageCompute, "vertex": kind.StageVertex, "fragment": kind.StageFragment,
	"tess_ctrl": kind.StageTessControl, "tess_eval": kind.StageTessEval, "geometry": kind.StageGeometry,
}

// Checker checks modules.
type Checker struct {
	// Pairs chooses the pairs for which compute shaders are compiled and run. Vertex and fragment shaders are compiled
	// for all pairs of their stage; Drawn chooses the ones to draw with.
	Pairs func(*modules.Module) []Pair
	Drawn func(*modules.Module, []Pair) []Pair

	tools tools.Cache
}

// Check runs as many steps as possible on every entry point of a module.
func (c *Checker) Check(ctx context.Context, m *modules.Module) []*Outcome {
	var out []*Outcome
	for _, e := range modules.Entries(m.SPIRV) {
		o := &Outcome{Module: m, Stage: modules.Models[e.Model], Entry: e.Name}
		if o.Stage == "" {
			o.Stage = fmt.Sprintf("model %d", e.Model)
		}
		for i := range o.Why {
			o.Why[i] = NotReached
		}
		c.check(ctx, o)
		out = append(out, o)
	}
	return out
}

// done records the result of a step and reports whether it succeeded.
func (o *Outcome) done(s Step, err error) bool {
	o.Why[s] = ""
	if err != nil {
		o.Why[s] = err.Error()
	}
	return err == nil
}

// guard turns a panic into an error that begins with "panic:".
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v at %s", p, origin(debug.Stack()))
		}
	}()
	return f()
}

// origin returns the first position outside of the runtime that follows the panic in a stack trace, or "?".
func origin(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "panic(") {
			for _, l := range lines[i+1:] {
				if strings.HasPrefix(l, "\t") && !strings.Contains(l, "/src/runtime/") {
					at, _, _ := strings.Cut(strings.TrimSpace(l), " ")
					parts := strings.Split(at, "/")
					return strings.Join(parts[max(0, len(parts)-3):], "/")
				}
			}
		}
	}
	return "?"
}

func (c *Checker) check(ctx context.Context, o *Outcome) {
	stage, known := stageOf[o.Stage]
	if !known {
		o.done(Read, fmt.Errorf("stage %s is not supported", o.Stage))
		return
	}
	read := func() (s *ir.Shader, err error) {
		err = guard(func() error {
			s, err = spirv.Read(o.Module.SPIRV, spirv.Options{Stage: stage, Entry: o.Entry})
			return err
		})
		return s, err
	}
	var s *ir.Shader
	o.measure(func() {
		var err error
		s, err = read()
		if !o.done(Read, err) || !o.done(Validate, guard(func() error { return validate.Shader(s) })) {
			s = nil
			return
		}
		o.done(Text, guard(func() error { return throughText(s) }))
		o.done(Binary, guard(func() error { return throughWire(s) }))
	})
	switch {
	case s == nil:
		return
	case stage == kind.StageVertex || stage == kind.StageFragment:
		c.checkStage(ctx, o, stage)
		return
	case stage != kind.StageCompute:
		return
	}
	in := newInputs(s, tame, 0)
	made := []*inputs{in, newInputs(s, bold, 0)}
	before, err := in.run(ctx, s)
	o.done(Run, err)
	o.measure(func() {
		err = guard(func() error {
			p := pass.New(s)
			p.Options = pass.Options{Target: target.TGL}
			if err := p.Run(pipeline.Compute, nil); err != nil {
				return err
			}
			return validate.Shader(s)
		})
	})
	if err == nil && before != nil {
		var after *inputs
		if after, err = in.run(ctx, s); err == nil {
			if err = after.differs(before); err != nil {
				if raw, again := read(); again == nil {
					err = in.undefined(ctx, raw, before, o.Module.Declares("GroupNonUniform"), err)
				}
			}
		}
	}
	o.done(Passes, err)
	o.measure(func() {
		err = guard(func() error {
			_, err := jacquard.Compile(ctx, o.Module.SPIRV, jacquard.Options{Entry: o.Entry})
			return err
		})
	})
	if !o.done(Compile, err) || !o.done(Legal, o.compile(ctx, c.Pairs(o.Module))) {
		return
	}
	o.done(Model, o.compare(ctx, read, made))
}

// compile compiles a compute shader for pairs, and checks the code.
func (o *Outcome) compile(ctx context.Context, pairs []Pair) error {
	for _, pair := range pairs {
		c, err := o.code(ctx, pair)
		if c.Refused = refusal(err, pair); err != nil && c.Refused == "" {
			return fmt.Errorf("%s: %w", pair, err)
		}
		if v := legal.Check(pair.Target.Platform, c.Bytes); len(v) > 0 {
			return fmt.Errorf("%s: %s", pair, v[0])
		}
		o.Codes = append(o.Codes, c)
	}
	return nil
}

// code compiles an entry point for a pair.
func (o *Outcome) code(ctx context.Context, pair Pair) (c Code, err error) {
	c.Pair = pair
	err = guard(func() error {
		p, err := jacquard.Compile(ctx, o.Module.SPIRV, jacquard.Options{
			Target: jacquard.Target(pair.Target.Name), SIMD: pair.SIMD, Entry: o.Entry, Stage: jacquard.Stage(o.Stage)})
		if err == nil {
			c.Bytes = p.Variants[0].Code
		}
		return err
	})
	return c, err
}

// compare compares all code with the interpreter, on all inputs.
func (o *Outcome) compare(ctx context.Context, read func() (*ir.Shader, error), made []*inputs) error {
	raw, err := read()
	if err != nil {
		return err
	}
	lowered := map[*target.Target]*ir.Shader{}
	for i := range o.Codes {
		code := &o.Codes[i]
		if code.Bytes == nil {
			continue
		}
		if lowered[code.Target] == nil {
			if lowered[code.Target], err = lower(read, code.Target); err != nil {
				return fmt.Errorf("%s: %w", code.Pair, err)
			}
		}
		for _, in := range made {
			c := comparison{entry: o.Entry, module: o.Module.SPIRV, in: in, read: raw, lower: lowered[code.Target], pair: code.Pair}
			words, leftOut, err := c.onModel(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", code.Pair, err)
			}
			code.Words += words
			code.LeftOut = leftOut
		}
		if code.Words > 0 {
			code.LeftOut = ""
		}
	}
	return nil
}

// lower returns a shader after all passes for a target.
func lower(read func() (*ir.Shader, error), machine *target.Target) (*ir.Shader, error) {
	s, err := read()
	if err != nil {
		return nil, err
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: machine}
	return s, guard(func() error { return c.Run(pipeline.Compute, nil) })
}

// measure runs f and adds its cost. Only one call may run at a time, or Bytes is wrong.
func (o *Outcome) measure(f func()) {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	start := time.Now()
	f()
	o.Time += time.Since(start)
	runtime.ReadMemStats(&b)
	o.Bytes += b.TotalAlloc - a.TotalAlloc
}

func throughText(s *ir.Shader) error {
	first := text.Print(s)
	back, err := text.Parse(first)
	if err != nil {
		return err
	}
	if err := validate.Shader(back); err != nil {
		return err
	}
	return sameText(first, text.Print(back))
}

func throughWire(s *ir.Shader) error {
	first := wire.Marshal(s)
	back, err := wire.Unmarshal(first)
	if err != nil {
		return err
	}
	if !bytes.Equal(first, wire.Marshal(back)) {
		return errors.New("the binary form differs")
	}
	return sameText(text.Print(s), text.Print(back))
}

func sameText(a, b []byte) error {
	if bytes.Equal(a, b) {
		return nil
	}
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return fmt.Errorf("the text differs: %q became %q", x[i], y[i])
		}
	}
	return errors.New("the text differs in length")
}

// run runs a shader on a copy of the inputs, and returns the copy.
func (in *inputs) run(ctx context.Context, s *ir.Shader) (*inputs, error) {
	out, _, err := in.runAs(ctx, s, variant{groups: 1, width: 16})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// undefined returns the reason why SPIR-V allows the shader other results than gave, or err if there is none.
func (in *inputs) undefined(ctx context.Context, s *ir.Shader, gave *inputs, subgroups bool, err error) error {
	for _, c := range causes(1, 16, subgroups) {
		for _, v := range c.runs {
			if out, _, failed := in.runAs(ctx, s, v); failed != nil || out.differs(gave) != nil {
				return errors.New("the result is not defined: " + c.why)
			}
		}
	}
	return err
}

// maxSteps bounds one run: a shader may not terminate on generated inputs.
const maxSteps = 1 << 20
