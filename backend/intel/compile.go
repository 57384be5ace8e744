// SPDX-License-Identifier: MIT

package intel

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"jacquard.example/backend/intel/emit"
	"jacquard.example/backend/intel/guard"
	"jacquard.example/backend/intel/isel"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/opt"
	"jacquard.example/backend/intel/ordercheck"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/backend/intel/sched"
	"jacquard.example/backend/intel/swsb"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/work"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Options configures the compilation of a shader.
type Options struct {
	Target  *target.Target
	ABI     *abi.ABI    // one of the target's; nil means the ABI of the shader's stage
	SIMD    int         // lanes per thread: 8, 16 or 32
	Buffers int         // entries in the binding table
	Verify  bool        // check the result of every pass: see CheckError
	Work    *work.Meter // counts steps of superlinear algorithms; may be nil
	// CheckSteps is the budget of each check; 0 means work.MaxCheckSteps. See Binary.Unchecked.
	CheckSteps int64

	// StopAfter names the last pass to run; if empty, all passes run. Code is produced only if the last pass of
	// the table runs.
	StopAfter string
	// Explain fills Binary.Lines, Times and Facts.
	Explain bool
	// Disable names optional passes to skip.
	Disable []string
	// Trace, if not nil, is called with the machine IR and the time taken after every
	// pass.
	Trace func(pass string, u *mir.Unit, took time.Duration)
}

// Stats holds the statistics of the code. Instructions excludes NOP and sync.nop.
type Stats struct {
	Instructions int
	Sends        int
	Loops        int
	Spills       int
	Fills        int
	Bytes        int
	Registers    int
}

// ABI is the information about the code that a launcher needs.
type ABI struct {
	Name          string // name of the row of the ABI table
	Version       int
	Hash          string // hash of the row's contents
	SIMD          int
	WorkgroupSize [3]uint32
	SharedBytes   uint32 // per workgroup
	ScratchBytes  uint32 // bytes per thread: 0, or a power of two that is at least 1024
	PushBytes     uint32 // the user's push constants
	SizesOffset   uint32 // offset of the buffer sizes in the push data
	SizesCount    int    // number of doublewords there, each the size in bytes of a buffer of the binding table
	Buffers       int    // entries in the binding table
	UsesBarrier   bool

	AddressesOffset uint32 // offset of the buffer addresses in the push data
	AddressesCount  int    // number of quadwords there, each the address of a buffer of the binding table

	ViewOffset uint32 // offset of the view's number in the push data
	ReadsView  bool   // the view's number is in the push data
	// ConstantsOffset is the offset of the address of the constant data in the push data, if ReadsConstants is set.
	ConstantsOffset uint32
	ReadsConstants  bool

	Ranges []Range // ranges of uniform buffers in the push data

	// For vertex and fragment shaders.
	Payload         []Part
	Inputs, Outputs []mir.Slot
	Discards        bool
	PerSample       bool
	NullTarget      bool // the entry after Buffers in the binding table is a null surface
	Modes           kind.StageMode
}

// Range is a range of a uniform buffer in the push data.
type Range struct {
	mir.Range
	Offset uint32
}

// ranges returns the ranges of a program with their offsets.
func ranges(l *value.Layout) (out []Range) {
	for i, r := range l.Ranges {
		out = append(out, Range{r, l.RangeOffset(i)})
	}
	return out
}

// Part is a part of a payload.
type Part struct {
	Name                string
	Register, Registers int
}

// parts returns the payload parts that a program uses, in order.
func parts(l *value.Layout) (out []Part) {
	for p, at := range l.Parts {
		if n := l.PartRegs(p); n > 0 {
			out = append(out, Part{p.String(), at, n})
		}
	}
	return out
}

// Binary is the result of a compilation.
type Binary struct {
	Code   []byte
	SIMD   int
	Stats  Stats
	Cycles int // cycles of a thread as estimated by package perf; 0 without code
	// AssumedLoops is the number of loops for which Cycles assumes a trip count.
	AssumedLoops int
	// Times, if lines are requested, breaks Cycles down by instruction.
	Times []perf.Time
	ABI   ABI
	// Bindings lists the ranges of binding table entries.
	Bindings []mir.Binding
	// Samplers lists the ranges of samplers.
	Samplers []mir.Binding
	// Constants is the constant data of the shader.
	Constants []byte
	// Lines, if requested, has an element for every instruction of the code.
	Lines []Line
	// Facts, if lines are requested, has further information about the code.
	Facts *Facts
	// Unchecked lists the checks requested by Options.Verify that were abandoned because they exceeded their
	// budget.
	Unchecked []string
}

