// SPDX-License-Identifier: MIT

package memory_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// nonUniformHead has arrays of every kind of descriptor and an index; %13 is a deref of the invocation's result.
const nonUniformHead = `shader compute "main"
workgroup_size 8 1 1
struct S1 "B" block {
  u32 "v" offset=0
}
struct S2 "O" block {
  [8 x u32, 4] "v" offset=0
}
var @1 "bufs" ssbo [4 x S1, 0]
var @2 "imgs" image [4 x image(u32, 2d, r32ui, storage), 0] binding=1
var @3 "texs" uniform [4 x sampled_image(f32, 2d, unknown), 0] binding=2
var @4 "smps" uniform [4 x sampler, 0] binding=3
var @5 "out" ssbo S2 binding=4
fn 1 "main"() entry {
  b0:
    %0 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %50 = load_local_invocation_index.32
    %51 = load_const.32 value=(0x3)
    %52 = load_const.32 value=(0x1)
    %53 = load_const.32x2 value=(0x3f000000, 0x3f000000)
    %1 = INDEX
    %2 = deref_var.32 modes=ssbo type=[4 x S1, 0] var=@1
    %3 = deref_array.32 %2, %1 modes=ssbo type=S1
    %4 = deref_struct.32 %3 modes=ssbo type=u32
    %5 = deref_var.32 modes=image type=[4 x image(u32, 2d, r32ui, storage), 0] var=@2
    %6 = deref_array.32 %5, %1 modes=image type=image(u32, 2d, r32ui, storage)
    %7 = deref_var.32 modes=uniform type=[4 x sampled_image(f32, 2d, unknown), 0] var=@3
    %8 = deref_array.32 %7, %1 modes=uniform type=sampled_image(f32, 2d, unknown)
    %9 = deref_var.32 modes=uniform type=[4 x sampler, 0] var=@4
    %10 = SAMPLER
    %11 = deref_array.32 %9, %10 modes=uniform type=sampler
    %12 = deref_var.32 modes=ssbo type=S2 var=@5
    %54 = deref_struct.32 %12 modes=ssbo type=[8 x u32, 4]
    %13 = deref_array.32 %54, %50 modes=ssbo type=u32
`

// nonUniformCall binds distinct contents to all elements of the arrays.
func nonUniformCall() *interp.Call {
	c := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Buffers: []interp.Buffer{{Binding: 4, Data: make([]byte, 32)}}}
	format, err := texture.Named("R32_SFLOAT")
	if err != nil {
		panic(err)
	}
	for e := range uint32(4) {
		m := texture.NewImage(kind.Dim2D, format, 2, 2, 1, 1, 1, 1)
		for i := range 4 {
			binary.LittleEndian.PutUint32(m.Levels[0].Data[4*i:], math.Float32bits(float32(10*e)+float32(i)))
		}
		x := texture.DefaultSampler()
		if e > 0 {
			x.Mag = texture.Linear // between texels 0 and 3
		}
		c.Buffers = append(c.Buffers, interp.Buffer{Element: e, Data: binary.LittleEndian.AppendUint32(nil, 100+e)})
		c.Images = append(c.Images,
			interp.Image{Binding: 1, Element: e, Dim: kind.Dim2D, Format: kind.FormatR32ui, Width: 1 + e, Height: 1,
				Data: binary.LittleEndian.AppendUint32(nil, 200+e)},
			interp.Image{Binding: 2, Element: e, Texture: m, Sampler: &x},
			interp.Image{Binding: 3, Element: e, Sampler: &x})
	}
	return c
}

// memoryOf runs a shader and returns all memory that it can write.
func memoryOf(t *testing.T, s *ir.Shader) string {
	t.Helper()
	c := nonUniformCall()
	if _, err := interp.Run(context.Background(), s, c); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	var out []string
	for _, b := range c.Buffers {
		out = append(out, fmt.Sprintf("%d/%d: %x", b.Binding, b.Element, b.Data))
	}
	for _, m := range c.Images {
		if m.Data != nil {
			out = append(out, fmt.Sprintf("%d/%d: %x", m.Binding, m.Element, m.Data))
		}
	}
	return strings.Join(out, "\n")
}

// divergentDescriptors counts the accesses to an element of an array of
// descriptors whose index may differ between the invocations that access it.
func divergentDescriptors(s *ir.Shader) int {
	var g analysis.CFG
	var div analysis.Divergence
	g.Build(s, s.Entry())
	div.Build(s, s.Entry(), &g)
	n := 0
	for b := range s.Blocks(s.Entry()) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind == kind.Deref {
				continue
			}
			for i := range int(s.At(v).NSrc) {
				d := s.Src(v, i).Val
				for s.At(d).Kind == kind.Deref && s.At(d).DerefKind() != kind.DerefVar {
					p := s.Src(d, 0).Val
					element := s.At(d).DerefKind() == kind.DerefArray && s.At(p).DerefKind() == kind.DerefVar
					if element && div.Value(s.Src(d, 1).Val) {
						n++
					}
					d = p
				}
			}
		}
	}
	return n
}

