// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/run/amber"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/differential"
)

// Tests of images, with the same numbers as the tests of the passes and of the interpreter, on machine code: on the
// model, for every machine with the capability, at every width.

// runOnModels runs a script at every width on the machines that have a capability (0 means all). The memory after it must
// equal the interpreter's and meet the script's expectations.
func runOnModels(t *testing.T, src string, needs target.Capability) {
	t.Helper()
	script, err := amber.Parse(t.Name(), []byte("#!amber\n"+src))
	if err != nil {
		t.Fatal(err)
	}
	modules := map[*runner.Shader][]byte{}
	mod := func(_ context.Context, s *runner.Shader) (m []byte, err error) {
		if m = modules[s]; m == nil {
			m, err = moduleBytes(t, s)
			modules[s] = m
		}
		return m, err
	}
	ran := 0
	for _, machine := range target.All {
		if !machine.Can(needs) {
			continue
		}
		for _, simd := range machine.Widths {
			report, err := script.Run(t.Context(), differential.New(machine, mod, simd))
			if err != nil {
				t.Errorf("%s, SIMD%d: %v", machine, simd, err)
				continue
			}
			for _, err := range report.Errors() {
				t.Errorf("%s, SIMD%d: %v", machine, simd, err)
			}
			ran++
		}
	}
	if ran < 2*len(widths) {
		t.Errorf("only %d runs", ran)
	}
}

