package hazards

import (
	"fmt"
	"slices"

	"jacquard.example/generated/isa"
)

const (
	finished  = 11 // older in-order instructions are done
	numTokens = 16
	noToken   = numTokens // stands for out of order without a token
)

// recent is an in-order instruction that may be unfinished, and its age on the
// shortest way here.
type recent struct {
	by  int32
	age int8
}

// running is what may be under way under one token.
type running struct {
	reads, writes regs
	by            int32 // the first instruction that was found to be
}

func (r *running) join(o *running) bool {
	changed := false
	for w := range r.reads {
		if o.reads[w]&^r.reads[w]|o.writes[w]&^r.writes[w] != 0 {
			changed = true
		}
		r.reads[w] |= o.reads[w]
		r.writes[w] |= o.writes[w]
	}
	if changed && r.by < 0 {
		r.by = o.by
	}
	return changed
}

// view is what may be outstanding for some instructions.
type view struct {
	recent []recent // by instruction, ascending
	tokens [numTokens + 1]running
}

// state is what may be outstanding before an instruction: for any instruction,
// and what instructions without mask have begun for others without mask, who do
// not rely on the waits of masked ones.
type state struct {
	any, noMask view
	reached     bool
}

func (v *view) reset() {
	v.recent = nil
	for t := range v.tokens {
		v.tokens[t] = running{by: -1}
	}
}

func (v *view) join(o *view) bool {
	changed := false
	for _, x := range o.recent {
		changed = v.add(x) || changed
	}
	for t := range v.tokens {
		changed = v.tokens[t].join(&o.tokens[t]) || changed
	}
	return changed
}

// add notes an unfinished instruction; it reports a change.
func (v *view) add(x recent) bool {
	i, found := slices.BinarySearchFunc(v.recent, x, func(a, b recent) int { return int(a.by - b.by) })
	switch {
	case !found:
		v.recent = slices.Insert(v.recent, i, x)
		return true
	case x.age < v.recent[i].age:
		v.recent[i].age = x.age
		return true
	}
	return false
}

// wait drops what a wait is for.
func (v *view) wait(w *waits) {
	if w.dist > 0 {
		v.recent = slices.DeleteFunc(v.recent, func(x recent) bool { return int(x.age) >= w.dist })
	}
	for t := range numTokens {
		if w.dst>>t&1 != 0 || w.take == t {
			v.tokens[t] = running{by: -1}
		} else if w.src>>t&1 != 0 {
			v.tokens[t].reads = regs{}
		}
	}
}

// older counts an in-order instruction.
func (v *view) older() {
	for i := range v.recent {
		v.recent[i].age++
	}
	v.recent = slices.DeleteFunc(v.recent, func(x recent) bool { return x.age >= finished })
}

// begin notes what an instruction does.
func (v *view) begin(in *inst, i int32) {
	switch {
	case in.kind != unordered:
		v.add(recent{by: i})
	case !in.EOT:
		t := noToken
		if in.waits.take >= 0 {
			t = in.waits.take
		}
		v.tokens[t].join(&running{reads: in.late, writes: in.writes, by: i})
	}
}

// clone shares nothing with s.
func (s *state) clone() *state {
	c := *s
	c.any.recent, c.noMask.recent = slices.Clone(s.any.recent), slices.Clone(s.noMask.recent)
	return &c
}

// solve follows the program to a fixed point, block by block.
func (p *program) solve() error {
	if len(p.insts) == 0 {
		return nil
	}
	starts := make([]bool, len(p.insts))
	starts[0] = true
	for i := range p.insts {
		n := p.insts[i].next
		if len(n) != 1 || n[0] != i+1 {
			for _, j := range n {
				starts[j] = true
			}
		}
	}
	in := map[int]*state{0: newState()}
	in[0].reached = true
	queue := []int{0}
	queued := map[int]bool{0: true}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		queued[b] = false
		s := in[b].clone()
		i := b
		for {
			if err := p.step(s, i); err != nil {
				return err
			}
			next := p.insts[i].next
			if len(next) == 1 && next[0] == i+1 && !starts[i+1] {
				i++
				continue
			}
			for _, j := range next {
				if in[j] == nil {
					in[j] = newState()
				}
				if in[j].join(s) && !queued[j] {
					queued[j] = true
					queue = append(queue, j)
				}
			}
			break
		}
	}
	return nil
}

