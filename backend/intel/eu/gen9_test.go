// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

const end9 = "(W) send (8|M0) null:ud r127:ud 0x27 0x02000010 {EOT}\n"

// gen9 returns the target skl with 64-bit types, which programs compiled for skl do not use.
func gen9() *target.Target {
	m := *target.SKL
	m.Has |= target.Int64 | target.Float64
	return &m
}

// gen9Bench returns a thread of a program. Initially, lane i of r2, r3 and r4 is i, i+10 and i+100; r5, r6 and
// r7 hold the same as floats; r8 holds i and then i+10 as 16-bit floats; r12 and r13 hold i-3 as 64-bit
// integers; r14 and r15 hold i+2^33, four to a register; r16 and r17 hold i/4 as 64-bit floats.
func gen9Bench(t *testing.T, text string) *bench {
	return gen9BenchOf(t, assembled(t, gen9(), text+"\n"+end9))
}

func gen9BenchOf(t *testing.T, p *thread.Program) *bench {
	b := benchOn(t, p, 8)
	for i := range 8 {
		for k, v := range []int{i, i + 10, i + 100} {
			b.setU(2+k, i, uint32(v))
			b.setF(5+k, i, float32(v))
		}
		for k := range 2 {
			binary.LittleEndian.PutUint16(b.Reg[8*grfSize+2*(i+8*k):], thread.Round16(float64(i+10*k), thread.RoundNearest))
		}
		b.put(12, i, 8, uint64(i-3))
		b.put(14, i, 8, uint64(i)+1<<33)
		b.put(16, i, 8, math.Float64bits(float64(i)/4))
	}
	return b
}

