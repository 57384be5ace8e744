package intel

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"jacquard.example/backend/intel/emit"
	"jacquard.example/backend/intel/isel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/opt"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/backend/intel/swsb"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/work"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/target"
)

// Options say what to make of a shader.
type Options struct {
	Target  *target.Target
	SIMD    int         // lanes of a thread: 8, 16 or 32
	Buffers int         // entries of the binding table
	Verify  bool        // check what every pass leaves: see CheckError
	Work    *work.Meter // counts what may take more than the shader is long; may be nil

	// StopAfter is the last pass to run; all if it is empty. Without the last of
	// all there is no code.
	StopAfter string
	// Trace gets the machine IR after every pass, and how long it took; may be nil.
	Trace func(pass string, u *mir.Unit, took time.Duration)
}

// Stats are the figures of the code. Instructions leave out NOP and sync.nop.
type Stats struct {
	Instructions int `json:"instructions"`
	Sends        int `json:"sends"`
	Loops        int `json:"loops"`
	Spills       int `json:"spills"`
	Fills        int `json:"fills"`
	Bytes        int `json:"bytes"`
	Registers    int `json:"registers"`
}

// ABI is what a launcher has to know besides the code.
type ABI struct {
	Name          string    `json:"name"` // the row of the ABI table
	Version       int       `json:"version"`
	Hash          string    `json:"hash"` // of what the row says
	SIMD          int       `json:"simd"`
	WorkgroupSize [3]uint32 `json:"workgroup_size"`
	SharedBytes   uint32    `json:"shared_bytes"`  // of a workgroup
	ScratchBytes  uint32    `json:"scratch_bytes"` // of a thread: 0, or a power of two from 1024
	PushBytes     uint32    `json:"push_bytes"`    // user push constants
	SizesOffset   uint32    `json:"sizes_offset"`  // where in the push data the buffer sizes start
	SizesCount    int       `json:"sizes_count"`   // doublewords there: the bytes of each buffer of the binding table
	Buffers       int       `json:"buffers"`       // entries of the binding table
	UsesBarrier   bool      `json:"uses_barrier"`
}

// Binary is the result.
type Binary struct {
	Code  []byte
	SIMD  int
	Stats Stats
	ABI   ABI
	// Bindings are the runs of entries of the binding table.
	Bindings []mir.Binding
}

// Compiler compiles shaders one after the other and reuses its memory.
type Compiler struct {
	f    mir.Func
	cfg  analysis.CFG
	div  analysis.Divergence
	opt  opt.Memory
	ra   ra.Allocator
	sel  sel.Selector
	swsb swsb.Inserter
	emit emit.Emitter
}

// job is one compilation.
type job struct {
	c     *Compiler
	o     Options
	s     *ir.Shader // what is selected from; nil if it was before
	u     *mir.Unit
	stage string // what is running, for errors
	code  []byte
	stats emit.Stats
}

// Compile compiles a lowered shader.
func Compile(s *ir.Shader, o Options) (*Binary, error) { return new(Compiler).Compile(s, o) }

