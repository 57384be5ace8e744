// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// gen125 returns a target with the words and pipes of dg2, and with 64-bit integers, for the long pipe.
func gen125() *target.Target {
	m := *target.TGL
	m.Platform, m.ABI = isa.DG2, abi.ZebinGen125
	m.Has |= target.Pipes | target.Int64
	return &m
}

// text125 returns a bench of 16 lanes that runs instructions for dg2 and ends, with a surface at index 3, a mapping at
// mapAddr, and another at an address of 32 bits, lowAddr. Dword i of each is i * 0x01010101.
func text125(t *testing.T, rules thread.HazardRules, text string) (*bench, []byte) {
	t.Helper()
	return textOn(t, gen125(), 16, rules, text)
}

// textOn is text125 for a machine with the load/store unit and a number of lanes.
func textOn(t *testing.T, machine *target.Target, lanes int, rules thread.HazardRules, text string) (*bench, []byte) {
	t.Helper()
	end := fmt.Sprintf("\n(W) send.gtwy (%d|M0) null r127 null:0 0x0 0x02000000 {EOT}\n", machine.Registers.Bytes/4)
	code, err := isatext.Assemble(machine.Platform, text+end)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	b := benchOn(t, Load(machine, code), lanes, func(o *thread.Options) { o.Hazards = rules })
	return b, memory125(b)
}

// memory125 returns the memory of text125, after giving it to a bench.
func memory125(b *bench) []byte {
	data := make([]byte, 1024)
	for i := range len(data) / 4 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i)*0x01010101)
	}
	m := b.Group.Machine
	m.Surfaces = []*thread.Surface{nil, nil, nil, {Data: data}}
	m.Maps = []thread.Mapping{{Addr: lowAddr, Data: data}, {Addr: mapAddr, Data: data}}
	return data
}

const lowAddr = 0x40000

