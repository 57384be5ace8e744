// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/op"
)

// storesInPart returns a shader whose invocations write, with every mask, some
// components of a vector: to a buffer straight away (reg false), or to a register
// that held another vector, which is then written whole.
func storesInPart(comps, bits uint8, reg bool) *randomShader {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{randomLanes, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	x := &randomShader{s: s, b: build.New(s)}
	b := x.b
	b.AtEnd(s.FirstBlock(f))
	x.lane = b.LoadLocalInvocationIndex(32)
	bytes := uint32(bits / 8)
	vector := func(at uint32) ir.Src {
		parts := make([]ir.Src, comps)
		for i := range parts {
			off := b.IAdd(b.IMul(x.lane, b.Imm(randomRecord)), b.Imm(at+uint32(i)*bytes))
			parts[i] = b.LoadSSBO(1, bits, b.Imm(0), off, 0, bytes, 0)
		}
		return pass.Vec(b, parts)
	}
	value, other := vector(0), vector(32)
	slots := 2 * uint32(1<<comps) // each has room for 16 bytes
	for mask := range uint32(1 << comps) {
		if mask == 0 {
			continue
		}
		place := b.IMul(b.IAdd(b.IMul(x.lane, b.Imm(slots)), b.Imm(2*mask)), b.Imm(randomSlot))
		if !reg {
			b.StoreSSBO(value, b.Imm(1), place, mask, 0, bytes, 0)
			continue
		}
		r := s.Regs.New(comps, bits)
		b.StoreReg(other, r, 1<<comps-1)
		b.StoreReg(value, r, mask)
		b.StoreSSBO(b.LoadReg(comps, bits, r), b.Imm(1), place, 1<<comps-1, 0, bytes, 0)
	}
	for range slots {
		x.results = append(x.results, result{op: op.Mov, bits: 64})
	}
	return x
}

// TestStoresInPart: a store writes exactly the components in its mask, whatever gaps
// the mask has: on the interpreter, which is the reference here, and as machine code
// of every width.
func TestStoresInPart(t *testing.T) {
	for _, bits := range []uint8{8, 16, 32} {
		for _, reg := range []bool{false, true} {
			for _, simd := range widths {
				t.Run(fmt.Sprintf("%d bits, register %v, SIMD%d", bits, reg, simd), func(t *testing.T) {
					x := storesInPart(4, bits, reg)
					if err := validate.Shader(x.s); err != nil {
						t.Fatal(err)
					}
					in := make([]byte, randomLanes*randomRecord)
					for i := range in {
						in[i] = byte(1 + i%251)
					}
					bytes := int(bits / 8)
					want := make([]byte, len(x.results)*randomLanes*randomSlot)
					for lane := range randomLanes {
						for mask := 1; mask < 16; mask++ {
							for i := range 4 {
								from, at := lane*randomRecord+i*bytes, (lane*len(x.results)+2*mask)*randomSlot+i*bytes
								if mask>>i&1 == 0 {
									if !reg {
										continue
									}
									from += 32
								}
								copy(want[at:at+bytes], in[from:])
							}
						}
					}
					same := func(what string, got []byte) {
						for i := range want {
							if got[i] != want[i] {
								slot := i / randomSlot
								t.Fatalf("%s: lane %d, mask %#x, byte %d: %#x, want %#x\n%s", what, slot/len(x.results),
									slot%len(x.results)/2, i%16, got[i], want[i], text.Print(x.s))
							}
						}
					}
					same("interpreter", x.interpret(t, x.s, in))
					same("machine code", x.compiled(t, simd, in))
				})
			}
		}
	}
}