// Compile compiles a lowered shader.
func (c *Compiler) Compile(s *ir.Shader, o Options) (b *Binary, err error) {
	j := &job{c: c, o: o, s: s, stage: "control flow", u: &mir.Unit{Func: &c.f}}
	defer j.named(&err)
	defer work.Catch(&err)
	if o.Target == nil {
		return nil, fmt.Errorf("no target is named")
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
	c.f.Name, c.f.Width = s.FuncName(entry), o.SIMD
	c.cfg.Build(s, entry)
	c.div.Build(s, entry, &c.cfg)
	if o.Verify {
		if err := c.oneTrip(s); err != nil {
			return nil, &CheckError{Pass: "divergence", Function: s.FuncName(entry), Err: err}
		}
	}
	return j.run(passes)
}

// Resume compiles a unit, which CheckUnit takes, from the pass on that is behind the
// last one that has run. The unit changes. Options need no width and no number of
// buffers.
func (c *Compiler) Resume(u *mir.Unit, o Options) (b *Binary, err error) {
	j := &job{c: c, o: o, u: u}
	defer j.named(&err)
	defer work.Catch(&err)
	u.Func.Work = o.Work
	return j.run(passes[indexOf(passes, u.After)+1:])
}

// RunPass runs one pass over a unit, which CheckUnit takes, whatever ran last: what
// the tests of passes do. Behind the last pass there is code.
func (c *Compiler) RunPass(u *mir.Unit, name string, o Options) (code []byte, err error) {
	j := &job{c: c, o: o, u: u}
	defer j.named(&err)
	defer work.Catch(&err)
	k := indexOf(passes, name)
	if k < 1 {
		return nil, fmt.Errorf("there is no pass %q that machine IR is given to", name)
	}
	u.Func.Work = o.Work
	err = j.pass(&passes[k])
	return j.code, err
}

// named says in the error of a budget what it was too small for.
func (j *job) named(err *error) {
	if limit := (*work.Limit)(nil); errors.As(*err, &limit) {
		limit.Stage = fmt.Sprintf("%s of %s at SIMD%d", j.stage, j.u.Func.Name, j.u.Func.Width)
	}
}

// run runs the passes that the machine needs, up to the one to stop after.
func (j *job) run(rows []Pass) (*Binary, error) {
	for i := range rows {
		if j.o.Target.Can(rows[i].Needs) {
			if err := j.pass(&rows[i]); err != nil {
				return nil, err
			}
		}
		if rows[i].Name == j.o.StopAfter {
			break
		}
	}
	u, st := j.u, &j.stats
	return &Binary{
		Code: j.code, SIMD: u.Func.Width, Bindings: u.Bindings,
		Stats: Stats{
			Instructions: st.Instructions, Sends: st.Sends, Loops: st.Loops, Bytes: st.Bytes,
			Spills: int(u.Spills), Fills: int(u.Fills), Registers: int(u.Registers),
		},
		ABI: ABI{
			Name: u.ABI, Version: j.o.Target.ABI.Version, Hash: j.o.Target.ABI.Hash, SIMD: u.Func.Width, WorkgroupSize: u.WorkgroupSize, SharedBytes: u.SharedBytes,
			ScratchBytes: uint32(u.Scratch()), PushBytes: u.PushBytes,
			SizesOffset: u.PushBytes, SizesCount: int(u.SizesCount), Buffers: int(u.Buffers),
			UsesBarrier: u.Barrier,
		},
	}, nil
}

// pass runs one pass, and the checks of what it leaves.
func (j *job) pass(p *Pass) error {
	f := j.u.Func
	j.stage = p.Name
	j.o.Work.Look()
	var old *mir.Func
	if j.o.Verify && p.renames {
		old = f.Clone()
	}
	start := time.Now()
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
	j.stage = "checking " + p.Name
	err := f.Validate()
	if err == nil && old != nil {
		err = j.checkRenamed(old)
	}
	if err != nil {
		return &CheckError{Pass: p.Name, Function: f.Name, Err: err}
	}
	return nil
}

// selectCode fills the unit from the shader.
func (j *job) selectCode() error {
	s, o, u := j.s, &j.o, j.u
	layout := isel.NewLayout(s, o.Target.ABI, o.Buffers)
	u.Func.Work = o.Work
	res, err := isel.Select(s, u.Func, &j.c.sel, isel.Options{
		Target: o.Target, Width: o.SIMD, Layout: layout,
		Uniform:    func(v ir.Value) bool { return !j.c.div.Value(v) },
		UniformReg: func(r uint32) bool { return !j.c.div.Reg(r) },
	})
	if err != nil {
		return err
	}
	info := &s.Info
	u.Stage, u.Entry, u.Target = info.Stage.String(), s.Text(info.Entry), o.Target.Name
	u.ABI, u.ABIVersion, u.ABIHash = o.Target.ABI.Name, uint32(o.Target.ABI.Version), o.Target.ABI.Hash
	u.WorkgroupSize, u.SharedBytes = info.WorkgroupSize, info.SharedSize
	u.PushBytes, u.SizesCount, u.Buffers = layout.PushBytes, layout.SizesBytes/4, uint32(o.Buffers)
	u.Barrier, u.PrivateBytes = res.UsesBarrier, res.ScratchBytes
	for _, b := range info.Bindings {
		u.Bindings = append(u.Bindings, mir.Binding{Index: b.Index, Count: b.Count, Set: b.Set, Binding: b.Binding, Mode: b.Mode.String()})
	}
	return nil
}

// floatControls refuses float modes that the machine does not have.
func floatControls(info *ir.Info, t *target.Target) error {
	const widths = 1 | 2 // 16 and 32 bits
	if !t.Can(target.RoundingBySize) && info.RoundTowardZero&widths != 0 && info.RoundTiesEven&widths != 0 {
		return fmt.Errorf("execution modes RoundingModeRTZ and RoundingModeRTE for different float sizes are not possible on %s", t)
	}
	return nil
}
