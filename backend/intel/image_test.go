// SPDX-License-Identifier: MIT

package intel_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestO09ImagesAreLowered checks that selection rejects, with a clear error, image operations that passes
// should have lowered: images given by variables or by divergent handles, texels that reads do not convert, and
// float atomics.
func TestO09ImagesAreLowered(t *testing.T) {
	for _, c := range []struct {
		name   string
		access func(b *build.Builder, at, x ir.Src)
		want   string // "" if accepted
	}{
		{"index", func(b *build.Builder, at, x ir.Src) {
			b.ImageLoad(32, at, x, x, kind.Dim2D, false, kind.FormatR32ui, 0, kind.BaseUint, kind.FormIndex)
		}, ""},
		{"variable", func(b *build.Builder, at, x ir.Src) {
			b.ImageLoad(32, at, x, x, kind.Dim2D, false, kind.FormatR32ui, kind.AccessVolatile, kind.BaseUint, kind.FormDeref)
		}, "is not in the binding table"},
		{"bindless", func(b *build.Builder, at, x ir.Src) {
			b.ImageStore(at, x, b.Vec4(x, x, x, x), x, kind.Dim2D, false, kind.FormatR32ui, 0, kind.BaseUint, kind.FormBindless)
		}, ""},
		{"handle that differs", func(b *build.Builder, at, x ir.Src) {
			b.ImageStore(at, x, b.Vec4(x, x, x, x), at.X(), kind.Dim2D, false, kind.FormatR32ui, 0, kind.BaseUint, kind.FormBindless)
		}, "an image that differs between the lanes of a subgroup"},
		{"sampler by its index", func(b *build.Builder, at, x ir.Src) {
			v := b.TexTxl(4, 32, kind.Dim2D, 0, kind.BaseFloat, 0, []kind.TexSrc{kind.TexSrcCoord, kind.TexSrcLOD, kind.TexSrcSamplerIndex, kind.TexSrcTextureHandle}, at.Take(2), x, x, x)
			b.ImageStore(at, x, v, x, kind.Dim2D, false, kind.FormatR32ui, 0, kind.BaseUint, kind.FormIndex)
		}, "tex_txl of an image accessed by a handle with a sampler accessed by its index"},
		{"raw format", func(b *build.Builder, at, x ir.Src) {
			b.ImageLoad(32, at, x, x, kind.Dim2D, false, kind.FormatRgb10A2, kind.AccessVolatile, kind.BaseFloat, kind.FormIndex)
		}, "no row of the selector covers the intrinsic image_load"},
		{"raw format as bits", func(b *build.Builder, at, x ir.Src) {
			b.ImageLoadRaw(at, x, x, kind.Dim2D, false, kind.FormatRgb10A2, kind.AccessVolatile, kind.BaseFloat, kind.FormIndex)
		}, ""},
		{"float sum", atomic(intrinsic.ImageAtomicFadd), "no row of the selector covers the intrinsic image_atomic_fadd"},
		{"float minimum", atomic(intrinsic.ImageAtomicMin), "image_atomic_min on texels of type float"},
		{"float maximum", atomic(intrinsic.ImageAtomicMax), "image_atomic_max on texels of type float"},
		{"float exchange", atomic(intrinsic.ImageAtomicExchange), ""},
	} {
		for _, machine := range target.All {
			if !machine.Can(target.Images) {
				continue
			}
			s, b := newShader(16)
			id := globalID(b, 16)
			c.access(b, b.Vec4(id, id, id, id), b.Imm(0))
			_, err := intel.Compile(s, intel.Options{Target: machine, SIMD: 16, Buffers: 1})
			want := c.want
			if c.name == "raw format" && (machine == target.DG2 || machine == target.LNL) { // converts
				want = ""
			}
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s on %s: %v, want %q", c.name, machine, err, want)
			}
		}
	}
}

// atomic returns a function that builds an atomic on a float texel.
func atomic(id intrinsic.ID) func(b *build.Builder, at, x ir.Src) {
	return func(b *build.Builder, at, x ir.Src) {
		v := b.Intrinsic(id, 1, 32, at, x, x, x)
		s := b.S
		s.SetIndex(v, intrinsic.IxImageDim, uint32(kind.Dim2D))
		s.SetIndex(v, intrinsic.IxFormat, uint32(kind.FormatR32f))
		s.SetIndex(v, intrinsic.IxTexelBase, uint32(kind.BaseFloat))
		s.SetIndex(v, intrinsic.IxForm, uint32(kind.FormIndex))
	}
}
