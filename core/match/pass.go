package match

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Flags of a value during a walk.
const (
	visited uint8 = 1 << iota // the walk has been there: its state is known
	queued                    // on the worklist
)

// Pass is the engine's memory; it is reused from run to run and holds nothing
// between runs. Generated rules call its methods.
type Pass struct {
	S *ir.Shader

	b       ir.Builder
	set     *Set
	tables  *tables
	caches  []*tables // by set, in the order in which they ran first
	mode    num.Mode
	allowed [3]uint16 // what may be given up at 16, 32 and 64 bits
	conds   []bool
	in      [op.MaxSrc][fold.MaxComps]uint64
	out     [fold.MaxComps]uint64

	state []uint16 // by value
	flags []uint8  // by value
	work  []ir.Value
	dead  []ir.Value

	rule    int
	stats   *Stats
	counts  []int
	changed bool
	left    int       // rewrites that are still allowed
	last    [8]uint16 // the rules that fired last, for the message
	nlast   int
	mask    uint16 // what instructions made by the running rule may give up
}

var passes = sync.Pool{New: func() any { return new(Pass) }}

// Apply rewrites function f with the rules of a set until none matches any
// more, and reports whether anything changed. stats may be nil. The error is an
// internal one: the rules named in it undo each other.
func Apply(s *ir.Shader, f ir.Func, set *Set, opts *Options, stats *Stats) (bool, error) {
	p := passes.Get().(*Pass)
	changed, err := p.Apply(s, f, set, opts, stats)
	passes.Put(p)
	return changed, err
}

// Apply is the function Apply on the pass's own memory.
func (p *Pass) Apply(s *ir.Shader, f ir.Func, set *Set, opts *Options, stats *Stats) (bool, error) {
	p.begin(s, f, set, opts, stats)
	any := false
	for {
		p.changed = false
		p.walk(f)
		any = any || p.changed
		if !p.changed || p.left <= 0 {
			break
		}
	}
	var err error
	if p.left <= 0 {
		err = p.loopError()
	}
	p.S, p.b.S, p.set, p.stats, p.counts = nil, nil, nil, nil, nil
	return any, err
}

func (p *Pass) begin(s *ir.Shader, f ir.Func, set *Set, opts *Options, stats *Stats) {
	p.S, p.set, p.stats = s, set, stats
	p.b = ir.NewBuilder(s)
	p.counts = nil
	if stats != nil {
		p.counts = stats.of(set)
	}
	p.controls()
	p.conds = resize(p.conds, set.NumConds)
	if set.NumConds > 0 {
		set.Conds(opts, p.conds)
	}
	p.tables = p.tablesOf(set)
	n := s.NumValues()
	p.state = resize(p.state, n)
	p.flags = resize(p.flags, n)
	clear(p.state)
	p.work = p.work[:0]
	p.left = 1000 + 16*n
	p.nlast = 0
}

func resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n, n+n/4)
	}
	return x[:n]
}

// controls takes over the shader's float controls.
func (p *Pass) controls() {
	info := &p.S.Info
	p.mode = analysis.FloatMode(p.S)
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

// walk visits every instruction of the function once, and what rewrites put on
// the worklist.
func (p *Pass) walk(f ir.Func) {
	s := p.S
	clear(p.flags)
	for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
		for v := s.First(b); v != 0; {
			next := s.At(v).Next()
			p.flags[v] |= visited
			switch s.At(v).Kind {
			case kind.ALU:
				p.state[v] = p.stateOf(v)
				p.visit(v)
				for len(p.work) > 0 && p.left > 0 {
					p.pop()
				}
			case kind.LoadConst:
				p.state[v] = 1
			default:
				p.state[v] = 0
			}
			if p.left <= 0 {
				return
			}
			v = next
		}
	}
}

func (p *Pass) pop() {
	s := p.S
	v := p.work[len(p.work)-1]
	p.work = p.work[:len(p.work)-1]
	p.flags[v] &^= queued
	if !s.IsLive(v) || s.At(v).Kind != kind.ALU || s.At(v).Block() == 0 {
		return
	}
	if st := p.stateOf(v); st != p.state[v] {
		p.state[v] = st
		p.pushUsers(v)
	}
	p.visit(v)
}

// push notes a value that was visited; the walk comes to the others anyway.
func (p *Pass) push(v ir.Value) {
	if p.flags[v] == visited {
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
func (p *Pass) stateOf(v ir.Value) uint16 {
	s, t := p.S, p.tables
	d := t.op[s.At(v).Op]
	if d == 0 {
		return 0
	}
	desc := &t.auto.Desc[d-1]
	acc := uint32(t.auto.Class[desc.Class[0]+uint32(p.state[s.SrcVal(v, 0)])])
	for i := 1; i < int(desc.NSrc); i++ {
		c := uint32(t.auto.Class[desc.Class[i]+uint32(p.state[s.SrcVal(v, i)])])
		acc = uint32(t.trans[desc.Step[i]+acc*uint32(desc.Width[i])+c])
	}
	return t.trans[desc.Final+acc]
}

// visit tries the rules that the state of v allows.
func (p *Pass) visit(v ir.Value) {
	st := p.state[v]
	t := p.tables
	list := t.list[t.head[st]:t.head[st+1]]
	if len(list) == 0 || !p.S.HasUses(v) {
		return
	}
	size := p.execSize(v)
	for _, c := range list {
		if c.sizes&size == 0 {
			continue
		}
		p.rule = int(c.rule)
		at := len(p.work)
		if p.set.Rules[c.rule].Match(p, v) {
			p.firstMade(at)
			return
		}
	}
}

// firstMade turns what a rewrite has put on the worklist round: what was made
// first is looked at first, so that operands come before their readers.
func (p *Pass) firstMade(from int) { slices.Reverse(p.work[from:]) }

// execSize returns the size of an instruction's unsized operands; any when it
// has none.
func (p *Pass) execSize(v ir.Value) op.Sizes {
	info := p.S.At(v).ALUOp().Info()
	for i := range int(info.NumSrc) {
		if info.Src[i].Bits == 0 {
			return op.SizeOf(p.S.At(p.S.SrcVal(v, i)).Bits)
		}
	}
	return anySize
}

func (p *Pass) loopError() error {
	var names []string
	seen := map[uint16]bool{}
	for i := range min(p.nlast, len(p.last)) {
		if r := p.last[i]; !seen[r] {
			seen[r] = true
			names = append(names, p.set.Rules[r].Name)
		}
	}
	return fmt.Errorf("rules of set %s undo each other without end: %s", p.set.Name, strings.Join(names, ", "))
}

// floatOps says which opcodes work on floats.
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
