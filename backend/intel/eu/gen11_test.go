// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

const end11 = "(W) send (8|M0) null:ud r127:ud 0x27 0x02000000 {EOT}\n"

// assembled returns a program assembled by Intel's assembler.
func assembled(t testing.TB, machine *target.Target, text string) *thread.Program {
	t.Helper()
	oracle.Need(t, "iga64")
	code, said, err := oracle.IGA{Platform: machine.Platform.IGA()}.Assemble(t, text)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, said, text)
	}
	return Load(machine, code)
}

// TestGen11Arithmetic runs operands of all forms, as the assembler encodes them. Initially, lane i of r2, r3
// and r4 is i, i+10 and i+100; r5, r6 and r7 hold the same as floats, and r8 holds i as 16-bit floats.
func TestGen11Arithmetic(t *testing.T) {
	f := func(v float32) uint32 { return math.Float32bits(v) }
	for _, c := range []struct {
		text string
		want func(i int) uint32 // dword i of r20
	}{
		{"mad (8|M0) r20.0<1>:f r5.0<8;1>:f r6.0<8;1>:f r7.0<1>:f", func(i int) uint32 { return f(float32(i + (i+10)*(i+100))) }},
		{"mad (8|M0) r20.0<1>:f r5.3<0;0>:f r6.1<0;0>:f -r7.0<1>:f", func(i int) uint32 { return f(float32(3 - 11*(i+100))) }},
		{"mad (8|M0) r20.0<1>:d r2.0<2;1>:d r3.0<4;1>:w 3:w", func(i int) uint32 { // words of r3: low and high halves of its dwords
			return uint32(i + 3*[]int{10, 0, 11, 0, 12, 0, 13, 0}[i])
		}},
		{"mad (8|M0) r20.0<1>:d 7:w r3.0<8;1>:d 3:w", func(i int) uint32 { return uint32(7 + 3*(i+10)) }},
		{"mad (8|M0) r20.0<1>:d r2.0<4;2>:w r3.2<0;0>:d 3:w", func(i int) uint32 { // every other word, two to a row
			return uint32(i + 3*12)
		}},
		{"(W) mov (8|M0) acc0.0<1>:f r6.0<8;8,1>:f\nmad (8|M0) r20.0<1>:f r5.0<8;1>:f acc0.0<8;1>:f r7.0<1>:f", func(i int) uint32 {
			return f(float32(i + (i+10)*(i+100)))
		}},
		{"mad (8|M0) r20.0<2>:hf r8.0<8;1>:hf r8.0<8;1>:hf r8.0<1>:hf", func(i int) uint32 { return uint32(thread.Round16(float64(i+i*i), thread.RoundNearest)) }},
		{"csel (8|M0) (lt)f0.0 r20.0<1>:f r5.0<8;1>:f r6.0<8;1>:f -r5.0<1>:f", func(i int) uint32 { return f(float32([]int{10, 1, 2, 3, 4, 5, 6, 7}[i])) }},
		{"bfe (8|M0) r20.0<1>:ud r3.7<0;0>:ud r2.0<8;1>:ud r4.0<1>:ud", func(i int) uint32 { return uint32(i+100) >> i }},
		{"bfi2 (8|M0) r20.0<1>:ud r4.0<8;1>:ud r3.0<8;1>:ud r2.0<1>:ud", func(i int) uint32 {
			m, low := uint32(i+100), uint32(0)
			for m>>low&1 == 0 {
				low++
			}
			return uint32(i+10)<<low&m | uint32(i)&^m
		}},
		{"rol (8|M0) r20.0<1>:ud r4.0<8;8,1>:ud 28:uw", func(i int) uint32 { return uint32(i+100)<<28 | uint32(i+100)>>4 }},
		{"ror (8|M0) r20.0<1>:ud r4.0<8;8,1>:ud r2.0<8;8,1>:ud", func(i int) uint32 { return uint32(uint64(i+100) * (1<<32 + 1) >> i) }},
		{"mul (8|M0) acc0.0<1>:d r4.0<8;8,1>:d r3.0<16;8,2>:uw\nmach (8|M0) r20.0<1>:d r4.0<8;8,1>:d r3.0<8;8,1>:d {AccWrEn}\nmov (8|M0) r20.0<1>:d acc0.0<8;8,1>:d",
			func(i int) uint32 { return uint32((i + 100) * (i + 10)) }},
		{"addc (8|M0) r20.0<1>:ud r2.0<8;8,1>:ud 0xFFFFFFFE:ud {AccWrEn}\nmov (8|M0) r20.0<1>:ud acc0.0<8;8,1>:ud", func(i int) uint32 { return b2i(i >= 2) }},
		{"cmp (8|M0) (ge)f1.1 null<1>:d r2.0<8;8,1>:d 5:w\n(f1.1) mov (8|M0) r20.0<1>:d -1:w\n(~f1.1) mov (8|M0) r20.0<1>:d 1:w", func(i int) uint32 {
			return 1 - 2*b2i(i >= 5)
		}},
		{"sel (8|M0) (lt)f0.0 r20.0<1>:d r2.0<8;8,1>:d 4:w", func(i int) uint32 { return uint32(min(i, 4)) }},
		{"mov (8|M0) r9.0<1>:w 0x76543210:v\nmov (8|M0) r20.0<1>:d r9.0<8;8,1>:w", func(i int) uint32 { return uint32(i) }},
		{"mov (8|M0) r9.0<1>:w 0xF:v\nmov (8|M0) r20.0<1>:d r9.0<8;8,1>:w", func(i int) uint32 { return -b2i(i == 0) }},
		{"mov (8|M0) r9.0<1>:uw 0xFEDCBA98:uv\nmov (8|M0) r20.0<1>:ud r9.0<8;8,1>:uw", func(i int) uint32 { return uint32(8 + i) }},
		{"mov (8|M0) r20.0<1>:f 0x30000000:vf", func(i int) uint32 { return f([]float32{0, 0, 0, 1}[i%4]) }},
		{"mov (8|M0) r20.0<1>:hf r5.0<8;8,1>:f\nmov (8|M0) r20.0<1>:f r20.0<8;8,1>:hf", func(i int) uint32 { return f(float32(i)) }},
		{"mov (8|M0) r20.0<1>:d r3.0<4;4,1>:ub", func(i int) uint32 { return []uint32{10, 0, 0, 0, 11, 0, 0, 0}[i] }},
		{"mov (8|M0) r20.0<4>:ub r2.0<8;8,1>:d\nand (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xFF:ud", func(i int) uint32 { return uint32(i) }},
		{"math.inv (8|M0) r20.0<1>:f r6.0<8;8,1>:f", func(i int) uint32 { return f(1 / float32(i+10)) }},
		{"math.fdiv (8|M0) r20.0<1>:f r5.0<8;8,1>:f r6.0<8;8,1>:f", func(i int) uint32 { return f(float32(i) / float32(i+10)) }},
		{"math.iqot (8|M0) r20.0<1>:d r4.0<8;8,1>:d r3.0<8;8,1>:d", func(i int) uint32 { return uint32((i + 100) / (i + 10)) }},
		// Addresses: byte 96 is the start of r3.
		{"(W) mov (1|M0) a0.5<1>:uw 128:uw\nmov (8|M0) r20.0<1>:d r[a0.5,-32]<8;8,1>:d", func(i int) uint32 { return uint32(i + 10) }},
		{"shl (8|M0) r9.0<1>:uw r2.0<8;8,1>:d 2:w\nadd (8|M0) a0.0<1>:uw r9.0<8;8,1>:uw 96:uw\nmov (8|M0) r20.0<1>:d r[a0.0]<1,0>:d", func(i int) uint32 { return uint32(i + 10) }},
		{"(W) mov (1|M0) a0.11<1>:uw 608:uw\nmov (8|M0) r[a0.11,32]<1>:d r3.0<8;8,1>:d", func(i int) uint32 { return uint32(i + 10) }},
		// A register filled by three instructions.
		{"(W) mov (4|M0) r20.0<1>:d 1:w {NoDDClr}\n(W) mov (2|M0) r20.4<1>:d 2:w {NoDDClr,NoDDChk}\n(W) mov (2|M0) r20.6<1>:d 3:w {NoDDChk}", func(i int) uint32 {
			return []uint32{1, 1, 1, 1, 2, 2, 3, 3}[i]
		}},
		// jmpi counts from the next instruction; other branches count from themselves.
		{"(W) jmpi L48\nmov (8|M0) r20.0<1>:d 1:w\nmov (8|M0) r20.0<1>:d 2:w\nL48:\nmov (8|M0) r2.0<1>:d 2:w", func(int) uint32 { return 0 }},
		{"cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 3:w\n(f0.0) if (8|M0) L64 L96\nmov (8|M0) r20.0<1>:d 1:w\nelse (8|M0) L96 L96\nL64:\nmov (8|M0) r20.0<1>:d 2:w\nL96:\nendif (8|M0) L112\nL112:\nnop",
			func(i int) uint32 { return 2 - b2i(i < 3) }},
		{"L0:\nadd (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w\ncmp (8|M0) (lt)f0.0 null<1>:d r20.0<8;8,1>:d r2.0<8;8,1>:d\n(f0.0) while (8|M0) L0", func(i int) uint32 { return uint32(max(i, 1)) }},
	} {
		b := benchOn(t, assembled(t, target.ICL, c.text+"\n"+end11), 8)
		for i := range 8 {
			for k, v := range []int{i, i + 10, i + 100} {
				b.setU(2+k, i, uint32(v))
				b.setF(5+k, i, float32(v))
			}
			binary.LittleEndian.PutUint16(b.Reg[8*grfSize+2*i:], thread.Round16(float64(i), thread.RoundNearest))
		}
		run(b.Thread, 1000)
		if b.Err != nil || !b.Ended {
			t.Errorf("%s: %v", c.text, b.Err)
			continue
		}
		for i := range 8 {
			if got, want := b.u(20, i), c.want(i); got != want {
				t.Errorf("%s: lane %d is %#x, want %#x", c.text, i, got, want)
			}
		}
	}
}