// TestGen9Arithmetic runs operands and operations that Gen9 has and Gen11 lacks, as the assembler encodes them.
func TestGen9Arithmetic(t *testing.T) {
	f := math.Float32bits
	half := func(v float64) uint32 { return uint32(thread.Round16(v, thread.RoundNearest)) }
	for _, c := range []struct {
		text string
		want func(i int) uint32 // dword i of r20
	}{
		// Three-source words are Align16: vectors, and scalars selected by dword.
		{"mad (8|M0) r20.0<1>:f r5.0<2;1>:f r6.0<2;1>:f r7.0<1>:f", func(i int) uint32 { return f(float32(i + (i+10)*(i+100))) }},
		{"mad (8|M0) r20.0<1>:f r5.3<0;0>:f r6.1<0;0>:f -r7.0<1>:f", func(i int) uint32 { return f(float32(3 - 11*(i+100))) }},
		{"mad (8|M0) r20.0<1>:f r5.7<0;0>:f (abs)r6.0<2;1>:f r7.5<0>:f", func(i int) uint32 { return f(float32(7 + (i+10)*105)) }},
		{"mad (4|M0) r20.4<1>:f r5.4<2;1>:f r6.0<2;1>:f r7.0<1>:f\nmov (4|M0) r20.0<1>:f r20.4<4;4,1>:f", func(i int) uint32 {
			return f(float32(i%4 + 4 + (i%4+10)*(i%4+100)))
		}},
		{"mad (8|M0) r20.0<1>:hf r8.0<2;1>:hf r8.0<2;1>:hf r8.0<1>:hf", func(i int) uint32 { // two to a dword
			v := func(k int) uint32 { return half(float64(k + k*k)) }
			if i >= 4 {
				return 0
			}
			return v(2*i) | v(2*i+1)<<16
		}},
		{"csel (8|M0) (lt)f0.0 r20.0<1>:f r5.0<2;1>:f r6.0<2;1>:f -r5.0<1>:f", func(i int) uint32 { return f(float32([]int{10, 1, 2, 3, 4, 5, 6, 7}[i])) }},
		{"bfe (8|M0) r20.0<1>:ud r3.7<0;0>:ud r2.0<2;1>:ud r4.0<1>:ud", func(i int) uint32 { return uint32(i+100) >> i }},
		{"bfe (8|M0) r20.0<1>:d r2.2<0;0>:d r2.1<0;0>:d r4.0<1>:d", func(i int) uint32 { return uint32(int32(uint32(i+100)>>1<<30) >> 30) }},
		{"mov (8|M0) r9.0<1>:ud 3:uw\nbfi1 (8|M0) r9.0<1>:ud r9.0<8;8,1>:ud r2.0<8;8,1>:ud\nbfi2 (8|M0) r20.0<1>:ud r9.0<2;1>:ud r3.0<2;1>:ud r4.0<1>:ud", func(i int) uint32 {
			return uint32(i+10)&7<<i | uint32(i+100)&^(7<<i)
		}},
		// Products of doublewords, and 64-bit types.
		{"mul (8|M0) r20.0<1>:d r4.0<8;8,1>:d -r3.0<8;8,1>:d", func(i int) uint32 { return uint32(-(i + 100) * (i + 10)) }},
		{"mul (8|M0) r20.0<1>:ud r4.0<8;8,1>:ud 0xFFFFFFFF:ud", func(i int) uint32 { return -uint32(i + 100) }},
		{"mul (4|M0) r18.0<1>:q r4.0<4;4,1>:d -2147483648:d\nmov (4|M0) r20.0<1>:d r18.1<8;4,2>:d\nmov (4|M0) r20.4<1>:d r18.0<8;4,2>:d", func(i int) uint32 {
			return uint32(int64(i%4+100) * -(1 << 31) >> (32 * b2i(i < 4)))
		}},
		{"mul (8|M0) r18.0<1>:uq r4.0<8;8,1>:ud 0xFFFFFFFF:ud\nmov (8|M0) r20.0<1>:ud r18.1<16;8,2>:ud", func(i int) uint32 { return uint32(uint64(i+100) * math.MaxUint32 >> 32) }},
		{"add (8|M0) r18.0<1>:q r12.0<4;4,1>:q r14.0<4;4,1>:q\nshr (8|M0) r20.0<1>:d r18.0<4;4,1>:uq 3:w", func(i int) uint32 { return uint32((int64(2*i-3) + 1<<33) >> 3) }},
		{"add (8|M0) r18.0<1>:q r12.0<4;4,1>:q r4.0<8;8,1>:ud\nmov (8|M0) r20.0<1>:d r18.0<4;4,1>:q", func(i int) uint32 { return uint32(2*i + 97) }},
		{"shl (8|M0) r18.0<1>:q r12.0<4;4,1>:q r3.0<8;8,1>:d\nasr (8|M0) r18.0<1>:q r18.0<4;4,1>:q 4:w\nmov (8|M0) r20.0<1>:d r18.0<4;4,1>:q", func(i int) uint32 {
			return uint32(int64(i-3) << (i + 10) >> 4)
		}},
		{"cmp (8|M0) (lt)f0.0 null<1>:q r12.0<4;4,1>:q 0:w\n(f0.0) sel (8|M0) r20.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d", func(i int) uint32 { return uint32(i + 100 - 90*int(b2i(i < 3))) }},
		{"cmp (8|M0) (lt)f0.0 null<1>:uq r12.0<4;4,1>:uq r14.0<4;4,1>:uq\n(f0.0) sel (8|M0) r20.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d", func(i int) uint32 { return uint32(i + 100 - 90*int(b2i(i >= 3))) }},
		{"sel (8|M0) (lt)f0.0 r18.0<1>:uq r14.0<4;4,1>:uq 0xFFFFFFFF:ud\nmov (8|M0) r20.0<1>:ud r18.0<4;4,1>:uq", func(i int) uint32 { return math.MaxUint32 }},
		{"sel (8|M0) (ge)f0.0 r18.0<1>:q -r12.0<4;4,1>:q (abs)r12.0<4;4,1>:q\nmov (8|M0) r20.0<1>:d r18.0<4;4,1>:q", func(i int) uint32 { return uint32(max(i-3, 3-i)) }},
		{"mov (8|M0) r18.0<1>:df r5.0<8;8,1>:f\nmul (8|M0) r18.0<1>:df r18.0<4;4,1>:df r16.0<4;4,1>:df\nmov (8|M0) r20.0<1>:f r18.0<4;4,1>:df", func(i int) uint32 { return f(float32(i*i) / 4) }},
		{"add (4|M0) r18.0<1>:df r16.0<4;4,1>:df r17.3<0;1,0>:df\nmov (4|M0) r20.0<1>:d r18.0<4;4,1>:df\nmov (4|M0) r20.4<1>:d r18.0<4;4,1>:df", func(i int) uint32 { return uint32(i%4+7) / 4 }},
		{"(W) mov (1|M0) r18.0<1>:df 0x3FF8000000000000:df\nmov (8|M0) r20.0<1>:f r18.0<0;1,0>:df", func(int) uint32 { return f(1.5) }},
		{"(W) mov (1|M0) r18.0<1>:q 0x123456789ABCDEF0:q\nmov (8|M0) r20.0<1>:ud r18.1<0;1,0>:ud", func(int) uint32 { return 0x12345678 }},
		// Predicates that combine the same bits of both flag registers.
		{"cmp (8|M0) (lt)f0.1 null<1>:d r2.0<8;8,1>:d 2:w\ncmp (8|M0) (gt)f1.1 null<1>:d r2.0<8;8,1>:d 5:w\nmov (8|M0) r20.0<1>:d 0:w\n(f0.1.anyv) mov (8|M0) r20.0<1>:d 1:w", func(i int) uint32 { return b2i(i < 2 || i > 5) }},
		{"cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 6:w\ncmp (8|M0) (gt)f1.0 null<1>:d r2.0<8;8,1>:d 2:w\nmov (8|M0) r20.0<1>:d 0:w\n(~f0.0.allv) mov (8|M0) r20.0<1>:d 1:w", func(i int) uint32 { return b2i(i <= 2 || i >= 6) }},
		// A forward goto takes the lanes whose predicate is false.
		{"cmp (8|M0) (lt)f0.0 null<1>:d r2.0<8;8,1>:d 3:w\nmov (8|M0) r20.0<1>:d 1:w\n(f0.0) goto (8|M0) L64 L64\nmov (8|M0) r20.0<1>:d 2:w\nL64:\njoin (8|M0) L80\nL80:\nnop",
			func(i int) uint32 { return 1 + b2i(i < 3) }},
		{"mov (8|M0) r20.0<1>:d 1:w\ngoto (8|M0) L48 L48\nmov (8|M0) r20.0<1>:d 2:w\nL48:\njoin (8|M0) L64\nL64:\nnop", func(i int) uint32 { return 2 }},
		// Bytes 0, 4, 8 … of r3 and r4 are i+10 and i+100, the others zero.
		{"(W) sad2 (16|M0) r20.0<1>:uw r3.0<16;16,1>:ub r4.0<16;16,1>:ub\nand (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xFFFF:ud", func(i int) uint32 { return 90 * b2i(i%2 == 0) }},
		{"(W) mov (16|M0) acc0.0<1>:w 7:w\n(W) sada2 (16|M0) r20.0<1>:uw r3.0<16;16,1>:ub r4.0<16;16,1>:ub\nand (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud 0xFFFF:ud", func(i int) uint32 {
			return 7 + 90*b2i(i%2 == 0)
		}},
	} {
		b := gen9Bench(t, c.text)
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

// TestGen9Swizzles checks swizzles and write masks of Align16 words. iga64 rejects them, so the test changes
// bits 72:65, 93:86, 114:107 and 52:49 of the words that it generates.
func TestGen9Swizzles(t *testing.T) {
	const (
		mad   = "mad (8|M0) r20.0<1>:f r5.0<2;1>:f r6.0<2;1>:f r7.0<1>:f"
		fours = "(W) mad (4|M0) r20.0<1>:f r5.0<2;1>:f r6.0<2;1>:f r7.0<1>:f"
		flags = "mad (8|M0) (gt)f0.0 r20.0<1>:f r5.0<2;1>:f r6.0<2;1>:f -r7.0<1>:f"
		other = 7 // the initial value
	)
	of := func(i, a, b, c int) float32 { // indices of elements within each group of four
		i &^= 3
		return float32(i + a + (i+b+10)*(i+c+100))
	}
	for _, c := range []struct {
		name, text, word string
		want             func(i int) float32 // lane i of r20
	}{
		{"src1 .yyyw", mad, "01C7200C354051C8141E00000060015B", func(i int) float32 { return of(i, i&3, []int{1, 1, 1, 3}[i&3], i&3) }},
		{"src0 .wzyx, src2 .xxxx", mad, "01C0000C39005036141E00000060015B", func(i int) float32 { return of(i, 3-i&3, i&3, 0) }},
		{"dst .xz", mad, "01C7200C390051C8140A00000060015B", func(i int) float32 {
			if i%2 != 0 {
				return other
			}
			return of(i, i&3, i&3, i&3)
		}},
		{"nothing written", mad, "01C7200C390051C8140000000060015B", func(int) float32 { return other }},
		{"dst .z of four lanes, src1 .zxwy", fours, "01C7200C1C8051C8140800040040015B", func(i int) float32 {
			if i != 2 {
				return other
			}
			return of(i, 2, 3, 2)
		}},
		{"flags of dst .yz", flags + "\n(~f0.0) mov (8|M0) r20.0<1>:f 9.0:f", "01C7200C39005036140C04000360015B", func(i int) float32 {
			if i&3 == 1 || i&3 == 2 {
				return 9
			}
			return other
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			oracle.Need(t, "iga64")
			text := "mov (8|M0) r20.0<1>:f 7.0:f\n(W) mov (1|M0) f0.0<1>:uw 0xFFFF:uw\n" + c.text + "\n" + end9
			code, said, err := oracle.IGA{Platform: gen9().Platform.IGA()}.Assemble(t, text)
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			word, err := hex.DecodeString(c.word)
			if err != nil {
				t.Fatal(err)
			}
			slices.Reverse(word)
			copy(code[2*isa.InstSize:], word)
			b := gen9BenchOf(t, Load(gen9(), code))
			run(b.Thread, 100)
			if b.Err != nil || !b.Ended {
				t.Fatal(b.Err)
			}
			for i := range 8 {
				if got := math.Float32frombits(b.u(20, i)); got != c.want(i) {
					t.Errorf("lane %d is %v, want %v", i, got, c.want(i))
				}
			}
		})
	}
}

// TestGen9Planes: pln adds the products of a plane's first two numbers and the coordinates u and v, which alternate for each
// eight lanes, to its last number, in this order and with one rounding each.
func TestGen9Planes(t *testing.T) {
	const (
		sixteen = "mov (8|M0) r30.0<1>:f r6.0<8;8,1>:f\nmov (8|M0) r31.0<1>:f r7.0<8;8,1>:f\n" +
			"mov (8|M0) r32.0<1>:f r7.0<8;8,1>:f\nmov (8|M0) r33.0<1>:f r6.0<8;8,1>:f\n"
		upper = "\nmov (8|M0) r20.0<1>:f r21.0<8;8,1>:f"
		tiny  = "mov (8|M0) r30.0<1>:f 0x33800000:f\nmov (8|M0) r31.0<1>:f 0x33800000:f\n" + // 2⁻²⁴
			"mov (4|M0) r5.0<1>:f 1.0:f\n"
		order = "mov (8|M0) r30.0<1>:f -1.0:f\nmov (8|M0) r31.0<1>:f 0x30800000:f\n" + // 2⁻³⁰
			"mov (4|M0) r5.0<1>:f 1.0:f\n"
	)
	u, v := func(i int) float32 { return float32(i + 10) }, func(i int) float32 { return float32(i + 100) }
	for _, c := range []struct {
		name, text string
		want       func(i int) float32
	}{
		{"8 lanes", "pln (8|M0) r20.0<1>:f r5.0<0;1,0>:f r6.0<8;8,1>:f", func(i int) float32 { return v(i) + 3 }},
		{"second half", "pln (8|M0) r20.0<1>:f r5.4<0;1,0>:f r6.0<8;8,1>:f", func(i int) float32 { return 4*u(i) + 5*v(i) + 7 }},
		{"lower of 16 lanes", sixteen + "(W) pln (16|M0) r20.0<1>:f r5.4<0;1,0>:f r30.0<8;8,1>:f",
			func(i int) float32 { return 4*u(i) + 5*v(i) + 7 }},
		{"upper of 16 lanes", sixteen + "(W) pln (16|M0) r20.0<1>:f r5.4<0;1,0>:f r30.0<8;8,1>:f" + upper,
			func(i int) float32 { return 4*v(i) + 5*u(i) + 7 }},
		{"saturated", "pln (8|M0) (sat)r20.0<1>:f r5.4<0;1,0>:f r6.0<8;8,1>:f", func(int) float32 { return 1 }},
		{"predicated", "mov (8|M0) r20.0<1>:f 9.0:f\n(W) mov (1|M0) f0.0<1>:uw 0x0F:uw\n" +
			"(f0.0) pln (8|M0) r20.0<1>:f r5.4<0;1,0>:f r6.0<8;8,1>:f", func(i int) float32 {
			if i > 3 {
				return 9
			}
			return 4*u(i) + 5*v(i) + 7
		}},
		{"condition", "pln (8|M0) (gt)f0.0 null<1>:f r5.4<0;1,0>:f r6.0<8;8,1>:f\nmov (8|M0) r20.0<1>:f 0.0:f\n" +
			"(f0.0) mov (8|M0) r20.0<1>:f 1.0:f", func(int) float32 { return 1 }},
		{"two roundings", tiny + "pln (8|M0) r20.0<1>:f r5.0<0;1,0>:f r30.0<8;8,1>:f", func(int) float32 { return 1 }},
		{"order", order + "pln (8|M0) r20.0<1>:f r5.0<0;1,0>:f r30.0<8;8,1>:f", func(int) float32 { return 0x1p-30 }},
		{"over its own coordinates", sixteen + "(W) pln (16|M0) r30.0<1>:f r5.4<0;1,0>:f r30.0<8;8,1>:f\nmov (8|M0) r20.0<1>:f r31.0<8;8,1>:f",
			func(i int) float32 { return 4*v(i) + 5*u(i) + 7 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := gen9Bench(t, c.text)
			run(b.Thread, 100)
			if b.Err != nil || !b.Ended {
				t.Fatal(b.Err)
			}
			for i := range 8 {
				if got := math.Float32frombits(b.u(20, i)); got != c.want(i) {
					t.Errorf("lane %d is %v, want %v", i, got, c.want(i))
				}
			}
		})
	}
}

// TestGen9Refused checks the faults for operations that Gen9 lacks and for undocumented ones.
func TestGen9Refused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"mad (8|M0) r20.0<1>:d r2.0<2;1>:d r3.0<2;1>:d r4.0<1>:d", "mad"},
		{"csel (8|M0) (lt)f0.0 r20.0<1>:d r2.0<2;1>:d r3.0<2;1>:d r4.0<1>:d", "csel"},
		{"pln (4|M0) r20.0<1>:f r5.0<0;1,0>:f r6.0<4;4,1>:f", "pln has 8 or 16 lanes, not 4"},
		{"pln (8|M0) r20.0<1>:hf r5.0<0;1,0>:f r6.0<8;8,1>:f", "pln takes and returns floats"},
		{"pln (8|M0) r20.0<1>:f r5.2<0;1,0>:f r6.0<8;8,1>:f", "source 0 of pln is not the first of four doublewords"},
		{"pln (8|M0) r20.0<1>:f r5.0<8;8,1>:f r6.0<8;8,1>:f", "source 0 of pln is not the first of four doublewords"},
		{"pln (8|M0) r20.0<1>:f r5.0<0;1,0>:f r6.1<8;8,1>:f", "source 1 of pln is not a packed register"},
		{"pln (8|M0) r20.0<1>:f r5.0<0;1,0>:f r6.0<0;1,0>:f", "source 1 of pln is not a packed register"},
		{"pln (16|M0) r20.0<1>:f r5.0<0;1,0>:f r125.0<8;8,1>:f", "source 1 ends past the last register"},
		{"pln (8|M0) r20.0<2>:f r5.0<0;1,0>:f r6.0<8;8,1>:f", "the destination of pln is not packed"},
		{"line (8|M0) r20.0<1>:f r5.0<0;1,0>:f r6.0<8;8,1>:f", "how line rounds is not documented"},
		{"dp4 (8|M0) r20.0<1>:f r5.0<8;8,1>:f r6.0<8;8,1>:f", "dp4 takes vectors, which Align16 has"},
		{"mul (4|M0) r20.0<1>:q r12.0<4;4,1>:q r12.0<4;4,1>:q", "multiplies integers of at most 32 bits"},
		{"mul (8|M0) acc0.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d", "the contents of the accumulator"},
		{"mov (8|M0) r20.0<1>:q r8.0<8;8,1>:hf", "type hf and a 64-bit type"},
		{"sad2 (1|M0) r20.0<1>:uw r3.0<0;1,0>:ub r4.0<0;1,0>:ub", "takes pairs of bytes"},
		{"(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:uw", "without {Switch}"},
		{"send (8|M0) r127:ud r127:ud 0xC 0x02106EFE", "a response that ends in r127 overlaps the payload"},
		{"mov (8|M0) r10.0<1>:ud 0x0:ud\nsend (8|M0) r12:ud r0:ud 0xA 0x0219E0FE", "fences of this machine serve all memory"},
	} {
		b := gen9Bench(t, c.text)
		run(b.Thread, 1000)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, b.Err, c.want)
		}
	}
}