func newState() *state {
	s := &state{}
	s.any.reset()
	s.noMask.reset()
	return s
}

func (s *state) join(o *state) bool {
	a, b := s.any.join(&o.any), s.noMask.join(&o.noMask)
	first := !s.reached
	s.reached = true
	return a || b || first
}

// step checks one instruction and follows what it does.
func (p *program) step(s *state, i int) error {
	in := &p.insts[i]
	s.any.wait(&in.waits)
	if in.NoMask {
		s.noMask.wait(&in.waits)
	}
	if in.kind == syncs {
		return nil
	}
	if err := p.check(&s.any, i); err != nil {
		return err
	}
	if in.NoMask {
		if err := p.check(&s.noMask, i); err != nil {
			return err
		}
	}
	s.any.begin(in, int32(i))
	if in.NoMask {
		s.noMask.begin(in, int32(i))
	}
	if in.kind == inOrder {
		s.any.older()
		s.noMask.older()
	}
	return nil
}

// check looks for what an instruction depends on and has not been waited for.
func (p *program) check(v *view, i int) error {
	in := &p.insts[i]
	for t := range v.tokens {
		k := &v.tokens[t]
		if r := k.writes.common(&in.reads); r >= 0 {
			return p.missing(i, int(k.by), "reads "+regName(r)+" before it is written by", tokenWait(t, "dst"))
		}
		if r := k.writes.common(&in.writes); r >= 0 {
			return p.missing(i, int(k.by), "writes "+regName(r)+" before it is written by", tokenWait(t, "dst"))
		}
		if r := k.reads.common(&in.writes); r >= 0 {
			return p.missing(i, int(k.by), "writes "+regName(r)+" before it is read by", tokenWait(t, "src"))
		}
	}
	for _, x := range v.recent {
		old := &p.insts[x.by]
		what := ""
		if r := old.writes.common(&in.reads); r >= 0 {
			what = "reads " + regName(r) + " before it is written by"
		} else if r := old.writes.common(&in.writes); r >= 0 && (in.kind == unordered || old.result.overlaps(&in.result)) {
			what = "writes " + regName(r) + " before it is written by"
		} else if r := old.reads.common(&in.writes); r >= 0 && in.kind == unordered {
			what = "writes " + regName(r) + " before it is read by"
		} else if old.control {
			what = "runs while a control register is written by"
		}
		if what != "" {
			return p.missing(i, int(x.by), what, fmt.Sprintf("@%d", distance(x.age)))
		}
	}
	return nil
}

// distance is what to wait for: an instruction of age 0 is the first one back,
// and no field holds more than 7.
func distance(age int8) int { return max(min(int(age), isa.MaxDist), 1) }

func regName(r int) string {
	if r == regA0 {
		return "a0"
	}
	return fmt.Sprintf("r%d", r)
}

func tokenWait(t int, what string) string {
	if t == noToken {
		return "a token"
	}
	return fmt.Sprintf("$%d.%s", t, what)
}

func (p *program) missing(i, by int, what, need string) error {
	in := &p.insts[i]
	other := "an instruction"
	pc := -1
	if by >= 0 && by < len(p.insts) {
		other, pc = p.text(by), p.insts[by].pc
	}
	mask := ""
	if in.NoMask && by >= 0 && p.insts[by].NoMask {
		mask = ", without mask"
	}
	return &Error{PC: in.pc, Other: pc, Msg: fmt.Sprintf("%s: %s %s (needs %s%s)", p.text(i), what, other, need, mask)}
}