func b2i(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// TestGen11Messages runs messages with one and two payloads, with descriptors in the instruction and in a0.
// Dword i of the surface is i times 01010101h. r10 holds the addresses of the surface's first dwords, r30 their
// 64-bit addresses, r4 the data to store.
func TestGen11Messages(t *testing.T) {
	const read = "\nsend (8|M0) r20:ud r10:ud 0xC 0x02106E03"
	element := func(i int) uint32 { return uint32(i) * 0x01010101 }
	stored := func(i int) uint32 { return uint32(i + 100) }
	for _, c := range []struct {
		name, text string
		want       func(i int) uint32 // dword i of r20
	}{
		{"read", read, element},
		{"read, descriptor in a0", "(W) mov (1|M0) a0.0<1>:ud 0x02106E03:ud\nsend (8|M0) r20:ud r10:ud 0xC a0.0", element},
		{"write of two payloads", "sends (8|M0) null:ud r10:ud r4:ud 0x4C 0x02026E03" + read, stored},
		{"write of one payload", "mov (8|M0) r11.0<1>:d r4.0<8;8,1>:d\nsend (8|M0) null:ud r10:ud 0xC 0x04026E03" + read, stored},
		{"write, descriptors in a0", "(W) mov (1|M0) a0.0<1>:ud 0x02026E03:ud\n(W) mov (1|M0) a0.2<1>:ud 0x4C:ud\nsends (8|M0) null:ud r10:ud r4:ud a0.2 a0.0" + read, stored},
		{"read of two components", "send (8|M0) r19:ud r10:ud 0xC 0x02206C03", func(i int) uint32 { return element(i + 1) }},
		{"atomic sum", "sends (8|M0) r21:ud r10:ud r4:ud 0x4C 0x0210B703\nadd (8|M0) r21.0<1>:d r21.0<8;8,1>:d r4.0<8;8,1>:d" + read + "\nxor (8|M0) r20.0<1>:d r20.0<8;8,1>:d r21.0<8;8,1>:d",
			func(int) uint32 { return 0 }},
		{"atomic maximum of floats", "sends (8|M0) r20:ud r10:ud r4:ud 0x4C 0x0216F103", element},
		{"words", "send (8|M0) r20:ud r10:ud 0xA 0x02110403", func(i int) uint32 { return element(i) & 0xFFFF }},
		{"block", "(W) mov (8|M0) r40.0<1>:ud 0x0:ud\n(W) mov (1|M0) r40.2<1>:ud 1:uw\n(W) send (8|M0) r20:ud r40:ud 0xA 0x02180203", func(i int) uint32 { return element(i + 4) }},
		{"scratch", "sends (8|M0) null:ud r0:ud r4:ud 0x4A 0x020F0001\nsend (8|M0) r20:ud r0:ud 0xA 0x021C0001", stored},
		{"64-bit addresses", "send (8|M0) r20:ud r30:ud 0xC 0x041401FF", element},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := benchOn(t, assembled(t, target.ICL, c.text+"\n"+end11), 8)
			data := make([]byte, 256)
			for i := range 64 {
				binary.LittleEndian.PutUint32(data[4*i:], element(i))
			}
			b.Group.Machine.Surfaces = []*thread.Surface{nil, nil, nil, {Data: data}}
			b.Group.Machine.Maps = []thread.Mapping{{Addr: mapAddr, Data: data}}
			b.setU(0, 5, b.ScratchBase)
			for i := range 8 {
				b.setU(4, i, stored(i))
				b.setU(10, i, uint32(4*i))
				binary.LittleEndian.PutUint64(b.Reg[30*grfSize+8*i:], mapAddr+uint64(4*i))
			}
			run(b.Thread, 1000)
			if b.Err != nil || !b.Ended {
				t.Fatal(b.Err)
			}
			for i := range 8 {
				if got, want := b.u(20, i), c.want(i); got != want {
					t.Errorf("lane %d is %#x, want %#x", i, got, want)
				}
			}
		})
	}
}