// Line is the origin of an instruction of the code.
type Line struct {
	Offset int // offset in the code in bytes
	mir.Origin
	Registers int // number of live general registers
	// Spilled is the index plus 1 in Facts.Spilled of the register for which spilling added the instruction; 0 if
	// there is none.
	Spilled int
}

// Compiler compiles shaders one after another, reusing its memory.
type Compiler struct {
	f     mir.Func
	cfg   analysis.CFG
	div   analysis.Divergence // within subgroups
	pair  analysis.Divergence // within fused threads
	opt   opt.Workspace
	sched sched.Scheduler
	ra    ra.Allocator
	sel   isel.Workspace
	guard guard.Guard
	swsb  swsb.Inserter
	emit  emit.Emitter
	perf  perf.Estimator
}

// job is one compilation.
type job struct {
	c       *Compiler
	o       Options
	s       *ir.Shader // source of selection; nil if selection has already run
	u       *mir.Unit
	stage   string // current stage, for error messages
	fits    bool   // the allocator has placed all registers of the scheduled code
	reserve int    // number of registers that the allocator keeps free for guards
	paired  bool   // Compiler.pair is valid for the shader
	code    []byte
	stats   emit.Stats
	lines   []Line

	unchecked []string // see Binary.Unchecked

	start   *mir.Unit   // copy of the unit given to Resume, unless its registers are already allocated
	account *ra.Account // account of the allocation, if origins are collected
	counted []bool      // by instruction: account covers it
	more    *Facts
}

// Compile compiles a lowered shader.
func Compile(s *ir.Shader, o Options) (*Binary, error) { return new(Compiler).Compile(s, o) }

// Compile compiles a lowered shader.
func (c *Compiler) Compile(s *ir.Shader, o Options) (b *Binary, err error) {
	j := &job{c: c, o: o, s: s, stage: "control flow", u: &mir.Unit{Func: &c.f}}
	defer j.named(&err)
	defer work.Catch(&err)
	if o.Target == nil {
		return nil, fmt.Errorf("no target is given")
	}
	if !slices.Contains(o.Target.Widths, o.SIMD) {
		return nil, fmt.Errorf("there is no SIMD%d on %s", o.SIMD, o.Target)
	}
	entry := s.Entry()
	if entry == 0 {
		return nil, fmt.Errorf("the shader has no entry point")
	}
	if err := floatControls(&s.Info, o.Target); err != nil {
		return nil, err
	}
	if err := CheckWidth(s, o.Target, o.SIMD); err != nil {
		return nil, err
	}
	c.f.Name, c.f.Width = s.Strs.Text(s.Func(entry).Name), o.SIMD
	c.cfg.Build(s, entry)
	c.div.Build(s, entry, &c.cfg)
	if o.Verify {
		if err := c.oneTrip(s); err != nil {
			return nil, &CheckError{Pass: "divergence", Function: s.Strs.Text(s.Func(entry).Name), Err: err}
		}
	}
	return j.run(0)
}

// Resume compiles a unit that CheckUnit accepts, starting after the last pass that has run. It modifies the
// unit. The width and the number of buffers come from the unit, not from Options.
func (c *Compiler) Resume(u *mir.Unit, o Options) (b *Binary, err error) {
	j := &job{c: c, o: o, u: u}
	defer j.named(&err)
	defer work.Catch(&err)
	u.Func.Work = o.Work
	next := indexOf(passes, u.After) + 1
	if next <= indexOf(passes, allocatePass) {
		j.start = u.Clone()
	}
	return j.run(next)
}

// RunPass runs one pass over a unit that CheckUnit accepts, regardless of the unit's last pass; tests of passes
// use it. It returns code after the last pass.
func (c *Compiler) RunPass(u *mir.Unit, name string, o Options) (code []byte, err error) {
	j := &job{c: c, o: o, u: u}
	defer j.named(&err)
	defer work.Catch(&err)
	k := indexOf(passes, name)
	if k < 1 {
		return nil, fmt.Errorf("no pass %q takes machine IR", name)
	}
	u.Func.Work = o.Work
	err = j.pass(&passes[k])
	return j.code, err
}

// named adds to a budget error what exceeded the budget: the pass, the function and the width.
func (j *job) named(err *error) {
	if *err == nil {
		return
	}
	if limit := (*work.Limit)(nil); errors.As(*err, &limit) {
		limit.Stage = fmt.Sprintf("%s of %s at SIMD%d", j.stage, j.u.Func.Name, j.u.Func.Width)
	}
}

