// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// xe2 returns a target like lnl that runs OpenCL kernels and has 64-bit types.
func xe2() *target.Target {
	m := *target.LNL
	m.ABI = abi.ZebinGen125
	m.Has |= target.Int64 | target.Float64
	return &m
}

// functions returns n math instructions that use other registers.
func functions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "math.inv (16|M0) r%d.0<1>:f r80.0<1;1,0>:f\n", 50+i)
	}
	return b.String()
}

// TestMathInOrder runs two programs for each scoreboard rule about math in order: the first violates the rule, the second
// satisfies it. want is a part of the message; "" means no fault.
func TestMathInOrder(t *testing.T) {
	const (
		inv2  = "math.inv (16|M0) r2.0<1>:f r3.0<1;1,0>:f\n"
		inv4  = "math.inv (16|M0) r4.0<1>:f r5.0<1;1,0>:f\n"
		f2    = "add (16|M0) r2.0<1>:f r3.0<1;1,0>:f 1.0:f\n"
		i2    = "add (16|M0) r2.0<1>:d r3.0<1;1,0>:d 1:w\n"
		readF = "mov (16|M0) r8.0<1>:f r2.0<1;1,0>:f "
		readI = "mov (16|M0) r8.0<1>:d r2.0<1;1,0>:d "
		overI = "mov (16|M0) r3.0<1>:d 0:w "
	)
	checkFaults(t, xe2(), 32, []faultCase{
		{"result of math", inv2 + readF, "needs M@1"},
		{"result of math, waited", inv2 + readF + "{M@1}", ""},
		{"result of math, all waited", inv2 + readF + "{A@1}", ""},
		{"result of math, another pipe waited", inv2 + f2 + readF + "{F@1}", "needs M@1"},
		{"source of math", "mov (16|M0) r3.0<1>:f 1.0:f\n" + inv2, "needs F@1"},
		{"source of math, waited", "mov (16|M0) r3.0<1>:f 1.0:f\n" + strings.TrimSpace(inv2) + " {F@1}\n", ""},
		{"over a source of math", inv2 + overI, "needs M@1"},
		{"over a source of math, waited", inv2 + overI + "{M@1}", ""},
		{"math over a source of math", inv2 + "math.sqt (16|M0) r3.0<1>:f r9.0<1;1,0>:f", ""},
		{"math over a result of math", inv2 + "math.sqt (16|M0) r2.0<1>:f r9.0<1;1,0>:f", "needs M@1"},
		{"another math between", inv2 + inv4 + readF + "{M@2}", ""},
		{"waits too far back", inv2 + inv4 + readF + "{M@3}", "needs M@2"},
		{"other pipes do not count for math", inv2 + "mov (16|M0) r9.0<1>:f 1.0:f\n" + readF + "{M@1}", ""},
		{"a message reads it", inv2 + "send.slm (16|M0) r8 r2 null:0 0x0 0x02100500 {$0}", "needs M@1"},
		{"a message reads it, waited", inv2 + "send.slm (16|M0) null r4 r2:1 0x0 0x02000504 {A@1,$0}", ""},
		{"old enough", inv2 + functions(18) + readF, ""},
		{"not old enough", inv2 + functions(17) + readF, "needs M@7"},
		{"32-bit products are integers", "mul (16|M0) acc0.0<1>:d r3.0<1;1,0>:d r4.0<2;1,0>:uw\n" + i2 + readF + "{I@1}", ""},
		{"64-bit integers are integers", "mov (16|M0) r2.0<1>:q r4.0<1;1,0>:d\n" + readF + "{I@1}", ""},
		{"64-bit integers are not long", "mov (16|M0) r2.0<1>:q r4.0<1;1,0>:d\n" + readF + "{L@1}", "needs I@1"},
		{"64-bit sources are integers", "mov (16|M0) r2.0<1>:q r4.0<1;1,0>:d\nadd (16|M0) r8.0<1>:q r2.0<1;1,0>:q r6.0<1;1,0>:q {@1}", ""},
		{"64-bit floats are long", "mov (16|M0) r2.0<1>:df r4.0<1;1,0>:d\n" + readF + "{I@1}", "needs L@1"},
		{"from a 64-bit float", "mov (16|M0) r2.0<1>:f r4.0<1;1,0>:df\n" + readI + "{F@1}", ""},
		{"another byte of a word", "mov (16|M0) r2.0<2>:ub 1:uw\nmov (16|M0) r2.1<2>:ub 1:uw", "needs I@1"},
		{"another byte of a word, waited", "mov (16|M0) r2.0<2>:ub 1:uw\nmov (16|M0) r2.1<2>:ub 1:uw {I@1}", ""},
		{"another word", "mov (1|M0) r2.0<2>:ub 1:uw\nmov (1|M0) r2.2<2>:ub 1:uw", ""},
		{"a token that only wide files have", "sync.nop null {$16.dst}", "there is no token $16 with 128 registers"},
	})
}

