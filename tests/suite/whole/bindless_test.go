// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// formsShader loads from, stores to, updates atomically and queries one image, samples another, and stores its results
// in a third. $A, $O, $T and $S are replaced by the code that names these images and the sampler.
const formsShader = `shader compute "main"
workgroup_size 40 1 1
struct S1 "P" block {
  [8 x u32, 4] "h" offset=0
}
var @1 "a" image image(u32, 2d, r32ui, storage)
var @2 "t" uniform image(f32, 2d, unknown) binding=2
var @3 "s" uniform sampler binding=3
var @4 "o" image image(u32, 2d, rgba32ui, storage) binding=1
var @5 "p" push_constant S1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x7)
    %2 = iand.32 %0, %1
    %3 = load_const.32 value=(0x3)
    %4 = ushr.32 %0, %3
    %6 = load_const.32 value=(0x0)
    %9 = load_const.32 value=(0x5)
    %11 = load_const.32 value=(0x1)
    %7 = vec4.32x4 %2, %4, %6, %6
    %36 = deref_var.32 modes=push_constant type=S1 var=@5
    %37 = deref_struct.32 %36 modes=push_constant type=[8 x u32, 4]
    $A
    $O
    $T
    $S
    %8 = image_load.32x4 %7, %6, %50 image_dim=2d format=r32ui texel_base=uint$F
    %10 = imul.32 %0, %9
    %12 = iadd.32 %10, %11
    %13 = image_atomic_add.32 %7, %6, %12, %50 image_dim=2d format=r32ui texel_base=uint$F
    %14 = ishl.32 %0, %3
    %15 = load_const.32x4 value=(0x7, 0x7, 0x0, 0x0)
    %16 = image_atomic_xor.32 %15, %6, %14, %50 image_dim=2d format=r32ui texel_base=uint$F
    %17 = image_size.32x2 %6, %50 image_dim=2d format=r32ui$F
    %20 = i2f32.32 %2
    %21 = i2f32.32 %4
    %22 = load_const.32 value=(0x3e124925)
    %23 = fmul.32 %20, %22
    %24 = fmul.32 %21, %22
    %25 = vec2.32x2 %23, %24
    %26 = tex_txl.32x4 coord: %25, lod: %6, $T: %52, $S: %53 dim=2d dest_base=float
    %28 = load_const.32 value=(0x4)
    %29 = ishl.32 %17.y, %28
    %30 = iadd.32 %17.x, %29
    %31 = vec4.32x4 %8.x, %13, %30, %26.x
    image_store %7, %6, %31, %51 image_dim=2d format=rgba32ui texel_base=uint$F
    %32 = load_const.32 value=(0x8)
    %33 = iadd.32 %4, %32
    %34 = tex_txs.32x2 lod: %6, $T: %52 dim=2d dest_base=uint
    %35 = image_samples.32 %50 image_dim=2d format=r32ui$F
    %42 = vec4.32x4 %34.x, %34.y, %35, %0
    %43 = vec4.32x4 %2, %33, %6, %6
    image_store %43, %6, %42, %51 image_dim=2d format=rgba32ui texel_base=uint$F
}
`

// The handles of the images, and of the sampler. Other handles are between them, and the first image has two handles,
// each for some of the invocations.
const (
	handleA, handleA2, handleO, handleT, handleS = 0x3000, 0x0007_4000, 0xFFFF_F000, 0x0000_B000, 0x60
)