// The parts of the exchange program for Gen11; see met.
const (
	store11 = `
(W)	shl (1|M0)	r10.0<1>:ud	r1.6<0;1,0>:ud	2:w
(W)	mov (1|M0)	r11.0<1>:ud	r1.6<0;1,0>:ud
(W)	sends (1|M0)	null:ud	r10:ud	r11:ud	0x4C	0x02026EFE
`
	fence11  = "(W) send (8|M0) r12:ud r0:ud 0xA 0x0219E0FE\n"
	stall11  = "(W) mov (8|M0) null<1>:ud r12.0<8;8,1>:ud\n"
	signal11 = `
(W)	and (8|M0)	r13.0<1>:ud	r0.2<0;1,0>:ud	0x7F000000:ud
(W)	send (1|M0)	null:ud	r13:ud	0x3	0x02000004
`
	wait11  = "(W) wait (1|M0) n0.0:ud\n"
	fetch11 = `
(W)	add (1|M0)	r14.0<1>:ud	r1.6<0;1,0>:ud	1:w
(W)	and (1|M0)	r14.0<1>:ud	r14.0<0;1,0>:ud	3:w
(W)	shl (1|M0)	r14.0<1>:ud	r14.0<0;1,0>:ud	2:w
(W)	send (1|M0)	r15:ud	r14:ud	0xC	0x02106EFE
(W)	sends (1|M0)	null:ud	r10:ud	r15:ud	0x4C	0x02026E00
(W)	mov (8|M0)	r127.0<1>:ud	r0.0<8;8,1>:ud
`
)

