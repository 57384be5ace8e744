// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/differential"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/scripts"
	"jacquard.example/tests/support/spv"
)

// images runs every dispatch on the interpreter with the IR from the reader, on the
// interpreter with the IR after all passes, and on lavapipe, and compares all
// memory: the interpreters with each other bit for bit, with lavapipe number by
// number, floats within a tolerance. The models run the compiled code and agree
// with the interpreter bit for bit.
type images struct {
	interp, lowered, lavapipe runner.Engine
	models                    []*differential.Engine
	absolute                  float64 // maximum error of floats; integers must be equal
}

// notOnLavapipe are the scripts that lavapipe cannot run, and why; their expectations are still checked on the other
// engines.
var notOnLavapipe = map[string]string{
	"descriptor_arrays":   "it has no arrays of descriptors with an index that varies, nor without a size",
	"descriptors_unknown": "it has no arrays of descriptors with an index that varies, nor without a size",
	"rectangles":          "Vulkan has no images of the shape",
	"texel_buffers":       "it has no arrays of descriptors with an index that varies",
	"implicit_lod":        "it does not offer derivative groups",
	"nonuniform_buffers":  "it has no arrays of descriptors with an index that varies",
	"sparse":              "it does not offer derivative groups",
	"sampler_indices":     "it has no arrays of descriptors with an index that varies",
}

func newImages(t *testing.T, s *runner.Script, absolute float64) *images {
	modules := map[*runner.Shader][]byte{} // compiled once for all engines
	mod := func(_ context.Context, s *runner.Shader) (m []byte, err error) {
		if m = modules[s]; m == nil {
			m, err = moduleBytes(t, s)
			modules[s] = m
		}
		return m, err
	}
	e := &images{
		interp:   &runengine.Interp{Module: mod},
		lowered:  &runengine.Interp{Module: mod, Pipeline: pipeline.Compute, Options: pass.Options{Target: target.TGL}},
		absolute: absolute,
	}
	for _, simd := range widths {
		e.models = append(e.models, differential.New(target.TGL, mod, simd))
	}
	e.models = append(e.models, differential.New(target.ICL, mod, 16))
	if notOnLavapipe[strings.TrimSuffix(filepath.Base(s.Name), ".amber")] == "" {
		e.lavapipe = openLavapipe(t, s)
		e.lavapipe.(*lavapipe.Engine).Module = func(s *runner.Shader) ([]uint32, error) {
			m, err := mod(nil, s)
			if err != nil {
				return nil, err
			}
			return spv.Words(m)
		}
	}
	return e
}

// ownMemory returns the call with new memory, which its bindings share as in c.
func ownMemory(c *runner.Call) *runner.Call {
	type place struct {
		b  *runner.Buffer
		at int
	}
	have := map[place][]byte{}
	out := *c
	out.Bindings = append([]runner.Binding(nil), c.Bindings...)
	for i := range out.Bindings {
		b := &out.Bindings[i]
		k := place{b.Buffer, b.Offset}
		if b.Buffer == nil {
			continue
		}
		if len(have[k]) != len(b.Data) {
			have[k] = append([]byte(nil), b.Data...)
		}
		b.Data = have[k]
	}
	return &out
}

func (e *images) Dispatch(ctx context.Context, c *runner.Call) error {
	first, second := ownMemory(c), ownMemory(c)
	if err := e.interp.Dispatch(ctx, first); err != nil {
		return err
	}
	if err := e.lowered.Dispatch(ctx, second); err != nil {
		return err
	}
	for _, m := range e.models {
		if err := m.Dispatch(ctx, ownMemory(c)); err != nil {
			return fmt.Errorf("SIMD%d on %s: %w", m.Model.Options.SIMD, m.Model.Options.Target, err)
		}
	}
	if e.lavapipe == nil {
		e.lavapipe = e.interp
	}
	if err := e.lavapipe.Dispatch(ctx, c); err != nil {
		return err
	}
	for i := range c.Bindings {
		b := &c.Bindings[i]
		if b.Buffer == nil {
			continue
		}
		x, y := first.Bindings[i].Data, second.Bindings[i].Data
		for k := range x {
			if x[k] != y[k] {
				return fmt.Errorf("%s: byte %d is %#x before the passes and %#x after them", b.Buffer.Name, k, x[k], y[k])
			}
		}
		if err := e.compare(b, x, b.Data); err != nil {
			return fmt.Errorf("%s: %w", b.Buffer.Name, err)
		}
	}
	return nil
}

