// SPDX-License-Identifier: MIT

package mir

import "jacquard.example/generated/isa"

// BuildCFG derives the constructs, and the edges between blocks, from the control flow instructions. Every if,
// else, break, cont, while and halt ends its block; every endif and loop mark starts one. else, endif and while are
// separate blocks, because the thread may jump from or to them when no lane is left. BuildCFG must be called again after
// blocks or control flow instructions have been added or removed.
func (f *Func) BuildCFG() {
	f.findConstructs()
	f.Lanes.Reset(len(f.Blocks))
	f.Thread.Reset(len(f.Blocks))
	for b := range f.Blocks {
		f.leave(b)
	}
	f.Lanes.Close()
	f.Thread.Close()
}

// leave adds the edges out of block b.
func (f *Func) leave(b int) {
	blk := &f.Blocks[b]
	in, c := &f.Insts[blk.Last], &f.Constructs[blk.In]
	switch in.Op {
	case isa.OpIf:
		f.edge(b, b+1)
		f.edge(b, int(f.Constructs[blk.If].Otherwise()))
	case isa.OpElse:
		f.jump(b, b+1)
		f.edge(b, int(c.Last))
	case isa.OpEndif:
		f.edge(b, b+1)
		f.exit(b)
	case isa.OpWhile:
		f.edge(b, int(c.First))
		f.fall(b, in)
	case isa.OpBreak:
		f.fall(b, in)
		f.exit(b)
		f.edge(b, int(f.Constructs[c.Loop].Last)+1)
	case isa.OpCont:
		f.fall(b, in)
		f.exit(b)
		f.edge(b, int(f.Constructs[c.Loop].Last))
	case isa.OpHalt:
		f.fall(b, in)
		if blk.In != 0 {
			f.exit(b)
		}
		if f.Resume != 0 {
			f.edge(b, int(f.Resume))
		}
	default:
		if !in.EOT {
			f.edge(b, b+1)
		}
	}
}

// fall adds the edge to the next block. Lanes take it only if the branch is predicated; the thread always may.
func (f *Func) fall(b int, in *Inst) {
	if in.Pred != 0 {
		f.edge(b, b+1)
	} else {
		f.jump(b, b+1)
	}
}

// exit adds the edge that the thread takes from block b when no lane is left.
func (f *Func) exit(b int) {
	if to := f.Exit(b); to != 0 {
		f.jump(b, to)
	}
}

// edge adds an edge for both lanes and thread.
func (f *Func) edge(from, to int) {
	if to < len(f.Blocks) {
		f.Lanes.Add(from, to)
		f.Thread.Add(from, to)
	}
}

// jump adds an edge for the thread only.
func (f *Func) jump(from, to int) {
	if to < len(f.Blocks) {
		f.Thread.Add(from, to)
	}
}