// TestPipes runs two programs for each scoreboard rule about pipes: the first violates the rule, the second satisfies it. want
// is a part of the message; "" means no fault.
func TestPipes(t *testing.T) {
	const (
		i2  = "add (8|M0) r2.0<1>:d r3.0<8;8,1>:d 4:w\n"
		i4  = "add (8|M0) r4.0<1>:d r5.0<8;8,1>:d 1:w\n"
		f2  = "add (8|M0) r2.0<1>:f r3.0<8;8,1>:f 1.0:f\n"
		f4  = "add (8|M0) r4.0<1>:f r5.0<8;8,1>:f 1.0:f\n"
		l2  = "mul (8|M0) r2.0<1>:q r4.0<8;8,1>:d r5.0<8;8,1>:w\n"
		if2 = "mov (8|M0) r8.0<1>:d r2.0<8;8,1>:f" // in the integer pipe; reads floats
		fi2 = "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:d"
	)
	checkFaults(t, gen125(), 16, []faultCase{
		{"float read by an integer instruction", f2 + if2, "needs F@1"},
		{"waits for floats", f2 + if2 + " {F@1}", ""},
		{"waits for integers only", f2 + if2 + " {I@1}", "needs F@1"},
		{"waits for all", f2 + if2 + " {A@1}", ""},
		{"waits for the pipe of its sources", f2 + if2 + " {@1}", ""},
		{"integers do not count for floats", f2 + i4 + if2 + " {F@1}", ""},
		{"another float between", f2 + f4 + if2 + " {F@1}", ""},
		{"waits for the one before", f2 + f4 + if2 + " {F@2}", ""},
		{"waits too far back", f2 + f4 + if2 + " {F@3}", "needs F@2"},
		{"all, too far back in one pipe", i2 + f4 + fi2 + " {A@2}", "needs I@1"},
		{"integer read by a float instruction", i2 + fi2, "needs I@1"},
		{"integer waited for by sources", i2 + fi2 + " {@1}", ""},
		{"long result", l2 + "mov (4|M0) r8.0<1>:d r2.0<4;4,1>:d", "needs L@1"},
		{"long result waited for", l2 + "mov (4|M0) r8.0<1>:d r2.0<4;4,1>:d {L@1}", ""},
		{"product of doublewords is long", "mul (8|M0) r2.0<1>:d r4.0<8;8,1>:d r5.0<8;8,1>:d\n" + fi2 + " {I@1}", "no 32-bit by 32-bit"},
		{"overwrites a source of its own pipe", i2 + "mov (8|M0) r3.0<1>:d r9.0<8;8,1>:d", ""},
		{"overwrites a source of another pipe", i2 + "mov (8|M0) r3.0<1>:f r9.0<8;8,1>:f", "before the instruction at 0x0000"},
		{"overwrites it after a wait", i2 + "mov (8|M0) r3.0<1>:f r9.0<8;8,1>:f {I@1}", ""},
		{"overwrites a result of its own pipe", i2 + "mov (8|M0) r2.0<1>:d r9.0<8;8,1>:d", "needs I@1"},
		{"overwrites a result of another pipe", i2 + "mov (8|M0) r2.0<1>:f r9.0<8;8,1>:f {F@1}", "needs I@1"},
		{"math waits for its sources' pipe", f2 + "math.inv (8|M0) r8.0<1>:f r2.0<8;8,1>:f {@1,$0}", ""},
		{"message waits for all pipes", i2 + "send.slm (8|M0) r8 r2 null:0 0x0 0x02100500 {A@1,$0}", ""},
		{"message without a wait", i2 + "send.slm (8|M0) r8 r2 null:0 0x0 0x02100500 {$0}", "needs I@1"},
		{"old enough in its pipe", f2 + strings.Repeat(f4[:len(f4)-1]+" {F@1}\n", 10) + if2, ""},
		{"not old enough in its pipe", f2 + strings.Repeat(i4[:len(i4)-1]+" {I@1}\n", 10) + if2, "needs F@1"},
		{"a fence before the end", "(W) send.ugm (1|M0) r9 r0 null:0 0x0 0x0210011F {$0}", "nothing has waited for r9"},
		{"a fence waited for", "(W) send.ugm (1|M0) r9 r0 null:0 0x0 0x0210011F {$0}\n(W) mov (8|M0) null<1>:ud r9.0<8;8,1>:ud {$0.dst}", ""},
	})
}

// faultCase is a program and a part of the message of its fault; "" means no fault.
type faultCase struct{ name, text, want string }

// checkFaults runs programs under the strict hazard rules.
func checkFaults(t *testing.T, machine *target.Target, lanes int, cases []faultCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b, _ := textOn(t, machine, lanes, thread.HazardsStrict, c.text)
			run(b.Thread, 1000)
			switch {
			case c.want == "" && b.Err != nil:
				t.Errorf("unexpected fault: %v", b.Err)
			case c.want != "" && (b.Err == nil || !strings.Contains(b.Err.Error(), c.want)):
				t.Errorf("got %v, want %q", b.Err, c.want)
			}
		})
	}
}