// run runs the passes that the machine needs, from index first through StopAfter. If no register is left for
// guards, it starts over with some registers reserved.
func (j *job) run(first int) (*Binary, error) {
	for i := first; i < len(passes); i++ {
		p := &passes[i]
		if p.runs(j.o.Target) && !(p.Optional && slices.Contains(j.o.Disable, p.Name)) {
			err := j.pass(p)
			if errors.Is(err, guard.ErrRegisters) {
				if j.again() {
					i = first - 1
					continue
				}
				err = &WidthError{j.u.Func.Width, err.Error()} // a smaller width needs fewer registers
			}
			if err != nil {
				return nil, err
			}
		}
		if p.Name == j.o.StopAfter {
			break
		}
	}
	u, st := j.u, &j.stats
	row := abiOf(j.o.Target, u.ABI)
	layout := layoutOf(u, row)
	cycles, assumed := 0, 0
	var times []perf.Time
	if len(j.code) > 0 {
		cycles, assumed = j.c.perf.Cycles(), j.c.perf.Assumed()
		if j.o.Explain {
			times = j.c.perf.Times()
		}
	}
	return &Binary{
		Lines: j.lines, Facts: j.more, Unchecked: j.unchecked,
		Cycles: cycles, AssumedLoops: assumed, Times: times,
		Code: j.code, SIMD: u.Func.Width, Bindings: u.Bindings, Samplers: u.Samplers,
		Constants: u.Constants,
		Stats: Stats{
			Instructions: st.Instructions, Sends: st.Sends, Loops: st.Loops, Bytes: st.Bytes,
			Spills: int(u.Spills), Fills: int(u.Fills), Registers: int(u.Registers),
		},
		ABI: ABI{
			Name: row.Name, Version: row.Version, Hash: row.Hash, SIMD: u.Func.Width, WorkgroupSize: u.WorkgroupSize,
			SharedBytes:  u.SharedBytes,
			ScratchBytes: uint32(u.Scratch()), PushBytes: u.PushBytes,
			SizesOffset: layout.Table(abi.BufferSizes), SizesCount: int(u.SizesCount), Buffers: int(u.Buffers),
			AddressesOffset: layout.Table(abi.BufferAddresses), AddressesCount: int(u.AddressesCount),
			ViewOffset: layout.Table(abi.ViewIndex), ReadsView: u.ReadsView, Ranges: ranges(&layout),
			ConstantsOffset: layout.Table(abi.ConstantsAddress), ReadsConstants: u.ReadsConstants,
			UsesBarrier: u.Barrier,
			Payload:     parts(&layout), Inputs: u.Inputs, Outputs: u.Outputs, Discards: u.Discards, PerSample: u.PerSample,
			Modes: kind.StageMode(u.Modes), NullTarget: j.writesNull(row),
		},
	}, nil
}

// writesNull reports whether a fragment shader without render targets writes to an entry of the binding table.
func (j *job) writesNull(row *abi.ABI) bool {
	return row.Stage == kind.StageFragment.String() && !j.o.Target.Can(target.TargetIndex) &&
		!slices.ContainsFunc(j.u.Outputs, func(o mir.Slot) bool { return o.Name == mir.LocationName })
}

// pass runs one pass and checks its result.
func (j *job) pass(p *Pass) error {
	f := j.u.Func
	j.stage = p.Name
	j.o.Work.Look()
	var old *mir.Func
	if j.o.Verify && (p.renames || p.reorders) {
		old = f.Clone()
	}
	var start time.Time
	if j.o.Trace != nil {
		start = time.Now()
	}
	if err := p.run(j); err != nil {
		return err
	}
	j.u.After = p.Name
	if j.o.Trace != nil {
		j.o.Trace(p.Name, j.u, time.Since(start))
	}
	if !j.o.Verify {
		return nil
	}
	err := validate.Func(f)
	if err == nil && p.renames {
		err = j.checked("which register holds what", func(*work.Meter) error { return j.checkRenamed(old) })
	}
	if err == nil && p.reorders {
		err = ordercheck.Check(old, f)
	}
	if err != nil {
		return &CheckError{Pass: p.Name, Function: f.Name, Err: err}
	}
	return nil
}

