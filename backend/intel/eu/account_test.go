// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"testing"

	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// charged runs a program on one thread of eight lanes and returns its cost. Lane i has address step·i in r20
// and r2.
func charged(t *testing.T, machine *target.Target, step uint32, insts ...isa.Inst) *thread.Account {
	t.Helper()
	a := new(thread.Account)
	b := benchOn(t, FromInsts(machine, append(insts, endThread())), 8, func(o *thread.Options) {
		o.Account = a
		if !machine.Can(target.SoftwareScoreboard) {
			o.Hazards = thread.HazardsStrict
		}
	})
	b.Group.Machine.Surfaces = []*thread.Surface{3: {Data: make([]byte, 4096)}}
	for i := range uint32(8) {
		binary.LittleEndian.PutUint32(b.Reg[20*grfSize+4*i:], step*i)
		binary.LittleEndian.PutUint32(b.Reg[2*grfSize+4*i:], step*i)
	}
	b.exec(t)
	if b.Err != nil {
		t.Fatal(b.Err)
	}
	if a.Single.Cycles() != b.Clock.Now {
		t.Errorf("%d cycles are charged of %d", a.Single.Cycles(), b.Clock.Now)
	}
	clock.Close(a, machine, 1)
	return a
}

// TestBytesAndLines checks how many bytes messages move and how many memory steps this takes.
func TestBytesAndLines(t *testing.T) {
	const one, four, shared, words = 0x02106E03, 0x02406003, 0x02106EFE, 0x02406003&^0xFF | 0xFE
	for _, c := range []struct {
		name         string
		desc, step   uint32
		bytes, lines uint64
	}{
		{"adjacent dwords", one, 4, 32, 1},
		{"one dword", one, 0, 32, 1},
		{"a line each", one, 64, 32, 8},
		{"half a line each", one, 32, 32, 4},
		{"adjacent vectors", four, 16, 128, 2},
		{"a line each, vectors", four, 128, 128, 8},
		{"shared, adjacent dwords", shared, 4, 32, 1},
		{"shared, one dword", shared, 0, 32, 1},
		{"shared, one bank", shared, 64, 32, 8},
		{"shared, two banks", shared, 32, 32, 4},
		{"shared, adjacent vectors", words, 16, 128, 2},
		{"a block of eight OWords", 0x02480403, 0, 128, 2},
	} {
		in := send(isa.SFIDDC1, 8, c.desc, 0)
		if c.desc>>19&1 != 0 {
			in.SFID = isa.SFIDDC0
		}
		a := charged(t, target.TGL, c.step, in)
		if a.Bytes != c.bytes || a.Lines != c.lines {
			t.Errorf("%s: %d bytes, %d lines; want %d, %d", c.name, a.Bytes, a.Lines, c.bytes, c.lines)
		}
		if a.Sends[latency.Data] != 1 || a.Sends[latency.End] != 1 {
			t.Errorf("%s: messages %v", c.name, a.Sends)
		}
	}
}

// TestMemoryTimeGrows checks, with either kind of scoreboard, that the latency of a message grows with the
// number of lines that it touches, by the table's figures. Otherwise, one message for several lines would cost no
// more than a message for one.
func TestMemoryTimeGrows(t *testing.T) {
	for _, machine := range []*target.Target{target.TGL, guarded()} {
		cycles := func(step uint32) uint64 {
			stall := add(30, 100, none)
			if machine.Can(target.SoftwareScoreboard) {
				stall.SWSB = fields.SWSBDst(0)
			}
			in := send(isa.SFIDDC1, 8, 0x02106E03, 0)
			if !machine.Can(target.SoftwareScoreboard) {
				in.SWSB = none
			}
			a := charged(t, machine, step, in, stall)
			if a.Alone[thread.WaitSend] == 0 {
				t.Errorf("no waits for messages: %v", a.Alone)
			}
			return a.Alone.Cycles()
		}
		one, eight := cycles(4), cycles(64)
		if want := 7 * uint64(machine.Costs[latency.Data].ResultLine); want == 0 || eight-one != want {
			t.Errorf("%d cycles for a line, %d for eight; want %d more", one, eight, want)
		}
	}
}

// TestWaitClasses has a program for each class of cycles except WaitSync, in which that class is the largest.
func TestWaitClasses(t *testing.T) {
	chain := func(n uint8) (p []isa.Inst) {
		for i := range uint8(6) {
			in := add(30+i, 29+i, fields.SWSBDist(1))
			in.ExecSize, in.NoMask = n, true
			if n == 1 {
				in.Src[0] = scalar(29+i, 0, isa.TypeD)
			}
			p = append(p, in)
		}
		return p
	}
	wide := func(d uint8) isa.Inst { return add(d, 2, none) }
	for want, p := range map[thread.Wait][]isa.Inst{
		thread.WaitIssue:  {wide(30), wide(31), wide(32), wide(33)},
		thread.WaitSend:   {load(30, 2, fields.SWSBSet(0)), syncNop(fields.SWSBDst(0))},
		thread.WaitVector: chain(8),
		thread.WaitScalar: chain(1),
		thread.WaitFlow:   {jumpNext(), jumpNext(), jumpNext()},
	} {
		a := charged(t, target.TGL, 4, p...)
		for w, n := range a.Alone {
			if thread.Wait(w) != want && n >= a.Alone[want] {
				t.Errorf("%v: %d cycles of it, %d of %v", want, a.Alone[want], n, thread.Wait(w))
			}
		}
	}
}

// TestAccountBound checks Account.Bound for a program limited by latency and for programs limited by a unit.
func TestAccountBound(t *testing.T) {
	threads := uint64(target.TGL.Limits.ThreadsPerEU)
	latent := charged(t, target.TGL, 4, load(30, 2, fields.SWSBSet(0)), syncNop(fields.SWSBDst(0)))
	if got, want := latent.Bound.Cycles(), latent.Alone.Cycles()/threads; got < want ||
		latent.Bound[thread.WaitSend] < latent.Alone[thread.WaitSend]/threads {
		t.Errorf("a load: %v alone, %v with others", latent.Alone, latent.Bound)
	}
	ports := charged(t, target.TGL, 64, load(30, 2, fields.SWSBSet(0)), load(31, 2, fields.SWSBSet(1)), load(32, 2, fields.SWSBSet(2)))
	c := &target.TGL.Costs[latency.Data]
	if got, want := ports.Bound.Cycles(), 3*uint64(c.Busy+c.BusyExec+8*c.BusyLine); got != want {
		t.Errorf("the data port is busy for %d cycles, want %d", got, want)
	}
}