// TestLoadStore runs messages of the load/store unit. Lane i of r20 and r21 has the address 4*i, plus 8 for lanes from 8 on.
func TestLoadStore(t *testing.T) {
	address := func(lane int) int { return 4*lane + lane/8*8 }
	tests := []struct {
		name, text string
		base       uint64 // added to the addresses
		wide       bool   // the addresses have 64 bits
		check      func(t *testing.T, b *bench, data []byte)
	}{
		{"load.ugm.d32.a32 bti", "send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64200500 {$0}", 0, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				if got, want := b.u(30, i), dw(data, address(i)); got != want {
					t.Errorf("lane %d: %#x, want %#x", i, got, want)
				}
			}
		}},
		{"load.ugm.d32x3.a64", "send.ugm (8|M0) r30 r20 null:0 0x0 0x04302580 {$0}", mapAddr, true, func(t *testing.T, b *bench, data []byte) {
			for i := range 8 {
				for c := range 3 {
					if got, want := b.u(30+c, i), dw(data, address(i)+4*c); got != want {
						t.Errorf("lane %d, %d: %#x, want %#x", i, c, got, want)
					}
				}
			}
		}},
		{"load.ugm.d64.a64", "send.ugm (8|M0) r30 r20 null:0 0x0 0x04200780 {$0}", mapAddr - 4, true, nil},
		{"load_quad.ugm.xz bti", "send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64405502 {$0}", 0, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				if got, want := b.u(32, i), dw(data, address(i)+8); got != want {
					t.Errorf("lane %d: %#x, want %#x", i, got, want)
				}
			}
		}},
		{"load.ugm.d8u32 bti", "send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64200900 {$0}", 3, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				if got, want := b.u(30, i), uint32(data[address(i)+3]); got != want {
					t.Errorf("lane %d: %#x, want %#x", i, got, want)
				}
			}
		}},
		{"load.ugm.d16u32 bti", "send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64200B00 {$0}", 2, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				if got, want := b.u(30, i), uint32(binary.LittleEndian.Uint16(data[address(i)+2:])); got != want {
					t.Errorf("lane %d: %#x, want %#x", i, got, want)
				}
			}
		}},
		{"load.ugm.d32x16t.a32", "(W) send.ugm (1|M0) r30 r20 null:0 0x0 0x0220D500 {$0}", lowAddr + 64, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				if got, want := b.u(30, i), dw(data, 64+4*i); got != want {
					t.Errorf("dword %d: %#x, want %#x", i, got, want)
				}
			}
		}},
		{"store.ugm.d32x2 bti", "send.ugm (16|M0) null r20 r60:4 0x3000000 0x64001504 {$0}", 256, false, func(t *testing.T, b *bench, data []byte) {
			if got := dw(data, 256+address(15)+4); got != b.u(62, 15) {
				t.Errorf("%#x, want %#x", got, b.u(62, 15))
			}
		}},
		{"store.ugm.d8u32 bti", "send.ugm (16|M0) null r20 r60:2 0x3000000 0x64000904 {$0}", 256, false, func(t *testing.T, b *bench, data []byte) {
			if got := dw(data, 256+8); got != 2*0x01010101+64*0x01010101&^0xFF|b.u(60, 2)&0xFF {
				t.Errorf("%#x", got)
			}
		}},
		{"store_quad.ugm.xyzw bti", "send.ugm (16|M0) null r20 r60:8 0x3000000 0x6400F506 {$0}", 512, false, func(t *testing.T, b *bench, data []byte) {
			if got := dw(data, 512+address(15)+12); got != b.u(66, 15) {
				t.Errorf("%#x, want %#x", got, b.u(66, 15))
			}
		}},
		{"atomic_iadd.ugm.d32 bti", "send.ugm (16|M0) r30 r20 r60:2 0x3000000 0x6420050C {$0}", 0, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				want := uint32(address(i)/4) * 0x01010101
				if old, got := b.u(30, i), dw(data, address(i)); old != want || got != want+b.u(60, i) {
					t.Errorf("lane %d: %#x becomes %#x, want %#x", i, old, got, want+b.u(60, i))
				}
			}
		}},
		{"atomic_fadd.ugm.d32 bti, no result", "send.ugm (16|M0) null r20 r60:2 0x3000000 0x64000513 {$0}", 0, false, func(t *testing.T, b *bench, data []byte) {
			want := math.Float32frombits(5*0x01010101) + b.f(60, 5)
			if got := math.Float32frombits(dw(data, 20)); got != want {
				t.Errorf("%g, want %g", got, want)
			}
		}},
		{"atomic_icas.slm", "send.slm (16|M0) r30 r20 r60:4 0x0 0x04200512 {$0}", 0, false, func(t *testing.T, b *bench, _ []byte) {
			if got := dw(b.Group.Slm, 12); got != b.u(62, 3) {
				t.Errorf("%#x, want %#x", got, b.u(62, 3))
			}
		}},
		{"atomic_iinc.slm", "send.slm (16|M0) null r20 null:0 0x0 0x04000508 {$0}", 0, false, func(t *testing.T, b *bench, _ []byte) {
			if got := dw(b.Group.Slm, 12); got != b.u(60, 3)+1 {
				t.Errorf("%#x, want %#x", got, b.u(60, 3)+1)
			}
		}},
		{"store.slm.d32x8t", "(W) send.slm (1|M0) null r20 r60:1 0x0 0x0200C504 {$0}", 32, false, func(t *testing.T, b *bench, _ []byte) {
			if got := dw(b.Group.Slm, 32+28); got != b.u(60, 7) {
				t.Errorf("%#x, want %#x", got, b.u(60, 7))
			}
		}},
		{"store.ugm.ss to scratch", "(W) mov (1|M0) a0.1<1>:ud 0x1080:ud\nsend.ugm (16|M0) null r20 r60 a0.1 0x44000504 {A@1,$0}", 0, false,
			func(t *testing.T, b *bench, _ []byte) {
				if got := dw(b.Scratch, address(9)); got != b.u(61, 1) {
					t.Errorf("%#x, want %#x", got, b.u(61, 1))
				}
			}},
		{"load.ugm.ss from scratch, with a length", "(W) mov (1|M0) a0.1<1>:ud 0x100:ud\n" +
			"(W) send.ugm (1|M0) r30 r20 null:0 a0.1 0x4210C500 {ExBSO,A@1,$0}", 0, false, func(t *testing.T, b *bench, _ []byte) {
			if got := b.u(30, 1); got != dw(b.Scratch, 4) {
				t.Errorf("%#x, want %#x", got, dw(b.Scratch, 4))
			}
		}},
		{"outside of a surface", "send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64200500 {$0}", 1024 - 8, false, func(t *testing.T, b *bench, data []byte) {
			if b.u(30, 1) != dw(data, 1020) || b.u(30, 2) != 0 || b.Stats.Memory.LoadsOutOfBounds != 14 {
				t.Errorf("%#x, %#x, %d loads out of bounds", b.u(30, 1), b.u(30, 2), b.Stats.Memory.LoadsOutOfBounds)
			}
		}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			b, data := text125(t, thread.HazardsStrict, c.text)
			binary.LittleEndian.PutUint32(b.Start[20:], 0x1000) // the surface state of scratch space
			for i := range b.Scratch {
				b.Scratch[i] = byte(i)
			}
			for i := range 16 {
				for r := 60; r < 68; r += 2 {
					b.setU(r, i, uint32(r<<8|i))
				}
				binary.LittleEndian.PutUint32(b.Group.Slm[address(i):], b.u(60, i))
				a := uint64(address(i)) + c.base
				if c.wide && i < 8 {
					binary.LittleEndian.PutUint64(b.Reg[20*grfSize+8*i:], a)
				} else if !c.wide {
					b.setU(20, i, uint32(a))
				}
			}
			run(b.Thread, 1000)
			if c.check == nil {
				if b.Err == nil || !strings.Contains(b.Err.Error(), "not aligned to 8 bytes") {
					t.Errorf("got %v", b.Err)
				}
				return
			}
			if b.Err != nil {
				t.Fatal(b.Err)
			}
			c.check(t, b, data)
		})
	}
}