func (e *images) compare(b *runner.Binding, mine, other []byte) error {
	if b.Image == nil {
		return compareFloats(b, mine, other, e.absolute)
	}
	f := b.Image.Format
	for at := 0; at+f.Bytes <= len(mine); at += f.Bytes {
		x, y := mine[at:at+f.Bytes], other[at:at+f.Bytes]
		if string(x) == string(y) {
			continue
		}
		if f.Base == kind.BaseFloat {
			u, v := f.Decode(x), f.Decode(y)
			near := true
			for c := range u {
				near = near && closeTo(float64(u.Float(c)), float64(v.Float(c)), e.absolute)
			}
			if near {
				continue
			}
		}
		return fmt.Errorf("texel %d: interpreter % x, lavapipe % x", at/f.Bytes, x, y)
	}
	return nil
}

func compareFloats(b *runner.Binding, mine, other []byte, absolute float64) error {
	size := b.Buffer.Layout.Size
	for at := -b.Offset; at < len(other); at += size {
		for _, s := range b.Buffer.Layout.Segments {
			from := at + s.Offset
			n := s.Scalar.Bytes()
			if from < 0 || from+n > len(other) || string(mine[from:from+n]) == string(other[from:from+n]) {
				continue
			}
			if s.Scalar == runner.Float32 {
				x := math.Float32frombits(uint32(mine[from]) | uint32(mine[from+1])<<8 | uint32(mine[from+2])<<16 |
					uint32(mine[from+3])<<24)
				y := math.Float32frombits(uint32(other[from]) | uint32(other[from+1])<<8 | uint32(other[from+2])<<16 |
					uint32(other[from+3])<<24)
				if closeTo(float64(x), float64(y), absolute) {
					continue
				}
				return fmt.Errorf("byte %d: interpreter %v, lavapipe %v", from, x, y)
			}
			return fmt.Errorf("byte %d: interpreter % x, lavapipe % x", from, mine[from:from+n], other[from:from+n])
		}
	}
	return nil
}

// closeTo allows the rounding errors of 32-bit arithmetic, and an absolute tolerance.
func closeTo(x, y, absolute float64) bool {
	return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= absolute+1e-6*max(math.Abs(x), math.Abs(y))
}

// filtered is the tolerance of linear filtering on values from 0 to 1: weights
// have at least 8 bits, and drivers use 8 for 8-bit texels (Vulkan
// specification, subTexelPrecisionBits and mipmapPrecisionBits).
const filtered = 1.0 / 64

// TestImageScripts runs the scripts with images, and one in the older form. Scripts whose name begins with filter_ are
// compared within the tolerance of filtering, the others exactly.
func TestImageScripts(t *testing.T) {
	files := scripts.Files(t, "../../amber/images/*")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".amber")
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 0.0
			if strings.HasPrefix(name, "filter_") {
				tolerance = filtered
			}
			runImageScript(t, file, string(src), tolerance)
		})
	}
}

// TestI10NonUniformBuffers compiles accesses to buffers whose descriptor differs between invocations: the machine code
// leaves the same results as the interpreter.
func TestI10NonUniformBuffers(t *testing.T) {
	for _, simd := range widths {
		agree(t, "../../amber/images/nonuniform_buffers.amber", simd)
	}
}

// onModel lists the image scripts that send no sampler messages and so can run on the model.
var onModel = []string{"atomics", "descriptor_arrays_nested", "descriptors_unknown", "equal_coordinates", "float_atomics", "formats", "rectangles", "storage", "texel_buffers"}