// TestGen9Blocks checks which lanes a block write stores, and the units of offsets in reads of the constant
// cache.
func TestGen9Blocks(t *testing.T) {
	const head = "(W) mov (8|M0) r40.0<1>:ud 0x0:ud\n(W) mov (1|M0) r40.2<1>:ud 1:uw\n"
	for _, c := range []struct {
		name, text string
		lanes      uint32
	}{
		{"all lanes", head + "sends (16|M0) null:ud r40:ud r4:ud 0x8A 0x020A0303", 0xFFFF},
		{"some lanes", head + "(W) mov (1|M0) f0.0<1>:uw 0x3C5A:uw\n(f0.0) sends (16|M0) null:ud r40:ud r4:ud 0x8A 0x020A0303", 0x3C5A},
		{"eight lanes, two registers", head + "(W) mov (1|M0) f0.0<1>:uw 0x5A:uw\n(f0.0) sends (8|M0) null:ud r40:ud r4:ud 0x8A 0x020A0303", 0x5A5A},
		{"one lane", head + "sends (1|M0) null:ud r40:ud r4:ud 0x8A 0x020A0303", 0xFFFF},
		{"by OWords", head + "(W) send (16|M0) r4:ud r40:ud 0x9 0x02280300\nsends (16|M0) null:ud r40:ud r4:ud 0x8A 0x020A0303", 0},
		{"by bytes", head + "(W) mov (1|M0) r40.2<1>:ud 16:uw\n(W) send (16|M0) r4:ud r40:ud 0x9 0x02284300\n(W) mov (1|M0) r40.2<1>:ud 1:uw\nsends (16|M0) null:ud r40:ud r4:ud 0x8A 0x020A0303", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := benchOn(t, assembled(t, gen9(), c.text+"\n"+end9), 16)
			data, other := make([]byte, 128), make([]byte, 128)
			for i := range 32 {
				binary.LittleEndian.PutUint32(data[4*i:], uint32(1000+i))
				binary.LittleEndian.PutUint32(other[4*i:], uint32(1000+i))
			}
			for i := range 16 {
				b.setU(4+i/8, i%8, uint32(i))
			}
			b.Group.Machine.Surfaces = []*thread.Surface{{Data: other}, nil, nil, {Data: data}}
			run(b.Thread, 100)
			if b.Err != nil || !b.Ended {
				t.Fatal(b.Err)
			}
			for i := range 32 {
				want := uint32(1000 + i)
				if k := i - 4; k >= 0 && k < 16 && c.lanes>>k&1 != 0 {
					want = uint32(k)
				}
				if got := binary.LittleEndian.Uint32(data[4*i:]); got != want {
					t.Errorf("dword %d is %d, want %d", i, got, want)
				}
			}
		})
	}
}

