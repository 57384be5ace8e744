package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// memory are the classes of instructions that wait for memory.
var memory = [...]latency.Class{latency.Data, latency.Atomic, latency.Constant, latency.Sampler}

// tables are the latencies under which everything is run: the target's own first.
var tables = []struct {
	name     string
	num, den int // of the time until memory responds
}{{"", 1, 1}, {"memory ×½", 1, 2}, {"memory ×2", 2, 1}}

// costsUnder returns the costs of a machine under a table.
func costsUnder(machine *target.Target, i int) *latency.Costs {
	costs := *machine.Costs
	for _, c := range memory {
		costs[c].Result = costs[c].Result * tables[i].num / tables[i].den
	}
	return &costs
}

// result holds the costs of both programs, by table.
type result struct {
	ours, theirs []eu.Account
	exact, close int // doublewords of results that equal the interpreter's, and that differ within the tolerance
	estimate     int // cycles of a thread, as our compiler estimates them

	code [2]static // ours and theirs, of a stage of a draw
}

// static counts instructions of a program without running it: all but nop and sync.nop, the messages, and the messages
// that spill or fill registers.
type static struct{ instructions, sends, spills int }

// contest runs the dispatches of one shader.
type contest struct {
	opponent *opponent
	*entry

	theirProgram *program
	own          []*engine.EU // by table
	ourProgram   *jacquard.Program
	result       result
}

func newContest(p *opponent, e *entry) *contest {
	c := &contest{opponent: p, entry: e}
	c.result.ours, c.result.theirs = make([]eu.Account, len(tables)), make([]eu.Account, len(tables))
	for i := range tables {
		c.own = append(c.own, &engine.EU{
			Module: c.source, Options: jacquard.Options{Target: jacquard.Target(p.Machine.Name), SIMD: p.simd}, Costs: costsUnder(p.Machine,
				i),
			Observe: func(_ *runner.Call, p *jacquard.Program, cost *eu.Account) {
				c.ourProgram, c.result.estimate = p, p.Variants[0].Stats.Cycles
				c.result.ours[i].Add(cost)
			},
		})
	}
	return c
}

// source is an engine.Module.
func (c *contest) source(context.Context, *runner.Shader) ([]byte, error) { return c.module, nil }

// Dispatch implements amber.Engine: both programs run on copies of the buffers, and the
// interpreter on the call's own.
func (c *contest) Dispatch(ctx context.Context, call *runner.Call) error {
	if len(call.Specialize) > 0 {
		return fmt.Errorf("%w: it is specialized", errUnfit)
	}
	before := clone(call)
	want := []*runner.Call{call, clone(call)}
	if c.anyOrder {
		want = append(want, clone(call))
	}
	for i, to := range want {
		in := &engine.Interp{Module: c.source, Width: c.opponent.simd}
		switch i {
		case 1:
			in.Seed = 0x1234567
		case 2:
			in.Configure = func(call *interp.Call) { call.Backwards = true }
		}
		if err := in.Dispatch(ctx, to); err != nil {
			return fmt.Errorf("%w: the interpreter: %w", errUnfit, err)
		}
	}
	for i := range tables {
		ours, theirs := clone(before), clone(before)
		if err := c.own[i].Dispatch(ctx, ours); err != nil {
			return fmt.Errorf("%w: ours: %w", errUnfit, err)
		}
		if i == 0 {
			if err := c.agree("ours", before, want, ours); err != nil {
				return err
			}
			if c.result.exact+c.result.close == 0 {
				return fmt.Errorf("%w: it writes nothing that is defined", errUnfit)
			}
		}
		if err := c.theirs(ctx, i, theirs); err != nil {
			return fmt.Errorf("theirs: %w", err)
		}
		if i == 0 {
			if err := c.agree("theirs", before, want, theirs); err != nil {
				return err
			}
		}
	}
	return nil
}

// agree compares the bindings after a run of a program with the interpreter's.
func (c *contest) agree(who string, before *runner.Call, want []*runner.Call, got *runner.Call) error {
	for k := range got.Bindings {
		b := &got.Bindings[k]
		var data [][]byte
		for _, w := range want {
			data = append(data, w.Bindings[k].Data)
		}
		err := c.compare(before.Bindings[k].Data, data, b.Data)
		if err != nil {
			return fmt.Errorf("%s: set %d binding %d %w", who, b.Set, b.Binding, err)
		}
	}
	return nil
}

// theirs runs the peer's program under a table.
func (c *contest) theirs(ctx context.Context, table int, call *runner.Call) error {
	if c.theirProgram == nil {
		b, err := c.opponent.compile(ctx, c.module, call.Entry)
		if err != nil {
			return err
		}
		c.theirProgram = b
	}
	machine := *c.opponent.Machine
	machine.Costs = costsUnder(&machine, table)
	cost := new(eu.Account)
	_, err := eu.Run(ctx, &eu.Dispatch{
		Program: eu.Load(&machine, c.theirProgram.Code), SIMD: c.opponent.simd, Groups: call.Groups, LocalSize: c.ourProgram.ABI.LocalSize,
		Surfaces: c.theirProgram.layout.surfaces(call), Mappings: mappings(call), SLMSize: max(c.theirProgram.Stats.Shared,
			c.ourProgram.ABI.SharedBytes), ScratchPerThread: c.theirProgram.Stats.ScratchPerThread(),
		Payload: c.theirProgram.layout.payload(call.PushConstants),
		Options: eu.Options{Hazards: eu.HazardsLenient, Account: cost},
	})
	c.result.theirs[table].Add(cost)
	return err
}

// clone returns a call on buffers of its own.
func clone(c *runner.Call) *runner.Call {
	out := *c
	out.Bindings = nil
	for _, b := range c.Bindings {
		b.Data = bytes.Clone(b.Data)
		out.Bindings = append(out.Bindings, b)
	}
	return &out
}

// tolerance is the share of themselves by which floats may differ: compilers may contract and
// reorder, and SPIR-V allows functions some units in the last place. A difference of large
// numbers may also be off by some of their units in the last place.
const (
	tolerance = 1e-3
	lastPlace = 0x1p-21 // four units, of 1
)

// compare compares a buffer with the interpreter's, but for doublewords that its runs leave
// in several ways: they depend on values that are undefined, or on the order of invocations.
func (c *contest) compare(before []byte, want [][]byte, got []byte) error {
next:
	for at := 0; at+4 <= len(got); at += 4 {
		w, g := binary.LittleEndian.Uint32(want[0][at:]), binary.LittleEndian.Uint32(got[at:])
		for _, other := range want[1:] {
			if w != binary.LittleEndian.Uint32(other[at:]) {
				continue next
			}
		}
		switch {
		case w == g && w == binary.LittleEndian.Uint32(before[at:]):
		case w == g:
			c.result.exact++
		case c.near(w, g):
			c.result.close++
		default:
			return fmt.Errorf("byte %d: interpreter %#08x, model %#08x", at, w, g)
		}
	}
	return nil
}

// near reports whether two floats differ within the tolerance.
func (c *contest) near(a, b uint32) bool {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	const ordinary = 1e-30 // below it a doubleword is more likely an integer
	if a != 0 && math.Abs(x) < ordinary || b != 0 && math.Abs(y) < ordinary {
		return false
	}
	return math.Abs(x-y) <= max(tolerance*math.Abs(y), c.scale*lastPlace)
}