// TestImagesOnModel compiles accesses to storage images for every machine at every width: the machine code agrees with
// the interpreter, which runs the IR as it reaches selection, and meets the script's expectations.
func TestImagesOnModel(t *testing.T) {
	for _, name := range onModel {
		script := scripts.Read(t, "../../amber/images/"+name+".amber")
		mod := func(_ context.Context, s *runner.Shader) ([]byte, error) { return moduleBytes(t, s) }
		for _, machine := range target.All {
			if name == "float_atomics" && !machine.Can(target.TypedFloatExchange) {
				continue
			}
			for _, simd := range machine.Widths {
				if !strings.Contains(name, "atomics") && !sample.One(3, name, machine.Name, strconv.Itoa(simd)) {
					continue
				}
				report, err := script.Run(t.Context(), differential.New(machine, mod, simd))
				if err != nil {
					t.Errorf("%s on %s, SIMD%d: %v", name, machine, simd, err)
					continue
				}
				for _, err := range report.Errors() {
					t.Errorf("%s on %s, SIMD%d: %v", name, machine, simd, err)
				}
			}
		}
	}
}

func runImageScript(t *testing.T, name, src string, tolerance float64) {
	t.Helper()
	script, err := amber.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	report, err := script.Run(t.Context(), newImages(t, script, tolerance))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range report.Errors() {
		t.Error(err)
	}
}

// texels writes random numbers for n elements of a format: no NaNs, infinities or other special values, and few outside
// of a normalized range.
func texels(rng *rand.Rand, b *strings.Builder, f *texture.Format, n int) {
	for range n * numbers(f) {
		switch c := f.Comps[0]; {
		case c.Numeric == texture.SFloat:
			fmt.Fprintf(b, " %.3f", rng.Float64()*4-2)
		case packed(f):
			x := rng.Uint64() & (^uint64(0) >> (64 - 8*f.Bytes))
			if f.Comps[0].Numeric == texture.UFloat { // no NaN, no infinity, no denormals
				x = x&0x3df_bf7bf&0xffffffff | 0x2010_0200>>1
				x &^= 0x8000_0000 | 1<<21 | 1<<10
			}
			fmt.Fprintf(b, " %d", x)
		case c.Numeric == texture.SNorm || c.Numeric == texture.SInt || c.Numeric == texture.SScaled:
			fmt.Fprintf(b, " %d", int64(rng.Uint64())>>(64-c.Bits))
		default:
			fmt.Fprintf(b, " %d", rng.Uint64()>>(64-c.Bits))
		}
	}
	b.WriteString("\nEND\n")
}

// packed reports whether a script writes a texel as one number.
func packed(f *texture.Format) bool { return strings.Contains(f.Name, "_PACK") }

func numbers(f *texture.Format) int {
	if packed(f) {
		return 1
	}
	return len(f.Comps)
}

// glslImage returns the prefix of GLSL's types of images for a format, and of its
// vectors.
func glslImage(f *texture.Format) (prefix, vector string) {
	switch f.Base {
	case kind.BaseInt:
		return "i", "ivec4"
	case kind.BaseUint:
		return "u", "uvec4"
	}
	return "", "vec4"
}

// TestStorageFormats reads texels through every format of storage images that
// GLSL has, as images and as texel buffers, and writes them.
func TestStorageFormats(t *testing.T) {
	names := map[kind.Format]string{kind.FormatR11fG11fB10f: "r11f_g11f_b10f", kind.FormatRgb10A2: "rgb10_a2", kind.FormatRgb10A2ui: "rgb10_a2ui"}
	count := 0
	for f := kind.FormatUnknown + 1; texture.Of(f) != nil; f++ {
		format := texture.Of(f)
		if format.Bytes == 8 && len(format.Comps) == 1 {
			continue // 64 bits: lavapipe has no image of it
		}
		count++
		name := names[f]
		if name == "" {
			name = f.String()
		}
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(f), 1))
			prefix, vec := glslImage(format)
			var b strings.Builder
			fmt.Fprintf(&b, `#!amber
SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0, %[1]s) uniform readonly %[2]simage2D a;
layout(binding = 1, %[1]s) uniform writeonly %[2]simage2D b;
layout(binding = 2, %[1]s) uniform readonly %[2]simageBuffer c;
layout(binding = 3, %[1]s) uniform writeonly %[2]simageBuffer d;
layout(binding = 4) buffer O { %[3]s o[]; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  int i = 4 * p.y + p.x;
  o[2 * i] = imageLoad(a, p);
  o[2 * i + 1] = imageLoad(c, i);
  imageStore(b, p.yx, o[2 * i]);
  imageStore(d, 15 - i, o[2 * i + 1].wzyx %[4]s);
}
END
`, name, prefix, vec, map[string]string{"": "* 2.0", "i": "* 2", "u": "* 2u"}[prefix]) // exact, and out of range for some
			fmt.Fprintf(&b, "IMAGE a FORMAT %s DIM_2D WIDTH 4 HEIGHT 4 DATA", format.Name)
			texels(rng, &b, format, 16)
			fmt.Fprintf(&b, "IMAGE b FORMAT %s DIM_2D WIDTH 4 HEIGHT 4 FILL 0\n", format.Name)
			fmt.Fprintf(&b, "BUFFER c DATA_TYPE %s DATA", format.Name)
			texels(rng, &b, format, 16)
			fmt.Fprintf(&b, "BUFFER d DATA_TYPE %s SIZE 16 FILL 0\n", format.Name)
			fmt.Fprintf(&b, "BUFFER o DATA_TYPE vec4<%s> SIZE 32 FILL 0\n", map[string]string{"": "float", "i": "int32", "u": "uint32"}[prefix])
			b.WriteString(`PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER c AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER d AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 3
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 4
END
RUN p 1 1 1
`)
			runImageScript(t, name, b.String(), 0)
		})
	}
	if count < 39 {
		t.Errorf("%d formats", count)
	}
}

