// SPDX-License-Identifier: MIT

package sched_test

import (
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/ordercheck"
	"jacquard.example/backend/intel/sched"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/message"
	"jacquard.example/tests/support/mirgen"
)

// TestRandom schedules random machine IR under several limits, checks the result, and restores the source
// order.
func TestRandom(t *testing.T) {
	var s sched.Scheduler
	const count = 400
	changed := 0
	for seed := range uint64(count) {
		f := mirgen.Random(seed)
		old := f.Clone()
		s.Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: []int{0, 20, 80}[seed%3], Lean: seed/3%2 == 1})
		if err := validate.Func(f); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if err := ordercheck.Check(old, f); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		moved := f.String() != old.String()
		if moved {
			changed++
		}
		if s.Restore(0); f.String() != old.String() {
			t.Errorf("%s: not restored", f.Name)
		}
	}
	t.Logf("%d of %d functions have changed", changed, count)
	if changed < count/2 {
		t.Errorf("only %d of %d functions have changed", changed, count)
	}
}

// TestReadAfterAllWriters checks that an operand of several registers comes after all instructions that write
// them, even if the second one has to wait for a load.
func TestReadAfterAllWriters(t *testing.T) {
	for _, read := range []bool{false, true} {
		f := mir.New(8, isa.TGL.Registers())
		f.Name = "main"
		b := mir.Builder{F: f}
		b.Vector()
		pair, one := mir.V(f.NewReg(2, 4), isa.TypeUD), mir.Fixed(1, isa.TypeUD)
		load := mir.Inst{Op: isa.OpSend, Exec: 8, SFID: isa.SFIDDC1,
			Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}, Dst: mir.V(f.NewReg(1, 4), isa.TypeUD)}
		load.Src[0], load.Len = one, [3]uint8{1, 0, 1}
		b.Insert(load)
		b.Mov(pair, one)
		b.Emit(isa.OpAdd, pair.At(f.GRF.Bytes()), load.Dst, one)
		b.Exec = 16
		if read {
			b.Mov(mir.V(f.NewReg(2, 4), isa.TypeUD), pair)
		} else {
			b.Mov(pair, mir.UD(1))
		}
		f.BuildCFG()
		old := f.Clone()
		new(sched.Scheduler).Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: 80})
		if err := ordercheck.Check(old, f); err != nil {
			t.Errorf("%v\n%s", err, f)
		}
	}
}

// TestPressure checks that a block of independent loads, each followed by a store of the result, keeps fewer
// registers live if it would exceed the limit otherwise.
func TestPressure(t *testing.T) {
	build := func() *mir.Func {
		f := mir.New(8, isa.TGL.Registers())
		f.Name = "main"
		b := mir.Builder{F: f}
		b.Vector()
		for range 24 {
			at := mir.V(f.NewReg(1, 4), isa.TypeUD)
			b.Mov(at, mir.Fixed(1, isa.TypeUD))
			in := mir.Inst{Op: isa.OpSend, Exec: 8, SFID: isa.SFIDDC1,
				Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}, Dst: mir.V(f.NewReg(1, 4), isa.TypeUD)}
			in.Src[0], in.Len = at, [3]uint8{1, 0, 1}
			b.Insert(in)
			sum := mir.V(f.NewReg(1, 4), isa.TypeUD)
			b.Emit(isa.OpAdd, sum, in.Dst, in.Dst)
			out := mir.Inst{Op: isa.OpSend, Exec: 8, SFID: isa.SFIDDC1,
				Msg: mir.Msg{Name: message.UntypedWrite, Space: message.Shared, Comps: 1}, SideEff: true, Dst: mir.Null(isa.TypeUD)}
			out.Src[0], out.Src[1], out.Len = at, sum, [3]uint8{1, 1, 0}
			b.Insert(out)
		}
		f.BuildCFG()
		return f
	}
	// ahead returns the largest number of loads whose stores are still to come.
	ahead := func(f *mir.Func) (most int) {
		n := 0
		for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
			switch in := f.At(i); {
			case !in.IsSend():
			case in.SideEff:
				n--
			default:
				n++
			}
			most = max(most, n)
		}
		return most
	}
	for _, c := range []struct{ limit, least, most int }{{80, 5, 24}, {20, 2, 12}, {0, 1, 1}} {
		f := build()
		new(sched.Scheduler).Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: c.limit})
		if n := ahead(f); n < c.least || n > c.most {
			t.Errorf("with %d registers, %d loads come before the first use; want %d to %d\n%s", c.limit, n, c.least, c.most, f)
		}
	}
}

