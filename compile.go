package jacquard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/text/lex"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Compile compiles one entry point of a SPIR-V module, or a shader in Jacquard's own text form (.jir) or binary form.
// It also resumes from machine IR (.mir), after the pass that the text names. It is safe for concurrent use. Mistakes
// in the input are reported as *Error, defects of the compiler as *InternalError.
func Compile(ctx context.Context, source []byte, opts Options) (p *Program, err error) {
	return compile(ctx, source, opts, nil)
}

// compile is Compile, also for shaders that have been linked: then earlier is the log of the rules that ran before. It
// is nil otherwise.
func compile(ctx context.Context, source []byte, opts Options, earlier *ruleLog) (p *Program, err error) {
	defer recoverInternal(&err)
	asked := opts.Target != ""
	if !asked {
		opts.Target = DefaultTarget
	}
	machine, ok := target.ByName(string(opts.Target))
	if !ok {
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("unknown target %q", opts.Target)}
	}
	opts.Target = Target(machine.Name) // not an alias
	c := compilers.Get().(*compiler)
	done := false
	defer func() {
		if done { // do not reuse a compiler that failed midway
			compilers.Put(c)
		}
	}()
	meter := work.NewMeter(ctx, work.MaxSteps)
	shared, disabled, err := opts.Disabled()
	if err != nil {
		return nil, err
	}
	if opts.SIMD != 0 && len(opts.Widths) > 0 {
		return nil, &Error{File: opts.File, Msg: "both one width and a list of widths are asked for"}
	}
	c.disabled, c.checks = disabled, checks{}
	if opts.StopAfter != "" && !slices.Contains(Passes(), opts.StopAfter) {
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("the back end has no pass %q", opts.StopAfter)}
	}
	if opts.Zebin && machine.Zebin == nil {
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("programs for %s cannot be written as a zebin", machine)}
	}
	if mirtext.Is(source) {
		if len(shared) > 0 {
			msg := fmt.Sprintf("pass %s of the IR cannot be disabled for machine IR, which follows it", shared[0])
			return nil, &Error{File: opts.File, Msg: msg}
		}
		if !asked {
			machine = nil
		}
		p, err = c.resume(source, machine, &opts, meter)
		done = err == nil
		return p, err
	}
	if err := isRun(&opts, machine); err != nil {
		return nil, err
	}
	s, err := c.read(source, &opts, meter)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(Stages(), Stage(s.Info.Stage.String())) {
		return nil, (&Error{File: opts.File, Msg: noStage(s.Info.Stage.String())}).refused()
	}
	if opts.Zebin && s.Info.Stage != kind.StageCompute {
		return nil, (&Error{File: opts.File, Msg: fmt.Sprintf("a zebin cannot hold a %s shader", s.Info.Stage)}).refused()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.pass.Reset(s)
	c.pass.Work = meter
	c.pass.Options = pass.Options{Target: machine, Robust: opts.Robust, Descriptors: uint32(min(max(opts.Descriptors, 0), math.MaxInt32)), Disable: shared}
	if opts.Buffers != "" {
		var ok bool
		if c.pass.Options.Buffers, ok = pass.BufferFormat(opts.Buffers); !ok {
			return nil, &Error{File: opts.File, Msg: fmt.Sprintf("unknown format of buffers %q", opts.Buffers)}
		}
	}
	if opts.Layout != nil {
		if opts.Zebin {
			return nil, &Error{File: opts.File, Msg: "a zebin has a layout of its own"}
		}
		if c.pass.Options.Places, c.pass.Options.PushBytes, err = opts.Layout.places(opts.File); err != nil {
			return nil, err
		}
	}
	c.rules, c.remarks = nil, nil
	if opts.Explain {
		c.pass.Remarks = &c.remarks
		c.rules = follow(c.pass)
		c.rules.carry(earlier)
	}
	trace, err := c.trace(s, &opts)
	if err != nil {
		return nil, err
	}
	if err := pipeline.ForTarget(c.pass, trace); err != nil {
		return nil, compileError(opts.File, err)
	}
	p = &Program{Target: opts.Target, Stage: Stage(s.Info.Stage.String()), Entry: s.Strs.Text(s.Info.Entry), Unchecked: c.checks.unchecked}
	if len(opts.Widths) > 0 {
		if err := c.each(ctx, p, s, machine, &opts, meter); err != nil {
			return nil, compileError(opts.File, err)
		}
		done = true
		return p, nil
	}
	widths := []int{opts.SIMD}
	if opts.SIMD == 0 {
		widths = c.widths(s)
	}
	if err := c.variants(ctx, p, s, machine, widths, &opts, meter); err != nil {
		return nil, compileError(opts.File, err)
	}
	done = true
	return p, nil
}