// sampledFormats are the formats of sampled images beyond the formats of storage images.
var sampledFormats = []string{
	"R8G8B8A8_SRGB", "B8G8R8A8_SRGB", "B8G8R8A8_UNORM", "A8B8G8R8_UNORM_PACK32", "R5G6B5_UNORM_PACK16", "B5G6R5_UNORM_PACK16", "A1R5G5B5_UNORM_PACK16",
	"B5G5R5A1_UNORM_PACK16", "B4G4R4A4_UNORM_PACK16", "A2R10G10B10_UNORM_PACK32", "A2B10G10R10_UNORM_PACK32",
	"B10G11R11_UFLOAT_PACK32", "E5B9G9R9_UFLOAT_PACK32", "D16_UNORM", "D32_SFLOAT", "R8_UNORM", "R16G16B16A16_SFLOAT", "R32G32_UINT", "R8G8_SINT",
	"R16_SNORM", "A8B8G8R8_SNORM_PACK32", "A8B8G8R8_SINT_PACK32", "A2B10G10R10_UINT_PACK32",
}

// TestSampledFormats fetches texels in formats that are sampled, and samples the
// nearest.
func TestSampledFormats(t *testing.T) {
	for i, name := range sampledFormats {
		t.Run(name, func(t *testing.T) {
			format, err := texture.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(uint64(i), 2))
			prefix, vec := glslImage(format)
			var b strings.Builder
			fmt.Fprintf(&b, `#!amber
SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
layout(local_size_x = 4, local_size_y = 4) in;
layout(binding = 0) uniform %[1]ssampler2D a;
layout(binding = 1) buffer O { %[2]s o[]; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  int i = 4 * p.y + p.x;
  o[2 * i] = texelFetch(a, p, 0);
  o[2 * i + 1] = textureLod(a, (vec2(p) + 0.3) / 4.0, 0.0);
}
END
IMAGE a FORMAT %[3]s DIM_2D WIDTH 4 HEIGHT 4 DATA`, prefix, vec, name)
			texels(rng, &b, format, 16)
			fmt.Fprintf(&b, "BUFFER o DATA_TYPE vec4<%s> SIZE 32 FILL 0\n", map[string]string{"": "float", "i": "int32", "u": "uint32"}[prefix])
			b.WriteString(`SAMPLER n
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS combined_image_sampler SAMPLER n DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
`)
			tolerance := 0.0
			switch { // lavapipe's tolerance
			case strings.Contains(name, "SRGB"):
				tolerance = 2e-3 // the curve is a polynomial
			case strings.Contains(name, "5_UNORM_PACK16") || strings.Contains(name, "5A1_UNORM_PACK16"):
				tolerance = 1.0 / 255 // they are brought to 8 bits first
			}
			runImageScript(t, name, b.String(), tolerance)
		})
	}
}

