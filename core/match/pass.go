// SPDX-License-Identifier: MIT

package match

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
)

// Flags of a value during a walk.
const (
	visited uint8 = 1 << iota // the walk has been there: its state is known
	queued                    // on the worklist
	// the value or one of its operands, at any depth, may have changed since rules were last tried
	dirty
)

// Pass is the engine's memory, reused from run to run. From an earlier run it keeps only the fact that no rule matched
// certain values: none will, until something changes.
type Pass struct {
	S *ir.Shader

	b       ir.Builder
	set     *Set
	tables  *tables
	caches  []*tables // by set, in order of their first run
	mode    num.Mode
	allowed [3]uint16 // relaxations that the shader's float controls allow at 16, 32 and 64 bits
	// controlled is set if the shader has float controls, so that allowed is restricted.
	controlled bool
	conds      []bool
	in         [op.MaxSrc][fold.MaxComps]uint64
	out        [fold.MaxComps]uint64

	ones  analysis.Ones
	group []uint16 // by value: the group of its state
	flags []uint8  // by value
	lit   []uint8  // by value: the classes of a constant's components (num.Class)
	work  []ir.Value
	dead  []ir.Value

	m       machine
	rule    int
	stats   *Stats
	counts  []Count
	changed bool
	last    done
	watch   bool      // this run clears Fresh
	begun   uint8     // initial flags of a visited value; with dirty, rules are tried on unchanged values too
	left    int       // number of rewrites left in the budget
	only    bool      // the budget is exhausted: only rules with conditions, such as lowerings, still fire
	fired   [8]uint16 // the rules that fired last, for the message
	nfired  int
	mask    uint16 // relaxations allowed on instructions that the running rule creates
}

// done identifies a run after which no rule matches.
type done struct {
	number  uint64 // number returned by Shader.Watch
	f       ir.Func
	set     *Set
	opts    option.Set
	mode    num.Mode
	allowed [3]uint16
}

var passes = sync.Pool{New: func() any { return new(Pass) }}

// Apply rewrites function f with the rules of a set until none matches any more, and reports whether anything changed.
// stats may be nil. If the error is an *[Exhausted], the function is correct, but some rules still match.
func Apply(s *ir.Shader, f ir.Func, set *Set, opts *option.Set, stats *Stats) (bool, error) {
	p := passes.Get().(*Pass)
	changed, err := p.Apply(s, f, set, opts, stats)
	passes.Put(p)
	return changed, err
}

// budget returns the maximum number of rewrites in a function with n values. Rules that terminate fire far less often.
func budget(n int) int { return 1000 + 16*n }

// Apply is like the function Apply, with the pass's own memory.
func (p *Pass) Apply(s *ir.Shader, f ir.Func, set *Set, opts *option.Set, stats *Stats) (bool, error) {
	p.begin(s, f, set, opts, stats)
	any := p.rewrite(f)
	var err error
	if p.left <= 0 {
		e := p.exhausted()
		if stats != nil {
			stats.Exhausted = append(stats.Exhausted, e)
		}
		err = e
		// Lowerings must still run.
		p.only, p.left, p.begun = true, budget(s.NumValues()), visited|dirty
		any = p.rewrite(f) || any
		p.last = done{}
	}
	p.S, p.b.S, p.set = nil, nil, nil
	p.stats, p.counts = nil, nil
	return any, err
}

// rewrite walks the function until nothing changes or the budget is exhausted.
func (p *Pass) rewrite(f ir.Func) (any bool) {
	p.work = p.work[:0]
	for {
		p.changed = false
		p.walk(f)
		if p.watch {
			p.begun = visited
		}
		any = any || p.changed
		if !p.changed || p.left <= 0 {
			return any
		}
	}
}

func (p *Pass) begin(s *ir.Shader, f ir.Func, set *Set, opts *option.Set, stats *Stats) {
	p.S, p.set, p.stats = s, set, stats
	p.b = ir.NewBuilder(s)
	p.counts = nil
	if stats != nil {
		p.counts = stats.of(set)
	}
	p.controls()
	p.tables = p.tablesOf(set, opts)
	n := s.NumValues()
	p.ones.Forget()
	p.only, p.left = false, budget(n)
	p.nfired = 0
	p.flags = reuse.Slice(p.flags, n)
	p.begun = visited | dirty
	p.watch = set.Local && stats == nil
	d := done{p.last.number, f, set, p.tables.opts, p.mode, p.allowed}
	if p.watch && d == p.last && s.Watched(d.number) {
		p.begun = visited
		known := min(len(p.group), n)
		p.group, p.lit = slices.Grow(p.group[:known], n-known)[:n], slices.Grow(p.lit[:known], n-known)[:n]
		clear(p.group[known:])
		clear(p.lit[known:])
		return
	}
	p.group, p.lit = reuse.Zeroed(p.group, n), reuse.Zeroed(p.lit, n)
	p.last = done{} // the states are overwritten
	if p.watch {
		p.last = d
		p.last.number = s.Watch()
	}
}