// TestGen11Barrier has four threads store their index to shared memory, wait for each other, and store to the surface the
// number that the next thread wrote.
func TestGen11Barrier(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		kind             thread.FaultKind
	}{
		{"barrier", store11 + fence11 + stall11 + signal11 + wait11 + fetch11, "", 0},
		{"two barriers", store11 + signal11 + wait11 + fence11 + stall11 + signal11 + wait11 + fetch11, "", 0},
		{"work between signal and wait", store11 + fence11 + stall11 + signal11 + stall11 + wait11 + fetch11, "", 0},
		{"no barrier", store11 + fence11 + stall11 + fetch11, "since the last barrier", thread.FaultRace},
		{"nobody waits for the barrier", store11 + fence11 + stall11 + signal11 + fetch11, "since the last barrier", thread.FaultRace},
		{"nobody waits for the fence", store11 + fence11 + signal11 + wait11 + fetch11, "nothing has waited for r12", thread.FaultHazard},
		{"a fence after the barrier", store11 + signal11 + wait11 + fence11 + stall11 + fetch11, "without a fence before the last barrier", thread.FaultRace},
		{"a fence after the signal", store11 + signal11 + fence11 + stall11 + wait11 + fetch11, "without a fence before the last barrier", thread.FaultRace},
		{"a fence of other memory", store11 + strings.ReplaceAll(fence11, "E0FE", "E000") + stall11 + signal11 + wait11 + fetch11, "without a fence before the last barrier", thread.FaultRace},
		{"a fence that does not answer", store11 + "(W) send (8|M0) null:ud r0:ud 0xA 0x0209C0FE\n" + signal11 + wait11 + fetch11, "", 0},
		{"nobody signals", store11 + wait11 + fetch11, "a barrier that the thread has not signalled", thread.FaultBarrier},
		{"one signal, two waits", store11 + signal11 + wait11 + wait11 + fetch11, "a barrier that the thread has not signalled", thread.FaultBarrier},
		{"another register", store11 + signal11 + "(W) wait (1|M0) n0.1:ud\n" + fetch11, "no notifications are modeled for n0.1", thread.FaultUnsupported},
		{"another barrier", store11 + strings.ReplaceAll(signal11, "0x7F000000", "0x70000000") + wait11 + fetch11, "the barrier message names barrier", thread.FaultMessage},
	} {
		t.Run(c.name, func(t *testing.T) {
			met(t, target.ICL, c.text+end11, 2, thread.HazardsStrict, c.want, c.kind)
		})
	}
}