// TestFlagRegisters uses four flag registers, and predicates over all lanes of an instruction.
func TestFlagRegisters(t *testing.T) {
	const text = `cmp (16|M0) (lt)f3.1 null<1>:d r2.0<1;1,0>:d 5:w
(f3.1) mov (16|M0) r10.0<1>:d 1:w
(W) mov (1|M0) r11.0<1>:ud f3.0<0;1,0>:ud
(W) mov (1|M0) f2.0<1>:ud 0x10002:ud
(W) mov (16|M0) r12.0<1>:d 0:w
(f2.0.any) mov (16|M0) r12.0<1>:d 1:w {I@1}
(W) mov (16|M0) r13.0<1>:d 0:w
(f2.0.any) mov (16|M16) r13.0<1>:d 1:w {I@1}
(W) mov (16|M0) r14.0<1>:d 0:w
(f2.1.any) mov (1|M0) r14.0<1>:d 1:w {I@1}
(f2.0.any) mov (1|M0) r14.1<1>:d 1:w
(f2.0.all) mov (1|M0) r14.2<1>:d 1:w
(~f2.0.any) mov (1|M0) r14.3<1>:d 1:w
(W) mov (1|M0) f1.0<1>:ud 0xFFFF:ud
(W) mov (16|M0) r15.0<1>:d 0:w
(f1.0.all) mov (16|M0) r15.0<1>:d 1:w {I@1}
(W) mov (32|M0) r16.0<1>:d 0:w
(f1.0.all) mov (32|M0) r16.0<1>:d 1:w {I@1}
`
	b, _ := textOn(t, xe2(), 32, thread.HazardsStrict, text)
	for i := range 16 {
		b.setU(2, i, uint32(i))
		b.setU(10, i, 0)
	}
	b.exec(t)
	for i := range 16 {
		less := uint32(0)
		if i < 5 {
			less = 1
		}
		for k, want := range map[int]uint32{10: less, 12: 1, 13: 1, 15: 1, 16: 0, 17: 0} {
			if got := b.u(k, i); got != want {
				t.Errorf("r%d, lane %d: %d, want %d", k, i, got, want)
			}
		}
	}
	if got := b.u(11, 0); got != 0x1F0000 {
		t.Errorf("f3 is %#x", got)
	}
	for i, want := range []uint32{1, 0, 0, 1} {
		if got := b.u(14, i); got != want {
			t.Errorf("r14.%d: %d, want %d", i, got, want)
		}
	}
}

// TestAccumulatorLanes adds products of floats to the accumulator, which has 32 lanes of floats as two accumulators.
func TestAccumulatorLanes(t *testing.T) {
	b, _ := textOn(t, xe2(), 32, thread.HazardsStrict, `mad (32|M0) acc0.0<1>:f r2.0<1;0>:f r4.0<1;0>:f r6.0<1>:f
mac (32|M0) r10.0<1>:f r4.0<1;1,0>:f r8.0<1;1,0>:f
`)
	for i := range 64 {
		b.setF(2, i, float32(i)) // r2 and r3, r4 and r5
		b.setF(6, i, 2)          // r6 and r7, r8 and r9
	}
	b.exec(t)
	for i := range 32 {
		if got, want := b.f(10, i), float32(i+4*(32+i)); got != want {
			t.Errorf("lane %d: %g, want %g", i, got, want)
		}
	}
}