// codeText returns the code of a compute shader in GLSL.
func codeText(t *testing.T, source, machine string, simd int) string {
	t.Helper()
	module, err := oracle.GLSL(t, "comp", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: jacquard.Target(machine), SIMD: simd})
	if err != nil {
		t.Fatal(err)
	}
	on, ok := target.ByName(machine)
	if !ok {
		t.Fatalf("no machine %s", machine)
	}
	var text strings.Builder
	if err := isatext.Disassemble(on.Platform, p.Variants[0].Code, &text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// imageMessage finds the descriptor of a message to the unit that images are accessed by:
// assembly of Gen12 names it, that of the others has its number in the extended descriptor. Xe2 has another unit.
var (
	imageMessage = regexp.MustCompile(`(?m)(?:send\.dc1 .*| 0x[0-9A-F]*C) (0x[0-9A-F]{8})\b`)
	texelMessage = regexp.MustCompile(`send\.tgm .* (0x[0-9A-F]{8})\b`)
)

// messages counts the messages of a program to images with a function code.
func messages(t *testing.T, text string, function uint64) int {
	t.Helper()
	n := 0
	count := func(find *regexp.Regexp, shift, mask, function uint64) {
		for _, m := range find.FindAllStringSubmatch(text, -1) {
			desc, err := strconv.ParseUint(m[1], 0, 32)
			if err != nil {
				t.Fatal(err)
			}
			if desc>>shift&mask == function {
				n++
			}
		}
	}
	count(imageMessage, 14, 0x1F, function)
	count(texelMessage, 0, 0x3F, texelFunctions[function])
	return n
}

// The function codes of messages to images (IMAGES 1).
const (
	typedRead, typedAtomic, typedWrite = 0x05, 0x06, 0x0D
)

// texelFunctions are the codes of Xe2 for these functions, an addition for atomics (XE_lsc.txt).
var texelFunctions = map[uint64]uint64{typedRead: 2, typedAtomic: 0xC, typedWrite: 6}

// TestI01OperationsOnModel: the ten intrinsics, a load, a store and the atomics on signed and
// unsigned texels.
func TestI01OperationsOnModel(t *testing.T) {
	runOnModels(t, `SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
layout(local_size_x = 32) in;
layout(binding = 0, r32ui) uniform uimage2D a;
layout(binding = 1, r32i) uniform iimage2D b;
void main() {
  int i = int(gl_LocalInvocationID.x);
  imageStore(a, ivec2(i, 0), uvec4(imageLoad(a, ivec2(i, 0)).x + 1u));
  imageAtomicAdd(a, ivec2(0, 1), uint(i));
  imageAtomicMin(a, ivec2(1, 1), uint(i + 3));
  imageAtomicMax(a, ivec2(2, 1), uint(i + 3));
  imageAtomicAnd(a, ivec2(3, 1), ~(1u << (i >> 3)));
  imageAtomicOr(a, ivec2(4, 1), 1u << i);
  imageAtomicXor(a, ivec2(5, 1), 1u << (i & 7));
  imageAtomicExchange(a, ivec2(6, 1), 9u);
  imageAtomicCompSwap(a, ivec2(7, 1), uint(i), uint(i + 1));
  imageAtomicMin(b, ivec2(0, 0), 5 - i);
  imageAtomicMax(b, ivec2(1, 0), i - 40);
}
END
IMAGE a DATA_TYPE uint32 DIM_2D WIDTH 32 HEIGHT 2 DATA
`+strings.Repeat("7 ", 32)+"100 100 0 255 0 1 0 31 "+strings.Repeat("0 ", 24)+`
END
IMAGE b DATA_TYPE int32 DIM_2D WIDTH 2 HEIGHT 1 DATA 0 -100 END
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
EXPECT a IDX 0 EQ `+strings.Repeat("8 ", 32)+`596 3 34 240 4294967295 1 9 32
EXPECT b IDX 0 EQ -26 -9
`, 0)
}

// TestI02VariablesOnModel: the variable determines the format of an access: the same number is stored to and loaded
// from images of different formats.
func TestI02VariablesOnModel(t *testing.T) {
	runOnModels(t, `SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
layout(local_size_x = 32) in;
layout(binding = 0, r32f) uniform image1D a;
layout(binding = 1, r16f) uniform image1D b;
layout(binding = 2, r8) uniform image1D c;
layout(binding = 3, r8_snorm) uniform image1D d;
layout(binding = 4) buffer O { float o[]; };
void main() {
  int i = int(gl_LocalInvocationID.x);
  vec4 x = vec4(1.0009765625 * float(i - 16));
  imageStore(a, i, x); imageStore(b, i, x); imageStore(c, i, x); imageStore(d, i, x);
  o[4 * i] = imageLoad(a, i).x; o[4 * i + 1] = imageLoad(b, i).x;
  o[4 * i + 2] = imageLoad(c, i).x; o[4 * i + 3] = imageLoad(d, i).x;
}
END
IMAGE a FORMAT R32_SFLOAT DIM_1D WIDTH 32 FILL 0
IMAGE b FORMAT R16_SFLOAT DIM_1D WIDTH 32 FILL 0
IMAGE c FORMAT R8_UNORM DIM_1D WIDTH 32 FILL 7
IMAGE d FORMAT R8_SNORM DIM_1D WIDTH 32 FILL 7
BUFFER o DATA_TYPE float SIZE 128 FILL 9
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER c AS storage_image DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER d AS storage_image DESCRIPTOR_SET 0 BINDING 3
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 4
END
RUN p 1 1 1
EXPECT o IDX 0 EQ -16.015625 -16.015625 0 -1
EXPECT o IDX 304 EQ 3.0029296875 3.00390625 1 1
`, 0)
}

// modelShapes are the shapes of images, and the coordinates of texel i of each, all of whose
// sizes are 4, 3, 6.
var modelShapes = []struct {
	glsl, at string
	dim      kind.ImageDim
	coords   int
}{
	{"Buffer", "i", kind.DimBuf, 1}, {"1D", "i", kind.Dim1D, 1}, {"1DArray", "ivec2(i % 4, i / 4)", kind.Dim1D, 2},
	{"2D", "ivec2(i % 4, i / 4)", kind.Dim2D, 2}, {"2DArray", "ivec3(i % 4, i / 4 % 3, i / 12)", kind.Dim2D, 3},
	{"3D", "ivec3(i % 4, i / 4 % 3, i / 12)", kind.Dim3D, 3}, {"Cube", "ivec3(i % 4, i / 4 % 4, i / 16)", kind.DimCube, 3},
	{"CubeArray", "ivec3(i % 4, i / 4 % 4, i / 16)", kind.DimCube, 3},
}

// shaped makes an image of one of modelShapes whose texels are their numbers.
func shaped(glsl string, dim kind.ImageDim, coords int) *texture.Image {
	h, d, layers := uint32(1), uint32(1), uint32(1)
	switch {
	case glsl == "1DArray":
		layers = 3
	case glsl == "Cube":
		h, layers = 4, 6
	case glsl == "CubeArray":
		h, layers = 4, 12
	case glsl == "3D":
		h, d = 3, 6
	case coords > 1:
		h = 3
		if coords > 2 {
			layers = 6
		}
	}
	m := texture.NewImage(dim, texture.Of(kind.FormatR32ui), 4, h, d, layers, 1, 1)
	data := m.Levels[0].Data
	for i := range len(data) / 4 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	return m
}

// TestI03ShapesOnModel: every shape is accessed by as many coordinates as it has, in order. A load, a store and an
// atomic reach the texel at the position given by the memory's layout (Vulkan specification, "Texel Addressing": rows,
// then slices, then layers).
func TestI03ShapesOnModel(t *testing.T) {
	for _, s := range modelShapes {
		t.Run(s.glsl, func(t *testing.T) {
			source := fmt.Sprintf(`#version 450
layout(local_size_x = 64) in;
layout(binding = 0, r32ui) uniform uimage%[1]s a;
layout(binding = 1, r32ui) uniform uimage%[1]s b;
layout(binding = 2) buffer O { uint o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x);
  o[i] = imageLoad(a, %[2]s).x;
  imageStore(a, %[2]s, uvec4(1000 + i));
  imageAtomicAdd(b, %[2]s, 5000u);
}
`, s.glsl, s.at)
			module, err := oracle.GLSL(t, "comp", []byte(source))
			if err != nil {
				t.Fatal(err)
			}
			read := func(context.Context, *runner.Shader) ([]byte, error) { return module, nil }
			for _, machine := range target.All {
				for _, simd := range machine.Widths {
					a, b := shaped(s.glsl, s.dim, s.coords), shaped(s.glsl, s.dim, s.coords)
					as := runner.StorageImage
					if s.dim == kind.DimBuf {
						as = runner.StorageTexelBuffer
					}
					out := make([]byte, 4*192)
					call := &runner.Call{Shader: &runner.Shader{Name: s.glsl}, Groups: [3]uint32{3, 1, 1}, Bindings: []runner.Binding{
						{Binding: 0, Kind: as, Texture: a}, {Binding: 1, Kind: as, Texture: b}, {Binding: 2, Kind: runner.Storage, Data: out}}}
					e := &runengine.EU{Module: read, Options: jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd}}
					if err := e.Dispatch(t.Context(), call); err != nil {
						t.Fatalf("%s, SIMD%d: %v", machine, simd, err)
					}
					texels := len(a.Levels[0].Data) / 4
					for i := range 192 {
						loaded := binary.LittleEndian.Uint32(out[4*i:])
						if i >= texels {
							if loaded != 0 {
								t.Fatalf("%s, SIMD%d: %d is loaded outside of the image", machine, simd, loaded)
							}
							continue
						}
						stored, sum := binary.LittleEndian.Uint32(a.Levels[0].Data[4*i:]),
							binary.LittleEndian.Uint32(b.Levels[0].Data[4*i:])
						if loaded != uint32(i) || stored != uint32(1000+i) || sum != uint32(5000+i) {
							t.Fatalf("%s, SIMD%d: texel %d: loaded %d, stored %d, sum %d", machine, simd, i, loaded, stored, sum)
						}
					}
				}
			}
		})
	}
}