// TestSampling samples at many places with every filter and address mode, in one
// to three dimensions, with levels, derivatives and offsets.
func TestSampling(t *testing.T) {
	shapes := []struct {
		dims, sampler, coord, grad, offset, place string
		texel, rest                               string // the texel that an invocation fills; what fills a size up
	}{
		{"1d", "sampler1D", "p.x", "p.y * 0.3, p.z * 0.2", "-1", "DIM_1D WIDTH 8", "int(i)", "0, 0, "},
		{"2d", "sampler2D", "p.xy", "p.yz * 0.3, p.zx * 0.2", "ivec2(1, -2)", "DIM_2D WIDTH 8 HEIGHT 4", "ivec2(i & 7u, i >> 3)", "0, "},
		{"3d", "sampler3D", "p", "p.yzx * 0.3, p.zxy * 0.2", "ivec3(1, -2, 3)", "DIM_3D WIDTH 4 HEIGHT 4 DEPTH 4", "ivec3(i & 3u, (i >> 2) & 3u, i >> 4)", ""},
	}
	addresses := []string{"repeat", "mirrored_repeat", "clamp_to_edge", "clamp_to_border", "mirrored_clamp_to_edge"}
	for n, shape := range shapes {
		for _, filter := range []string{"nearest", "linear"} {
			t.Run(shape.dims+"/"+filter, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(n), 3))
				var b strings.Builder
				fmt.Fprintf(&b, `#!amber
SHADER compute fill GLSL TARGET_ENV vulkan1.1
#version 450
layout(local_size_x = 64) in;
layout(binding = 0, rgba8) uniform writeonly %[6]s a;
layout(push_constant) uniform P { uint seed; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 h = (uvec4(1, 3, 5, 7) * (i + 64u * seed) * 2654435761u) >> 24;
  imageStore(a, %[7]s, vec4(h) / 255.0);
}
END
SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) uniform %[1]s a;
layout(binding = 1) buffer O { vec4 o[]; };
layout(binding = 2) buffer I { vec4 c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec3 p = c[i].xyz;
  o[5 * i] = textureLod(a, %[2]s, 0.0);
  o[5 * i + 1] = textureLod(a, %[2]s, c[i].w);
  o[5 * i + 2] = textureGrad(a, %[2]s, %[3]s);
  o[5 * i + 3] = textureLodOffset(a, %[2]s, 1.0, %[4]s);
  o[5 * i + 4] = vec4(textureSize(a, 1), %[8]s);
}
END
IMAGE a FORMAT R8G8B8A8_UNORM MIP_LEVELS 3 %[5]s FILL 0
BUFFER c DATA_TYPE vec4<float> DATA
`, shape.sampler, shape.coord, shape.grad, shape.offset, shape.place, strings.Replace(shape.sampler, "sampler", "image", 1), shape.texel, shape.rest+"textureQueryLevels(a)")
				for range 64 * 4 { // not on the borders between texels
					fmt.Fprintf(&b, " %.4f", math.Floor(rng.Float64()*40-16)/8+0.02+0.08*rng.Float64())
				}
				b.WriteString("\nEND\n")
				for k := range 3 {
					fmt.Fprintf(&b, `BUFFER k%[1]d DATA_TYPE uint32 DATA %[1]d END
PIPELINE compute f%[1]d
  ATTACH fill
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL %[1]d
  BIND BUFFER k%[1]d AS push_constant
END
RUN f%[1]d 1 1 1
`, k)
				}
				for k, address := range addresses {
					fmt.Fprintf(&b, `SAMPLER n%[1]d MAG_FILTER %[2]s MIN_FILTER %[2]s ADDRESS_MODE_U %[3]s ADDRESS_MODE_V %[3]s ADDRESS_MODE_W %[3]s BORDER_COLOR float_opaque_white MAX_LOD 8
BUFFER o%[1]d DATA_TYPE vec4<float> SIZE 320 FILL 0
PIPELINE compute p%[1]d
  ATTACH s
  BIND BUFFER a AS combined_image_sampler SAMPLER n%[1]d DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER o%[1]d AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER c AS storage DESCRIPTOR_SET 0 BINDING 2
END
RUN p%[1]d 1 1 1
`, k, filter, address)
				}
				tolerance := 0.0
				if filter == "linear" {
					tolerance = filtered
				}
				runImageScript(t, shape.dims, b.String(), tolerance)
			})
		}
	}
}