// TestLoadStoreErrors: messages that the load/store unit does not have, or whose lengths are wrong.
func TestLoadStoreErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"send.ugm (16|M0) r30 r20 null:0 0x3000000 0x62200500 {$0}", "the payload has 1 registers, but the message takes 2"},
		{"send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64100500 {$0}", "the response has 1 registers, but the message returns 2"},
		{"send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64200580 {$0}", "addresses of size 3 are not possible here"},
		{"send.ugm (16|M0) r30 r20 null:0 0x3040000 0x64200500 {$0}", "no offset in the extended descriptor"},
		{"send.ugm (16|M0) r30 r20 null:0 0x40000 0x04200580 {$0}", "no offset in the extended descriptor"},
		{"send.slm (16|M0) r30 r20 null:0 0x3000000 0x64200500 {$0}", "shared memory has no surface"},
		{"send.ugm (16|M0) r30 r20 null:0 0x3000000 0x6420D500 {$0}", "a transposed message has one lane"},
		{"send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64405900 {$0}", "a lane has at most 8 elements"},
		{"send.ugm (32|M0) r30 r20 null:0 0x3000000 0x64200500 {$0}", "at most 16 lanes, not 32"},
		{"send.ugm (16|M0) r30 r20 null:0 0x0 0x0420058B {$0}", "the payload has 2 registers, but the message takes 6"},
		{"send.ugm (16|M0) r30 r20 null:0 0x0 0x04200581 {$0}", "operation 1 of the load/store unit is not supported"},
		{"(W) mov (1|M0) a0.1<1>:ud 0x2000:ud\nsend.ugm (16|M0) r30 r20 null a0.1 0x44200500 {A@1,$0}", "is not that of the scratch space"},
		{"(W) mov (1|M0) r9.2<1>:ud 0x5040000:ud\n(W) send.gtwy (1|M0) null r9 null:0 0x0 0x02000004 {A@1,$0}", "different numbers of threads"},
	} {
		b, _ := text125(t, thread.HazardsStrict, c.text)
		run(b.Thread, 1000)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s\ngot %v, want %q", c.text, b.Err, c.want)
		}
	}
}