// trace returns the function to call after every pass, or nil if there is no trace.
func (c *compiler) trace(s *ir.Shader, opts *Options) (*pass.Trace, error) {
	if !opts.Verify && !opts.Explain && opts.Trace == nil {
		return nil, nil
	}
	tr := &pass.Trace{}
	if opts.Verify {
		c.checks = checks{pass: c.pass}
		var err error
		if tr, err = c.checks.trace(); err != nil {
			return nil, err
		}
	}
	check := tr.After
	tr.After = func(name string, changed bool, took time.Duration) error {
		if c.rules != nil {
			c.rules.settle()
		}
		if opts.Trace != nil {
			opts.Trace(&Step{Pass: name, Changed: changed, Took: took, text: func() []byte { return text.Print(s) }})
		}
		if check != nil {
			return check(name, changed, took)
		}
		return nil
	}
	return tr, nil
}

// compileError distinguishes the errors of a compilation: a compiler defect found by a check, a shader that cannot be
// compiled, and a context that is done.
func compileError(file string, err error) error {
	var internal *InternalError
	var check *intel.CheckError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &internal):
		return internal
	case errors.As(err, &check):
		return &InternalError{Pass: check.Pass, Function: check.Function, Cause: check.Err}
	}
	return InputError(file, err)
}

// try compiles the shader at the widths in their order: at all that are possible, or only at the first. It returns why
// others are impossible. The error is about all of them if none is possible.
func (c *compiler) try(
	ctx context.Context, p *Program, s *ir.Shader, t *target.Target, widths []int, all bool, opts *Options, meter *work.Meter,
) (impossible []*intel.WidthError, err error) {
	for _, simd := range widths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := c.variant(p, s, t, simd, opts, meter)
		var e *intel.WidthError
		switch {
		case err == nil && !all:
			return impossible, nil
		case errors.As(err, &e):
			impossible = append(impossible, e)
		case err != nil:
			return nil, err
		}
	}
	if len(p.Variants) == 0 {
		return nil, errors.New(reasons(impossible))
	}
	return impossible, nil
}

// reasons returns the reasons why widths are impossible.
func reasons(impossible []*intel.WidthError) string {
	var list []string
	for _, e := range impossible {
		list = append(list, e.Error())
	}
	return strings.Join(list, "; ")
}

// each compiles the shader at each of Options.Widths.
func (c *compiler) each(ctx context.Context, p *Program, s *ir.Shader, t *target.Target, opts *Options, meter *work.Meter) error {
	impossible, err := c.try(ctx, p, s, t, opts.Widths, true, opts, meter)
	for _, e := range impossible {
		if p.Impossible == nil {
			p.Impossible = map[int]string{}
		}
		p.Impossible[e.SIMD] = e.Error()
	}
	return err
}

