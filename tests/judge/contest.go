// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"fmt"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle/unspecified"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/spv"
)

// result holds the costs of both programs, by table.
type result struct {
	ours, theirs []eu.Account
	exact, close int // doublewords of results equal to the interpreter's, and others within the tolerance
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

	halves       bool // the module has 16-bit floats: a doubleword may hold two
	theirProgram *program
	own          []*engine.EU // by table
	ourProgram   *jacquard.Program
	result       result
}

func newContest(p *opponent, e *entry) *contest {
	c := &contest{opponent: p, entry: e}
	if words, err := spv.Words(e.module); err == nil {
		c.halves = spv.HasFloats(words, 16)
	}
	c.result.ours, c.result.theirs = make([]eu.Account, len(tables)), make([]eu.Account, len(tables))
	for i := range dispatchTables {
		c.own = append(c.own, &engine.EU{
			Module: c.source, Options: jacquard.Options{Target: jacquard.Target(p.Machine.Name), SIMD: p.simd}, Costs: costsUnder(p.Machine,
				i),
			Execution: eu.Options{StepLimit: threadSteps},
			Observe: func(_ *runner.Call, p *jacquard.Program, cost *eu.Account) {
				c.ourProgram, c.result.estimate = p, p.Variants[0].Stats.Cycles
				c.result.ours[i].Add(cost)
			},
		})
	}
	return c
}

// source implements engine.Module.
func (c *contest) source(context.Context, *runner.Shader) ([]byte, error) { return c.module, nil }

// Dispatch implements runner.Engine: both programs run on copies of the buffers, and the interpreter on the call's
// own.
func (c *contest) Dispatch(ctx context.Context, call *runner.Call) error {
	before := picture.CopyDispatch(call)
	want, err := c.interpret(ctx, call)
	if err != nil {
		return err
	}
	for i := range dispatchTables {
		ours, theirs := picture.CopyDispatch(before), picture.CopyDispatch(before)
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

// interpret runs the call, and variants on copies: with other undefined values, with invocations in the opposite order
// and, if the inputs are generated, with other results where SPIR-V allows several. The variants must cost about the
// same: otherwise the work of the shader depends on undefined behavior, and its cycles cannot be compared.
func (c *contest) interpret(ctx context.Context, call *runner.Call) (want []*runner.Call, err error) {
	variants := []func(*interp.Call, *ir.Shader){
		func(*interp.Call, *ir.Shader) {},
		func(v *interp.Call, _ *ir.Shader) { v.Seed = 0x1234567 },
	}
	if c.generated {
		variants = append(variants, func(v *interp.Call, _ *ir.Shader) { v.Backwards = true })
		for seed := range uint64(looseVariants) {
			variants = append(variants, func(v *interp.Call, s *ir.Shader) { v.Override = unspecified.Of(s, seed+1) })
		}
	}
	list := []*runner.Call{call}
	for range variants[1:] {
		list = append(list, picture.CopyDispatch(call))
	}
	usual := uint64(0)
	for i, configure := range variants {
		in := &engine.Interp{Module: c.source, Width: c.opponent.simd}
		s, err := in.Read(ctx, call)
		if err != nil {
			return nil, fmt.Errorf("%w: the interpreter: %w", errUnfit, err)
		}
		in.Configure = func(v *interp.Call) {
			v.MaxSteps = interpSteps
			configure(v, s)
		}
		if err := in.Dispatch(ctx, list[i]); err != nil {
			return nil, fmt.Errorf("%w: the interpreter: %w", errUnfit, err)
		}
		steps := in.Executed.Steps
		if i == 0 {
			usual = steps
		}
		const most = 10 // percent
		if 100*max(steps, usual) > (100+most)*min(steps, usual) {
			return nil, fmt.Errorf("%w: what it has to do is not defined, or depends on the order of its invocations", errUnfit)
		}
	}
	return list, nil
}

// looseVariants is the number of alternative behaviors to try where SPIR-V leaves a choice.
const looseVariants = 3

// theirs runs the peer's program under a table.
func (c *contest) theirs(ctx context.Context, table int, call *runner.Call) error {
	if c.theirProgram == nil {
		b, err := c.opponent.compile(ctx, c.module, call.Entry, call.Specialize)
		if err != nil {
			return err
		}
		c.theirProgram = b
	}
	program := c.theirProgram
	tables, err := program.Tables(call.Bindings)
	if err != nil {
		return err
	}
	machine := *c.opponent.Machine
	machine.Costs = costsUnder(&machine, table)
	cost := new(eu.Account)
	_, err = eu.Run(ctx, &eu.Dispatch{
		Program: eu.Load(&machine, program.Code), SIMD: program.SIMD, Groups: call.Groups, LocalSize: c.ourProgram.ABI.LocalSize,
		Surfaces: withSets(tables, conventionOf(&machine), call), Samplers: tables.Samplers,
		Mappings:         append(mappings(call), program.constants()...),
		SLMSize:          max(program.Stats.Shared, c.ourProgram.ABI.SharedBytes),
		ScratchPerThread: program.Stats.ScratchPerThread(),
		Payload:          program.layout.payload(conventionOf(&machine), call.PushConstants),
		Options:          eu.Options{Hazards: eu.HazardsLenient, Account: cost, StepLimit: threadSteps},
	})
	c.result.theirs[table].Add(cost)
	return err
}

// opponent is the peer, with the number of lanes that its programs have.
type opponent struct {
	*peer.Compiler
	simd int
}

// findOpponent returns the peer, or nil if none is installed.
func findOpponent(machine *target.Target, simd int) *opponent {
	if c := peer.Find(machine); c != nil {
		return &opponent{c, simd}
	}
	return nil
}

// program is a compute program of the peer, with the layout of its resources.
type program struct {
	*peer.Binary
	layout layout
}

// compile compiles an entry point of a module.
func (p *opponent) compile(ctx context.Context, module []byte, entry string, specialize []runner.Spec) (*program, error) {
	b, err := p.Compile(ctx, &peer.Shader{Module: module, Entry: entry, Stage: kind.StageCompute, SIMD: p.simd, Specialize: specialize})
	if err != nil {
		return nil, err
	}
	l, err := readLayout(b.IR, b.Assembly)
	return &program{b, l}, err
}

// constants returns the mapping of the program's constant data, if it has some.
func (p *program) constants() []eu.Mapping {
	if len(p.Constants) == 0 {
		return nil
	}
	return []eu.Mapping{{Addr: peer.ConstantsAddress, Data: p.Constants}}
}
