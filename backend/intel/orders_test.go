// SPDX-License-Identifier: MIT

package intel_test

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
)

// TestOrders compiles shaders that load many vectors before they use a component of each. In the order of the source
// they do not fit into the register file at SIMD16, and the first shader does not fit by latency either.
func TestOrders(t *testing.T) {
	load := func(b *build.Builder, vectors, component int) (loaded []ir.Src) {
		at := b.IMul(globalID(b, 16), b.Imm(uint32(16*vectors)))
		for i := range vectors {
			a := b.LoadSSBO(4, 32, b.Imm(0), b.IAdd(at, b.Imm(uint32(16*i))), 0, 16, 0)
			loaded = append(loaded, a.Comp(component))
		}
		return loaded
	}
	check := func(name string, spills int, result func(b *build.Builder, component int) ir.Src) {
		for component := range 4 {
			s, b := newShader(16)
			b.StoreSSBO(result(b, component), b.Imm(1), b.IMul(globalID(b, 16), b.Imm(4)), 1, 0, 4, 0)
			if bin := compile(t, s, 16, 2); bin.Stats.Spills > spills {
				t.Errorf("%s, component %d: %d spills", name, component, bin.Stats.Spills)
			}
		}
	}
	pairs := func(n int) func(b *build.Builder, component int) ir.Src {
		return func(b *build.Builder, component int) ir.Src {
			sum, loaded := b.Imm(0), load(b, n, component)
			for k, x := range loaded {
				sum = b.IAdd(sum, b.IMul(x, loaded[(k+n/2)%n]))
			}
			return sum
		}
	}
	check("products of pairs", 0, pairs(20))
	// There are more values than registers; in the order of the source, 200 are spilled.
	check("products of many pairs", 195, pairs(64))
	// The components that nothing reads make room for the next loads.
	check("sums of neighbors", 0, func(b *build.Builder, component int) ir.Src {
		loaded := load(b, 16, component)
		sum, squares := b.Imm(0), b.Imm(0)
		across, down := b.Imm(0), b.Imm(0)
		for i, x := range loaded {
			sum, squares = b.IAdd(sum, x), b.IAdd(squares, b.IMul(x, x))
			if i%4 < 3 {
				across = b.IXor(across, b.IAdd(loaded[i+1], x))
			}
			if i < 12 {
				down = b.IXor(down, b.IAdd(loaded[i+4], x))
			}
		}
		return b.IXor(b.IXor(sum, squares), b.IAdd(across, down))
	})
}
