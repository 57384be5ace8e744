// SPDX-License-Identifier: MIT

package eu

import (
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

const endVec4 = "\n(W) send (8|M0) null:ud r127:ud 0x7 0x02000010 {EOT}\n"

// vec4Program assembles a program.
func vec4Program(t *testing.T, text string) *thread.Program {
	t.Helper()
	code, err := isatext.Assemble(isa.HSW, text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return Load(target.HSW, code)
}

// vec4Bench returns a thread of two vertices that runs a program in access mode Align16. At first, element i of r2 is i,
// of r3 i+10, of r4 i+100, as integers, and of r5, r6 and r7 the same as floats. r20 and r21 have -1 in all elements.
func vec4Bench(t *testing.T, text string) *bench {
	b := benchOn(t, vec4Program(t, text+endVec4), 8)
	for i := range 8 {
		for k, v := range []int{i, i + 10, i + 100} {
			b.setU(2+k, i, uint32(v))
			b.setF(5+k, i, float32(v))
		}
		b.setU(20, i, math.MaxUint32)
		b.setU(21, i, math.MaxUint32)
	}
	return b
}

const keep = -1 // the element of the destination is not written

// TestVec4Operands checks swizzles, rows, halves of registers, write masks, repeated doublewords and immediates. The
// expected elements of r20 are written by hand, from the manual's rules.
func TestVec4Operands(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       [8]int
	}{
		{"identity", "mov (8|M0) r20.0<1>:d r2.0<4;4,1>:d {Align16}", [8]int{0, 1, 2, 3, 4, 5, 6, 7}},
		{"swizzle", "mov (8|M0) r20.0<1>:d r2.0<4;4,1>.wzyx:d {Align16}", [8]int{3, 2, 1, 0, 7, 6, 5, 4}},
		{"one component", "mov (8|M0) r20.0<1>:d r2.0<4;4,1>.yyyy:d {Align16}", [8]int{1, 1, 1, 1, 5, 5, 5, 5}},
		{"one vector for both", "mov (8|M0) r20.0<1>:d r2.0<0;4,1>:d {Align16}", [8]int{0, 1, 2, 3, 0, 1, 2, 3}},
		{"the upper vector for both", "mov (8|M0) r20.0<1>:d r2.4<0;4,1>.yxww:d {Align16}", [8]int{5, 4, 7, 7, 5, 4, 7, 7}},
		{"rows from the upper half", "mov (8|M0) r20.0<1>:d r2.4<4;4,1>:d {Align16}", [8]int{4, 5, 6, 7, 10, 11, 12, 13}},
		{"write mask x", "mov (8|M0) r20.0<1>.x:d r2.0<4;4,1>:d {Align16}", [8]int{0, keep, keep, keep, 4, keep, keep, keep}},
		{"write mask yw", "mov (8|M0) r20.0<1>.yw:d r2.0<4;4,1>.xxzz:d {Align16}", [8]int{keep, 0, keep, 2, keep, 4, keep, 6}},
		{"write mask xyz", "mov (8|M0) r20.0<1>.xyz:d r2.0<4;4,1>:d {Align16}", [8]int{0, 1, 2, keep, 4, 5, 6, keep}},
		{"half of the destination", "mov (4|M0) r20.4<1>:d r2.0<4;4,1>:d {Align16}", [8]int{keep, keep, keep, keep, 0, 1, 2, 3}},
		{"two sources", "add (8|M0) r20.0<1>:d r2.0<4;4,1>.xxxx:d r3.0<0;4,1>.wzyx:d {Align16}", [8]int{13, 12, 11, 10, 17, 16, 15, 14}},
		{"modifiers", "add (8|M0) r20.0<1>.x:d -r2.0<4;4,1>.yyyy:d (abs)r3.0<4;4,1>:d {Align16}", [8]int{9, keep, keep, keep, 9, keep, keep, keep}},
		{"immediate", "add (8|M0) r20.0<1>:d r2.0<4;4,1>:d 7:d {Align16}", [8]int{7, 8, 9, 10, 11, 12, 13, 14}},
		// 30h is 1, 40h is 2, 48h is 3, B0h is -1.
		{"vector of floats", "mov (8|M0) r20.0<1>:d 0xB0484030:vf {Align16}", [8]int{1, 2, 3, -1, 1, 2, 3, -1}},
		{"mad", "mad (8|M0) r9.0<1>:f r5.0<2;1>.yxxx:f r6.0<2;1>:f r7.0<1>.wwww:f\nmov (8|M0) r20.0<1>:d r9.0<4;4,1>:f {Align16}",
			[8]int{1 + 10*103, 11 * 103, 12 * 103, 13 * 103, 5 + 14*107, 4 + 15*107, 4 + 16*107, 4 + 17*107}},
		{"mad of a repeated doubleword", "mad (8|M0) r9.0<1>:f r5.6<0;0>:f r6.1<0;0>:f -r7.0<1>:f\nmov (8|M0) r20.0<1>:d r9.0<4;4,1>:f {Align16}",
			[8]int{6 - 1100, 6 - 1111, 6 - 1122, 6 - 1133, 6 - 1144, 6 - 1155, 6 - 1166, 6 - 1177}},
		{"mad and its write mask", "mov (8|M0) r9.0<1>:f r5.0<4;4,1>:f {Align16}\n" +
			"mad (8|M0) r9.0<1>.zw:f r5.0<2;1>:f r6.0<2;1>:f r7.0<1>:f\nmov (8|M0) r20.0<1>:d r9.0<4;4,1>:f {Align16}",
			[8]int{0, 1, 2 + 12*102, 3 + 13*103, 4, 5, 6 + 16*106, 7 + 17*107}},
	} {
		b := vec4Bench(t, c.text)
		b.exec(t)
		b.elements(t, c.name, 20, c.want)
	}
}

// elements checks the elements of a register.
func (b *bench) elements(t *testing.T, what string, reg int, want [8]int) {
	t.Helper()
	for i, x := range want {
		if got := int(int32(b.u(reg, i))); got != x {
			t.Errorf("%s: element %d is %d, want %d", what, i, got, x)
		}
	}
}

// TestVec4Predicates checks the predicates. The flags are x and z of the first vertex, and all but x of the second.
func TestVec4Predicates(t *testing.T) {
	const flags = "(W) mov (1|M0) f0.0<1>:uw 0xE5:uw\n"
	for _, c := range []struct {
		pred string
		want [8]bool
	}{
		{"f0.0", [8]bool{true, false, true, false, false, true, true, true}},
		{"~f0.0", [8]bool{false, true, false, true, true, false, false, false}},
		{"f0.0.x", [8]bool{true, true, true, true, false, false, false, false}},
		{"f0.0.y", [8]bool{false, false, false, false, true, true, true, true}},
		{"f0.0.z", [8]bool{true, true, true, true, true, true, true, true}},
		{"f0.0.w", [8]bool{false, false, false, false, true, true, true, true}},
		{"~f0.0.x", [8]bool{false, false, false, false, true, true, true, true}},
		{"f0.0.any4h", [8]bool{true, true, true, true, true, true, true, true}},
		{"f0.0.all4h", [8]bool{}},
		{"~f0.0.all4h", [8]bool{true, true, true, true, true, true, true, true}},
	} {
		b := vec4Bench(t, flags+"("+c.pred+") mov (8|M0) r20.0<1>:d r2.0<4;4,1>:d {Align16}\n"+
			"("+c.pred+") sel (8|M0) r21.0<1>:d r2.0<4;4,1>:d r3.0<4;4,1>:d {Align16}")
		b.exec(t)
		moved, chosen := [8]int{}, [8]int{}
		for i, on := range c.want {
			if moved[i], chosen[i] = keep, i+10; on {
				moved[i], chosen[i] = i, i
			}
		}
		b.elements(t, c.pred, 20, moved)
		b.elements(t, c.pred+" sel", 21, chosen)
	}
	// All components of a vertex.
	b := vec4Bench(t, "(W) mov (1|M0) f0.0<1>:uw 0x7F:uw\n(f0.0.all4h) mov (8|M0) r20.0<1>.xy:d r2.0<4;4,1>:d {Align16}")
	b.exec(t)
	b.elements(t, "all4h", 20, [8]int{0, 1, keep, keep, keep, keep, keep, keep})
}

// TestVec4Flags checks that a comparison sets the flags of the components in its write mask only, also without a
// destination.
func TestVec4Flags(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint32 // of f0.0, which is 5Ah before
	}{
		{"cmp (8|M0) (gt)f0.0 null<1>:d r2.0<4;4,1>:d 2:d {Align16,Switch}", 0xF8},
		{"cmp (8|M0) (gt)f0.0 null<1>.x:d r2.0<4;4,1>:d 2:d {Align16,Switch}", 0x5A&0xEE | 0x10},
		{"cmp (8|M0) (ge)f0.0 null<1>.yw:d r2.0<4;4,1>.zzww:d 3:d {Align16,Switch}", 0x5A&0x55 | 0xA8},
		{"mov (8|M0) (ne)f0.0 null<1>.z:d r2.0<4;4,1>.xxxx:d {Align16}", 0x5A&0xBB | 0x40},
		{"cmp (8|M0) (lt)f0.0 null<1>:f r5.0<0;4,1>.wzyx:f 1.5:f {Align16,Switch}", 0xCC},
	} {
		b := vec4Bench(t, "(W) mov (1|M0) f0.0<1>:uw 0x5A:uw\n"+c.text)
		b.exec(t)
		if got := b.Flag[0] & 0xFF; got != c.want {
			t.Errorf("%s: flags %08b, want %08b", c.text, got, c.want)
		}
	}
	b := vec4Bench(t, "cmp (8|M0) (gt)f0.0 null<1>:d r2.0<4;4,1>:d 2:d {Align16}")
	b.fault(t, "{Switch}")
}

