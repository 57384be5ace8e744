package intel

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/emit"
	"jacquard.example/backend/intel/hazards"
	"jacquard.example/backend/intel/isel"
	"jacquard.example/backend/intel/lower"
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
	SIMD    int                            // lanes of a thread: 8, 16 or 32
	Buffers int                            // entries of the binding table
	Verify  bool                           // check what every pass leaves: see CheckError
	Work    *work.Meter                    // counts what may take more than the shader is long; may be nil
	Trace   func(pass string, f *mir.Func) // gets the machine IR after every pass; may be nil
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
}

const minScratch = 1024

// Compiler compiles shaders one after the other and reuses its memory.
type Compiler struct {
	f    mir.Func
	cfg  analysis.CFG
	div  analysis.Divergence
	ra   ra.Allocator
	sel  sel.Selector
	swsb swsb.Inserter
	emit emit.Emitter
}

// Compile compiles a lowered shader.
func Compile(s *ir.Shader, o Options) (*Binary, error) { return new(Compiler).Compile(s, o) }

// Compile compiles a lowered shader.
func (c *Compiler) Compile(s *ir.Shader, o Options) (b *Binary, err error) {
	stage := "control flow"
	defer func() {
		if limit := (*work.Limit)(nil); errors.As(err, &limit) {
			limit.Stage = fmt.Sprintf("%s of %s at SIMD%d", stage, s.FuncName(s.Entry()), o.SIMD)
		}
	}()
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
	c.cfg.Build(s, entry)
	c.div.Build(s, entry, &c.cfg)
	if o.Verify {
		if err := c.oneTrip(s); err != nil {
			return nil, &CheckError{Pass: "divergence", Function: s.FuncName(entry), Err: err}
		}
	}
	layout := isel.NewLayout(s, o.Target.ABI, o.Buffers)
	f := &c.f
	f.Work = o.Work
	stage = "select"
	o.Work.Look()
	res, err := isel.Select(s, f, &c.sel, isel.Options{
		Target: o.Target, Width: o.SIMD, Layout: layout,
		Uniform:    func(v ir.Value) bool { return !c.div.Value(v) },
		UniformReg: func(r uint32) bool { return !c.div.Reg(r) },
	})
	if err != nil {
		return nil, err
	}
	after := func(pass string) error {
		if o.Trace != nil {
			o.Trace(pass, f)
		}
		if o.Verify {
			if err := f.Validate(); err != nil {
				return &CheckError{Pass: pass, Function: f.Name, Err: err}
			}
		}
		return nil
	}
	if err := after("select"); err != nil {
		return nil, err
	}
	for _, p := range passes {
		stage = p.name
		o.Work.Look()
		o.Work.Spend(f.NumInsts())
		var old *mir.Func
		if o.Verify && p.renames {
			old = f.Clone()
		}
		p.run(f, o.Target)
		if err := after(p.name); err != nil {
			return nil, err
		}
		if old != nil {
			if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
				return nil, &CheckError{Pass: p.name, Function: f.Name, Err: err}
			}
		}
	}
	var virtual *mir.Func // what allocation started from
	if o.Verify {
		virtual = f.Clone()
	}
	stage = "allocate"
	o.Work.Look()
	alloc, err := c.ra.Allocate(f, o.Target.Messages)
	if err != nil {
		return nil, err
	}
	private := (res.ScratchBytes + 3) &^ 3 * uint32(o.SIMD)
	if limit := o.Target.ScratchBytes; uint64(private)+uint64(alloc.SpillBytes) > uint64(limit) {
		return nil, &WidthError{o.SIMD, fmt.Sprintf("%d bytes of private memory and %d of spilled registers for a thread; %s has %d for both",
			private, alloc.SpillBytes, o.Target, limit)}
	}
	if err := after("allocate"); err != nil {
		return nil, err
	}
	if o.Verify {
		if err := allocheck.Check(virtual, f, allocheck.Options{ReservedFrom: alloc.SpillBytes, ReservedTo: alloc.SpillBytes + private}); err != nil {
			return nil, &CheckError{Pass: "allocate", Function: f.Name, Err: err}
		}
	}
	lower.ScratchBase(f, res.ScratchBase, alloc.SpillBytes)
	stage = "scoreboard"
	o.Work.Look()
	lower.Indirect(f)
	c.swsb.Insert(f)
	if err := after("scoreboard"); err != nil {
		return nil, err
	}
	stage = "encode"
	o.Work.Look()
	code, st, err := c.emit.Code(o.Target.Platform, f, nil)
	if err != nil {
		return nil, err
	}
	if o.Verify {
		if err := hazards.Check(o.Target.Platform, code, hazards.Options{Indirect: indirectRuns(f)}); err != nil {
			return nil, &CheckError{Pass: "scoreboard", Function: f.Name, Err: err}
		}
	}
	return &Binary{
		Code: code, SIMD: o.SIMD,
		Stats: Stats{
			Instructions: st.Instructions, Sends: st.Sends, Loops: st.Loops, Bytes: st.Bytes,
			Spills: alloc.Spills, Fills: alloc.Fills, Registers: alloc.Registers,
		},
		ABI: ABI{
			Name: o.Target.ABI.Name, SIMD: o.SIMD, WorkgroupSize: s.Info.WorkgroupSize, SharedBytes: s.Info.SharedSize,
			ScratchBytes: scratchSize(private + alloc.SpillBytes), PushBytes: layout.PushBytes,
			SizesOffset: layout.PushBytes, SizesCount: int(layout.SizesBytes / 4), Buffers: o.Buffers,
			UsesBarrier: res.UsesBarrier,
		},
	}, nil
}

// floatControls refuses float modes that the machine does not have.
func floatControls(info *ir.Info, t *target.Target) error {
	const widths = 1 | 2 // 16 and 32 bits
	if !t.Can(target.RoundingBySize) && info.RoundTowardZero&widths != 0 && info.RoundTiesEven&widths != 0 {
		return fmt.Errorf("execution modes RoundingModeRTZ and RoundingModeRTE for different float sizes are not possible on %s", t)
	}
	return nil
}

// passes run between selection and register allocation.
var passes = []struct {
	name    string
	run     func(*mir.Func, *target.Target)
	renames bool // only gives registers other places, as allocation does, and drops copies
}{
	{"read_lanes", anywhere(opt.ReadLanes), false},
	{"compare_zero", anywhere(opt.CompareZero), false},
	{"same_flag", anywhere(opt.SameFlag), false},
	{"dead_code", anywhere(opt.DeadCode), false},
	{"coalesce", anywhere(opt.Coalesce), true},
	{"empty_else", anywhere(opt.EmptyElse), false},
	{"legalize", anywhere(lower.Legalize), false},
	{"messages", func(f *mir.Func, t *target.Target) { lower.Messages(f, t.Messages) }, false},
	{"split_simd32", anywhere(lower.SplitSIMD32), false},
	{"split_narrow", anywhere(lower.SplitNarrow), false},
}

// anywhere is a pass that does not depend on the machine.
func anywhere(run func(*mir.Func)) func(*mir.Func, *target.Target) {
	return func(f *mir.Func, _ *target.Target) { run(f) }
}

// scratchSize rounds a thread's scratch up to what a launcher can give.
func scratchSize(n uint32) uint32 {
	switch {
	case n == 0:
		return 0
	case n <= minScratch:
		return minScratch
	}
	return 1 << bits.Len32(n-1)
}
