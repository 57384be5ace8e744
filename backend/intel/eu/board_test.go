// SPDX-License-Identifier: MIT

package eu

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// guarded returns a machine with a hardware scoreboard, for instructions that are not encoded.
func guarded() *target.Target {
	m := *target.TGL
	m.Has &^= target.SoftwareScoreboard | target.Atomics16 | target.SendOverlap
	return &m
}

// TestBoard pairs, for each rule of a hardware scoreboard, a program that violates it with a program that
// satisfies it. want is a part of the message; "" means no fault.
func TestBoard(t *testing.T) {
	// fill writes n dwords of r[d], beginning at dword first, with hints.
	fill := func(d, first, n uint8, clr, chk bool) isa.Inst {
		in := arith(isa.OpMov, n, dst(d, isa.TypeUD), imm(isa.TypeUD, 8))
		in.Dst.Sub, in.NoMask = 4*first, true
		in.NoDDClr, in.NoDDChk = clr, chk
		return in
	}
	with := func(in isa.Inst, f func(*isa.Inst)) isa.Inst { f(&in); return in }
	open := fill(10, 0, 4, true, false)
	middle := fill(10, 4, 2, true, true)
	end := fill(10, 6, 2, false, true)
	fence := isa.Inst{Op: isa.OpSend, ExecSize: 8, NoMask: true, SFID: isa.SFIDDC0, Desc: 0x0219E0FE,
		Dst: dst(30, isa.TypeUD), Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 0}, {File: isa.FileARF}}}
	signal := isa.Inst{Op: isa.OpSend, ExecSize: 1, NoMask: true, SFID: isa.SFIDGateway, Desc: 0x02000004,
		Dst: isa.Operand{File: isa.FileARF}, Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 0}, {File: isa.FileARF}}}
	toNull := func(r uint8) isa.Inst {
		return arith(isa.OpMov, 8, isa.Operand{File: isa.FileARF, Type: isa.TypeUD, HStride: 1}, packed(r, isa.TypeUD))
	}
	cr := func(change bool) isa.Inst {
		in := one(isa.OpOr, arfDst(isa.ARFCR0, 0, isa.TypeUD), arfScalar(isa.ARFCR0, 0, isa.TypeUD), imm(isa.TypeUD, 0x4C0))
		in.Switch = change
		return in
	}
	a0 := func(sub uint8, clr, chk bool) isa.Inst {
		in := one(isa.OpMov, arfDst(isa.ARFA0, sub, isa.TypeUD), imm(isa.TypeUD, 0x02106EFE))
		in.NoDDClr, in.NoDDChk = clr, chk
		return in
	}
	byRegister := with(load(20, 2, none), func(in *isa.Inst) { in.Desc, in.DescReg = 0, true })
	extended := func(ex uint64, sfid isa.SFID) []isa.Inst {
		set := one(isa.OpMov, arfDst(isa.ARFA0, 8, isa.TypeUD), imm(isa.TypeUD, ex))
		in := save(2, 20, none)
		in.ExDesc, in.ExDescReg = 0, true
		in.ExDescSub, in.SFID = 2, sfid
		return []isa.Inst{set, in}
	}
	ends := func(r uint8) isa.Inst {
		in := endThread()
		in.Src[0].Reg = r
		return in
	}
	for _, c := range []struct {
		name string
		p    []isa.Inst
		want string
	}{
		{"hardware waits for results in order", []isa.Inst{add(10, 2, none), add(11, 10, none), add(10, 11, none)}, ""},
		{"hardware waits for messages", []isa.Inst{load(10, 2, none), add(11, 10, none), load(12, 10, none), add(11, 2, none), add(12, 2, none)}, ""},
		{"hardware waits for math", []isa.Inst{inv(10, 2, none), add(2, 3, none), add(11, 10, none)}, ""},
		{"a field for waits", []isa.Inst{add(10, 2, fields.SWSBDist(1))}, "hardware maintains the scoreboard"},

		{"filled by two", []isa.Inst{open, fill(10, 4, 4, false, true), add(11, 10, none)}, ""},
		{"filled by three", []isa.Inst{open, middle, end, add(11, 10, none)}, ""},
		{"other registers between", []isa.Inst{open, add(12, 2, none), end, add(11, 10, none)}, ""},
		{"filled twice", []isa.Inst{open, end, open, end, add(11, 10, none)}, ""},
		{"read while open", []isa.Inst{open, add(11, 10, none)}, "reads r10 and waits forever"},
		{"read by a message while open", []isa.Inst{open, load(11, 10, none)}, "reads r10 and waits forever"},
		{"never closed but not touched", []isa.Inst{open}, ""},
		{"a write that looks while open", []isa.Inst{open, fill(10, 4, 4, false, false)}, "writes r10 and waits forever"},
		{"opened twice", []isa.Inst{open, fill(10, 4, 2, true, false)}, "writes r10 and waits forever"},
		{"the same bytes", []isa.Inst{open, fill(10, 2, 4, false, true)}, "writes bytes of r10 that were written since"},
		{"a middle over the first", []isa.Inst{open, middle, fill(10, 5, 2, false, true)}, "writes bytes of r10"},
		{"another register is closed", []isa.Inst{open, fill(9, 4, 4, false, true), add(11, 10, none)}, "reads r10 and waits forever"},

		{"no check after a response", []isa.Inst{load(10, 2, none), end}, "writes r10 without checking that the instruction at 0x0000"},
		{"no check after math", []isa.Inst{inv(10, 2, none), end}, "without checking that"},
		{"no check after a plain write", []isa.Inst{add(10, 2, none), end}, "has written it"},
		{"no check after a response that was read", []isa.Inst{load(10, 2, none), add(11, 10, none), end}, ""},
		{"no check after a response that was overwritten", []isa.Inst{load(10, 2, none), add(10, 2, none), add(11, 10, none), end}, ""},
		{"no check after a payload", []isa.Inst{save(2, 10, none), end}, "writes r10 without checking that the instruction at 0x0000"},
		{"no check after an address", []isa.Inst{load(20, 10, none), end}, "has read it"},
		{"no check after an address whose response was read", []isa.Inst{load(20, 10, none), add(21, 20, none), end}, ""},
		{"no check after a payload that was overwritten", []isa.Inst{save(2, 10, none), open, end}, ""},
		{"a payload while it is filled", []isa.Inst{open, end, load(20, 10, none), middle}, "has read it"},
		{"nobody at work", []isa.Inst{end, add(11, 10, none)}, ""},

		{"a predicated part", []isa.Inst{open, with(end, func(in *isa.Inst) { in.Pred = isa.PredNormal })}, "a predicated instruction has NoDDClr or NoDDChk"},
		{"a predicated start", []isa.Inst{with(open, func(in *isa.Inst) { in.Pred = isa.PredNormal }), end}, "a predicated instruction"},
		{"a message", []isa.Inst{with(load(10, 2, none), func(in *isa.Inst) { in.NoDDClr = true })}, "a message has NoDDClr"},
		{"math", []isa.Inst{with(inv(10, 2, none), func(in *isa.Inst) { in.NoDDChk = true })}, "a math instruction has NoDDClr"},
		{"an end without lanes", []isa.Inst{open, with(end, func(in *isa.Inst) { in.NoMask, in.ChanOff = false, 8 })}, "runs for no lane"},
		{"a start without lanes", []isa.Inst{with(open, func(in *isa.Inst) { in.NoMask, in.ChanOff = false, 8 }), end, add(11, 10, none)}, ""},

		{"a0 as a descriptor at once", []isa.Inst{a0(0, false, false), byRegister}, ""},
		{"a0 filled by two", []isa.Inst{a0(4, true, false), a0(0, false, true), byRegister}, ""},
		{"a0 read while open", []isa.Inst{a0(0, true, false), byRegister}, "reads a0 and waits forever"},

		{"cr0 with Switch", []isa.Inst{cr(true), add(10, 2, none)}, ""},
		{"cr0 without Switch", []isa.Inst{cr(false), add(10, 2, none)}, "names the control register without {Switch}"},

		{"a fence waited for", []isa.Inst{fence, toNull(30), signal, toNull(30)}, ""},
		{"a fence overwritten", []isa.Inst{fence, add(30, 2, none), signal}, ""},
		{"a fence before a barrier", []isa.Inst{fence, signal}, "nothing has waited for r30, the destination of the instruction at 0x0000"},
		{"a fence before the end", []isa.Inst{fence}, "nothing has waited for r30"},
		{"two fences, one waited for", []isa.Inst{fence, with(fence, func(in *isa.Inst) { in.Dst.Reg = 31 }), toNull(30), signal}, "nothing has waited for r31"},
		{"a fence in the answer of another", []isa.Inst{fence, fence, toNull(30), signal}, ""},

		{"an answer over its address", []isa.Inst{load(2, 2, none)}, ""},
		{"an answer over its address in r127", []isa.Inst{load(127, 127, none)}, "a response that ends in r127 overlaps the payload"},
		{"an answer in r127", []isa.Inst{load(127, 2, none)}, ""},
		{"parts of a payload that overlap", []isa.Inst{save(10, 10, none)}, "the two parts of the payload overlap"},
		{"the last message below r112", []isa.Inst{ends(111)}, "must be in r112 to r127"},
		{"the last message in r112", []isa.Inst{ends(112)}, ""},
		{"an atomic on words", []isa.Inst{with(save(2, 20, none), func(in *isa.Inst) { in.Desc = 0x0200D7FE })}, "no 16-bit atomics"},

		{"an extended descriptor with the shared function", extended(0x4C, isa.SFIDNull), ""},
		{"an extended descriptor that agrees", extended(0x4C, isa.SFIDDC1), ""},
		{"an extended descriptor for another", extended(0x4A, isa.SFIDDC1), "the instruction is for dc1, but its extended descriptor is for dc0"},
		{"an extended descriptor for nobody", extended(0x4F, isa.SFIDNull), "code 15, which no shared function has"},
		{"an extended descriptor without a length", extended(0x0C, isa.SFIDDC1), "the payload has 1 registers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range c.p {
				if c.name != "a field for waits" {
					c.p[i].SWSB = none
				}
			}
			b := benchOf(t, guarded(), 8, thread.HazardsStrict, c.p...)
			b.BarrierID, b.Group.Threads = 0, append(b.Group.Threads, nil) // a barrier that stays closed
			b.Flag[0] = 0xFF
			run(b.Thread, 1000)
			switch {
			case c.want == "" && b.Err != nil:
				t.Errorf("unexpected fault: %v", b.Err)
			case c.want != "" && (b.Err == nil || !strings.Contains(b.Err.Error(), c.want)):
				t.Errorf("got %v, want %q", b.Err, c.want)
			}
			off := benchOf(t, guarded(), 8, thread.HazardsOff, c.p...)
			off.BarrierID, off.Group.Threads = 0, append(off.Group.Threads, nil)
			run(off.Thread, 1000)
			if off.Err != nil && off.Err.Kind == thread.FaultHazard {
				t.Errorf("checked although switched off: %v", off.Err)
			}
		})
	}
}

// TestBoardCycles checks that the cycle estimate waits where hardware does: before a response is read or overwritten
// and before a payload is overwritten, and nowhere else.
func TestBoardCycles(t *testing.T) {
	cycles := func(p ...isa.Inst) uint64 {
		for i := range p {
			p[i].SWSB = none
		}
		b := benchOf(t, guarded(), 8, thread.HazardsStrict, p...)
		b.exec(t)
		return b.Clock.Now
	}
	free := cycles(load(10, 2, none), add(11, 3, none))
	read := cycles(load(10, 2, none), add(11, 10, none))
	over := cycles(load(10, 2, none), add(10, 3, none))
	payload := cycles(load(10, 2, none), add(2, 3, none))
	if free >= 50 || read <= free+50 || over != read || payload <= free || payload >= read {
		t.Errorf("%d cycles independent of a message, %d after its response, %d overwriting the response, %d overwriting its "+
			"payload", free, read, over, payload)
	}
}