// variants compiles the shader at the first width that is possible. If SIMD16 code spills, it also compiles SIMD8 code,
// if possible, and prefers the faster.
func (c *compiler) variants(
	ctx context.Context, p *Program, s *ir.Shader, t *target.Target, widths []int, opts *Options, meter *work.Meter,
) error {
	impossible, err := c.try(ctx, p, s, t, widths, false, opts, meter)
	if err != nil {
		return err
	}
	first := &p.Variants[0]
	if opts.Explain {
		p.Width = chosen(s, first, impossible, opts.SIMD)
	}
	if len(widths) == 1 || first.SIMD != 16 || first.Stats.Spills == 0 || intel.CheckWidth(s, t, 8) != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// With half the lanes, each lane has twice as many registers.
	if err := c.variant(p, s, t, 8, opts, meter); err != nil {
		if errors.As(err, new(*intel.WidthError)) {
			return nil
		}
		return err
	}
	best := 0
	if wide, narrow := p.Variants[0].Stats, p.Variants[1].Stats; 2*narrow.Cycles < wide.Cycles {
		best = 1
	}
	if opts.Explain {
		p.Width = spilling(&p.Variants[0].Stats, &p.Variants[1].Stats, best)
	}
	p.Variants = p.Variants[best : best+1]
	p.ABI = p.Variants[0].ABI
	return nil
}

// compiler is the working memory of one compilation, reused by the next.
type compiler struct {
	shader  *ir.Shader // SPIR-V is read into it
	pass    *pass.Context
	intel   intel.Compiler
	rules   *ruleLog      // nil unless Options.Explain is set
	remarks []pass.Remark // empty unless Options.Explain is set

	disabled []string // disabled back-end passes
	checks   checks   // for Options.Verify
}

var compilers = sync.Pool{New: func() any { return &compiler{shader: ir.New(), pass: new(pass.Context)} }}

// read translates the source into the IR. Of a module it reads the entry point of the requested stage or, if none is
// requested, of its only stage.
func (c *compiler) read(source []byte, opts *Options, meter *work.Meter) (*ir.Shader, error) {
	asked := cmp.Or(opts.Stage, Stages()[0])
	if !slices.Contains(Stages(), asked) {
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("stage %q is not supported yet", asked)}
	}
	s, err := readStage(source, stageNamed(string(asked)), c.shader, opts, meter)
	if err != nil && opts.Stage == "" {
		var e *spirv.Error
		if errors.As(err, &e) && slices.Contains(Stages(), Stage(e.Stage)) {
			asked = Stage(e.Stage)
			s, err = readStage(source, stageNamed(string(asked)), c.shader, opts, meter)
		}
	}
	switch {
	case err != nil:
		return nil, readError(opts.File, string(asked), err)
	case opts.Stage != "" && s.Info.Stage.String() != string(opts.Stage):
		return nil, otherStage(opts.File, s.Info.Stage.String(), string(opts.Stage))
	case opts.Entry != "" && s.Strs.Text(s.Info.Entry) != opts.Entry:
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("the shader's entry point is %q, not %q", s.Strs.Text(s.Info.Entry), opts.Entry)}
	}
	return s, nil
}

// stageNamed returns the stage with one of the names in Stages.
func stageNamed(name string) kind.Stage {
	v, _ := kind.EnumStage.Value(name)
	return kind.Stage(v)
}

// readStage reads a shader, or the entry point of a stage in a module. A module is read into the given shader, or into
// a new one if that is nil.
func readStage(source []byte, stage kind.Stage, into *ir.Shader, opts *Options, meter *work.Meter) (*ir.Shader, error) {
	switch {
	case lex.Begins(source, "shader"):
		return readText(source, opts.File)
	case wire.Is(source):
		return readWire(source, opts.File)
	}
	o := spirv.Options{Entry: opts.Entry, Stage: stage, Into: into, Work: meter}
	for _, s := range opts.Specialize {
		o.Specialize = append(o.Specialize, spirv.Spec{ID: s.ID, Bits: s.Bits})
	}
	return spirv.Read(source, o)
}

// readError returns the error about a source that cannot be read as a shader of a stage.
func readError(file, stage string, err error) error {
	var e *spirv.Error
	switch {
	case !errors.As(err, &e):
		return err
	case slices.Contains(Stages(), Stage(e.Stage)):
		return WordError(file, e.Word, "the module has a %s shader, not a %s shader", e.Stage, stage)
	case e.Stage != "":
		return WordError(file, e.Word, "%s", noStage(e.Stage)).refused()
	}
	return spirvError(file, e)
}