// TestLoadStoreXe2 runs messages of the load/store unit with registers of 64 bytes. Lane i has the address 4*i + base.
func TestLoadStoreXe2(t *testing.T) {
	const scratch = "(W) mov (1|M0) a0.2<1>:ud 0x100:ud\n" // bits 31:10 of r0.5, four bits lower
	for _, c := range []struct {
		name, text string
		base       uint64
		wide       bool
		check      func(t *testing.T, b *bench, data []byte)
	}{
		{"load.ugm.d32.a64 of 32 lanes", "send.ugm (32|M0) r30 r20 null:0 0x0 0x08200580 {$0}", mapAddr, true, func(t *testing.T, b *bench, data []byte) {
			for i := range 32 {
				if got, want := b.u(30, i), dw(data, 4*i); got != want {
					t.Errorf("lane %d: %#x, want %#x", i, got, want)
				}
			}
		}},
		{"load.ugm.d32x3.a32 of 16 lanes", "send.ugm (16|M0) r30 r20 null:0 0x3000000 0x62302500 {$0}", 0, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				for k := range 3 {
					if got, want := b.u(30+k, i), dw(data, 4*i+4*k); got != want {
						t.Errorf("lane %d, %d: %#x, want %#x", i, k, got, want)
					}
				}
			}
		}},
		{"load.ugm.d64.a64 of one lane", "(W) send.ugm (1|M0) r30 r20 null:0 0x0 0x04200780 {$0}", mapAddr + 8, true, func(t *testing.T, b *bench, data []byte) {
			if b.u(30, 0) != dw(data, 8) || b.u(30, 1) != dw(data, 12) {
				t.Errorf("%#x %#x", b.u(30, 0), b.u(30, 1))
			}
		}},
		{"load.ugm.d32x16t fills a register", "(W) send.ugm (1|M0) r30 r20 null:0 0xFF000000 0x6210D500 {$0}", lowAddr + 64, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 16 {
				if got, want := b.u(30, i), dw(data, 64+4*i); got != want {
					t.Errorf("dword %d: %#x, want %#x", i, got, want)
				}
			}
		}},
		{"load.ugm.d32x2t takes a register", "(W) send.ugm (1|M0) r30 r20 null:0 0x0 0x02109500 {$0}", lowAddr + 64, false, func(t *testing.T, b *bench, data []byte) {
			if b.u(30, 1) != dw(data, 68) {
				t.Errorf("%#x", b.u(30, 1))
			}
		}},
		{"offset of addresses", "send.ugm (16|M0) r30 r20 null:0 0x40000 0x04100580 {$0}", mapAddr, true, func(t *testing.T, b *bench, data []byte) {
			if got, want := b.u(30, 3), dw(data, 12+0x40); got != want {
				t.Errorf("%#x, want %#x", got, want)
			}
		}},
		{"negative offset", "send.ugm (16|M0) r30 r20 null:0 0x3FFC000 0x62100500 {$0}", 4, false, func(t *testing.T, b *bench, data []byte) {
			if got, want := b.u(30, 3), dw(data, 12); got != want {
				t.Errorf("%#x, want %#x", got, want)
			}
		}},
		{"store.ss of 32 lanes", scratch + "send.ugm (32|M0) null r20 r60:2 a0.2 0x44000504 {A@1,$0}", 64, false, func(t *testing.T, b *bench, _ []byte) {
			if got := dw(b.Scratch, 64+4*31); got != b.u(61, 15) {
				t.Errorf("%#x, want %#x", got, b.u(61, 15))
			}
		}},
		{"store.ss with an offset", scratch + "send.ugm (16|M0) null r20 r60:1 0x200000:a0.2 0x42000504 {A@1,$0}", 4, false, func(t *testing.T, b *bench, _ []byte) {
			if got := dw(b.Scratch, 4+0x40+4*3); got != b.u(60, 3) {
				t.Errorf("%#x, want %#x", got, b.u(60, 3))
			}
		}},
		{"load.ss with a negative offset", scratch + "(W) send.ugm (1|M0) r30 r20 null:0 0xFFF8C000:a0.2 0x4210D500 {A@1,$0}", 68, false, func(t *testing.T, b *bench, _ []byte) {
			if got, want := b.u(30, 2), dw(b.Scratch, 68-4+8); got != want {
				t.Errorf("%#x, want %#x", got, want)
			}
		}},
		{"load.bti", "(W) mov (1|M0) a0.2<1>:ud 0x3000000:ud\nsend.ugm (16|M0) r30 r20 null:0 a0.2 0x62100500 {A@1,$0}", 8, false, func(t *testing.T, b *bench, data []byte) {
			if got, want := b.u(30, 3), dw(data, 8+12); got != want {
				t.Errorf("%#x, want %#x", got, want)
			}
		}},
		{"store_quad of 32 lanes with an offset", "send.ugm (32|M0) null r20 r60:4 0x3080000 0x64003506 {$0}", 0, false, func(t *testing.T, b *bench, data []byte) {
			if got := dw(data, 128+4*31+4); got != b.u(63, 15) {
				t.Errorf("%#x, want %#x", got, b.u(63, 15))
			}
		}},
		{"atomic_iadd of 32 lanes", "send.ugm (32|M0) r30 r20 r60:2 0x3000000 0x6420050C {$0}", 0, false, func(t *testing.T, b *bench, data []byte) {
			for i := range 32 {
				old := uint32(i) * 0x01010101
				if b.u(30, i) != old || dw(data, 4*i) != old+b.u(60, i) {
					t.Errorf("lane %d: %#x becomes %#x", i, b.u(30, i), dw(data, 4*i))
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, data := textOn(t, xe2(), 32, thread.HazardsStrict, c.text)
			for i := range 32 {
				for r := 60; r < 64; r += 2 {
					b.setU(r, i, uint32(r<<8|i))
				}
				if a := uint64(4*i) + c.base; c.wide {
					binary.LittleEndian.PutUint64(b.Reg[20*b.Prog.GRF+8*i:], a)
				} else {
					b.setU(20, i, uint32(a))
				}
			}
			binary.LittleEndian.PutUint32(b.Start[20:], 0x1000) // the surface state of scratch space
			for i := range b.Scratch {
				b.Scratch[i] = byte(i)
			}
			b.exec(t)
			c.check(t, b, data)
		})
	}
}