// TestI04TexelsOnModel: a store passes four components whatever the format has; a load returns 0, 0, 1 for the missing
// components.
func TestI04TexelsOnModel(t *testing.T) {
	var decls, body, images, binds, expects strings.Builder
	for k, f := range []struct {
		glsl, name string
		comps      int
	}{{"r32ui", "R32_UINT", 1}, {"rg16ui", "R16G16_UINT", 2}, {"rgba8ui", "R8G8B8A8_UINT", 4}, {"rg32ui", "R32G32_UINT", 2}, {"rgba32ui", "R32G32B32A32_UINT", 4}} {
		fmt.Fprintf(&decls, "layout(binding = %[1]d, %[2]s) uniform uimage1D m%[1]d;\n", k, f.glsl)
		fmt.Fprintf(&body, "  imageStore(m%[1]d, i, uvec4(i + 1, i + 2, i + 3, i + 4)); { uvec4 v = imageLoad(m%[1]d, i); "+
			"o[%[1]d + 5 * i] = v.xyzw; }\n", k)
		if f.name == "R8G8B8A8_UINT" { // a part that is used between others, which come first and last
			fmt.Fprintf(&body, "  { uvec4 v = imageLoad(m%d, i); q[i] = ((v.x ^ 5u) + v.w) * (v.x + 3u); }\n", k)
			expects.WriteString("EXPECT q IDX 0 EQ")
			for i := range 32 {
				fmt.Fprintf(&expects, " %d", ((i+1^5)+i+4)*(i+4))
			}
			expects.WriteString("\n")
		}
		fmt.Fprintf(&images, "IMAGE m%d FORMAT %s DIM_1D WIDTH 32 FILL 99\n", k, f.name)
		fmt.Fprintf(&binds, "  BIND BUFFER m%[1]d AS storage_image DESCRIPTOR_SET 0 BINDING %[1]d\n", k)
		for i := range 32 {
			fmt.Fprintf(&expects, "EXPECT o IDX %d EQ", 16*(k+5*i))
			for c := range 4 {
				x := i + c + 1
				if c >= f.comps {
					x = c / 3
				}
				fmt.Fprintf(&expects, " %d", x)
			}
			expects.WriteString("\n")
		}
	}
	runOnModels(t, "SHADER compute s GLSL TARGET_ENV vulkan1.1\n#version 450\nlayout(local_size_x = 32) in;\n"+decls.String()+
		"layout(binding = 5) buffer O { uvec4 o[]; };\nlayout(binding = 6) buffer Q { uint q[]; };\nvoid main() {\n"+
		"  int i = int(gl_LocalInvocationID.x);\n"+body.String()+"}\nEND\n"+images.String()+
		"BUFFER o DATA_TYPE vec4<uint32> SIZE 160 FILL 7\nBUFFER q DATA_TYPE uint32 SIZE 32 FILL 7\nPIPELINE compute p\n"+
		"  ATTACH s\n"+binds.String()+
		"  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 5\n  BIND BUFFER q AS storage DESCRIPTOR_SET 0 BINDING 6\nEND\n"+
		"RUN p 1 1 1\n"+expects.String(), 0)
}