// formsOf returns the shader with its images by variables, or by handles, from push constants,
// constants, or that differ between invocations.
func formsOf(how string) string {
	if how == "variables" || how == "indices" {
		deref := func(v, mode, typ string, x int) string {
			return fmt.Sprintf("%s = deref_var.32 modes=%s type=%s var=@%d", v, mode, typ, x)
		}
		return strings.NewReplacer("$A", deref("%50", "image", "image(u32, 2d, r32ui, storage)", 1), "$O",
			deref("%51", "image", "image(u32, 2d, rgba32ui, storage)", 4),
			"    $T\n", "    "+deref("%52", "uniform", "image(f32, 2d, unknown)", 2)+"\n", "    $S\n", "    "+deref("%53", "uniform",
				"sampler", 3)+"\n",
			"$T", "texture_deref", "$S", "sampler_deref", "$F", "").Replace(formsShader)
	}
	n := 60
	value := func(v string, slot, handle uint32) string {
		n += 10
		if how == "constants" {
			return fmt.Sprintf("%s = load_const.32 value=(0x%x)", v, handle)
		}
		at := fmt.Sprintf("%%%d = load_const.32 value=(0x%x)\n", n, slot)
		if slot == 0 && how == "differing" { // that of A: 0 or 1
			at = fmt.Sprintf("%%%d = iand.32 %%0, %%11\n", n)
		}
		return at + fmt.Sprintf("%%%d = deref_array.32 %%37, %%%d modes=push_constant type=u32\n%s = load_deref.32 %%%d", n+1, n, v, n+1)
	}
	return strings.NewReplacer("$A", value("%50", 0, handleA), "$O", value("%51", 2, handleO),
		"    $T\n", value("%52", 3, handleT)+"\n", "    $S\n", value("%53", 4, handleS)+"\n",
		"$T", "texture_handle", "$S", "sampler_handle", "$F", " form=bindless").Replace(formsShader)
}

// formsImages are the images of a run: the shader's images in order, surrounded by others with the same contents.
type formsImages struct {
	a, a2, o, t, wrong *texture.Image
	s, other           *texture.Sampler
}

func newFormsImages(t *testing.T) *formsImages {
	t.Helper()
	image := func(format string, w, h uint32, seed int) *texture.Image {
		f, err := texture.Named(format)
		if err != nil {
			t.Fatal(err)
		}
		m := texture.NewImage(kind.Dim2D, f, w, h, 1, 1, 1, 1)
		for i := range m.Levels[0].Data {
			m.Levels[0].Data[i] = byte(i*37 + i/7 + seed)
		}
		return m
	}
	linear := &texture.Sampler{Mag: texture.Linear, Min: texture.Linear, MaxLOD: 10}
	return &formsImages{a: image("R32_UINT", 8, 8, 1), a2: image("R32_UINT", 8, 8, 2), o: image("R32G32B32A32_UINT", 8, 16, 3),
		t: image("R8_UNORM", 5, 3, 4), wrong: image("R32_UINT", 3, 3, 5), s: linear, other: &texture.Sampler{MaxLOD: 10}}
}

// memory returns the memory after a run.
func (f *formsImages) memory() []byte {
	return slices.Concat(f.a.Levels[0].Data, f.a2.Levels[0].Data, f.o.Levels[0].Data, f.wrong.Levels[0].Data)
}

// interpret runs a shader on the interpreter.
func (f *formsImages) interpret(t *testing.T, s *ir.Shader, width int, push []byte) {
	t.Helper()
	named := func(h uint32, m *texture.Image) interp.Handle {
		return interp.Handle{Value: h, Image: interp.Image{Texture: m}}
	}
	_, err := interp.Run(t.Context(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: width, Push: push,
		Images: []interp.Image{{Binding: 0, Texture: f.a}, {Binding: 1, Texture: f.o}, {Binding: 2, Texture: f.t}, {Binding: 3, Sampler: f.s}},
		Handles: interp.Handles{
			Images:   []interp.Handle{named(0x1000, f.wrong), named(handleA, f.a), named(handleT, f.t), named(handleA2, f.a2), named(handleO, f.o)},
			Samplers: []interp.Handle{{Value: 0x20, Image: interp.Image{Sampler: f.other}}, {Value: handleS, Image: interp.Image{Sampler: f.s}}},
		}})
	if err != nil {
		t.Fatal(err)
	}
}

