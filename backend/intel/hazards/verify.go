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
		if r := old.writes.common(&in.reads); r >= 0 && in.readsResult(old) {
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

// distance returns the distance to wait for: an instruction of age 0 is one back, and fields cannot exceed 7.
func distance(age int8) int { return max(min(int(age), fields.MaxDist), 1) }

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
		other, pc = p.text(by), int(p.insts[by].pc)
	}
	mask := ""
	if in.noMask && by >= 0 && p.insts[by].noMask {
		mask = ", unmasked"
	}
	return &Error{PC: int(in.pc), Other: pc, Msg: fmt.Sprintf("%s: %s %s (needs %s%s)", p.text(i), what, other, need, mask)}
}