// TestVec4Arithmetic checks the operations that other machines lack, or compute differently.
func TestVec4Arithmetic(t *testing.T) {
	const float = "\nmov (8|M0) r20.0<1>:d r9.0<4;4,1>:f {Align16}"
	dots := func(first, second int) (out [8]int) {
		for i := range out {
			out[i] = [2]int{first, second}[i/4]
		}
		return out
	}
	for _, c := range []struct {
		text string
		want [8]int
	}{
		{"dp2 (8|M0) r9.0<1>:f r5.0<4;4,1>:f r6.0<4;4,1>:f {Align16}" + float, dots(11, 4*14+5*15)},
		{"dp3 (8|M0) r9.0<1>:f r5.0<4;4,1>:f r6.0<4;4,1>:f {Align16}" + float, dots(11+24, 4*14+5*15+6*16)},
		{"dp4 (8|M0) r9.0<1>:f r5.0<4;4,1>:f r6.0<4;4,1>:f {Align16}" + float, dots(11+24+39, 4*14+5*15+6*16+7*17)},
		{"dph (8|M0) r9.0<1>:f r5.0<4;4,1>:f r6.0<4;4,1>:f {Align16}" + float, dots(11+24+13, 4*14+5*15+6*16+17)},
		{"dp4 (8|M0) r9.0<1>:f r5.0<4;4,1>:f r6.0<0;4,1>.xxxx:f {Align16}" + float, dots(60, 220)},
		{"mov (8|M0) r9.0<1>:f 7.0:f {Align16}\ndp3 (8|M0) r9.0<1>.y:f r5.0<4;4,1>:f r6.0<4;4,1>:f {Align16}" + float,
			[8]int{7, 35, 7, 7, 7, 227, 7, 7}},
		{"mov (8|M0) r8.0<1>:f 0.25:f {Align16}\nlrp (8|M0) r9.0<1>:f r8.0<2;1>:f r7.0<2;1>:f r5.0<1>:f" + float,
			[8]int{25, 26, 27, 28, 29, 30, 31, 32}},
		{"frc (8|M0) r8.0<1>:f -r5.0<4;4,1>:f {Align16}\nrndd (8|M0) r9.0<1>:f r8.0<4;4,1>:f {Align16}" + float, [8]int{}},
		{"math.pow (8|M0) r9.0<1>:f r5.0<4;4,1>:f r5.0<4;4,1>.zzzz:f {Align16}" + float, [8]int{0, 1, 4, 9, 4096, 15625, 46656, 117649}},
		{"math.pow (8|M0) r9.0<1>:f -r6.0<4;4,1>:f r5.0<4;4,1>.zzzz:f {Align16}\ncmp (8|M0) (ne)f0.0 r20.0<1>:d r9.0<4;4,1>:f r9.0<4;4,1>:f {Align16}",
			[8]int{-1, -1, -1, -1, -1, -1, -1, -1}}, // NaN
		{"math.idiv (8|M0) r20.0<1>:d r4.0<4;4,1>:d r3.0<0;4,1>.xxxx:d {Align16}", [8]int{10, 10, 10, 10, 10, 10, 10, 10}},
		// Without the bits above 16 of source 1, 70000 is 4464.
		{"mov (8|M0) r9.0<1>:d 70000:d {Align16}\nmul (8|M0) r20.0<1>:d r2.0<4;4,1>:d r9.0<4;4,1>:d {Align16}",
			[8]int{0, 4464, 8928, 13392, 17856, 22320, 26784, 31248}},
		// The product of doublewords in two steps: 70000 times -3 is -210000.
		{"mov (8|M0) r9.0<1>:d 70000:d {Align16}\nmov (8|M0) r10.0<1>:d -3:d {Align16}\nmul (8|M0) acc0.0<1>:d r9.0<4;4,1>:d r10.0<4;4,1>:d {Align16}\n" +
			"mach (8|M0) null<1>:d r9.0<4;4,1>:d r10.0<4;4,1>:d {Align16,AccWrEn}\nmov (8|M0) r20.0<1>:d acc0.0<4;4,1>:d {Align16}",
			dots(-210000, -210000)},
		{"addc (8|M0) r9.0<1>:ud r4.0<4;4,1>:ud 0xFFFFFF98:ud {Align16,AccWrEn}\nmov (8|M0) r20.0<1>:ud acc0.0<4;4,1>:ud {Align16}",
			[8]int{0, 0, 0, 0, 1, 1, 1, 1}},
		{"subb (8|M0) r9.0<1>:ud r2.0<4;4,1>:ud 3:ud {Align16,AccWrEn}\nmov (8|M0) r20.0<1>:ud acc0.0<4;4,1>:ud {Align16}",
			[8]int{1, 1, 1, 0, 0, 0, 0, 0}},
		// A negated source of a logic operation is the negative number: -1 & 6, not ^1 & 6.
		{"and (8|M0) r20.0<1>:d -r2.0<4;4,1>.yyyy:d 6:d {Align16}", dots(6, -5&6)},
		{"not (8|M0) r20.0<1>:d -r2.0<4;4,1>:d {Align16}", [8]int{-1, 0, 1, 2, 3, 4, 5, 6}},
		{"f32to16 (8|M0) r20.0<1>.xy:ud r5.0<4;4,1>:f {Align16}", [8]int{0, 0x3C00, keep, keep, 0x4400, 0x4500, keep, keep}},
		{"mov (8|M0) r9.0<1>:ud 0xABCD4200:ud {Align16}\nf16to32 (8|M0) r9.0<1>:f r9.0<4;4,1>:ud {Align16}" + float, dots(3, 3)},
		{"bfe (8|M0) r20.0<1>:ud r3.0<0;0>:ud r2.1<0;0>:ud r4.0<1>:ud", [8]int{50, 50, 51, 51, 52, 52, 53, 53}},
		{"sel (8|M0) (ge)f0.0 r20.0<1>:d r2.0<4;4,1>:d r2.0<4;4,1>.wwww:d {Align16}", [8]int{3, 3, 3, 3, 7, 7, 7, 7}},
	} {
		b := vec4Bench(t, c.text)
		b.exec(t)
		b.elements(t, c.text, 20, c.want)
	}
	for _, c := range []struct{ text, want string }{
		{"dp4 (8|M0) r9.0<1>:f r5.0<8;8,1>:f r6.0<8;8,1>:f", "takes vectors, which Align16 has"},
		{"f32to16 (8|M0) r9.0<1>:ud r5.0<8;8,1>:f", "words in Align1 and doublewords in Align16"},
		{"mov (4|M0) r9.0<1>:df r5.0<2;4,1>:df {Align16}", "64-bit"},
		{"math.pow (8|M0) r9.0<1>:f r5.0<4;4,1>:f 2.0:f {Align16}", "takes no immediates"},
		{"mov (8|M0) r9.0<1>:f r5.0<2;4,1>:f {Align16}", "rows 2 elements apart"},
		{"mov (8|M0) r9.0<1>:d 0x76543210:v {Align16}", "Align16 does not take"},
		{"mov (8|M0) r9.0<1>:f r[a0.0,16]<4;4,1>:f {Align16}", "indirect operands in Align16"},
	} {
		vec4Bench(t, c.text).fault(t, c.want)
	}
}

