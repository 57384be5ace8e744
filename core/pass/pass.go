package pass

import (
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
	// Remarks collects what passes did; if nil, nothing is collected.
	Remarks *[]Remark

	match   match.Pass
	scratch []any   // by Scratch
	settled []*Pass // the passes that have run and changed nothing since the shader last changed
	running *Pass   // for messages
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
	// Places says where bindings are; those that are not listed follow. PushBytes is the least size of the push constants.
	Places    []Place
	PushBytes uint32
	// SubgroupSize is the number of invocations in a subgroup; 0 if not yet known.
	SubgroupSize uint32
	// Disable names passes that are left out. It has no effect on those that are required.
	Disable []string
	// RuleStats, if not nil, counts which rewrite rules fire.
	RuleStats *match.Stats
}

// Place is where a binding is: its first entry of the binding table, and its first sampler.
type Place struct{ Set, Binding, Entry, Sampler uint32 }

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
	c.Remarks = nil
}

// Fail records the first reason why the shader cannot be compiled.
func (c *Context) Fail(format string, args ...any) { c.FailAt(0, format, args...) }

// FailAt is like Fail, with the location of an instruction.
func (c *Context) FailAt(at ir.Loc, format string, args ...any) {
	if c.err == nil {
		c.err = ir.Located(c.S, fmt.Errorf(format, args...), at)
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

// Pass is a transformation of a shader.
type Pass struct {
	Name string
	Doc  string // what it does
	// Run reports whether it changed the shader.
	Run func(*Context) bool
	// After are passes that must not run after this one, since the code would be
	// wrong or have what selection does not take. CheckOrder checks it.
	After []string
	// Required says that without the pass the code would be wrong, or selection would not take it.
	// Other passes can be disabled: Options.Disable.
	Required bool
	// Leaves says what holds after the pass, beyond what package validate checks.
	Leaves string
}