// controls applies the shader's float controls.
func (p *Pass) controls() {
	info := &p.S.Info
	p.mode = analysis.FloatMode(p.S)
	p.controlled = info.SignedZeroInfNaN|info.DenormPreserve|info.DenormFlush != 0
	for i := range p.allowed {
		bit := uint8(1) << i
		m := ^uint16(0)
		if info.SignedZeroInfNaN&bit != 0 {
			m &^= uint16(kind.FloatNan | kind.FloatInf | kind.FloatNsz)
		}
		if (info.DenormPreserve|info.DenormFlush)&bit != 0 {
			m &^= uint16(kind.FloatDenorm)
		}
		p.allowed[i] = m
	}
}

// walk visits every instruction of the function once, and the values that rewrites put on the worklist.
func (p *Pass) walk(f ir.Func) {
	s := p.S
	clear(p.flags)
	for b := s.FirstBlock(f); b != 0 && p.left > 0; b = s.NextBlock(b) {
		p.block(b)
	}
}

// block is like walk, for a block. A value on which no rule matched keeps its state, and is not tried again, if nothing
// that it depends on has changed.
func (p *Pass) block(b ir.Node) {
	s, t := p.S, p.tables
	group, flags := p.group, p.flags
	for v := s.First(b); v != 0; {
		in := s.At(v)
		have := p.begun
		if in.Fresh {
			have |= dirty
			in.Fresh = !p.watch
			group[v], p.lit[v] = 0, 0
		}
		next := in.Next()
		switch in.Kind {
		case kind.ALU:
			var st step
			d := &t.desc[in.Op]
			switch d.NSrc {
			case 1:
				a := s.Src(v, 0).Val
				if have |= flags[a]; have&dirty != 0 {
					st = t.trans[d.Step[0]+uint32(t.class[d.Class[0]+uint32(group[a])])]
				}
			case 2:
				a, b := s.Src(v, 0).Val, s.Src(v, 1).Val
				if have |= flags[a] | flags[b]; have&dirty != 0 {
					acc := uint32(t.class[d.Class[0]+uint32(group[a])])
					st = t.trans[d.Step[1]+acc*uint32(d.Width[1])+uint32(t.class[d.Class[1]+uint32(group[b])])]
				}
			default:
				for i := range int(in.NSrc) {
					have |= flags[s.Src(v, i).Val]
				}
				if have&dirty != 0 {
					st = p.stateOf(v)
				}
			}
			have &= visited | dirty
			flags[v] |= have
			if have&dirty == 0 {
				break
			}
			group[v] = st.group()
			if !t.rules[st.state()] {
				break
			}
			p.visit(v, in, st.state())
			for len(p.work) > 0 && p.left > 0 {
				p.pop()
			}
			if p.left <= 0 {
				return
			}
			group, flags = p.group, p.flags // visit may have grown them
		case kind.LoadConst:
			if flags[v] |= have; have&dirty != 0 {
				group[v], p.lit[v] = t.group[1], p.classes(v)
			}
		default:
			flags[v] |= have
		}
		v = next
	}
}

// classes returns the classes of all components of a constant.
func (p *Pass) classes(v ir.Value) uint8 {
	c := uint8(0)
	in := p.S.At(v)
	if in.Comps == 1 {
		return num.Class(p.S.Const(v, 0), in.Bits)
	}
	for i := range int(in.Comps) {
		c |= num.Class(p.S.Const(v, i), in.Bits)
	}
	return c
}

func (p *Pass) pop() {
	s := p.S
	v := p.work[len(p.work)-1]
	p.work = p.work[:len(p.work)-1]
	p.flags[v] &^= queued
	in := s.At(v)
	if in.Kind != kind.ALU || in.Block() == 0 {
		return
	}
	st := p.stateOf(v)
	if st.group() != p.group[v] {
		p.group[v] = st.group()
		p.pushUsers(v)
	}
	p.visit(v, in, st.state())
}

// push queues a value that the walk has visited. The walk will reach the others anyway.
func (p *Pass) push(v ir.Value) {
	if p.flags[v]&(visited|queued) == visited {
		p.flags[v] |= queued
		p.work = append(p.work, v)
	}
}

