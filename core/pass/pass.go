// SPDX-License-Identifier: MIT

package pass

import (
	"errors"
	"fmt"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/work"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/rules/option"
	"jacquard.example/generated/target"
)

// Context is the environment of a pass: a shader, and scratch memory that later passes and shaders reuse.
type Context struct {
	S *ir.Shader
	B *build.Builder // Float is 0 when a pass starts
	// F is the current function of function passes.
	F ir.Func

	CFG analysis.CFG
	Dom analysis.Dominance
	Div analysis.Divergence

	Options Options

	// Work counts the steps of passes that may take superlinear time; if nil, steps are not counted.
	Work *work.Meter

	// Scratch memory of the running pass.
	Cloner ir.Cloner
	Values []ir.Value
	Marks  []bool

	// Selected counts the dwords of indexed private variables that stay in registers, selected by the index.
	Selected uint32
	// Unrolled is the number of instructions added by copies of loop bodies.
	Unrolled uint32
	// Bounded counts the accesses that code checks against bounds.
	Bounded uint32
	// Remarks collects the remarks of passes; if nil, none are collected.
	Remarks *[]Remark

	match   match.Pass
	scratch []any   // by type: see Scratch
	settled []*Pass // the passes that changed nothing when they ran since the shader last changed
	running *Pass   // for messages
	part    int     // the number of instructions of the function that Nested runs passes on; 0 outside of it
	err     error
}

// Options configures the passes.
type Options struct {
	// Target is the target machine; nil means none, which has no rewrite options.
	Target *target.Target
	// Buffers, if it is Address64 or Bounded64, replaces the target's address formats of uniform and storage buffers.
	// Otherwise it has no effect.
	Buffers AddressFormat
	// Robust adds bounds checks to buffers that are reached by address. Without it, buffers are assumed to be as long as
	// their blocks, and accesses to be in bounds where merging depends on it.
	Robust bool
	// Descriptors is the number of binding-table entries of a descriptor array with unknown length; 0 means
	// DefaultDescriptors.
	Descriptors uint32
	// Places assigns table entries and samplers to bindings, by {set, binding}; unlisted bindings follow. PushBytes is
	// the minimum size of the push constants in bytes.
	Places    map[[2]uint32]Place
	PushBytes uint32
	// ConstantsAtAddress is set if the program gets the address of its constant data, which is in no entry of the binding
	// table.
	ConstantsAtAddress bool
	// SubgroupSize is the number of invocations in a subgroup; 0 if not yet known.
	SubgroupSize uint32
	// Disable names passes to leave out. Required passes run anyway.
	Disable []string
	// RuleStats, if not nil, counts how often each rewrite rule fires.
	RuleStats *match.Stats
}

// Place is the place of a binding: its first entry of the binding table, and its first sampler.
type Place struct{ Entry, Sampler uint32 }

// ErrPlaces is wrapped by errors about contradictory Options.Places.
var ErrPlaces = errors.New("the layout")

// DefaultDescriptors is the default of Options.Descriptors.
const DefaultDescriptors = 16

// none is the target of passes that run without one: the first target, without its optional features and rewrite
// options.
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
	c.S, c.B, c.F = s, build.New(s), s.Entry()
	c.err, c.Selected, c.Unrolled = nil, 0, 0
	c.Bounded, c.Work, c.running = 0, nil, nil
	c.Remarks = nil
}

// Fail records an error that prevents compilation of the shader. Only the first one is kept.
func (c *Context) Fail(format string, args ...any) { c.FailAt(0, format, args...) }

// FailAt is like Fail, with the location of an instruction.
func (c *Context) FailAt(at ir.Loc, format string, args ...any) {
	if c.err == nil {
		c.err = ir.Located(c.S, fmt.Errorf(format, args...), at)
	}
}

// Failed reports whether a pass found that the shader cannot be compiled.
func (c *Context) Failed() bool { return c.err != nil }

// Rewrite replaces every instruction of the current function for which fn returns a replacement, and reports whether
// there is any. fn may insert instructions and loops before it. Rewrite stops once fn has recorded an error.
func (c *Context) Rewrite(fn func(ir.Value) (ir.Src, bool)) bool {
	return c.rewrite(^uint32(0), fn)
}

// RewriteIntrinsics is like Rewrite, for intrinsics only.
func (c *Context) RewriteIntrinsics(fn func(ir.Value) (ir.Src, bool)) bool {
	return c.rewrite(1<<kind.Intrinsic, fn)
}

// rewrite is like Rewrite, for a set of instruction kinds.
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

// Pass is a transformation of a shader.
type Pass struct {
	Name string
	Doc  string // description
	// Run reports whether it changed the shader.
	Run func(*Context) bool
	// After names passes that must run before this one: otherwise the code would be wrong or could not be selected.
	// CheckOrder checks it.
	After []string
	// Required marks a pass without which the code would be wrong or could not be selected. Other passes can be
	// disabled: see Options.Disable.
	Required bool
	// Leaves states the guarantees of the pass, beyond the checks of package validate.
	Leaves string
}