// otherStage returns the error about a shader that is not of the requested stage.
func otherStage(file, stage, asked string) error {
	return &Error{File: file, Msg: fmt.Sprintf("this is a %s shader, not a %s shader", stage, asked)}
}

// noStage returns the message that a stage is not supported.
func noStage(stage string) string {
	return stage + " shaders are not supported yet, only compute, vertex and fragment shaders"
}

func readText(source []byte, file string) (*ir.Shader, error) {
	s, err := text.Parse(source)
	var te *text.Error
	if errors.As(err, &te) {
		return nil, &Error{File: file, Line: te.Line, Column: te.Col, Msg: te.Msg}
	}
	return validated(s, err, file)
}

func readWire(source []byte, file string) (*ir.Shader, error) {
	s, err := wire.Unmarshal(source)
	return validated(s, err, file)
}

// validated checks a shader that the SPIR-V reader did not produce.
func validated(s *ir.Shader, err error, file string) (*ir.Shader, error) {
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		return nil, &Error{File: file, Msg: err.Error()}
	}
	return s, nil
}

// widths returns the SIMD widths to try, the best first: as many lanes as the workgroup fills, but at most 16, since a
// lane has too few registers beyond that.
func (c *compiler) widths(s *ir.Shader) []int {
	n := s.Info.WorkgroupSize
	switch {
	case s.Info.Stage == kind.StageVertex: // threads have eight vertices
		return []int{8}
	case s.Info.Stage == kind.StageFragment:
		return []int{16, 8}
	case s.Info.SubgroupSize != 0:
		return []int{int(s.Info.SubgroupSize)}
	case n[0]*n[1]*n[2] <= 8:
		return []int{8, 16, 32}
	}
	return []int{16, 8, 32}
}

func (c *compiler) variant(p *Program, s *ir.Shader, t *target.Target, simd int, opts *Options, meter *work.Meter) error {
	o := intelOptions(t, opts, meter, nil)
	o.Disable = c.disabled
	o.SIMD, o.Buffers = simd, tableSize(s)
	out, err := c.intel.Compile(s, o)
	if err != nil {
		return err
	}
	p.add(out)
	v := &p.Variants[len(p.Variants)-1]
	v.Stats.BoundsChecks = int(c.pass.Bounded)
	if opts.Explain {
		v.Lines = explain(s, out, c.rules)
		v.Cost = costOf(s, out, v.Lines, c.remarks)
	}
	return nil
}

// intelOptions returns the options of the back end, except the width and the buffers. given is the input of its first
// pass, if no pass produced it.
func intelOptions(t *target.Target, opts *Options, meter *work.Meter, given *mir.Unit) intel.Options {
	o := intel.Options{Target: t, Verify: opts.Verify, Explain: opts.Explain, Work: meter, StopAfter: opts.StopAfter}
	if opts.Zebin {
		o.ABI = t.Zebin
	}
	if opts.Trace != nil {
		var last []byte
		if given != nil {
			last = mirtext.Body(mirtext.Print(given))
		}
		o.Trace = func(name string, u *mir.Unit, took time.Duration) {
			text := mirtext.Print(u)
			body := mirtext.Body(text)
			opts.Trace(&Step{Pass: name, SIMD: u.Func.Width, Changed: !bytes.Equal(body, last), Took: took, text: func() []byte { return text }})
			last = body
		}
	}
	return o
}

// isRun returns an error if Options.StopAfter names a pass that does not run for the target.
func isRun(opts *Options, t *target.Target) error {
	if opts.StopAfter == "" || intel.Runs(opts.StopAfter, t) {
		return nil
	}
	return &Error{File: opts.File, Msg: fmt.Sprintf("pass %s does not run for %s", opts.StopAfter, t)}
}

