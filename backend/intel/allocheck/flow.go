// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// edge is a path of lanes from the end of one block to the start of another. If waits is set, the lanes are
// inactive until the thread arrives, while it may run blocks first to last-1.
type edge struct {
	from, to    int
	waits       bool
	first, last int // blocks that may run meanwhile: first to last-1
	// together is set if all lanes of fused threads take the edge or none does, so that no code runs meanwhile;
	// halt is set if the lanes have been halted.
	together, halt bool
}

// flow is the control flow of a function: for each block, the edges by which lanes enter it, and the blocks
// from which the thread may enter it.
//
// It is built from the instructions by their rules (TGL PRM vol. 2a, "Flow Control"),
// independently of mir.BuildCFG.
type flow struct {
	lanes  [][]edge
	thread [][]int
}

// extent is the range of blocks of an if or a loop. els and end are the blocks that begin with the else (-1 if
// there is none) and with the endif or while.
type extent struct {
	loop  bool
	even  bool // all lanes of fused threads take the same path in and around it
	taken bool // like even, but ignores lanes halted in an if outside of loops: no lane waits for its end before it begins
	start int  // if: the block that ends with it; loop: the block that begins it
	els   int
	end   int
}

// endOf returns the block where the thread continues when block b has no lane left.
func (x *extent) endOf(b int) int {
	if x.els >= 0 && b < x.els {
		return x.els
	}
	return x.end
}

type flowBuilder struct {
	f      *mir.Func
	out    flow
	inside [][]*extent // by block: constructs around its end, outermost first
	ifs    map[int]*extent
	target int  // block with the halt target, or -1
	halted bool // some lanes may have been halted before others
}

func buildFlow(f *mir.Func) (*flow, error) {
	n := len(f.Blocks)
	x := &flowBuilder{f: f, inside: make([][]*extent, n), ifs: map[int]*extent{}, target: -1}
	x.out.lanes, x.out.thread = make([][]edge, n), make([][]int, n)
	if err := x.nest(); err != nil {
		return nil, err
	}
	for b := range n {
		x.leave(b)
	}
	return &x.out, nil
}

// nest finds the constructs. A branch is the last instruction of its block; else, endif and while are separate blocks.
func (x *flowBuilder) nest() error {
	var open []*extent
	f := x.f
	top := func(loop bool) *extent {
		if len(open) == 0 || open[len(open)-1].loop != loop {
			return nil
		}
		return open[len(open)-1]
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			bad := func(what string) error { return fmt.Errorf("block %d: %s: %s", b, f.Text(i), what) }
			alone := f.Blocks[b].First == i && f.Blocks[b].Last == i
			switch f.At(i).Op {
			case isa.OpElse, isa.OpEndif, isa.OpWhile:
				if !alone {
					return bad("is not alone in its block")
				}
			case isa.OpIf, isa.OpBreak, isa.OpCont, isa.OpHalt:
				if f.Blocks[b].Last != i {
					return bad("does not end its block")
				}
			}
			switch f.At(i).Op {
			case mir.OpLoop:
				open = append(open, &extent{loop: true, start: b, els: -1, end: -1, even: x.even(open, f.At(i))})
			case isa.OpElse:
				t := top(false)
				if t == nil || t.els >= 0 {
					return bad("has no matching if")
				}
				t.els = b
			case isa.OpEndif:
				t := top(false)
				if t == nil {
					return bad("has no matching if")
				}
				t.end = b
				open = open[:len(open)-1]
			case isa.OpWhile:
				t := top(true)
				if t == nil {
					return bad("has no matching loop")
				}
				t.end = b
			case mir.OpHaltTarget:
				if len(open) > 0 || x.target >= 0 {
					return bad("is out of place")
				}
				x.target = b
			case isa.OpBreak, isa.OpCont:
				if loopAround(open) == nil {
					return bad("is not in a loop")
				}
			}
		}
		x.inside[b] = append([]*extent(nil), open...)
		if last := f.Blocks[b].Last; last != 0 {
			switch f.At(last).Op {
			case isa.OpIf:
				t := &extent{start: b, els: -1, end: -1, even: x.even(open, f.At(last))}
				t.taken = t.even
				x.ifs[b] = t
				open = append(open, t)
			case isa.OpWhile:
				open = open[:len(open)-1]
			case isa.OpHalt:
				if !f.At(last).Uniform {
					x.halted = true
					for i, t := range open {
						t.even = false
						t.taken = t.taken && loopAround(open[:i]) == nil
					}
				}
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("control flow is not closed")
	}
	return nil
}

// even reports whether all lanes of fused threads enter and leave the construct that begins with a marked
// instruction at once.
func (x *flowBuilder) even(open []*extent, in *mir.Inst) bool {
	return in.Uniform && !x.halted && (len(open) == 0 || open[len(open)-1].even)
}

func loopAround(open []*extent) *extent {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].loop {
			return open[i]
		}
	}
	return nil
}