// TestVec4Flow runs branches on components. Lanes count up in x of r20, in one vertex more often than in the other.
func TestVec4Flow(t *testing.T) {
	b := vec4Bench(t, strings.Join([]string{
		"cmp (8|M0) (gt)f0.0 null<1>.y:d r2.0<4;4,1>:d 2:d {Align16,Switch}", // the second vertex
		"(f0.0.y) if (8|M0) Else Endif {Align16}",
		"mov (8|M0) r20.0<1>:d r3.0<4;4,1>:d {Align16}",
		"else (8|M0) Endif {Align16}",
		"Else: mov (8|M0) r20.0<1>:d r4.0<4;4,1>:d {Align16}",
		"Endif: endif (8|M0) Next {Align16}",
		"Next: mov (8|M0) r21.0<1>:d 0:d {Align16}",
		"Loop: add (8|M0) r21.0<1>:d r21.0<4;4,1>:d 1:d {Align16}",
		"cmp (8|M0) (ge)f0.0 null<1>.x:d r21.0<4;4,1>:d r2.0<4;4,1>.yyyy:d {Align16,Switch}",
		"(f0.0.x) break (8|M0) While While {Align16}",
		"While: while (8|M0) Loop {Align16}",
	}, "\n"))
	b.exec(t)
	b.elements(t, "if", 20, [8]int{100, 101, 102, 103, 14, 15, 16, 17})
	b.elements(t, "loop", 21, [8]int{1, 1, 1, 1, 5, 5, 5, 5})
}

