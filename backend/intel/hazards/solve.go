// SPDX-License-Identifier: MIT

package hazards

import "math/bits"

// solve computes the operations that may be outstanding at the start of each block. It iterates to a fixed
// point, always taking the first block in the worklist.
func (p *program) solve() {
	p.in = make([]state, len(p.starts))
	p.in[0].reached = true
	var s state
	queue := newQueue(len(p.starts))
	queue.add(0)
	for b := queue.first(); b >= 0; b = queue.first() {
		s.load(&p.in[b])
		last := p.end(b) - 1
		for i := int(p.starts[b]); i <= last; i++ {
			p.wait(&s, i)
			p.begin(&s, i)
		}
		in := &p.insts[last]
		for _, j := range in.next[:in.numNext] {
			to := p.insts[j].block
			x := &p.in[to]
			p.opts.Work.Spend(followSteps + len(s.any.recent) + len(x.any.recent) + len(s.noMask.recent) + len(x.noMask.recent))
			if x.join(&s) {
				queue.add(int(to))
			}
		}
	}
}

// wait applies the waits of an instruction.
func (p *program) wait(s *state, i int) {
	p.opts.Work.Spend(followSteps + 2*(len(s.any.recent)+len(s.noMask.recent)))
	in := &p.insts[i]
	s.any.wait(&in.waits)
	if in.noMask {
		s.noMask.wait(&in.waits)
	}
}

// begin applies the effects of an instruction, after its waits.
func (p *program) begin(s *state, i int) {
	in := &p.insts[i]
	if in.kind == syncs {
		return
	}
	s.any.begin(in, int32(i))
	if in.noMask {
		s.noMask.begin(in, int32(i))
	}
	if in.kind == inOrder {
		s.any.older(in.pipe)
		s.noMask.older(in.pipe)
	}
}

// queue is a worklist of blocks, processed in order.
type queue struct {
	bits []uint64
	from int // earlier words are empty
}

func newQueue(n int) *queue { return &queue{bits: make([]uint64, (n+63)>>6)} }

func (q *queue) add(b int) {
	q.bits[b>>6] |= 1 << (b & 63)
	q.from = min(q.from, b>>6)
}

// first removes and returns the first block, or -1.
func (q *queue) first() int {
	for ; q.from < len(q.bits); q.from++ {
		if w := q.bits[q.from]; w != 0 {
			q.bits[q.from] = w & (w - 1)
			return q.from<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}