func (x *flowBuilder) lane(from, to int) { x.add(edge{from: from, to: to}) }

// wait adds an edge on which lanes wait for block to, while blocks starting at first run.
func (x *flowBuilder) wait(from, to, first int, together bool) {
	x.add(edge{from: from, to: to, waits: true, first: first, last: to, together: together})
}

func (x *flowBuilder) add(e edge) {
	if e.to < len(x.out.lanes) {
		x.out.lanes[e.to] = append(x.out.lanes[e.to], e)
	}
}

func (x *flowBuilder) thread(from, to int) {
	if to >= 0 && to < len(x.out.thread) {
		x.out.thread[to] = append(x.out.thread[to], from)
	}
}

// leave adds the outgoing edges of a block. The thread may always fall through, since no branch is known to be
// taken by all lanes.
func (x *flowBuilder) leave(b int) {
	blk := &x.f.Blocks[b]
	in := &mir.Inst{}
	if blk.Last != 0 {
		in = x.f.At(blk.Last)
	}
	if in.EOT {
		return
	}
	around := x.inside[b]
	x.thread(b, b+1)
	switch in.Op {
	case isa.OpIf:
		x.lane(b, b+1)
		t := x.ifs[b]
		miss := t.end
		if t.els >= 0 {
			miss = t.els + 1
		}
		x.wait(b, miss, b+1, t.taken)
		x.thread(b, miss)
	case isa.OpElse:
		t := around[len(around)-1]
		end := t.end
		x.wait(b, end, b+1, t.even)
		x.thread(b, end)
	case isa.OpEndif:
		x.lane(b, b+1)
		x.thread(b, x.endAround(around, b))
	case isa.OpWhile:
		head := around[len(around)-1].start
		x.lane(b, head)
		x.thread(b, head)
		if in.Pred != 0 {
			x.wait(b, b+1, head, around[len(around)-1].even)
		}
	case isa.OpBreak, isa.OpCont:
		l := loopAround(around)
		if in.Op == isa.OpBreak {
			x.wait(b, l.end+1, l.start, l.even)
		} else {
			x.wait(b, l.end, b+1, l.even)
		}
		x.thread(b, x.endAround(around, b))
		x.stay(b, in)
	case isa.OpHalt:
		first := b + 1
		for i := len(around) - 1; i >= 0; i-- {
			if around[i].loop {
				first = around[i].start
			}
		}
		if x.target >= 0 {
			x.add(edge{from: b, to: x.target, waits: true, first: first, last: x.target, together: in.Uniform, halt: true})
		}
		x.thread(b, x.endAround(around, b))
		x.stay(b, in)
	default:
		x.lane(b, b+1)
	}
}

// stay adds the edge for lanes that do not take a predicated branch.
func (x *flowBuilder) stay(b int, in *mir.Inst) {
	if in.Pred != 0 {
		x.lane(b, b+1)
	}
}

// endAround returns the block where the thread continues when no lane is left at the end of block b: the end of
// the enclosing construct, or the halt target (-1 if none).
func (x *flowBuilder) endAround(around []*extent, b int) int {
	if len(around) > 0 {
		return around[len(around)-1].endOf(b)
	}
	return x.target
}
