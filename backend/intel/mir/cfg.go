package mir

import "jacquard.example/generated/isa"

// cfgMemory is what BuildCFG works in. Closed constructs stay in the memory of stack so that their
// lists are reused.
type cfgMemory struct {
	stack        []open
	halts, outer []int
}

// open is a construct whose end has not been reached.
type open struct {
	loop  bool
	start int   // if: the block that ends in it; loop: its first block
	els   int   // if: the block after the else, or 0
	exits []int // loop: blocks that end in break; if: the block that ends in else
	conts []int
	jumps []int // blocks from which the thread may jump to the end of the construct
}

// BuildCFG derives the edges between blocks, and the loop depth of each, from the control
// flow instructions. Every if, else, break, cont, while and halt ends its block, every
// endif and loop mark starts one; else, endif and while, to or from which the thread may
// jump if no lane is left, are blocks of their own.
func (f *Func) BuildCFG() {
	for b := range f.Blocks {
		blk := &f.Blocks[b]
		blk.Succ, blk.Phys, blk.Pred, blk.PhysPred = blk.Succ[:0], blk.Phys[:0], blk.Pred[:0], blk.PhysPred[:0]
	}
	stack, halts, outer := f.cfg.stack[:0], f.cfg.halts[:0], f.cfg.outer[:0]
	depth := int32(0)
	for b := range f.Blocks {
		blk := &f.Blocks[b]
		if first := blk.First; first != 0 {
			switch f.Insts[first].Op {
			case OpLoop:
				stack = opened(stack, true, b)
				depth++
			case isa.OpEndif:
				top := &stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				for _, e := range top.exits {
					f.edge(e, b)
				}
				for _, e := range top.jumps {
					f.phys(e, b)
				}
				if top.els == 0 {
					f.edge(top.start, b)
				}
				// With no lane left the thread jumps to the end of the enclosing
				// construct.
				if len(stack) > 0 {
					stack[len(stack)-1].jumps = append(stack[len(stack)-1].jumps, b)
				} else {
					outer = append(outer, b)
				}
			case OpHaltTarget:
				for _, h := range halts {
					f.edge(h, b)
				}
				for _, e := range outer {
					f.phys(e, b)
				}
			}
		}
		blk.Loops = depth
		if blk.Last == 0 {
			f.edge(b, b+1)
			continue
		}
		switch in := &f.Insts[blk.Last]; in.Op {
		case isa.OpIf:
			stack = opened(stack, false, b)
			f.edge(b, b+1)
		case isa.OpElse:
			top := &stack[len(stack)-1]
			for _, e := range top.jumps {
				f.phys(e, b)
			}
			top.jumps = top.jumps[:0]
			top.els = b + 1
			top.exits = append(top.exits, b)
			f.edge(top.start, b+1)
			f.phys(b, b+1)
		case isa.OpBreak, isa.OpCont:
			for i := len(stack) - 1; i >= 0; i-- {
				if stack[i].loop {
					if in.Op == isa.OpBreak {
						stack[i].exits = append(stack[i].exits, b)
					} else {
						stack[i].conts = append(stack[i].conts, b)
					}
					break
				}
			}
			stack[len(stack)-1].jumps = append(stack[len(stack)-1].jumps, b)
			f.fall(b, in)
		case isa.OpHalt:
			halts = append(halts, b)
			if len(stack) > 0 {
				stack[len(stack)-1].jumps = append(stack[len(stack)-1].jumps, b)
			}
			f.fall(b, in)
		case isa.OpWhile:
			top := &stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			depth--
			f.edge(b, top.start)
			for _, e := range top.exits {
				f.edge(e, b+1)
			}
			for _, e := range top.conts {
				f.edge(e, b)
			}
			for _, e := range top.jumps {
				f.phys(e, b)
			}
			f.fall(b, in)
		default:
			if !in.EOT {
				f.edge(b, b+1)
			}
		}
	}
	f.cfg = cfgMemory{stack, halts, outer}
}

// opened adds a construct that begins in block b.
func opened(stack []open, loop bool, b int) []open {
	if len(stack) == cap(stack) {
		return append(stack, open{loop: loop, start: b})
	}
	stack = stack[:len(stack)+1]
	x := &stack[len(stack)-1]
	*x = open{loop: loop, start: b, exits: x.exits[:0], conts: x.conts[:0], jumps: x.jumps[:0]}
	return stack
}

// fall adds the edge to the next block: lanes take it if the branch is predicated, the
// thread always may.
func (f *Func) fall(b int, in *Inst) {
	if in.Pred != 0 {
		f.edge(b, b+1)
	} else {
		f.phys(b, b+1)
	}
}

func (f *Func) edge(from, to int) {
	if to >= len(f.Blocks) {
		return
	}
	f.Blocks[from].Succ = append(f.Blocks[from].Succ, int32(to))
	f.Blocks[to].Pred = append(f.Blocks[to].Pred, int32(from))
	f.phys(from, to)
}

func (f *Func) phys(from, to int) {
	if to >= len(f.Blocks) {
		return
	}
	f.Blocks[from].Phys = append(f.Blocks[from].Phys, int32(to))
	f.Blocks[to].PhysPred = append(f.Blocks[to].PhysPred, int32(from))
}
