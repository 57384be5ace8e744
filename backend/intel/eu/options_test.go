// SPDX-License-Identifier: MIT

package eu

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

func TestUndefined(t *testing.T) {
	run := func(undefined bool, p ...isa.Inst) error {
		d := &thread.Dispatch{Program: FromInsts(target.TGL, append(p, syncNop(fields.SWSBDist(1)), endThread())), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{8, 1, 1},
			Payload: ComputePayload(abi.JacquardCS, make([]byte, 40)), SLMSize: 64, Options: thread.Options{Undefined: undefined}}
		_, err := Run(context.Background(), d)
		return err
	}
	last := arith(isa.OpMov, 8, dst(127, isa.TypeD), packed(0, isa.TypeD))
	// r0 to r3 are the payload: header, push data, 40 bytes of constants.
	for r := uint8(0); r < 5; r++ {
		err := run(true, last, add(10, r, fields.SWSBDist(1)))
		if (err != nil) != (r == 4) {
			t.Errorf("reading r%d: %v", r, err)
		}
	}
	if err := run(true, last, add(10, 1, none), add(11, 10, fields.SWSBDist(1)),
		load(20, 11, fields.SWSBDist(1)|fields.SWSBSet(0))); err != nil && strings.Contains(err.Error(), "never written") {
		t.Error(err)
	}
	if err := run(true, last, load(20, 30, fields.SWSBSet(0))); err == nil ||
		!strings.Contains(err.Error(), "reads r30, which was never written") {
		t.Errorf("payload of a send: %v", err)
	}
	// A copy of an unwritten register counts as unwritten, unless it sets flags or its destination is not a general
	// register.
	undefined := arith(isa.OpMov, 8, dst(10, isa.TypeD), packed(30, isa.TypeD))
	if err := run(true, last, undefined); err != nil {
		t.Errorf("a copy: %v", err)
	}
	if err := run(true, last, undefined, add(11, 10, fields.SWSBDist(1))); err == nil ||
		!strings.Contains(err.Error(), "reads r10, which was never written") {
		t.Errorf("use of a copy: %v", err)
	}
	flags := undefined
	flags.CMod = isa.CModNE
	if err := run(true, last, flags); err == nil || !strings.Contains(err.Error(), "reads r30, which was never written") {
		t.Errorf("flags of a copy: %v", err)
	}
	if err := run(true, last, one(isa.OpMov, arfDst(isa.ARFF0, 0, isa.TypeUD), scalar(30, 0, isa.TypeUD))); err == nil ||
		!strings.Contains(err.Error(), "reads r30, which was never written") {
		t.Errorf("a copy to a flag register: %v", err)
	}
	if err := run(false, last, add(10, 4, none)); err != nil {
		t.Errorf("switched off: %v", err)
	}
	// An instruction whose predicate is false for all lanes may read undefined registers.
	for _, flag := range []uint64{0, 1 << 3} {
		set := one(isa.OpMov, arfDst(isa.ARFF0, 0, isa.TypeUD), imm(isa.TypeUD, flag))
		read := add(10, 30, fields.SWSBDist(1))
		read.Pred = isa.PredNormal
		if err := run(true, last, set, read); (err != nil) != (flag != 0) {
			t.Errorf("with the flag %#x: %v", flag, err)
		}
	}
}