// TestLoadStoreXe2Errors: lengths for registers of 32 bytes, and offsets that IGA does not take.
func TestLoadStoreXe2Errors(t *testing.T) {
	const move = "(W) mov (1|M0) a0.2<1>:ud "
	for _, c := range []struct{ text, want string }{
		{"send.ugm (16|M0) r30 r20 null:0 0x3000000 0x64200500 {$0}", "the payload has 2 registers, but the message takes 1"},
		{"send.ugm (32|M0) r30 r20 null:0 0x3000000 0x62100500 {$0}", "the payload has 1 registers, but the message takes 2"},
		{"(W) send.ugm (1|M0) r30 r20 null:0 0x3000000 0x6220D500 {$0}", "the response has 2 registers, but the message returns 1"},
		{"send.ugm (16|M0) r30 r20 null:0 0x3001000 0x62100500 {$0}", "is not a multiple of 4"},
		{"send.ugm (16|M0) r30 r20 null:0 0x3FFC000 0x62100500 {$0}", "has more than 32 bits"},
		{move + "0x80:ud\n" + "(W) send.ugm (1|M0) r30 r20 null:0 a0.2 0x4210D500 {A@1,$0}", "surface state 2 is not that of the scratch space, 4"},
		{move + "0x100:ud\n" + "(W) send.ugm (1|M0) r30 r20 null:0 0x1000:a0.2 0x4210D500 {A@1,$0}", "is not a multiple of 4"},
		{move + "0x3000000:ud\n" + "(W) send.ugm (1|M0) r30 r20 null:0 0x200000:a0.2 0x6210D500 {A@1,$0}", "only a surface state in a register has an offset"},
		{move + "0x3000000:ud\n" + "send.slm (16|M0) r30 r20 null:0 0x200000:a0.2 0x02100500 {ExBSO,A@1,$0}", "are not supported"},
	} {
		b, _ := textOn(t, xe2(), 32, thread.HazardsStrict, c.text)
		for i := range 32 {
			b.setU(20, i, 0)
		}
		binary.LittleEndian.PutUint32(b.Start[20:], 0x1000) // the surface state of scratch space
		run(b.Thread, 1000)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s\ngot %v, want %q", c.text, b.Err, c.want)
		}
	}
	if _, err := isatext.Assemble(isa.LNL, "math.inv (16|M0) r2.0<1>:f r3.0<1;1,0>:f {$0}"); err == nil {
		t.Error("math has a token")
	}
}
