// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"errors"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// patient is a context that is canceled after Err has been called a number of times.
type patient struct {
	context.Context
	looks int
}

func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancel(t *testing.T) {
	endless := func(body ...isa.Inst) []isa.Inst {
		return append(body, isa.Inst{Op: isa.OpJmpi, ExecSize: 1, NoMask: true, JIP: -16 * int32(len(body))}, endThread())
	}
	slowly := func(body ...isa.Inst) []isa.Inst {
		p := loopDispatch(1<<20, thread.HazardsOff, body...).Program
		return p.Insts
	}
	add := arith(isa.OpAdd, 16, dst(10, isa.TypeD), packed(12, isa.TypeD), packed(14, isa.TypeD))
	for name, c := range map[string]struct {
		prog   []isa.Inst
		groups uint32
		opts   thread.Options
	}{
		"empty loop":          {endless(), 1, thread.Options{}},
		"loop":                {endless(add), 1, thread.Options{}},
		"loop of lanes":       {slowly(add), 1, thread.Options{}},
		"turns of one":        {endless(add), 1, thread.Options{Slice: 1, Seed: 3}},
		"barriers":            {endless(barrier()...), 1, thread.Options{}},
		"barriers and turns":  {endless(barrier()...), 1, thread.Options{Slice: 2}},
		"scoreboard":          {endless(add), 1, thread.Options{Hazards: thread.HazardsStrict}},
		"very many groups":    {[]isa.Inst{endThread()}, 1 << 31, thread.Options{}},
		"groups with scratch": {[]isa.Inst{endThread()}, 1 << 31, thread.Options{Poison: true}},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := groupDispatch(c.prog, c.opts)
			d.Groups = [3]uint32{c.groups, 1, 1}
			d.Options.StepLimit = 1 << 20
			if name == "groups with scratch" {
				d.ScratchPerThread = 2 << 20
			}
			const looks = 20
			s, err := Run(&patient{t.Context(), looks}, d)
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("it ended with %v", err)
			}
			if n := s.Instructions(); n > (looks+1)*stretch {
				t.Errorf("%d instructions ran between %d looks at the context", n, looks)
			}
		})
	}
}
