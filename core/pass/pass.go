package pass

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/work"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/rules/option"
	"jacquard.example/generated/target"
)

// Context is what a pass works on: one shader, and scratch memory that is reused
// by later passes and shaders.
type Context struct {
	S *ir.Shader
	B *build.Builder // every pass finds its Float 0
	// F is the current function of function passes.
	F ir.Func

	CFG analysis.CFG
	Dom analysis.Dominance
	Div analysis.Divergence

	Options Options

	// Work counts the steps of passes that may take superlinear time; if nil, nothing
	// is counted.
	Work *work.Meter

	// Scratch memory of the running pass.
	Cloner ir.Cloner
	Values []ir.Value
	Marks  []bool

	// Selected counts the scalars that passes moved from indexed arrays to
	// registers.
	Selected uint32
	// Unrolled is the number of instructions that copies of loop bodies have added.
	Unrolled uint32
	// Bounded counts the accesses whose bounds code checks.
	Bounded uint32

	match   match.Pass
	scratch []any  // by Scratch
	due     uint64 // the members of the running loop that have something to do, see settle
	since   uint64 // a byte of Aspects for each Pass.Number: what changed since it ran in this pipeline
	running *Pass  // for messages
	err     error
}

// Options configures the passes.
type Options struct {
	// Target is the target machine; nil means none, which has no rewrite
	// options.
	Target *target.Target
	// Buffers is how accesses address uniform and storage buffers, except those that only
	// an address can reach; 0: as the target's rows say.
	Buffers AddressFormat
	// Robust bounds the buffers that are reached by address, and assumes of none that it is as
	// long as its block.
	Robust bool
	// Descriptors is how many entries of the binding table an array of descriptors of unknown
	// length gets; 0: DefaultDescriptors.
	Descriptors uint32
	// SubgroupSize is the number of invocations in a subgroup; 0 if not yet known.
	SubgroupSize uint32
	// Disable names passes that are left out. It has no effect on those that are required.
	Disable []string
	// RuleStats, if not nil, counts which rewrite rules fire.
	RuleStats *match.Stats
}

// DefaultDescriptors is Options.Descriptors if that is not given.
const DefaultDescriptors = 16

// none is the machine of passes that run without a target: it allows what the
// targets do, and has no rewrite options.
var none = func() *target.Target {
	t := *target.All[0]
	t.Name, t.Rewrite, t.Has = "no target", option.Set{}, 0
	return &t
}()

// Target returns the machine that the passes run for.
func (c *Context) Target() *target.Target {
	if c.Options.Target == nil {
		return none
	}
	return c.Options.Target
}

// New returns a context for a shader.
func New(s *ir.Shader) *Context {
	c := &Context{}
	c.Reset(s)
	return c
}

// Reset prepares the context for another shader, keeping its memory.
func (c *Context) Reset(s *ir.Shader) {
	c.S, c.B, c.F, c.err, c.Selected, c.Unrolled, c.Bounded, c.Work, c.running = s, build.New(s), s.Entry(), nil, 0, 0, 0, nil, nil
}

// Fail records the first reason why the shader cannot be compiled.
func (c *Context) Fail(format string, args ...any) { c.FailAt(0, format, args...) }

// FailAt is like Fail, with the location of an instruction.
func (c *Context) FailAt(at ir.Loc, format string, args ...any) {
	if c.err == nil {
		c.err = c.S.Located(fmt.Errorf(format, args...), at)
	}
}

// Failed reports whether a pass found that the shader cannot be compiled.
func (c *Context) Failed() bool { return c.err != nil }

// Rewrite replaces every instruction for which fn returns a replacement. fn may
// insert instructions, and loops, before it.
func (c *Context) Rewrite(fn func(ir.Value) (ir.Src, bool)) bool {
	return c.rewrite(^uint32(0), fn)
}

// RewriteIntrinsics is Rewrite for intrinsics only.
func (c *Context) RewriteIntrinsics(fn func(ir.Value) (ir.Src, bool)) bool {
	return c.rewrite(1<<kind.Intrinsic, fn)
}

// rewrite is Rewrite for a set of kinds.
func (c *Context) rewrite(kinds uint32, fn func(ir.Value) (ir.Src, bool)) bool {
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; {
			in := s.At(v)
			next := in.Next()
			if kinds>>in.Kind&1 == 0 {
				v = next
				continue
			}
			if r, ok := fn(v); ok {
				s.ReplaceUses(v, r)
				b = s.At(v).Block()
				s.Remove(v)
				changed = true
			}
			if c.err != nil {
				return changed
			}
			v = next
		}
	}
	return changed
}

