// SPDX-License-Identifier: MIT

package intel_test

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/target"
)

// copies counts the full-width moves from one packed register to another.
func copies(t *testing.T, m *target.Target, code []byte, simd int) int {
	t.Helper()
	var dis strings.Builder
	if err := isatext.Disassemble(m.Platform, code, &dis); err != nil {
		t.Fatal(err)
	}
	copied := regexp.MustCompile(fmt.Sprintf(`(?m)^[ (&|~!f01.)]*mov \(%d\|M0\) +r\d+(\.0)?<1>:\w+ +r\d+(\.0)?<[18];[18],[10]>`, simd))
	return len(copied.FindAllString(dis.String(), -1))
}

// TestR07VectorOfTwo stores the vector (foo.xy, bar.zw). If foo and bar are stored too, the vector needs two
// moves of two components, as on a machine with vectors, and no other. If they are not, it needs no move, even
// if arithmetic uses them.
func TestR07VectorOfTwo(t *testing.T) {
	store := func(b *build.Builder, x, at ir.Src, offset uint32) {
		b.StoreSSBO(x, b.Imm(1), b.IAdd(at, b.Imm(offset)), 15, 0, 16, 0)
	}
	for _, c := range []struct {
		name string
		uses func(b *build.Builder, at ir.Src, foo, bar []ir.Src) // other uses
		want int                                                  // number of single-component moves
	}{
		{"no other use", func(*build.Builder, ir.Src, []ir.Src, []ir.Src) {}, 0},
		{"in arithmetic", func(b *build.Builder, at ir.Src, foo, bar []ir.Src) {
			b.StoreSSBO(b.IAdd(foo[0], bar[3]), b.Imm(1), b.IAdd(at, b.Imm(16)), 1, 0, 16, 0)
		}, 0},
		{"stored", func(b *build.Builder, at ir.Src, foo, bar []ir.Src) {
			store(b, b.Vec4(foo[0], foo[1], foo[2], foo[3]), at, 16)
			store(b, b.Vec4(bar[0], bar[1], bar[2], bar[3]), at, 32)
		}, 4},
	} {
		for _, simd := range []int{8, 16} {
			s, b := newShader(16)
			at := b.IMul(globalID(b, 16), b.Imm(48))
			a := b.LoadSSBO(4, 32, b.Imm(0), b.IShl(globalID(b, 16), b.Imm(4)), 0, 16, 0)
			var foo, bar [4]ir.Src
			for i := range 4 {
				foo[i] = b.IAdd(a.Comp(i), b.Imm(uint32(10+i)))
				bar[i] = b.IXor(a.Comp(i), b.Imm(uint32(100+i)))
			}
			store(b, b.Vec4(foo[0], foo[1], bar[2], bar[3]), at, 0)
			c.uses(b, at, foo[:], bar[:])
			bin := compile(t, s, simd, 2)
			if n := copies(t, target.TGL, bin.Code, simd); n != c.want {
				t.Errorf("SIMD%d, %s: %d moves, want %d", simd, c.name, n, c.want)
			}
			in, out := make([]byte, 16*16), make([]byte, 48*16)
			for i := range 64 {
				binary.LittleEndian.PutUint32(in[4*i:], uint32(1000*i))
			}
			run(t, bin, 1, nil, &eu.Surface{Data: in}, &eu.Surface{Data: out})
			for i := range 16 {
				for k := range 4 {
					a, want := 1000*uint32(4*i+k), uint32(0)
					if want = a + 10 + uint32(k); k >= 2 {
						want = a ^ (100 + uint32(k))
					}
					if got := binary.LittleEndian.Uint32(out[48*i+4*k:]); got != want {
						t.Errorf("SIMD%d, %s: component %d of element %d is %d, want %d", simd, c.name, k, i, got, want)
					}
				}
			}
		}
	}
}

// TestR08ComponentsDie keeps one component of each of several vectors live while scalars need the registers of
// the dead components. At SIMD16, a file of 128 registers has room for 12 components and 36 scalars of two
// registers each, but not for 12 vectors of eight registers and the scalars.
func TestR08ComponentsDie(t *testing.T) {
	const vectors, scalars = 12, 36
	for keep := range 4 {
		s, b := newShader(16)
		at := b.IMul(globalID(b, 16), b.Imm(16*vectors))
		seen := b.Imm(0)
		var kept []ir.Src
		for i := range vectors {
			a := b.LoadSSBO(4, 32, b.Imm(0), b.IAdd(b.IAdd(at, b.Imm(uint32(16*i))), seen), 0, 16, 0)
			for k := range 4 {
				if k != keep {
					seen = b.IOr(seen, a.Comp(k)) // the next load has to wait for these components
				}
			}
			kept = append(kept, a.Comp(keep))
		}
		for i := range scalars {
			a := b.LoadSSBO(1, 32, b.Imm(0), b.IAdd(b.IAdd(at, b.Imm(uint32(4*i))), seen), 0, 4, 0)
			seen = b.IAdd(seen, b.IAnd(a, b.Imm(0)))
			kept = append(kept, a)
		}
		out := b.IMul(globalID(b, 16), b.Imm(4*(vectors+scalars)))
		for i, x := range kept {
			b.StoreSSBO(b.IAdd(x, seen), b.Imm(1), b.IAdd(out, b.Imm(uint32(4*i))), 1, 0, 4, 0)
		}
		bin := compile(t, s, 16, 2)
		if bin.Stats.Spills+bin.Stats.Fills != 0 {
			t.Errorf("component %d kept: %d spills and %d fills", keep, bin.Stats.Spills, bin.Stats.Fills)
		}
		in, result := make([]byte, 16*16*vectors), make([]byte, 16*4*(vectors+scalars))
		for i := range 16 * vectors {
			binary.LittleEndian.PutUint32(in[16*i+4*keep:], uint32(i+1))
		}
		run(t, bin, 1, nil, &eu.Surface{Data: in}, &eu.Surface{Data: result})
		for i := range 16 * (vectors + scalars) {
			lane, k := i/(vectors+scalars), i%(vectors+scalars)
			want := uint32(lane*vectors + k + 1)
			if k >= vectors {
				want = binary.LittleEndian.Uint32(in[16*vectors*lane+4*(k-vectors):])
			}
			if got := binary.LittleEndian.Uint32(result[4*i:]); got != want {
				t.Fatalf("component %d kept: value %d of invocation %d is %d, want %d", keep, k, lane, got, want)
			}
		}
	}
}