// met runs a program for some workgroups of 32 invocations at SIMD8. The threads of a group meet at a barrier,
// and each must see the value that the next one wrote, unless want is the text of an expected fault.
func met(t *testing.T, machine *target.Target, text string, groups uint32, rules thread.HazardRules, want string, kind thread.FaultKind) {
	t.Helper()
	p := assembled(t, machine, text)
	for _, o := range []thread.Options{{}, {Slice: 1, Seed: 9}, {Slice: 3, Seed: 4}} {
		o.Races, o.Hazards, o.Account = true, rules, new(thread.Account)
		data := make([]byte, 64)
		d := &thread.Dispatch{Program: p, SIMD: 8, Groups: [3]uint32{groups, 1, 1}, LocalSize: [3]uint32{32, 1, 1}, SLMSize: 64,
			Surfaces: []*thread.Surface{{Data: data}}, Payload: ComputePayload(machine.ABI, nil), Options: o}
		_, err := Run(context.Background(), d)
		if want != "" {
			if f, ok := err.(*thread.Fault); !ok || f.Kind != kind || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: got %v, want %q", o, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			if got := binary.LittleEndian.Uint32(data[4*i:]); got != uint32(i+1)%4 {
				t.Errorf("%+v: thread %d saw %d", o, i, got)
			}
		}
		if o.Account.Alone.Cycles() == 0 || o.Account.Alone[thread.WaitSync] == 0 {
			t.Errorf("%v cycles are estimated", o.Account.Alone)
		}
	}
}

// TestGen11Hints checks that the assembler's hints reach the rules of TestBoard.
func TestGen11Hints(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw {Switch}", ""},
		{"(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw", "without {Switch}"},
		{"(W) mov (4|M0) r20.0<1>:d 1:w {NoDDClr}\nadd (8|M0) r21.0<1>:d r20.0<8;8,1>:d 1:w", "reads r20 and waits forever"},
		{"send (8|M0) r20:ud r10:ud 0xC 0x02106EFE\n(W) mov (4|M0) r20.0<1>:d 1:w {NoDDChk}", "writes r20 without checking"},
		{"send (8|M0) r20:ud r10:ud 0xC 0x02106EFE\n(W) mov (4|M0) r20.0<1>:d 1:w", ""},
		{"(f0.0) mov (4|M0) r20.0<1>:d 1:w {NoDDClr}", "a predicated instruction has NoDDClr"},
		{"(W) send (8|M0) null:ud r90:ud 0x27 0x02000000 {EOT}", "must be in r112 to r127"},
	} {
		b := benchOn(t, assembled(t, target.ICL, c.text+"\n"+end11), 8)
		run(b.Thread, 1000)
		if (c.want == "") != (b.Err == nil) || b.Err != nil && !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, b.Err, c.want)
		}
	}
}

// TestGen11Threads checks that a workgroup has at most 56 threads.
func TestGen11Threads(t *testing.T) {
	p := assembled(t, target.ICL, end11)
	for n, want := range map[uint32]bool{56: true, 57: false} {
		_, err := Run(context.Background(), &thread.Dispatch{Program: p, SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{8 * n, 1, 1}})
		if (err == nil) != want {
			t.Errorf("%d threads: %v", n, err)
		}
	}
}
