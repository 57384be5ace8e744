// SPDX-License-Identifier: MIT

package fold

import (
	"testing"

	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

func BenchmarkFold(b *testing.B) {
	for _, c := range []struct {
		op    op.Op
		bits  uint8
		comps uint8
	}{
		{op.IAdd, 32, 1}, {op.IDiv, 32, 1}, {op.IShl, 32, 1}, {op.FAdd, 32, 1}, {op.FAdd, 16, 1}, {op.FFma, 16, 1},
		{op.FFma, 32, 1}, {op.FMin, 32, 1}, {op.BCsel, 32, 1}, {op.F2I32, 32, 1}, {op.I2F32, 32, 1},
		{op.F2F16, 32, 1}, {op.IAdd, 32, 4}, {op.FSin, 32, 1}, {op.FDot4, 32, 1}, {op.Vec4, 32, 1},
	} {
		b.Run(c.op.String()+sizeName(c.bits, c.comps), func(b *testing.B) {
			var src [op.MaxSrc][16]uint64
			var dst [16]uint64
			for s := range src {
				for k := range src[s] {
					src[s][k] = 0x3f803c00 + uint64(s*16+k) // about 1 as a float of 16 or 32 bits
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				fold.Eval(c.op, c.bits, c.comps, &src, &dst, 0)
			}
		})
	}
}

func sizeName(bits, comps uint8) string {
	name := map[uint8]string{16: "@16", 32: "@32"}[bits]
	if comps > 1 {
		name += "x4"
	}
	return name
}