// TestLean checks that a lean schedule loads each vector just before its use, as far as the limit demands it, although
// all loads come first in the source.
func TestLean(t *testing.T) {
	const loads = 12
	build := func() *mir.Func {
		f := mir.New(16, isa.TGL.Registers())
		f.Name = "main"
		b := mir.Builder{F: f}
		b.Vector()
		var loaded []mir.Operand
		for k := range uint32(loads) {
			at := mir.V(f.NewReg(1, 4), isa.TypeUD)
			b.Emit(isa.OpAdd, at, mir.Fixed(1, isa.TypeUD), mir.UD(16*k))
			in := mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDDC1,
				Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 4}, Dst: mir.V(f.NewReg(4, 4), isa.TypeUD)}
			in.Src[0], in.Len = at, [3]uint8{2, 0, 8}
			b.Insert(in)
			loaded = append(loaded, in.Dst)
		}
		sum := mir.Fixed(2, isa.TypeUD)
		for _, x := range loaded {
			next := mir.V(f.NewReg(1, 4), isa.TypeUD)
			b.Emit(isa.OpAdd, next, sum, x)
			sum = next
		}
		b.Mov(mir.Fixed(4, isa.TypeUD), sum)
		for _, x := range loaded { // the vectors live until here
			b.Emit(isa.OpXor, mir.Fixed(4, isa.TypeUD), mir.Fixed(4, isa.TypeUD), x)
		}
		f.BuildCFG()
		return f
	}
	// ahead returns the number of loads before the first use of one.
	ahead := func(f *mir.Func) (loads int) {
		for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
			if in := f.At(i); in.IsSend() {
				loads++
			} else if in.Op == isa.OpAdd && f.Reg(in.Src[1].VReg()).Bytes == 256 {
				break
			}
		}
		return loads
	}
	for _, c := range []struct {
		limit, ahead int
		lean         bool
	}{{0, loads, false}, {0, 1, true}, {72, 3, true}} {
		f := build()
		old := f.Clone()
		new(sched.Scheduler).Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: c.limit, Lean: c.lean})
		if err := ordercheck.Check(old, f); err != nil {
			t.Error(err)
		}
		if n := ahead(f); n != c.ahead {
			t.Errorf("%+v: %d loads come before the first use\n%s", c, n, f)
		}
	}
}

// TestSecondAttempt checks that a block whose order by latency exceeds the limit is scheduled again within it. The
// block is a chain of sums of four-component vectors, each with its own load.
func TestSecondAttempt(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	f.Name = "main"
	b := mir.Builder{F: f}
	b.Vector()
	sum := mir.Fixed(2, isa.TypeUD)
	for range 12 {
		at := mir.V(f.NewReg(1, 4), isa.TypeUD)
		b.Emit(isa.OpAdd, at, mir.Fixed(1, isa.TypeUD), mir.UD(16))
		in := mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDDC1,
			Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 4}, Dst: mir.V(f.NewReg(4, 4), isa.TypeUD)}
		in.Src[0], in.Len = at, [3]uint8{2, 0, 8}
		b.Insert(in)
		for k := range uint32(4) {
			next := mir.V(f.NewReg(1, 4), isa.TypeUD)
			b.Emit(isa.OpAdd, next, sum, in.Dst.At(64*k))
			sum = next
		}
	}
	f.BuildCFG()
	old := f.Clone()
	var s sched.Scheduler
	s.Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: 40})
	if err := ordercheck.Check(old, f); err != nil {
		t.Fatal(err)
	}
	if f.String() == old.String() {
		t.Errorf("the block keeps its order\n%s", f)
	}
}

