package hazards

import "math/bits"

// solve finds what may be outstanding at the start of each block: it follows the
// program to a fixed point, the first block that has to be followed again first.
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

// wait follows what an instruction waits for.
func (p *program) wait(s *state, i int) {
	p.opts.Work.Spend(followSteps + 2*(len(s.any.recent)+len(s.noMask.recent)))
	in := &p.insts[i]
	s.any.wait(&in.waits)
	if in.noMask {
		s.noMask.wait(&in.waits)
	}
}

// begin follows what an instruction does behind its waits.
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
		s.any.older()
		s.noMask.older()
	}
}

// queue is a set of blocks, taken out from the first on.
type queue struct {
	bits []uint64
	from int // words before are empty
}

func newQueue(n int) *queue { return &queue{bits: make([]uint64, (n+63)/64)} }

func (q *queue) add(b int) {
	q.bits[b>>6] |= 1 << (b & 63)
	q.from = min(q.from, b>>6)
}

// first takes out the first block; -1: there is none.
func (q *queue) first() int {
	for ; q.from < len(q.bits); q.from++ {
		if w := q.bits[q.from]; w != 0 {
			q.bits[q.from] = w & (w - 1)
			return q.from<<6 + bits.TrailingZeros64(w)
		}
	}
	return -1
}