// resume continues from machine IR. If t is nil, it compiles for the target that the text names.
func (c *compiler) resume(source []byte, t *target.Target, opts *Options, meter *work.Meter) (*Program, error) {
	var checked error
	u, err := mirtext.Parse(source, func(u *mir.Unit) error {
		if t == nil {
			var ok bool
			if t, ok = target.ByName(u.Target); !ok {
				return &mir.UnitError{Line: "target", Msg: fmt.Sprintf("unknown target %q", u.Target)}
			}
		}
		if err := intel.CheckUnit(u, t); err != nil || !opts.Verify {
			return err
		}
		if checked = intel.CheckReads(u, meter); checked == nil {
			checked = intel.CheckBoard(u, t, meter)
		}
		return checked
	})
	if errors.Is(checked, context.Canceled) || errors.Is(checked, context.DeadlineExceeded) {
		return nil, checked // a defect, not a mistake in the text
	}
	var te *mirtext.Error
	if errors.As(err, &te) {
		return nil, &Error{File: opts.File, Line: te.Line, Column: te.Col, Msg: te.Msg}
	}
	switch {
	case opts.Robust || opts.Buffers != "":
		return nil, &Error{File: opts.File, Msg: "the machine IR determines how its buffers are addressed"}
	case len(opts.Widths) > 0:
		return nil, &Error{File: opts.File, Msg: "machine IR has one width"}
	case opts.Layout != nil:
		return nil, &Error{File: opts.File, Msg: "machine IR determines the places of its descriptors"}
	case opts.SIMD != 0 && opts.SIMD != u.Func.Width:
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("the machine IR is for SIMD%d, not SIMD%d", u.Func.Width, opts.SIMD)}
	case opts.Entry != "" && opts.Entry != u.Entry:
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("the machine IR is of entry point %q, not %q", u.Entry, opts.Entry)}
	case opts.Stage != "" && string(opts.Stage) != u.Stage:
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("the machine IR is of a %s shader, not a %s shader", u.Stage, opts.Stage)}
	case opts.StopAfter != "" && slices.Index(Passes(), opts.StopAfter) <= slices.Index(Passes(), u.After):
		return nil, &Error{File: opts.File, Msg: fmt.Sprintf("the machine IR was written after %s: %s is already done", u.After, opts.StopAfter)}
	}
	if err := isRun(opts, t); err != nil {
		return nil, err
	}
	p := &Program{Target: Target(t.Name), Stage: Stage(u.Stage), Entry: u.Entry}
	o := intelOptions(t, opts, meter, u)
	o.Disable = c.disabled
	out, err := c.intel.Resume(u, o)
	if err != nil {
		return nil, unitError(opts.File, u, err)
	}
	p.add(out)
	return p, nil
}

// unitError is compileError for machine IR, in which an instruction without an encoding is a mistake in the text.
func unitError(file string, u *mir.Unit, err error) error {
	var bad *mir.Error
	var check *intel.CheckError
	if errors.As(err, &bad) && !errors.As(err, &check) {
		at := u.Places[u.Func.At(bad.Inst).Loc]
		return &Error{File: file, Line: int(at.Line), Column: int(at.Col), Msg: bad.Text + ": " + bad.Msg}
	}
	return compileError(file, err)
}

// add adds the output of the back end to the program.
func (p *Program) add(out *intel.Binary) {
	v := Variant{
		SIMD: out.SIMD, Code: out.Code, Scratch: int(out.ABI.ScratchBytes),
		Stats: Stats{
			Instructions: out.Stats.Instructions, Sends: out.Stats.Sends, Loops: out.Stats.Loops,
			Spills: out.Stats.Spills, Fills: out.Stats.Fills, Bytes: out.Stats.Bytes, Registers: out.Stats.Registers,
			Cycles: out.Cycles, AssumedLoops: out.AssumedLoops,
		},
	}
	v.ABI = abiOf(string(p.Target), out)
	p.Variants = append(p.Variants, v)
	p.ABI = p.Variants[0].ABI
	p.Unchecked = append(p.Unchecked, out.Unchecked...)
}

// tableSize returns the number of entries of the binding table.
func tableSize(s *ir.Shader) int {
	n := uint32(0)
	for _, b := range s.Info.Bindings {
		if b.Index != ir.NoIndex {
			n = max(n, b.Index+b.Count)
		}
	}
	return int(n)
}

