// SPDX-License-Identifier: MIT

package whole

import (
	"encoding/binary"
	"fmt"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// lanesShader starts a shader of one workgroup whose invocations each read a number.
func lanesShader() (x *randomShader, number ir.Src) {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{randomLanes, 1, 1}
	s.Info.Bindings = []ir.Binding{{Binding: 0, Mode: kind.ModeSSBO, Count: 1}, {Binding: 1, Mode: kind.ModeSSBO, Count: 1, Index: 1}}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	x = &randomShader{s: s, b: build.New(s)}
	b := x.b
	b.AtEnd(s.FirstBlock(f))
	x.lane = b.LoadLocalInvocationIndex(32)
	return x, b.LoadSSBO(1, 32, b.Imm(0), b.IMul(x.lane, b.Imm(randomRecord)), 0, 4, 0)
}

// TestEveryLane: at every width, all lanes can read each lane's value, whether the
// lane index is constant or not; and multiplying the lane index does not assume a
// range that is too small.
func TestEveryLane(t *testing.T) {
	in := make([]byte, randomLanes*randomRecord)
	number := func(lane int) uint32 { return uint32(lane)*0x01030507 + 99 }
	for lane := range randomLanes {
		binary.LittleEndian.PutUint32(in[lane*randomRecord:], number(lane))
	}
	for _, simd := range widths {
		t.Run(fmt.Sprint(simd), func(t *testing.T) {
			x, v := lanesShader()
			b := x.b
			for lane := range simd {
				x.store(b.ReadInvocation(32, v, b.Imm(uint32(lane))), result{op: op.Mov, bits: 32})
			}
			for lane := range simd { // in a buffer that all read at the same place
				from := b.IShr(b.LoadSSBO(1, 32, b.Imm(0), b.Imm(uint32(lane*randomRecord)), 0, 4, 0), b.Imm(24))
				x.store(b.ReadInvocation(32, v, from), result{op: op.Mov, bits: 32})
			}
			x.store(b.IMul(b.IShl(b.LoadSubgroupInvocation(32), b.Imm(12)), v), result{op: op.IMul, bits: 32})
			out := x.compiled(t, simd, in)
			for i := range x.results {
				for lane := range randomLanes {
					first := lane / simd * simd // first lane of the subgroup
					want := number(first + i%simd)
					if i == 2*simd {
						want = number(lane) * uint32(lane-first) << 12
					}
					if got := binary.LittleEndian.Uint32(out[(i*randomLanes+lane)*randomSlot:]); got != want {
						t.Fatalf("result %d in lane %d: %#x, want %#x", i, lane, got, want)
					}
				}
			}
		})
	}
}