// Pass is a row of a pipeline.
type Pass struct {
	Run func(*Context) bool
	// Only is what the pass looks for: it changes no shader without any of it. Nil is anything.
	Only *ir.Occurrences
	// Loop is a group of passes that is repeated until none of them changes
	// anything; Run is nil in this case.
	Loop []Pass
	plan *plan // of what was Loop when Repeat made the row
	// Changes are the aspects of the shader that the pass changes if it changes anything, and
	// Ignores those whose changes give it nothing new to do. See loop.
	Changes, Ignores Aspects
	// Settles says that the pass has nothing to do if it runs twice in a row.
	Settles bool
	// Number, 1 to 7, is that of a pass that a pipeline contains several times: if nothing that it depends
	// on has changed since one of its rows ran, the others have nothing to do. 0: it always has.
	Number uint8
	// Required says that the code would be wrong or not selectable without the pass. Others can
	// be disabled: Options.Disable.
	Required bool

	Name string
	Doc  string // what it does
	// Needs is what must hold, or the pass that must have run, beyond what package
	// validate checks; Leaves is what holds afterwards. Both are documentation.
	Needs, Leaves string
	// After are passes that must not run after this one, since the code would be
	// wrong or have what selection does not take. CheckOrder checks it.
	After []string
}

// Aspects are what passes change and depend on. As Pass.Changes, 0 means all.
type Aspects uint8

// The aspects of a shader.
const (
	Computed Aspects = 1 << iota // instructions that compute values, and what instructions read
	Removed                      // instructions that are gone, and with them uses of values
	Merged                       // what instructions read: one of two values that are equal, and the other is gone
	Accessed                     // variables, derefs, and accesses to memory
	Flow                         // control flow, and the phis that depend on it

	allAspects = Computed | Removed | Merged | Accessed | Flow
	numAspects = 5
)

// Trace selects what to report while a pipeline runs. The zero value reports
// nothing and costs nothing.
type Trace struct {
	// After is called after every pass that has run.
	After func(name string, changed bool, took time.Duration) error
	// Stop is called after every pass and reports whether the pipeline ends there; if
	// nil, all passes run.
	Stop func(name string) bool
	// Unsettled is called if a loop ends although its passes may still change the shader, with
	// its rows; if nil, that is ignored.
	Unsettled func(rows []Pass) error

	ended bool
}

// Run runs a pipeline. The error is the first reason why the shader cannot be
// compiled, the error returned by Trace.After, or that of the context that c.Work
// observes.
func (c *Context) Run(pipeline []Pass, tr *Trace) (err error) {
	defer func() {
		if err != nil {
			c.name(err)
		}
	}()
	defer work.Catch(&err)
	c.since = ^uint64(0)
	_, err = c.run(pipeline, tr)
	return err
}

// name adds to a budget error which pass exceeded the budget.
func (c *Context) name(err error) {
	if limit := (*work.Limit)(nil); errors.As(err, &limit) && c.running != nil {
		limit.Stage = c.running.Name
	}
}

func (c *Context) run(pipeline []Pass, tr *Trace) (changed bool, err error) {
	for i := range pipeline {
		did, err := c.step(&pipeline[i], tr)
		changed = changed || did
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// step runs one row of a pipeline.
func (c *Context) step(p *Pass, tr *Trace) (changed bool, err error) {
	if p.Loop != nil {
		return c.settle(p, tr)
	}
	if tr != nil {
		return c.traced(p, tr)
	}
	if !p.Required && len(c.Options.Disable) > 0 && slices.Contains(c.Options.Disable, p.Name) {
		return false, nil
	}
	return c.apply(p)
}

// traced is step for a pass that is reported.
func (c *Context) traced(p *Pass, tr *Trace) (changed bool, err error) {
	if tr.ended || !p.Required && slices.Contains(c.Options.Disable, p.Name) {
		return false, nil
	}
	start := time.Now()
	if changed, err = c.apply(p); err != nil {
		return changed, err
	}
	tr.ended = tr.Stop != nil && tr.Stop(p.Name)
	if tr.After != nil {
		return changed, tr.After(p.Name, changed, time.Since(start))
	}
	return changed, nil
}

// apply runs a pass that finds what it looks for, and has something to do.
func (c *Context) apply(p *Pass) (changed bool, err error) {
	if p.Only != nil && !c.S.MayHave(p.Only) {
		return false, nil
	}
	own := uint64(0)
	if p.Number != 0 {
		if Aspects(c.since>>(8*p.Number))&^p.Ignores == 0 {
			return false, nil
		}
		own = 0xff << (8 * p.Number)
		c.since &^= own
	}
	c.running = p
	c.B.Float = 0
	c.Work.Look()
	c.Work.Spend(c.S.NumValues())
	changed = p.Run(c)
	c.running = nil
	if changed {
		c.since |= uint64(p.changes()) * 0x0101010101010101
		if p.Settles {
			c.since &^= own
		}
	}
	if c.err != nil {
		return changed, fmt.Errorf("%s: %w", p.Name, c.err)
	}
	return changed, nil
}

// Names returns the names of all passes of a pipeline, sorted and without duplicates.
func Names(pipeline []Pass) []string {
	var out []string
	var walk func([]Pass)
	walk = func(ps []Pass) {
		for _, p := range ps {
			if p.Loop != nil {
				walk(p.Loop)
			} else {
				out = append(out, p.Name)
			}
		}
	}
	walk(pipeline)
	slices.Sort(out)
	return slices.Compact(out)
}