// dispatch returns a run on the model.
func (f *formsImages) dispatch(m *target.Target, p *jacquard.Program, push []byte, strict eu.Options) *eu.Dispatch {
	surface := func(m *texture.Image) *eu.Surface { return &eu.Surface{Image: m} }
	bound := []*eu.Surface{surface(f.a), surface(f.o), surface(f.t)}
	heap := eu.Heap{Surfaces: make([]*eu.Surface, handleO>>12+1), Samplers: []*texture.Sampler{1: f.other, 3: f.s}}
	for i, m := range map[int]*texture.Image{1: f.wrong, handleA >> 12: f.a, handleT >> 12: f.t, handleA2 >> 12: f.a2, handleO >> 12: f.o} {
		heap.Surfaces[i] = surface(m)
	}
	d := &eu.Dispatch{Program: eu.Load(m, p.Variants[0].Code), SIMD: p.Variants[0].SIMD, Groups: [3]uint32{1, 1, 1}, LocalSize: p.ABI.LocalSize,
		Heap: heap, ScratchPerThread: p.Variants[0].Scratch, Payload: eu.ComputePayload(m.ABI, push), Options: strict}
	for _, r := range p.ABI.Bindings {
		d.Surfaces = append(d.Surfaces, bound[r.Binding])
	}
	for range p.ABI.Samplers {
		d.Samplers = append(d.Samplers, f.s)
	}
	return d
}

// TestI11FormsOnModel: images and samplers by variables, by indices and by handles do the same,
// on the interpreter and on the model of every machine at every width, and iga64 reproduces the bytes from its text of
// the code.
func TestI11FormsOnModel(t *testing.T) {
	push := make([]byte, 32)
	for i, h := range []uint32{handleA, handleA2, handleO, handleT, handleS} {
		binary.LittleEndian.PutUint32(push[4*i:], h)
	}
	var same []byte // result of all forms except the form with two images
	for _, how := range []string{"variables", "indices", "push constants", "constants", "differing"} {
		source := formsOf(how)
		t.Run(how, func(t *testing.T) {
			s, err := text.Parse([]byte(source))
			if err == nil {
				err = validate.Shader(s)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, source)
			}
			if how == "indices" {
				if err := pass.New(s).Run(pipeline.Compute, nil); err != nil {
					t.Fatal(err)
				}
				if lowered := string(text.Print(s)); !strings.Contains(lowered, "form=index") ||
					!strings.Contains(lowered, "texture_index") {
					t.Fatalf("no image by its index\n%s", lowered)
				}
			}
			for _, m := range target.All {
				var codes [][]byte
				for _, simd := range m.Widths {
					want := newFormsImages(t)
					before := want.memory()
					want.interpret(t, s, simd, push)
					p, err := jacquard.Compile(t.Context(), []byte(source),
						jacquard.Options{Target: jacquard.Target(m.Name), SIMD: simd, Verify: true})
					if err != nil {
						t.Fatalf("%s, SIMD%d: %v", m.Name, simd, err)
					}
					codes = append(codes, p.Variants[0].Code)
					strict := []eu.Options{{Poison: true, Undefined: true, Addresses: true}}
					if m.Can(target.Fused) {
						strict = append(strict, eu.Options{Addresses: true, Fused: true})
					}
					for _, o := range strict {
						got := newFormsImages(t)
						_, err = eu.Run(t.Context(), got.dispatch(m, p, push, o))
						if err != nil || !bytes.Equal(got.memory(), want.memory()) {
							var dis strings.Builder
							_ = isatext.Disassemble(m.Platform, p.Variants[0].Code, &dis)
							t.Errorf("%s, SIMD%d: %v\ngot  %x\nwant %x\n%s", m.Name, simd, err, got.memory(), want.memory(), dis.String())
						}
					}
					switch {
					case bytes.Equal(before, want.memory()):
						t.Fatal("the shader changes nothing")
					case how == "differing":
					case same == nil:
						same = want.memory()
					case !bytes.Equal(same, want.memory()):
						t.Errorf("SIMD%d: a different result than by variables", simd)
					}
				}
				iga := oracle.IGA{Platform: m.Platform.IGA()}
				texts, errs := iga.DisassembleAll(t, codes)
				back, said := iga.AssembleAll(t, texts, "-Wall")
				for i, code := range codes {
					if errs[i] != nil || said[i] != nil || !bytes.Equal(back[i], code) {
						t.Errorf("%s, SIMD%d: iga64 makes other bytes of it: %v, %v\n%s", m.Name, m.Widths[i], errs[i], said[i], texts[i])
					}
				}
			}
		})
	}
}
