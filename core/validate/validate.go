// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"
	"sync"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
)

// Error reports that a shader is not well formed.
type Error struct {
	Check string // name of the check
	Func  string
	Where string // the instruction as text, or the node
	Msg   string
}

func (e *Error) Error() string {
	if e.Where == "" {
		return fmt.Sprintf("invalid IR in %q: %s [%s]", e.Func, e.Msg, e.Check)
	}
	return fmt.Sprintf("invalid IR in %q at \"%s\": %s [%s]", e.Func, e.Where, e.Msg, e.Check)
}

// Shader checks a shader and returns the first error.
func Shader(s *ir.Shader) (err error) {
	c := checkers.Get().(*checker)
	c.s, c.f, c.at = s, 0, 0
	defer func() {
		r := recover()
		c.s = nil
		checkers.Put(c)
		if r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	c.globals()
	if n := s.NumValues(); cap(c.order) < n {
		c.order = make([]int32, n, n+n/4)
	} else {
		c.order = c.order[:n]
		clear(c.order)
	}
	for f := range s.Funcs() {
		c.function(f)
	}
	return nil
}

// checkers are reused to keep their memory.
var checkers = sync.Pool{New: func() any { return new(checker) }}

type checker struct {
	s     *ir.Shader
	f     ir.Func
	cfg   analysis.CFG
	dom   analysis.Dominance
	order []int32 // by value: position in its block
	at    ir.Value
}

func (c *checker) fail(check, format string, args ...any) {
	e := &Error{Check: check, Msg: fmt.Sprintf(format, args...)}
	if c.f != 0 {
		e.Func = c.s.Strs.Text(c.s.Func(c.f).Name)
	}
	if c.at != 0 {
		e.Where = text.Instr(c.s, c.at)
	}
	panic(e)
}

func (c *checker) need(ok bool, check, format string, args ...any) {
	if !ok {
		c.fail(check, format, args...)
	}
}

// mustHave returns the words of a message about something that an instruction lacks or should not have.
func mustHave(must bool) string {
	if must {
		return "must have"
	}
	return "must not have"
}

func (c *checker) globals() {
	s := c.s
	c.need(s.Entry() != 0, "entry", "there is no entry point")
	n := s.Info.WorkgroupSize
	if stated := n != [3]uint32{} || s.Info.Stage == kind.StageCompute; stated && min(n[0], n[1], n[2]) == 0 {
		c.fail("workgroup-size", "the workgroup size is %d x %d x %d; every dimension must be at least 1", n[0], n[1], n[2])
	}
	c.derivativeGroup()
	for x := range s.Vars(^kind.Mode(0)) {
		v := s.Var(x)
		if v.Mode&(v.Mode-1) != 0 {
			c.fail("var-mode", "variable %q has the modes %s; must have exactly one", s.Strs.Text(v.Name), v.Mode)
		}
		if v.ZeroInit && v.Mode != kind.ModeShared {
			c.fail("var-zero", "variable %q of mode %s is zero-initialized; only workgroup variables can be",
				s.Strs.Text(v.Name), v.Mode)
		}
		if v.Mode == kind.ModeShaderIn || v.Mode == kind.ModeShaderOut {
			c.notBool(v)
		}
		if v.Mode == kind.ModeFunctionTemp {
			if int(v.Func) >= s.NumFuncs() || v.Func == 0 {
				c.fail("var-func", "variable %q belongs to no function", s.Strs.Text(v.Name))
			}
		}
	}
}

// notBool rejects an input or output that contains a bool and is not a builtin (SPIR-V specification, "Universal
// Validation Rules").
func (c *checker) notBool(v *ir.VarInfo) {
	if v.Builtin == 0 && c.s.Types.HoldsBool(v.Type) {
		c.fail("var-bool", "variable %q passes a bool between stages", c.s.Strs.Text(v.Name))
	}
}

func (c *checker) function(f ir.Func) {
	s := c.s
	c.f, c.at = f, 0
	defer func() { c.f = 0 }()
	c.tree(s.Body(s.Func(f).Node), s.Func(f).Node)
	c.cfg.Build(s, f)
	c.dom.Build(&c.cfg)
	c.number()
	for bi, b := range c.cfg.Blocks {
		phis := true
		for v := range s.Instrs(b) {
			c.at = v
			in := s.At(v)
			c.need(in.Block() == b, "block-link", "it is in a block other than the one it names")
			if in.Kind == kind.Phi {
				c.need(phis, "phi-first", "phis must be at the start of their block")
			} else {
				phis = false
			}
			c.instr(v, bi)
			c.at = 0
		}
	}
	c.conditions()
}

func (c *checker) number() {
	for _, b := range c.cfg.Blocks {
		n := int32(1)
		for v := range c.s.Instrs(b) {
			c.order[v] = n
			n++
		}
	}
}

// tree checks one list of nodes and everything below it.
func (c *checker) tree(first, parent ir.Node) {
	s := c.s
	c.need(first != 0 && s.NodeKind(first) == ir.NodeBlock, "list-start", "a list of nodes must start with a block")
	last := ir.Node(0)
	for n := first; n != 0; n = s.NextNode(n) {
		c.need(s.Parent(n) == parent, "node-parent", "the parent of a node is not the node of its list")
		block := s.NodeKind(n) == ir.NodeBlock
		if last != 0 {
			c.need(block != (s.NodeKind(last) == ir.NodeBlock), "list-alternates", "blocks must alternate with ifs and loops in a list")
		}
		switch s.NodeKind(n) {
		case ir.NodeIf:
			c.tree(s.Then(n), n)
			c.tree(s.Else(n), n)
		case ir.NodeLoop:
			c.tree(s.Body(n), n)
		case ir.NodeBlock:
		default:
			c.fail("node-kind", "a list contains a node that is not a block, if or loop")
		}
		last = n
	}
	c.need(s.NodeKind(last) == ir.NodeBlock, "list-end", "a list of nodes must end with a block")
}

func (c *checker) conditions() {
	s := c.s
	for bi, b := range c.cfg.Blocks {
		n := s.NextNode(b)
		if n == 0 || s.NodeKind(n) != ir.NodeIf {
			continue
		}
		r := s.Cond(n)
		c.need(r.Val != 0 && s.IsLive(r.Val), "cond-set", "an if has no condition")
		in := s.At(r.Val)
		c.need(in.Kind != kind.Deref, "cond-deref", "a deref cannot be the condition of an if")
		if in.Bits != 1 {
			c.fail("cond-bool", "the condition of an if has %d bits; must be a bool", in.Bits)
		}
		if r.Swz.Comp(0) >= in.Comps {
			c.fail("cond-comp", "the condition of an if reads component %d of %d", r.Swz.Comp(0), in.Comps)
		}
		c.dominates(r.Val, s.At(r.Val), bi, 1<<30, "cond-dominates")
	}
}

// dominates checks that v is defined on every path to position pos of block bi.
func (c *checker) dominates(v ir.Value, in *ir.Instr, bi int, pos int32, check string) {
	def := c.cfg.Index[in.Block()]
	c.need(in.Block() != 0 && def >= 0, check, "it reads a value that is not in this function")
	if !c.dom.Reachable(bi) {
		return
	}
	if int(def) == bi {
		c.need(c.order[v] < pos, check, "it reads a value before its definition")
		return
	}
	c.need(c.dom.Dominates(int(def), bi), check, "it reads a value that is not defined on every path to it")
}
