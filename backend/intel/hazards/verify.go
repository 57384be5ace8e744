// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"
	"math/bits"

	"jacquard.example/backend/intel/fields"
)

// verify visits every reachable instruction once.
func (p *program) verify() error {
	var s state
	for b := range p.starts {
		if !p.in[b].reached {
			continue
		}
		s.load(&p.in[b])
		for i := int(p.starts[b]); i < p.end(b); i++ {
			p.wait(&s, i)
			if err := p.checkInst(&s, i); err != nil {
				return err
			}
			p.begin(&s, i)
		}
	}
	return nil
}

// checkInst checks an instruction after its waits.
func (p *program) checkInst(s *state, i int) error {
	in := &p.insts[i]
	if in.kind == syncs {
		return nil
	}
	if err := p.check(&s.any, i); err != nil || !in.noMask {
		return err
	}
	return p.check(&s.noMask, i)
}

// check looks for dependencies of an instruction that have not been waited for.
func (p *program) check(v *view, i int) error {
	in := &p.insts[i]
	p.opts.Work.Spend(checkSteps + 4*len(v.recent))
	for u := v.used; u != 0; u &= u - 1 {
		t := bits.TrailingZeros32(u)
		k := v.tokens[t]
		if r := k.writes.common(&in.reads); r >= 0 {
			return p.missing(i, int(k.by), "reads "+p.regName(r)+" before it is written by", tokenWait(t, "dst"))
		}
		if r := k.writes.common(&in.writes); r >= 0 {
			return p.missing(i, int(k.by), "writes "+p.regName(r)+" before it is written by", tokenWait(t, "dst"))
		}
		if r := k.reads.common(&in.writes); r >= 0 {
			return p.missing(i, int(k.by), "writes "+p.regName(r)+" before it is read by", tokenWait(t, "src"))
		}
	}
	for _, x := range v.recent {
		if what := p.conflict(in, &p.insts[x.by]); what != "" {
			return p.missing(i, int(x.by), what, p.need(&x))
		}
	}
	return nil
}

// conflict returns how an instruction conflicts with an unfinished in-order one; "" if it does not.
func (p *program) conflict(in, old *inst) string {
	if r := old.writes.common(&in.reads); r >= 0 && in.readsResult(old) {
		return "reads " + p.regName(r) + " before it is written by"
	}
	if r := old.writes.common(&in.writes); r >= 0 && (in.kind == unordered || old.result.overlaps(&in.result)) {
		return "writes " + p.regName(r) + " before it is written by"
	}
	if what := p.crosses(in, old); what != "" {
		return what
	}
	if old.control {
		return "runs while a control register is written by"
	}
	return ""
}

// distance returns the distance to wait for: an instruction of age 0 is one back, and fields cannot exceed 7.
func distance(age int8) int { return max(min(int(age), fields.MaxDist), 1) }

func (p *program) regName(r int) string {
	switch {
	case r >= regA0 && p.pipes:
		return fmt.Sprintf("a0.%d", r-regA0)
	case r >= regA0:
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
		other, pc = p.text(by), int(p.insts[by].pc)
	}
	mask := ""
	if in.noMask && by >= 0 && p.insts[by].noMask {
		mask = ", unmasked"
	}
	return &Error{PC: int(in.pc), Other: pc, Msg: fmt.Sprintf("%s: %s %s (needs %s%s)", p.text(i), what, other, need, mask)}
}