func (p *Pass) pushUsers(v ir.Value) {
	for u := range p.S.Uses(v) {
		if u.User != 0 && p.S.At(u.User).Kind == kind.ALU {
			p.push(u.User)
		}
	}
}

// stateOf computes the automaton's state of an ALU instruction.
func (p *Pass) stateOf(v ir.Value) step {
	s, t, group := p.S, p.tables, p.group
	d := &t.desc[s.At(v).Op]
	if d.NSrc == 0 {
		return 0
	}
	acc := uint32(t.class[d.Class[0]+uint32(group[s.Src(v, 0).Val])])
	if d.NSrc == 1 {
		return t.trans[d.Step[0]+acc]
	}
	return p.rest(v, d, acc)
}

// rest combines the classes of all operands but the first, whose class is acc.
func (p *Pass) rest(v ir.Value, d *OpDesc, acc uint32) step {
	s, t, group := p.S, p.tables, p.group
	var st step
	for i := 1; i < int(d.NSrc); i++ {
		acc = acc*uint32(d.Width[i&3]) + uint32(t.class[d.Class[i&3]+uint32(group[s.Src(v, i).Val])])
		st = t.trans[d.Step[i&3]+acc]
		acc = uint32(st.state())
	}
	return st
}

// visit tries the candidate rules of state st on v.
func (p *Pass) visit(v ir.Value, in *ir.Instr, st uint16) {
	t := p.tables
	list := t.list[t.head[st]:t.head[st+1]]
	if len(list) == 0 || !in.Used() {
		return
	}
	size, lit, same := p.root(v, in)
	p.m.reg[0] = ir.Src{Val: v, Swz: ir.Identity, N: in.Comps}
	for i := range list {
		c := &list[i]
		if c.sizes&size == 0 || c.lit&lit == 0 || c.same&^same != 0 || c.gives != 0 && c.gives&^p.mayGiveUp(v) != 0 {
			continue
		}
		p.rule = int(c.rule)
		if p.only && p.set.Rows[p.rule].Cond == 0 {
			continue
		}
		if p.counts != nil {
			p.counts[c.rule].Tried++
		}
		at := len(p.work)
		if p.run(v, c.start) {
			p.firstMade(at)
			return
		}
	}
}

// root computes the properties of v that the quick checks of rules test: the size of its unsized operands (any if it
// has none), the classes of its constant operands, and which of its operands are the same value.
func (p *Pass) root(v ir.Value, in *ir.Instr) (size op.Sizes, lit, same uint8) {
	s := p.S
	desc := &p.tables.desc[in.Op]
	size, lit = anySize, anyLit
	if desc.Exec != 0 {
		size = op.SizeOf(s.At(s.Src(v, int(desc.Exec)-1).Val).Bits)
	}
	switch n := int(desc.NSrc); n {
	case 0:
	case 1:
		lit |= p.lit[s.Src(v, 0).Val]
	case 2:
		a, b := s.Src(v, 0).Val, s.Src(v, 1).Val
		lit |= p.lit[a] | p.lit[b]
		if a == b {
			same = 1
		}
	default:
		var reads [4]ir.Value
		for i := range n {
			reads[i&3] = s.Src(v, i).Val
			lit |= p.lit[reads[i&3]]
		}
		for i, c := range pairs {
			if c[1] < n && reads[c[0]] == reads[c[1]] {
				same |= 1 << i
			}
		}
	}
	return
}

// firstMade reverses the values that a rewrite put on the worklist, so that they are visited in the order of creation:
// operands precede their users.
func (p *Pass) firstMade(from int) { slices.Reverse(p.work[from:]) }

// Exhausted reports a run that stopped because rules fired more often than its budget allows.
type Exhausted struct {
	Set   *Set
	Rules []string // the rules that fired last
}

func (e *Exhausted) Error() string {
	return fmt.Sprintf("rules of set %s do not stop firing: %s", e.Set.Name, strings.Join(e.Rules, ", "))
}

func (p *Pass) exhausted() *Exhausted {
	var names []string
	for i := range min(p.nfired, len(p.fired)) {
		if name := p.set.Rule(int(p.fired[i])).Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return &Exhausted{p.set, names}
}

// floatOps marks the opcodes that operate on floats.
var floatOps = func() (t [op.Count]bool) {
	for i := range t {
		info := &op.Table[i]
		t[i] = info.Out.Base == op.Float
		for _, x := range info.Src[:info.NumSrc] {
			t[i] = t[i] || x.Base == op.Float
		}
	}
	return
}()