// TestEndFence: on dg2, a thread that ends must have sent a fence after its last atomic of buffers without a result.
func TestEndFence(t *testing.T) {
	const (
		dropped = "send.ugm (16|M0) null r20 r22:2 0x3000000 0x6404050C {$0}\n"
		kept    = "send.ugm (16|M0) r30 r20 r22:2 0x3000000 0x6424050C {$0}\n"
		shared  = "send.slm (16|M0) null r20 r22:2 0x0 0x0404050C {$0}\n"
		fence   = "(W) send.ugm (1|M0) null r0 null:0 0x0 0x0200651F {$1}\n"
		end     = "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000000 {EOT}\n"
	)
	for _, c := range []struct {
		text string
		fine bool
	}{
		{dropped + end, false}, {dropped + fence + end, true}, {fence + dropped + end, false}, {kept + end, true}, {shared + end, true},
	} {
		code, err := isatext.Assemble(isa.DG2, c.text)
		if err != nil {
			t.Fatal(err)
		}
		b := benchOn(t, Load(target.DG2, code), 16, func(o *thread.Options) { o.Hazards = thread.HazardsLenient })
		b.Group.Machine.Surfaces = []*thread.Surface{nil, nil, nil, {Data: make([]byte, 64)}}
		b.Group.Slm = make([]byte, 64)
		for i := range 16 {
			b.setU(20, i, uint32(4*i))
		}
		run(b.Thread, 1000)
		if msg := fmt.Sprint(b.Err); c.fine != (b.Err == nil) || !c.fine && !strings.Contains(msg, "no fence of the load/store unit") {
			t.Errorf("%sgot %s, want it to be fine: %v", c.text, msg, c.fine)
		}
	}
}

// TestThreeInputs tests sums of three operands and functions of three bits.
func TestThreeInputs(t *testing.T) {
	b, _ := text125(t, thread.HazardsStrict, `add3 (8|M0) r30.0<1>:d r20.0<8;1>:d -r21.0<8;1>:d 7:w
		bfn.0xCA (8|M0) r31.0<1>:ud r20.0<8;1>:ud r21.0<8;1>:ud r22.0<1>:ud
		bfn.0x1E (8|M0) r32.0<1>:ud r20.0<8;1>:ud r21.0<8;1>:ud r22.0<1>:ud`)
	x, y, z := uint32(0x0FF01234), uint32(0xA5A5F0F0), uint32(0x3C3CCC33)
	for i := range 8 {
		b.setU(20, i, x)
		b.setU(21, i, y)
		b.setU(22, i, z)
	}
	b.exec(t)
	for r, want := range map[int]uint32{30: x - y + 7, 31: x&^z | y&z, 32: (x | y) ^ z} {
		if got := b.u(r, 3); got != want {
			t.Errorf("r%d is %#x, want %#x", r, got, want)
		}
	}
}