func abiOf(machine string, b *intel.Binary) ABI {
	a := &b.ABI
	out := ABI{
		Name: a.Name, Version: a.Version, Hash: a.Hash, LocalSize: a.WorkgroupSize, SharedBytes: int(a.SharedBytes), PushBytes: int(a.PushBytes), Barrier: a.UsesBarrier,
		SizesOffset: int(a.SizesOffset), SizesCount: a.SizesCount,
		AddressesOffset: int(a.AddressesOffset), AddressesCount: a.AddressesCount, ReadsView: a.ReadsView, Bindings: make([]Resource, a.Buffers),
	}
	if a.ReadsView {
		out.ViewOffset = int(a.ViewOffset)
	}
	for i := range out.Bindings {
		out.Bindings[i] = Resource{Set: math.MaxUint32, Binding: math.MaxUint32, Kind: unusedKind}
	}
	for _, r := range a.Ranges {
		out.Ranges = append(out.Ranges, Range{Entry: int(r.Entry), Start: int(r.Start), Bytes: int(r.Bytes), Offset: int(r.Offset)})
	}
	for _, x := range a.Payload {
		out.Payload = append(out.Payload, Part{x.Name, x.Register, x.Registers})
	}
	out.Inputs, out.Outputs, out.Discards = slotsOf(a.Inputs), slotsOf(a.Outputs), a.Discards
	out.PerSample = a.PerSample
	if m := a.Modes; m != 0 {
		out.Modes = strings.Split(m.String(), "|")
	}
	for _, b := range b.Samplers {
		for len(out.Samplers) < int(b.Index+b.Count) {
			out.Samplers = append(out.Samplers, Resource{Set: math.MaxUint32, Binding: math.MaxUint32, Kind: unusedKind})
		}
		for i := range b.Count {
			out.Samplers[b.Index+i] = Resource{Set: b.Set, Binding: b.Binding, Kind: "sampler", Access: mir.ReadOnly}
		}
	}
	for _, b := range b.Bindings {
		r := Resource{Set: b.Set, Binding: b.Binding, Kind: "storage", Access: cmp.Or(b.Access, "readwrite"), Shape: b.Shape, Format: b.Format, Surface: surfaceFormat(b.Format)}
		switch {
		case b.Mode == kind.ModeUBO.String():
			r.Kind, r.Access = "uniform", mir.ReadOnly
		case b.Shape == kind.DimSubpass.String() || b.Shape == kind.DimSubpassMs.String():
			r.Kind, r.Access = "input_attachment", mir.ReadOnly
		case b.Mode == kind.ModeUniform.String():
			r.Kind, r.Access = sampledKind(b, out.Samplers), mir.ReadOnly
		case b.Shape == kind.DimBuf.String():
			r.Kind = "storage_texel_buffer"
		case b.Mode == kind.ModeImage.String():
			r.Kind = "storage_image"
		}
		if b.Unformatted {
			r.Unreadable = UnreadableFormats(Target(machine))
		}
		for i := range b.Count {
			out.Bindings[b.Index+i] = r
		}
	}
	return out
}

// unusedKind is the kind of an entry that Options.Layout leaves free.
const unusedKind = "unused"

// slotsOf converts slots to the form of the ABI.
func slotsOf(list []mir.Slot) (out []Slot) {
	for _, x := range list {
		out = append(out, Slot{Slot: int(x.Index), Is: x.Name, Location: int(x.Number), Components: int(x.Mask), Flat: x.Flat})
	}
	return out
}

// sampledKind returns the kind of a sampled image.
func sampledKind(b mir.Binding, samplers []Resource) string {
	if b.Shape == kind.DimBuf.String() {
		return "uniform_texel_buffer"
	}
	for _, s := range samplers {
		if s.Set == b.Set && s.Binding == b.Binding {
			return "combined"
		}
	}
	return "sampled_image"
}

func spirvError(file string, e *spirv.Error) *Error {
	msg := e.Msg
	if e.Op != "" {
		msg = e.Op + ": " + msg
	}
	out := WordError(file, e.Word, "%s", msg).placed(e.File, e.Line, e.Column)
	out.unsupported = e.Unsupported
	return out
}
