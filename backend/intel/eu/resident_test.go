// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// accountOf runs a dispatch on a machine and returns its cost.
func accountOf(t *testing.T, d *thread.Dispatch, machine *target.Target, insts ...isa.Inst) *thread.Account {
	t.Helper()
	a := new(thread.Account)
	d.Program, d.Options.Account = FromInsts(machine, append(insts, endThread())), a
	if _, err := Run(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	return a
}

// withRoom returns the machine with EUs that hold n threads.
func withRoom(machine *target.Target, n int) *target.Target {
	m := *machine
	m.Limits.ThreadsPerEU = n
	return &m
}

// threads returns a dispatch of n threads of eight lanes, each in its own workgroup.
func threads(n uint32) *thread.Dispatch {
	return &thread.Dispatch{SIMD: 8, Groups: [3]uint32{n, 1, 1}, LocalSize: [3]uint32{8, 1, 1}, SLMSize: 1024}
}

// mixed returns a program of messages, math and arithmetic with dependences between them.
func mixed(machine *target.Target) []isa.Inst {
	rcp := arith(isa.OpMath, 8, dst(12, isa.TypeF), packed(2, isa.TypeF), isa.Operand{File: isa.FileARF, Type: isa.TypeF})
	rcp.Math, rcp.SWSB = isa.MathInv, fields.SWSBSet(1)
	cmp := test(isa.CModLT, 0, 1, 3)
	guarded := add(22, 3, none)
	guarded.Pred = isa.PredNormal
	p := []isa.Inst{
		load(30, 2, fields.SWSBSet(0)), rcp, add(20, 30, fields.SWSBDst(0)), add(21, 20, fields.SWSBDist(1)), cmp, guarded,
		add(3, 12, fields.SWSBDst(1)), load(31, 5, fields.SWSBDist(1)|fields.SWSBSet(0)), load(32, 4, fields.SWSBSet(2)), syncNop(fields.SWSBDst(0)), save(2, 32, fields.SWSBDst(2)),
	}
	p[len(p)-1].SWSB = fields.SWSBSet(2)
	p = append(p, add(3, 31, none), add(24, 3, fields.SWSBDist(1)))
	if !machine.Can(target.SoftwareScoreboard) {
		for i := range p {
			p[i].SWSB = none
		}
	}
	return p
}

// TestOneResident checks that an EU with room for one thread takes exactly as long as a thread alone. If an
// instruction waits, the rest of the front end's time counts as its wait.
func TestOneResident(t *testing.T) {
	for _, machine := range []*target.Target{target.TGL, guarded()} {
		a := accountOf(t, threads(1), withRoom(machine, 1), mixed(machine)...)
		if a.Resident.Cycles() != a.Alone.Cycles() || a.Resident[thread.WaitSend] < a.Alone[thread.WaitSend] ||
			a.Resident[thread.WaitSend] > a.Alone[thread.WaitSend]+a.Instructions {
			t.Errorf("%v alone, %v as the only resident", a.Alone, a.Resident)
		}
	}
}

// TestOneResidentComputedDescriptor checks the same for a message with a computed descriptor, whose registers
// are known only when it executes.
func TestOneResidentComputedDescriptor(t *testing.T) {
	for _, machine := range []*target.Target{target.TGL, guarded()} {
		set := arith(isa.OpMov, 1, dst(9, isa.TypeUD), imm(isa.TypeUD, 0xFE))
		or := arith(isa.OpOr, 1, isa.Operand{File: isa.FileARF, Reg: isa.ARFA0, Type: isa.TypeUD, HStride: 1},
			grf(9, 0, isa.TypeUD, 0, 1, 0), imm(isa.TypeUD, 0x02106E00))
		set.NoMask, or.NoMask = true, true
		p := []isa.Inst{set, or}
		for i := range uint8(3) {
			read := load(20+i, 2, none)
			read.Desc, read.DescReg = 0, true
			use := add(30+i, 20+i, none)
			read.SWSB, use.SWSB = fields.SWSBDist(1)|fields.SWSBSet(0), fields.SWSBDst(0)
			p = append(p, read, use)
		}
		for i := range p {
			if !machine.Can(target.SoftwareScoreboard) {
				p[i].SWSB = none
			}
		}
		a := accountOf(t, threads(1), withRoom(machine, 1), p...)
		if a.Sends[latency.Data] != 3 || a.Resident.Cycles() != a.Alone.Cycles() {
			t.Errorf("%v alone, %v as the only resident, messages %v", a.Alone, a.Resident, a.Sends)
		}
	}
}

// TestResidentsHideLatency checks that seven threads that each wait for a load take about as long as one
// thread, and that latency that they cannot hide makes them slower, although no unit is busier.
func TestResidentsHideLatency(t *testing.T) {
	room := target.TGL.Limits.ThreadsPerEU
	var chain []isa.Inst
	for i := range uint8(3) {
		chain = append(chain, load(30+i, 2, fields.SWSBSet(0)), syncNop(fields.SWSBDst(0)))
	}
	of := func(machine *target.Target) *thread.Account {
		return accountOf(t, threads(uint32(8*room)), machine, chain...)
	}
	slow := withRoom(target.TGL, room)
	costs := *slow.Costs
	costs[latency.Data].Result += 1000
	slow.Costs = &costs
	base, late := of(target.TGL), of(slow)
	alone, shared := base.Alone.Cycles(), base.Resident.Cycles()
	if least := alone / uint64(room); shared < least || shared > 2*least {
		t.Errorf("%d cycles alone, %d with all residents", alone, shared)
	}
	if base.Bound.Cycles() > shared || late.Bound.Cycles() > late.Resident.Cycles() {
		t.Errorf("the bounds are %d and %d, the times %d and %d", base.Bound.Cycles(), late.Bound.Cycles(), shared, late.Resident.Cycles())
	}
	if more := late.Resident.Cycles() - shared; more < 3*1000*7 || late.Resident[thread.WaitSend] <= base.Resident[thread.WaitSend] {
		t.Errorf("%d cycles more with loads that take 1000 longer", more)
	}
}

// TestResidentsSharePort checks that threads of independent instructions are limited by the unit, and by the
// port if the instructions have no unit.
func TestResidentsSharePort(t *testing.T) {
	var p []isa.Inst
	for i := range uint8(40) {
		p = append(p, add(30+i, 2, none))
	}
	a := accountOf(t, threads(14), target.TGL, p...)
	c := &target.TGL.Costs[latency.ALU]
	busy := 14 * 40 * uint64(c.Busy+c.BusyExec)
	if got := a.Resident.Cycles(); got < busy || got > busy+14*10 {
		t.Errorf("%d cycles, the unit is busy for %d", got, busy)
	}
	for i := range p {
		p[i] = syncNop(none)
	}
	if got := accountOf(t, threads(14), target.TGL, p...).Resident.Cycles(); got < 14*40 || got > 14*40+14*10 {
		t.Errorf("%d cycles for %d instructions", got, 14*40)
	}
}

// uneven returns a program in which thread i of four counts to 64·i, waits at a barrier if asked, and counts to
// 64·(3-i).
func uneven(wait bool) (p []isa.Inst) {
	one := func(in isa.Inst) isa.Inst { in.ExecSize, in.NoMask, in.SWSB = 1, true, fields.SWSBDist(1); return in }
	count := func(limit uint8) {
		cmp := arith(isa.OpCmp, 8, arf(isa.ARFNull, isa.TypeD), packed(6, isa.TypeD), scalar(limit, 0, isa.TypeD))
		cmp.CMod, cmp.SWSB = isa.CModLT, fields.SWSBDist(1)
		inc := arith(isa.OpAdd, 8, dst(6, isa.TypeD), packed(6, isa.TypeD), imm(isa.TypeW, 1))
		inc.SWSB = fields.SWSBDist(1)
		p = append(p, arith(isa.OpMov, 8, dst(6, isa.TypeD), imm(isa.TypeD, 0)), inc, cmp,
			isa.Inst{Op: isa.OpWhile, ExecSize: 8, Pred: isa.PredNormal, JIP: -2 * 16})
		p[len(p)-4].SWSB = fields.SWSBDist(1)
	}
	id := scalar(1, 24, isa.TypeUD)
	p = append(p, one(arith(isa.OpShl, 1, dst(10, isa.TypeUD), id, imm(isa.TypeUW, 6))),
		one(arith(isa.OpAdd, 1, dst(11, isa.TypeD), imm(isa.TypeD, 0), imm(isa.TypeW, 0))))
	p[1] = one(arith(isa.OpXor, 1, dst(11, isa.TypeUD), scalar(10, 0, isa.TypeUD), imm(isa.TypeUD, 3*64)))
	count(10)
	if wait {
		p = append(p, barrier()...)
	}
	count(11)
	return p
}

// TestResidentsWaitAtBarriers checks that the residents of a workgroup leave a barrier together, and that
// residents of different workgroups do not wait for each other.
func TestResidentsWaitAtBarriers(t *testing.T) {
	of := func(wait bool, lanes uint32) *thread.Account {
		d, _ := groupDispatch(nil, thread.Options{})
		d.Groups, d.LocalSize = [3]uint32{1, 1, 1}, [3]uint32{lanes, 1, 1}
		return accountOf(t, d, withRoom(target.TGL, 4), uneven(wait)...)
	}
	free, bound := of(false, 32), of(true, 32)
	if a, b := free.Resident.Cycles(), bound.Resident.Cycles(); b < a*3/2 || bound.Resident[thread.WaitSync] == 0 {
		t.Errorf("%d cycles without a barrier, %d with one", a, b)
	}
	if free, bound := of(false, 8), of(true, 8); bound.Resident.Cycles() > free.Resident.Cycles()+200 {
		t.Errorf("four workgroups of one thread take %d cycles with a barrier, %d without", bound.Resident.Cycles(), free.Resident.Cycles())
	}
}

// TestLongThreads checks that the time of threads longer than MaxSteps is extrapolated.
func TestLongThreads(t *testing.T) {
	of := func(n uint64) float64 {
		d := loopDispatch(n, thread.HazardsStrict, floatBody()...)
		a := new(thread.Account)
		d.Options.Account = a
		if _, err := Run(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		return float64(a.Resident.Cycles())
	}
	const rounds = thread.MaxSteps / 14 // each has seven instructions: half of MaxSteps in total
	if got := of(8*rounds) / of(rounds); got < 7.9 || got > 8.1 {
		t.Errorf("eight times the rounds take %.2f times as long", got)
	}
}