// TestRestoreOfCrowdedBlocks checks that blocks below a number of live registers keep the new order if the crowded ones
// return to source order.
func TestRestoreOfCrowdedBlocks(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	f.Name = "main"
	b := mir.Builder{F: f}
	b.Vector()
	loads := func(n int) {
		for range n {
			in := mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDDC1,
				Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}, Dst: mir.V(f.NewReg(1, 4), isa.TypeUD)}
			in.Src[0], in.Len = mir.Fixed(2, isa.TypeUD), [3]uint8{2, 0, 2}
			b.Insert(in)
			b.Emit(isa.OpAdd, mir.V(f.NewReg(1, 4), isa.TypeUD), in.Dst, mir.UD(1))
		}
	}
	loads(2)
	in := b.Emit(isa.OpIf, mir.Operand{})
	in.Pred, in.Flag = isa.PredNormal, 1
	b.AtEnd(f.NewBlock())
	loads(8)
	b.AtEnd(f.NewBlock())
	b.Emit(isa.OpEndif, mir.Operand{})
	f.BuildCFG()
	old := f.Clone()
	text := func(f *mir.Func, b int) (s string) {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			s += f.Text(i) + "\n"
		}
		return s
	}
	var s sched.Scheduler
	s.Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: 120})
	for b := range 2 {
		if text(f, b) == text(old, b) {
			t.Fatalf("block %d keeps its order\n%s", b, f)
		}
	}
	s.Restore(6)
	if text(f, 0) == text(old, 0) || text(f, 1) != text(old, 1) {
		t.Errorf("want the second block alone in source order\n%s", f)
	}
}

// TestFlags checks that no more flags are live at once than there are registers, even with many independent
// comparisons.
func TestFlags(t *testing.T) {
	f := mir.New(8, isa.TGL.Registers())
	f.Name = "main"
	b := mir.Builder{F: f}
	b.Vector()
	for range 12 {
		flag := f.NewFlag()
		b.Cmp(isa.CModLT, flag, mir.Null(isa.TypeUD), mir.Fixed(1, isa.TypeUD), mir.UD(7))
		in := b.Emit(isa.OpSel, mir.V(f.NewReg(1, 4), isa.TypeUD), mir.Fixed(1, isa.TypeUD), mir.UD(1))
		in.Pred, in.Flag = isa.PredNormal, flag
	}
	f.BuildCFG()
	old := f.Clone()
	new(sched.Scheduler).Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: 80})
	if err := ordercheck.Check(old, f); err != nil {
		t.Fatal(err)
	}
	live, most := 0, 0
	for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
		if f.At(i).WritesFlag() {
			live++
		} else {
			live--
		}
		most = max(most, live)
	}
	if most != mir.ArchFlags {
		t.Errorf("%d flags are live at once, want %d\n%s", most, mir.ArchFlags, f)
	}
}

// TestBusyUnits checks that messages are not issued while their unit is busy if other instructions can issue: issue
// is in order, so a message that waits for its unit blocks all others.
func TestBusyUnits(t *testing.T) {
	f := mir.New(8, isa.TGL.Registers())
	f.Name = "main"
	b := mir.Builder{F: f}
	b.Vector()
	for range 4 {
		in := mir.Inst{Op: isa.OpSend, Exec: 8, SFID: isa.SFIDDC1,
			Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}, Dst: mir.V(f.NewReg(1, 4), isa.TypeUD)}
		in.Src[0], in.Len = mir.Fixed(1, isa.TypeUD), [3]uint8{1, 0, 1}
		b.Insert(in)
	}
	for range 40 {
		b.Mov(mir.V(f.NewReg(1, 4), isa.TypeUD), mir.UD(1))
	}
	f.BuildCFG()
	costs := latency.Of(isa.TGL)
	new(sched.Scheduler).Run(f, sched.Options{Costs: costs, Limit: 80})
	busy, per := costs[latency.Data].Busy+costs[latency.Data].BusyExec, costs[latency.ALU].Front+costs[latency.ALU].FrontDst
	want, since := (busy-costs[latency.Data].Front)/per, 1<<10
	for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
		if !f.At(i).IsSend() {
			since++
			continue
		}
		if since < want {
			t.Errorf("%d instructions between two messages, want %d\n%s", since, want, f)
		}
		since = 0
	}
}