// TestGen9Barrier is TestGen11Barrier with Gen9's header and fence.
func TestGen9Barrier(t *testing.T) {
	fence := strings.ReplaceAll(fence11, "E0FE", "E000")
	signal := strings.ReplaceAll(signal11, "0x7F000000", "0x8F000000")
	for _, c := range []struct {
		name, text, want string
		rules            thread.HazardRules
		kind             thread.FaultKind
	}{
		{"barrier", store11 + fence + stall11 + signal + wait11 + fetch11, "", thread.HazardsStrict, 0},
		{"no fence", store11 + signal + wait11 + fetch11, "without a fence before the last barrier", thread.HazardsStrict, thread.FaultRace},
		{"no fence, as Intel's compiler", store11 + signal + wait11 + fetch11, "", thread.HazardsLenient, 0},
		{"no barrier", store11 + fence + stall11 + fetch11, "since the last barrier", thread.HazardsLenient, thread.FaultRace},
		{"barrier as on Gen11", store11 + fence + stall11 + signal11 + wait11 + fetch11, "the barrier message names barrier", thread.HazardsStrict, thread.FaultMessage},
		{"fence as on Gen11", store11 + fence11 + stall11 + signal + wait11 + fetch11, "fences of this machine serve all memory", thread.HazardsStrict, thread.FaultMessage},
		{"nobody waits for the fence", store11 + fence + signal + wait11 + fetch11, "nothing has waited for r12", thread.HazardsStrict, thread.FaultHazard},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Group numbers up to twenty need the upper bit of the header's field.
			met(t, gen9(), c.text+end9, 20, c.rules, c.want, c.kind)
		})
	}
}

// TestGen9Threads checks that a workgroup has at most 56 threads.
func TestGen9Threads(t *testing.T) {
	p := assembled(t, gen9(), end9)
	for n, want := range map[uint32]bool{56: true, 57: false} {
		_, err := Run(context.Background(), &thread.Dispatch{Program: p, SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{8 * n, 1, 1}})
		if (err == nil) != want {
			t.Errorf("%d threads: %v", n, err)
		}
	}
}