// TestNonUniformLOD: a query of the level of detail needs the coordinates of all invocations of a quad. They do not run
// together if their descriptors differ, so the query is rejected. A query that is marked but has a uniform descriptor is
// left alone.
func TestNonUniformLOD(t *testing.T) {
	for index, refused := range map[string]bool{"iand.32 %50, %51": true, "mov.32 %52": false} {
		src := strings.NewReplacer("INDEX", index, "SAMPLER", "mov.32 %52", "workgroup_size 8 1 1",
			"workgroup_size 8 1 1\nmodes derivative_group_linear").Replace(nonUniformHead) +
			"    %20 = tex_lod.32x2 coord: %53, texture_deref: %8, sampler_deref: %8 dim=2d flags=non_uniform dest_base=float\n" +
			"    %21 = f2u32.32 %20.x\n    store_deref.x1 %13, %21 write_mask=1\n}\n"
		err := passtest.Pipeline(t, src, pass.Options{Target: target.TGL})
		if (err != nil) != refused || refused &&
			!strings.Contains(err.Error(), "tex_lod with descriptors that differ between invocations is not supported") {
			t.Errorf("index %s: %v", index, err)
		}
	}
}

// TestRefuseImages: an operation that a target has no message for is rejected by an error that names the missing feature:
// images, samplers, multisampled storage images, 64-bit texels, and float atomics that are not exchanges.
func TestRefuseImages(t *testing.T) {
	without := func(c target.Capability) *target.Target {
		m := *target.TGL
		m.Has &^= c
		return &m
	}
	const load = "%20 = image_load.32x4 %0, %0.x, %6 image_dim=2d format=r32ui access=coherent texel_base=uint"
	const images, samplers = "messages for storage images", "messages for samplers"
	for _, c := range []struct {
		access string
		on     *target.Target
		want   string
	}{
		{load, without(target.Images), images},
		{"image_store %0, %0.x, %0, %6 image_dim=2d format=r32ui texel_base=uint", without(target.Images), images},
		{"%20 = image_atomic_comp_swap.32 %0, %0.x, %1, %1, %6 image_dim=2d format=r32ui texel_base=uint", without(target.Images), images},
		{"%20 = image_size.32x2 %0.x, %6 image_dim=2d format=r32ui", without(target.Samplers), samplers},
		{"%20 = tex_txl.32x4 coord: %0.xy, lod: %0.x, texture_deref: %8, sampler_deref: %8 dim=2d dest_base=float", without(target.Samplers), samplers},
		{"%20 = tex_query_levels.32 texture_deref: %8 dim=2d dest_base=uint", without(target.Samplers), samplers},
		{"image_store %0, %0.x, %0, %6 image_dim=ms format=r32ui texel_base=uint", target.TGL, "messages for multisampled storage images"},
		{"%20 = image_atomic_exchange.64 %0, %0.x, %60, %6 image_dim=2d format=r64ui texel_base=uint", target.TGL, "messages for texels of these sizes"},
		{"%20 = image_atomic_exchange.32 %0, %0.x, %1, %6 image_dim=2d format=r32f texel_base=float", target.SKL, "atomics on images of floats"},
	} {
		src := strings.NewReplacer("INDEX", "mov.32 %0.x", "SAMPLER", "mov.32 %0.x").Replace(nonUniformHead) +
			"    %60 = load_const.64 value=(0x1, 0x0)\n    " + c.access + "\n"
		switch {
		case strings.Contains(c.access, ".64 "):
			src += "    %21 = u2u32.32 %20\n    store_deref.x1 %4, %21 write_mask=1\n"
		case strings.HasPrefix(c.access, "%20"):
			src += "    %21 = mov.32 %20.x\n    store_deref.x1 %4, %21 write_mask=1\n"
		}
		src += "}\n"
		name := strings.TrimPrefix(c.access, "%20 = ")
		name = name[:strings.IndexAny(name, ". ")]
		if err := passtest.Pipeline(t, src, pass.Options{Target: c.on}); err == nil || !strings.HasPrefix(err.Error(), name) ||
			!strings.HasSuffix(err.Error(), " has no "+c.want) {
			t.Errorf("%s: %v, want %s", c.access, err, c.want)
		}
	}
}

// TestI10NonUniformAccess runs the cases of lower_non_uniform: each access uses one descriptor at a time, and the same
// descriptor as before the pass. Accesses that are not marked nonuniform do not change.
func TestI10NonUniformAccess(t *testing.T) {
	unmarked := strings.NewReplacer(" access=non_uniform", "", "|non_uniform", "", " flags=non_uniform", "")
	varied := 0
	for _, x := range passtest.Cases(t, "lower_non_uniform") {
		if strings.Contains(x.Text, "shader fragment") {
			continue
		}
		before, s := passtest.Parse(t, x.Text), passtest.Parse(t, x.Text)
		if divergentDescriptors(s) > 0 {
			varied++
		}
		memory.LowerNonUniform(pass.New(s))
		if n := divergentDescriptors(s); n != 0 {
			t.Errorf("%s: %d descriptors differ\n%s", x.Name, n, text.Print(s))
		}
		if a, b := memoryOf(t, before), memoryOf(t, s); a != b {
			t.Errorf("%s: leaves\n%s\nwithout the pass\n%s\n%s", x.Name, b, a, text.Print(s))
		}
		plain := passtest.Parse(t, unmarked.Replace(x.Text))
		if memory.LowerNonUniform(pass.New(plain)) {
			t.Errorf("%s: without marks it becomes\n%s", x.Name, text.Print(plain))
		}
	}
	if varied < 12 {
		t.Errorf("%d cases vary", varied)
	}
}