// TestFirstStoreEarly checks that the first of several stores is sent before the data of the others is
// computed, since the block waits for the unit that serves them.
func TestFirstStoreEarly(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	f.Name = "main"
	b := mir.Builder{F: f}
	b.Vector()
	var stores []mir.Inst
	for k := range uint32(4) {
		data := mir.V(f.NewReg(4, 4), isa.TypeUD)
		for c := range uint32(4) {
			b.Emit(isa.OpAdd, data.At(64*c), mir.Fixed(1, isa.TypeUD), mir.UD(c+k))
		}
		at := mir.V(f.NewReg(1, 4), isa.TypeUD)
		b.Emit(isa.OpAdd, at, mir.Fixed(1, isa.TypeUD), mir.UD(1024*k))
		in := mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDDC1,
			Msg: mir.Msg{Name: message.UntypedWrite, Space: message.Buffer, Comps: 4}, SideEff: true, Dst: mir.Null(isa.TypeUD)}
		in.Src[0], in.Src[1], in.Len = at, data, [3]uint8{2, 8, 0}
		stores = append(stores, in)
	}
	for _, in := range stores {
		b.Insert(in)
	}
	f.BuildCFG()
	new(sched.Scheduler).Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: 80})
	before := 0 // number of instructions before the first store
	for i := f.Blocks[0].First; i != 0 && !f.At(i).IsSend(); i = f.Next(i) {
		before++
	}
	if before > 8 {
		t.Errorf("%d of 20 instructions come before the first store\n%s", before, f)
	}
}

// TestIndependentInstructionsFillLoadLatency checks that instructions that a load does not need do not delay it, but
// are executed while the load is in flight.
func TestIndependentInstructionsFillLoadLatency(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	f.Name = "main"
	b := mir.Builder{F: f}
	b.Vector()
	data := mir.V(f.NewReg(4, 4), isa.TypeUD)
	for c := range uint32(3) {
		b.Mov(data.At(64*c), mir.UD(c))
	}
	at := mir.Fixed(1, isa.TypeUD)
	for range 3 {
		next := mir.V(f.NewReg(1, 4), isa.TypeUD)
		b.Emit(isa.OpAdd, next, at, mir.UD(16))
		at = next
	}
	load := mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDDC1,
		Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}, Dst: data.At(64 * 3)}
	load.Src[0], load.Len = at, [3]uint8{2, 0, 2}
	b.Insert(load)
	store := mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDDC1,
		Msg: mir.Msg{Name: message.UntypedWrite, Space: message.Buffer, Comps: 4}, SideEff: true, Dst: mir.Null(isa.TypeUD)}
	store.Src[0], store.Src[1], store.Len = mir.Fixed(1, isa.TypeUD), data, [3]uint8{2, 8, 0}
	b.Insert(store)
	f.BuildCFG()
	new(sched.Scheduler).Run(f, sched.Options{Costs: latency.Of(isa.TGL), Limit: 80})
	before := 0 // number of instructions before the load
	for i := f.Blocks[0].First; i != 0 && !f.At(i).IsSend(); i = f.Next(i) {
		before++
	}
	if before != 3 {
		t.Errorf("%d instructions come before the load, want the 3 of its address\n%s", before, f)
	}
}