// TestVec4Memory checks messages of two vertices: their addresses, components and lanes.
func TestVec4Memory(t *testing.T) {
	const address = "mov (8|M0) r8.0<1>:d 0:d {Align16}\nmov (8|M0) r8.0<1>.x:d r2.0<4;4,1>.xxxx:d {Align16}\n" +
		"shl (8|M0) r8.0<1>:d r8.0<4;4,1>:d 2:d {Align16}\n"
	scratch := "mov (8|M0) r10.0<1>:ud r0.0<4;4,1>:ud {Align16}\nmov (8|M0) r11.0<1>:ud r2.0<4;4,1>:ud {Align16}\n" // OWords 0 and 4
	for _, c := range []struct {
		name, text string
		want       [8]int // of r20
		changed    map[int]uint32
	}{
		{"ld", address + "send (8|M0) r20:ud r8:ud 0x2 0x02107000", [8]int{1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}, nil},
		{"ld outside", "mov (8|M0) r8.0<1>:d 56:d {Align16}\nsend (8|M0) r20:ud r8:ud 0x2 0x02107000", [8]int{1014, 1015, 0, 0, 1014, 1015, 0, 0}, nil},
		{"read", address + "send (8|M0) r20:ud r8:ud 0xC 0x02104000", [8]int{1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}, nil},
		{"read of x and z", address + "send (8|M0) r20:ud r8:ud 0xC 0x02104A00", [8]int{1000, keep, 1002, keep, 1004, keep, 1006, keep}, nil},
		{"read through a0", address + "(W) and (1|M0) a0.0<1>:ud r2.0<0;1,0>:ud 0xFF:ud\n(W) or (1|M0) a0.0<1>:ud a0.0<0;1,0>:ud 0x02104000:ud\n" +
			"send (8|M0) r20:ud r8:ud 0xC a0.0", [8]int{1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007}, nil},
		{"write", address + "mov (8|M0) r9.0<1>:d r3.0<4;4,1>:d {Align16}\nsend (8|M0) null:ud r8:ud 0xC 0x04024000",
			[8]int{keep, keep, keep, keep, keep, keep, keep, keep}, map[int]uint32{0: 10, 1: 11, 2: 12, 3: 13, 4: 14, 5: 15, 6: 16, 7: 17}},
		{"predicated write", address + "mov (8|M0) r9.0<1>:d r3.0<4;4,1>:d {Align16}\n(W) mov (1|M0) f0.0<1>:uw 0x30:uw\n" +
			"(f0.0) send (8|M0) null:ud r8:ud 0xC 0x04024000", [8]int{keep, keep, keep, keep, keep, keep, keep, keep}, map[int]uint32{4: 14, 5: 15}},
		{"atomic add", address + "mov (8|M0) r9.0<1>:d r3.0<4;4,1>:d {Align16}\nsend (8|M0) r20:ud r8:ud 0xC 0x0410E700",
			[8]int{1000, keep, keep, keep, 1004, keep, keep, keep}, map[int]uint32{0: 1010, 4: 1018}},
		{"atomic exchange if equal", address + "mov (8|M0) r9.0<1>:d 1004:d {Align16}\nmov (8|M0) r9.0<1>.y:d 5:d {Align16}\nsend (8|M0) r20:ud r8:ud 0xC 0x0410EE00",
			[8]int{1000, keep, keep, keep, 1004, keep, keep, keep}, map[int]uint32{4: 5}},
		{"fence", "mov (8|M0) r8.0<1>:d 0:d {Align16}\nsend (8|M0) null:ud r8:ud 0xA 0x0209C000", [8]int{keep, keep, keep, keep, keep, keep, keep, keep}, nil},
		{"dual block", scratch + "mov (8|M0) r12.0<1>:d r4.0<4;4,1>:d {Align16}\nsend (8|M0) null:ud r10:ud 0xA 0x060A80FF\n" +
			"send (8|M0) r20:ud r10:ud 0xA 0x041880FF", [8]int{100, 101, 102, 103, 104, 105, 106, 107}, nil},
		{"dual block, one for both", scratch + "mov (8|M0) r12.0<1>:d r4.0<4;4,1>:d {Align16}\nsend (8|M0) null:ud r10:ud 0xA 0x060A80FF\n" +
			"mov (8|M0) r11.0<1>:ud 4:ud {Align16}\nsend (8|M0) r20:ud r10:ud 0xA 0x041880FF", [8]int{104, 105, 106, 107, 104, 105, 106, 107}, nil},
		// All components of one value, then y and w of another.
		{"scratch block", "mov (8|M0) r10.0<1>:ud r0.0<4;4,1>:ud {Align16}\nmov (8|M0) r11.0<1>:d r4.0<4;4,1>:d {Align16}\n" +
			"send (8|M0) null:ud r10:ud 0xA 0x040F0003 {Align16}\nmov (8|M0) r11.0<1>:d r3.0<4;4,1>:d {Align16}\n" +
			"send (8|M0) null.yw:ud r10:ud 0xA 0x040F0003 {Align16}\n(W) send (8|M0) r20:ud r0:ud 0xA 0x021C0003",
			[8]int{100, 11, 102, 13, 104, 15, 106, 17}, nil},
	} {
		b := vec4Bench(t, c.text)
		data := make([]byte, 64)
		s := &thread.Surface{Data: data}
		b.Group.Machine.Surfaces, b.Group.Machine.Typed = []*thread.Surface{s}, make([]thread.TypedSurface, 1)
		for i := range 16 {
			thread.PutU32(data[4*i:], uint32(1000+i))
		}
		b.setU(0, 5, b.ScratchBase)
		b.exec(t)
		b.elements(t, c.name, 20, c.want)
		for i := range 16 {
			want, ok := c.changed[i]
			if !ok {
				want = uint32(1000 + i)
			}
			if got := uint32(data[4*i]) | uint32(data[4*i+1])<<8; got != want {
				t.Errorf("%s: doubleword %d is %d, want %d", c.name, i, got, want)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{"send (8|M0) r20:ud r10:ud 0xA 0x041080FF", "needs a header"},
		{"send (8|M0) r20:ud r0:ud 0xA 0x023C2000", "unknown size of a scratch block"},
		{"send (8|M0) r20:ud r0:ud 0xA 0x028C3000", "the message returns 4"},
		{"send (8|M0) r20:ud r8:ud 0xC 0x02104F00", "selects no component"},
		{"send (8|M0) r20:ud r8:ud 0xC 0x04104000", "the payload has 2 registers"},
		{"send (8|M0) r20:ud r8:ud 0x2 0x02109000", "lod of vertices is not supported"},
	} {
		vec4Bench(t, c.text).fault(t, c.want)
	}
}

// TestVec4URB writes slots of two vertices in two parts.
func TestVec4URB(t *testing.T) {
	const text = `mov (8|M0) r113.0<1>:ud r0.0<4;4,1>:ud {Align16}
(W) or (1|M0) r113.5<1>:ud r0.5<0;1,0>:ud 0xFF00:ud
mov (8|M0) r114.0<1>:d r2.0<4;4,1>:d {Align16}
mov (8|M0) r115.0<1>:d r3.0<4;4,1>:d {Align16}
send (8|M0) null:ud r113:ud 0x6 0x%s
(W) or (1|M0) r113.5<1>:ud r0.5<0;1,0>:ud 0x9300:ud
mov (8|M0) r114.0<1>:d r4.0<4;4,1>:d {Align16}
send (8|M0) null:ud r113:ud 0x6 0x%s {EOT}`
	start := func(first, second string) (*bench, *thread.URB) {
		p := vec4Program(t, strings.Replace(strings.Replace(text, "%s", first, 1), "%s", second, 1))
		b := benchOn(t, p, 8)
		u := thread.NewURB(2, 4)
		b.Group.Machine.Stage = &thread.Stage{Kind: thread.VertexStage, URB: u}
		b.setU(0, 0, u.Handle(0))
		b.setU(0, 1, u.Handle(1))
		b.setU(0, 5, 0)
		for i := range 8 {
			for k, v := range []int{i, i + 10, i + 100} {
				b.setU(2+k, i, uint32(v))
			}
		}
		return b, u
	}
	b, u := start("06084000", "0608C008") // two slots at pair 0, two at pair 1, complete
	b.exec(t)
	for v := range 2 {
		for c := range 4 {
			for slot, want := range []int{4*v + c, 4*v + c + 10, 4*v + c + 100, 4*v + c + 10} {
				x, written := u.Slot(v, slot)
				// 93h enables x, y and not z and w of the first vertex, x and w of the second.
				on := slot < 2 || 0x93>>(4*v+c)&1 != 0
				if got := written>>c&1 != 0; got != on || on && x[c] != uint32(want) {
					t.Errorf("vertex %d, slot %d.%c: %d (written: %v), want %d (%v)", v, slot, "xyzw"[c], x[c], got, want, on)
				}
			}
		}
	}
	for _, c := range []struct{ first, second, want string }{
		{"06084000", "06084008", "without completing its URB entries"},
		{"06080000", "0608C008", "not interleaved"},
		{"06084001", "0608C008", "URB operation 1"},
		{"04084000", "0608C008", "has 1 slots, which have to be pairs"},
		{"06084000", "0608C010", "slot 4 is outside the URB entry"},
	} {
		b, _ := start(c.first, c.second)
		b.fault(t, c.want)
	}
}