// phiShader is a shader whose loop runs for a number of iterations that depends on the push constant and the
// invocation. The body goes between its parts. %20 and %21 are the values at the start of an iteration, %40 is
// the result after the loop.
const phiShader = `shader compute "main"
workgroup_size 16 1 1
struct S1 "P" block {
  u32 "n" offset=0
}
struct S2 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "push" push_constant S1
var @2 "b" ssbo S2
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=push_constant type=S1 var=@1
    %1 = deref_struct.32 %0 modes=push_constant type=u32
    %2 = load_deref.32 %1
    %3 = load_local_invocation_index.32
    %4 = iadd.32 %2, %3
    %5 = load_const.32 value=(0x0)
    %6 = load_const.32 value=(0x1)
    %7 = load_const.32 value=(0x64)
    %8 = iadd.32 %3, %7
    loop {
      b1:
        %10 = phi.32 b0: %5, b4: %30
`

// TestR09Phis checks that the target-independent passes lower phis without the lost-copy and swap problems, and
// that a counter needs no moves.
func TestR09Phis(t *testing.T) {
	const (
		leave = `        %11 = uge.1 %10, %4
        if %11 {
          b2:
            jump_break
        } else {
          b3:
        }
        b4:
        %30 = iadd.32 %10, %6
`
		end = `    %50 = deref_var.32 modes=ssbo type=S2 var=@2
    %51 = deref_struct.32 %50 modes=ssbo type=[0 x u32, 4]
    %52 = deref_array.32 %51, %3 modes=ssbo type=u32
    store_deref.x1 %52, %40 write_mask=1
}
`
	)
	for _, c := range []struct {
		name, body string
		want       func(trips, lane uint32) uint32
		moves      int // upper limit, in the code of all invocations
	}{
		{"counter", leave + "    }\n    b5:\n    %40 = imul.32 %10, %7\n", func(trips, lane uint32) uint32 { return 100 * trips }, 0},
		{"swap", "        %20 = phi.32 b0: %8, b4: %21\n        %21 = phi.32 b0: %7, b4: %20\n" + leave +
			"    }\n    b5:\n    %41 = imul.32 %20, %7\n    %40 = iadd.32 %41, %21\n",
			func(trips, lane uint32) uint32 {
				a, b := 100+lane, uint32(100)
				for range trips {
					a, b = b, a
				}
				return 100*a + b
			}, 6},
		{"lost copy", "        %20 = phi.32 b0: %8, b4: %31\n" + leave + "        %31 = imul.32 %20, %7\n    }\n    b5:\n    %40 = iadd.32 %20, %6\n",
			func(trips, lane uint32) uint32 {
				a := 100 + lane
				for range trips {
					a *= 100
				}
				return a + 1
			}, 3},
		{"rotation", "        %20 = phi.32 b0: %8, b4: %21\n        %21 = phi.32 b0: %7, b4: %22\n        %22 = phi.32 b0: %6, b4: %20\n" + leave +
			"    }\n    b5:\n    %41 = imul.32 %20, %7\n    %42 = iadd.32 %41, %21\n    %43 = imul.32 %42, %7\n    %40 = iadd.32 %43, %22\n",
			func(trips, lane uint32) uint32 {
				a, b, c := 100+lane, uint32(100), uint32(1)
				for range trips {
					a, b, c = b, c, a
				}
				return 10000*a + 100*b + c
			}, 9},
	} {
		for _, m := range target.All {
			for _, simd := range m.Widths[:2] {
				p, err := jacquard.Compile(t.Context(), []byte(phiShader+c.body+end),
					jacquard.Options{Target: jacquard.Target(m.Name), SIMD: simd, Verify: true})
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				out := make([]byte, 64)
				_, err = eu.Run(t.Context(), &eu.Dispatch{
					Program: eu.Load(m, p.Variants[0].Code), SIMD: simd, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{16, 1, 1},
					Surfaces: []*eu.Surface{{Data: out}}, Payload: eu.ComputePayload(m.ABI, words(3)),
					Options: eu.Options{Poison: true, Undefined: true, Addresses: true},
				})
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				for i := range uint32(16) {
					if got, want := binary.LittleEndian.Uint32(out[4*i:]), c.want(3+i, i); got != want {
						t.Errorf("%s%d, %s: invocation %d has %d, want %d", m.Name, simd, c.name, i, got, want)
					}
				}
				if n := copies(t, m, p.Variants[0].Code, simd); n > c.moves {
					t.Errorf("%s%d, %s: %d moves, want at most %d", m.Name, simd, c.name, n, c.moves)
				}
			}
		}
	}
}