// selectCode fills the unit with the machine instructions selected for the shader.
func (j *job) selectCode() error {
	s, o, u := j.s, &j.o, j.u
	row := o.ABI
	if row == nil {
		row = StageABI(o.Target, s.Info.Stage)
	}
	if row == nil {
		return fmt.Errorf("%s shaders cannot be compiled for %s yet", s.Info.Stage, o.Target)
	}
	layout, x := value.NewLayout(s, row, o.Target.Registers, o.SIMD, o.Buffers)
	if n := layout.Regs(); n > mir.NumGRFs {
		return &WidthError{o.SIMD, fmt.Sprintf("inputs and push constants take %d registers; there are %d", n, mir.NumGRFs)}
	}
	u.Func.Work = o.Work
	options := value.Options{
		Target: o.Target, Width: o.SIMD, Layout: layout, Interface: x,
		Divergence: &j.c.div,
	}
	if o.Target.Can(target.Fused) {
		options.Together = j.together
	}
	options.Origins = o.Explain
	res, err := j.c.sel.Select(s, u.Func, options)
	if err != nil {
		return err
	}
	u.Origins = res.Origins
	info := &s.Info
	u.Stage, u.Entry, u.Target = info.Stage.String(), s.Strs.Text(info.Entry), o.Target.Name
	u.ABI, u.ABIVersion, u.ABIHash = row.Name, uint32(row.Version), row.Hash
	u.WorkgroupSize, u.SharedBytes = info.WorkgroupSize, info.SharedSize
	u.PushBytes, u.SizesCount, u.Buffers = layout.PushBytes, layout.Entries[abi.BufferSizes], uint32(o.Buffers)
	if row.Stage != "" { // threads of graphics stages have no workgroup
		u.WorkgroupSize = [3]uint32{1, 1, 1}
	}
	u.Parts, u.Slots, u.Inputs = layout.Used, uint32(layout.Slots), x.Inputs
	u.Outputs, u.Discards = x.Outputs, x.Discards
	u.AddressesCount, u.ReadsView = layout.Entries[abi.BufferAddresses], layout.Entries[abi.ViewIndex] != 0
	u.ReadsConstants = layout.Entries[abi.ConstantsAddress] != 0
	u.Ranges = layout.Ranges
	u.PerSample, u.Modes = x.PerSample, uint32(info.Modes)
	u.Barrier, u.PrivateBytes = res.UsesBarrier, res.ScratchBytes
	u.Constants = append(u.Constants[:0], info.ConstData...)
	u.Bindings = slices.Grow(u.Bindings, len(info.Bindings))
	for _, b := range info.Bindings {
		m := mir.Binding{Index: b.Index, Count: b.Count, Set: b.Set, Binding: b.Binding, Mode: b.Mode.String(),
			Access: declaredAccess(b.Access)}
		if b.Type != 0 {
			t := s.Types.At(b.Type)
			m.Shape, m.Format, m.Unformatted = t.Dim.String(), t.Format.String(), b.Unformatted
			if t.Arrayed {
				m.Shape += "_array"
			}
		}
		if b.Index != ir.NoIndex {
			u.Bindings = append(u.Bindings, m)
		}
		if b.Sampler != 0 {
			u.Samplers = append(u.Samplers,
				mir.Binding{Index: b.Sampler - 1, Count: b.Count, Set: b.Set, Binding: b.Binding, Mode: b.Mode.String()})
		}
	}
	return nil
}

// together reports whether fused threads execute a block together. If the lanes of one thread do not, the lanes
// of a pair do not either, so the pair is analyzed only for blocks that one thread executes together.
func (j *job) together(b ir.Node) bool {
	if !j.c.div.Together(b) {
		return false
	}
	if !j.paired {
		j.c.pair.BuildFor(analysis.Pair, j.s, j.s.Entry(), &j.c.cfg)
		j.paired = true
	}
	return j.c.pair.Together(b)
}

// StageABI returns the ABI by which a target starts the threads of a stage, or nil if it cannot.
func StageABI(t *target.Target, stage kind.Stage) *abi.ABI {
	switch stage {
	case kind.StageVertex:
		return t.Vertex
	case kind.StageFragment:
		return t.Fragment
	}
	return t.ABI
}

// declaredAccess returns the declared access of a binding in the form of mir.Binding.
func declaredAccess(a kind.Access) string {
	switch {
	case a&kind.AccessNonWriteable != 0:
		return mir.ReadOnly
	case a&kind.AccessNonReadable != 0:
		return mir.WriteOnly
	}
	return ""
}

// floatControls rejects float modes that the machine lacks.
func floatControls(info *ir.Info, t *target.Target) error {
	const widths = 1 | 2 // 16 and 32 bits
	if !t.Can(target.RoundingBySize) && info.RoundTowardZero&widths != 0 && info.RoundTiesEven&widths != 0 {
		return fmt.Errorf("execution modes RoundingModeRTZ and RoundingModeRTE for different float sizes are not possible on %s", t)
	}
	return nil
}