// TestAddresses checks that an unmasked message, which uses the addresses of all lanes, faults if a masked
// instruction computed them in a thread with inactive lanes.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		name             string
		noMask, sendMask bool
		lanes            uint32
		want             bool
	}{
		{"all lanes run", false, false, 8, false},
		{"computed under the mask", false, false, 5, true},
		{"computed without a mask", true, false, 5, false},
		{"sent under the mask", false, true, 5, false},
	} {
		addr := arith(isa.OpMov, 8, dst(10, isa.TypeUD), imm(isa.TypeUD, 0))
		addr.NoMask = c.noMask
		send := load(20, 10, fields.SWSBDist(1)|fields.SWSBSet(0))
		send.NoMask = !c.sendMask
		last := arith(isa.OpMov, 8, dst(127, isa.TypeD), packed(0, isa.TypeD))
		last.NoMask = true
		for _, on := range []bool{false, true} {
			d := &thread.Dispatch{Program: FromInsts(target.TGL, []isa.Inst{addr, send, last, syncNop(fields.SWSBDist(1)), endThread()}), SIMD: 8, Groups: [3]uint32{1, 1, 1},
				LocalSize: [3]uint32{c.lanes, 1, 1}, SLMSize: 64, Options: thread.Options{Addresses: on}}
			_, err := Run(context.Background(), d)
			if got := err != nil; got != (c.want && on) {
				t.Errorf("%s, on %v: %v", c.name, on, err)
			} else if got && !strings.Contains(err.Error(), "the address of lane 5 was never written") {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

func TestPoison(t *testing.T) {
	for _, poison := range []bool{false, true} {
		data := make([]byte, 32)
		p := []isa.Inst{arith(isa.OpShl, 8, dst(10, isa.TypeUD), scalar(1, 24, isa.TypeUD), imm(isa.TypeUW, 2)), save(10, 50, fields.SWSBDist(1)|fields.SWSBSet(0)), endThread()}
		p[1].Desc &^= 0xFF
		d := &thread.Dispatch{Program: FromInsts(target.TGL, p), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{1, 1, 1},
			Payload: ComputePayload(abi.JacquardCS, nil), Surfaces: []*thread.Surface{{Data: data}},
			Options: thread.Options{Poison: poison}}
		if _, err := Run(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]byte{false: 0, true: thread.PoisonByte}[poison]; data[0] != want {
			t.Errorf("poison %v: %x", poison, data[0])
		}
	}
}

func TestTrace(t *testing.T) {
	var b bytes.Buffer
	d, _ := groupDispatch([]isa.Inst{add(10, 1, none), endThread()}, thread.Options{Trace: &b})
	if _, err := Run(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 2*2*4 {
		t.Errorf("%d lines", n)
	}
	if !strings.HasPrefix(b.String(), "[0 0 0] thread 0 0x0000 lanes 000000ff flags 00000000 00000000: add (8|M0) r10.0<1>:d") {
		t.Error(b.String())
	}
}

// TestCycles compares the estimates of programs, which must include the cost of waits.
func TestCycles(t *testing.T) {
	cycles := func(p ...isa.Inst) uint64 {
		d := &thread.Dispatch{Program: FromInsts(target.TGL, append(p, endThread())), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{8, 1, 1},
			SLMSize: 64, Payload: ComputePayload(abi.JacquardCS, nil),
			Options: thread.Options{Hazards: thread.HazardsLenient, Account: new(thread.Account)}}
		if _, err := Run(context.Background(), d); err != nil {
			t.Fatal(err)
		}
		return d.Options.Account.Alone.Cycles()
	}
	empty := cycles()
	one := cycles(add(10, 2, none)) - empty
	four := cycles(add(10, 2, none), add(11, 2, none), add(12, 2, none), add(13, 2, none)) - empty
	chain := cycles(add(10, 2, none), add(11, 10, fields.SWSBDist(1)), add(12, 11, fields.SWSBDist(1)),
		add(13, 12, fields.SWSBDist(1))) - empty
	if one != 2 || four != 8 || chain != 3*10+2 {
		t.Errorf("one %d, four %d, chain of four %d; want 2, 8, 32", one, four, chain)
	}
	loose := cycles(load(10, 2, fields.SWSBSet(0)))
	waited := cycles(load(10, 2, fields.SWSBSet(0)), syncNop(fields.SWSBDst(0)))
	if loose-empty > 10 || waited-empty < 100 {
		t.Errorf("a load %d, waited for %d", loose-empty, waited-empty)
	}
	if v := cycles(inv(10, 2, fields.SWSBSet(0)), inv(11, 2, fields.SWSBSet(1)), inv(12, 2, fields.SWSBSet(2))) - empty; v < 10 {
		t.Errorf("three math instructions in %d cycles", v)
	}
}

func TestStaticCounts(t *testing.T) {
	p := FromInsts(target.TGL, []isa.Inst{add(10, 2, none), {Op: isa.OpNop, ExecSize: 1}, syncNop(none), load(10, 2, fields.SWSBSet(0)), {Op: isa.OpWhile, ExecSize: 8, JIP: -16}, endThread(), {Op: isa.OpIllegal, ExecSize: 1}})
	if got, want := p.Static(), (thread.StaticCounts{Instructions: 4, Sends: 2, Loops: 1, Bytes: 96}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