// TestI05AtomicsOnModel: atomics return the old value; the first operand of a compare and swap is the comparand;
// unsigned texels are compared without sign.
func TestI05AtomicsOnModel(t *testing.T) {
	runOnModels(t, `SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
layout(local_size_x = 32) in;
layout(binding = 0, r32ui) uniform uimage2D a;
layout(binding = 1, r32i) uniform iimage1D b;
layout(binding = 2) buffer O { uint o[]; };
void main() {
  int i = int(gl_LocalInvocationID.x);
  o[i] = imageAtomicAdd(a, ivec2(i, 0), 5u);
  o[32 + i] = imageAtomicCompSwap(a, ivec2(i, 1), 10u + uint(i & 1), 77u);
  o[64 + i] = imageAtomicMax(a, ivec2(i, 2), 0x80000000u);
  o[96 + i] = imageAtomicExchange(a, ivec2(i, 3), uint(i));
  o[128 + i] = imageAtomicMin(a, ivec2(i, 4), 0x80000000u);
  o[160 + i] = uint(imageAtomicMin(b, i, -1));
}
END
IMAGE a DATA_TYPE uint32 DIM_2D WIDTH 32 HEIGHT 5 FILL 10
IMAGE b DATA_TYPE int32 DIM_1D WIDTH 32 FILL 10
BUFFER o DATA_TYPE uint32 SIZE 192 FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 2
END
RUN p 1 1 1
EXPECT o IDX 0 EQ `+strings.Repeat("10 ", 192)+`
EXPECT a IDX 0 EQ `+strings.Repeat("15 ", 32)+strings.Repeat("77 10 ", 16)+strings.Repeat("2147483648 ", 32)+`0 1 2 3 4 5 6 7
EXPECT a IDX 508 EQ 31 `+strings.Repeat("10 ", 32)+`
EXPECT b IDX 0 EQ `+strings.Repeat("-1 ", 32)+`
`, 0)
}

// effects is a shader with unused loads and atomics, and a load on both sides of a store.
const effects = `#version 450
layout(local_size_x = 8) in;
layout(binding = 0, r32ui) uniform QUALIFIERS uimage1D a;
layout(binding = 1) buffer O { uint o[]; };
void main() {
  int i = int(gl_LocalInvocationID.x);
  imageLoad(a, i + 1);
  uint x = imageLoad(a, i).x;
  imageStore(a, i, uvec4(x + 1u));
  imageStore(a, i, uvec4(x + 2u));
  uint y = imageLoad(a, i).x;
  uint z = imageLoad(a, i).x;
  imageAtomicAdd(a, i, 1u);
  o[i] = 100u * x + 10u * y + z;
}
`

// TestI06EffectsOnModel: an unused load leaves no message, an unused atomic one without a
// result; every store is there, and so is a load after it.
func TestI06EffectsOnModel(t *testing.T) {
	for _, machine := range target.All {
		text := codeText(t, strings.Replace(effects, "QUALIFIERS ", "", 1), machine.Name, machine.Widths[0])
		for _, c := range []struct {
			name        string
			code        uint64
			least, most int
		}{{"loads", typedRead, 2, 3}, {"stores", typedWrite, 2, 2}, {"atomics", typedAtomic, 1, 1}} {
			if n := messages(t, text, c.code); n < c.least || n > c.most {
				t.Errorf("%s: %d %s, want %d to %d\n%s", machine, n, c.name, c.least, c.most, text)
			}
		}
	}
	runOnModels(t, "SHADER compute s GLSL TARGET_ENV vulkan1.1\n"+strings.Replace(effects, "QUALIFIERS ", "", 1)+`END
IMAGE a DATA_TYPE uint32 DIM_1D WIDTH 8 DATA 1 1 1 1 1 1 1 1 END
BUFFER o DATA_TYPE uint32 SIZE 8 FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
EXPECT a IDX 0 EQ 4 4 4 4 4 4 4 4
EXPECT o IDX 0 EQ 133 133 133 133 133 133 133 133
`, 0)
}

// chosenImage stores to one of two images and adds to one of two texels.
const chosenImage = `#version 450
layout(local_size_x = 32) in;
layout(binding = 0, r32ui) uniform coherent uimage1D a;
layout(binding = 1, r32ui) uniform uimage1D b;
void main() {
  int i = int(gl_LocalInvocationID.x);
  if (i % 3 == 0) imageStore(a, i, uvec4(7)); else imageStore(b, i, uvec4(7));
  if (i % 2 == 0) imageAtomicAdd(a, 32, 1u); else imageAtomicAdd(b, 32, 1u);
}
`

// TestI07I08ChosenImageOnModel: which image is accessed is known in every message, although
// paths with different ones meet; and texels that SPIR-V has pointers to are accessed by
// their coordinates.
func TestI07I08ChosenImageOnModel(t *testing.T) {
	var a, b strings.Builder
	for i := range 32 {
		x, y := 0, 7
		if i%3 == 0 {
			x, y = 7, 0
		}
		fmt.Fprintf(&a, " %d", x)
		fmt.Fprintf(&b, " %d", y)
	}
	runOnModels(t, "SHADER compute s GLSL TARGET_ENV vulkan1.1\n"+chosenImage+`END
IMAGE a DATA_TYPE uint32 DIM_1D WIDTH 33 FILL 0
IMAGE b DATA_TYPE uint32 DIM_1D WIDTH 33 FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
EXPECT a IDX 0 EQ`+a.String()+` 16
EXPECT b IDX 0 EQ`+b.String()+` 16
`, 0)
}

// TestI09QualifiersOnModel: a store to a coherent image and one to another stay two messages,
// and every access to a volatile image is one.
func TestI09QualifiersOnModel(t *testing.T) {
	for _, machine := range target.All {
		if n := messages(t, codeText(t, chosenImage, machine.Name, machine.Widths[0]), typedWrite); n != 2 {
			t.Errorf("%s: %d stores to two images", machine, n)
		}
		text := codeText(t, strings.Replace(effects, "QUALIFIERS", "volatile", 1), machine.Name, machine.Widths[0])
		if n := messages(t, text, typedRead); n != 4 {
			t.Errorf("%s: %d of the 4 loads of a volatile image", machine, n)
		}
	}
}

// TestI10NonUniformImages: each invocation accesses the image that its index selects; indices all differ, are the same
// for some invocations, or are the same for all.
func TestI10NonUniformImages(t *testing.T) {
	var images, names, expects strings.Builder
	for k := range 4 {
		fmt.Fprintf(&images, "IMAGE m%d DATA_TYPE uint32 DIM_1D WIDTH 34 FILL %d\n", k, 10*k)
		fmt.Fprintf(&names, " m%d", k)
		fmt.Fprintf(&expects, "EXPECT m%d IDX 0 EQ", k)
		for i := range 32 {
			x := 10 * k
			if (i*i+i/5)%4 == k {
				x = 1000 + 10*k + i
			}
			fmt.Fprintf(&expects, " %d", x)
		}
		adds := 0
		for i := range 32 {
			if i/8 == k {
				adds += i
			}
		}
		all := 10 * k
		if k == 2 {
			all += 32
		}
		fmt.Fprintf(&expects, " %d %d\n", 10*k+adds, all)
	}
	runOnModels(t, `SHADER compute s GLSL TARGET_ENV vulkan1.2
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(binding = 0, r32ui) uniform uimage1D m[4];
layout(binding = 1) buffer I { int index; };
void main() {
  int i = int(gl_LocalInvocationID.x), k = (i * i + i / 5) % 4;
  imageStore(m[nonuniformEXT(k)], i, imageLoad(m[nonuniformEXT(k)], i) + uint(1000 + i));
  imageAtomicAdd(m[nonuniformEXT(i / 8)], 32, uint(i));
  imageAtomicAdd(m[index], 33, 1u);
}
END
`+images.String()+`BUFFER i DATA_TYPE int32 DATA 2 END
PIPELINE compute p
  ATTACH s
  BIND BUFFER_ARRAY`+names.String()+` AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER i AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
`+expects.String(), 0)
}
