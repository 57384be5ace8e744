// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/backend/run/amber"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/scripts"
)

// zebinTargets returns the targets for which programs can be written as a zebin.
func zebinTargets() (names []jacquard.Target) {
	for _, machine := range target.All {
		names = append(names, jacquard.Target(machine.Name))
	}
	return names
}

// TestZebinIsValid has ocloc validate the zebin of every compute shader, on one of the
// targets each, and reads it back.
func TestZebinIsValid(t *testing.T) {
	valid, targets := 0, zebinTargets()
	for i, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		name := targets[i%len(targets)]
		p, err := jacquard.Compile(t.Context(), moduleOfWords(words), jacquard.Options{Target: name, Zebin: true})
		if err != nil {
			continue // other tests have the reasons
		}
		file, err := p.Zebin()
		if err != nil {
			t.Errorf("%s for %s: %v", s.Name, name, err)
			continue
		}
		said, err := oracle.ValidateZebin(t, file)
		if err != nil {
			t.Errorf("%s for %s: %v", s.Name, name, err)
			continue
		}
		// The oracle is older than the version; its only warning must be about that.
		for line := range strings.Lines(said) {
			if strings.Contains(strings.ToLower(line), "warning") && !strings.Contains(line, "version") {
				t.Errorf("%s for %s: ocloc: %s", s.Name, name, line)
			}
		}
		m, err := zebin.Read(file)
		if err != nil {
			t.Errorf("%s for %s: %v", s.Name, name, err)
			continue
		}
		k, err := m.Kernel(p.Entry)
		if err != nil || k.SIMD != p.Variants[0].SIMD || len(k.Bindings) != len(p.ABI.Bindings) {
			t.Errorf("%s for %s: read back as %+v, %v", s.Name, name, k, err)
		}
		if err := listed(p, k); err != nil {
			t.Errorf("%s for %s: %v", s.Name, name, err)
		}
		if direct, err := jacquard.Compile(t.Context(), moduleOfWords(words), jacquard.Options{Target: name}); err != nil ||
			!slices.Equal(direct.ZebinArguments(), p.ZebinArguments()) {
			t.Errorf("%s for %s: not compiled as a zebin, its program lists other arguments: %v", s.Name, name, err)
		}
		valid++
	}
	if valid < 100 {
		t.Errorf("only %d shaders became a zebin", valid)
	}
}

// listed compares the arguments that a program lists with the rows of its zebin.
func listed(p *jacquard.Program, k *zebin.Kernel) error {
	args := p.ZebinArguments()
	rows := make([]int, len(args))
	for _, row := range k.Args {
		switch {
		case row.Index < 0:
			continue
		case row.Index >= len(args):
			return fmt.Errorf("argument %d is not listed: %+v", row.Index, args)
		}
		rows[row.Index]++
		a := args[row.Index]
		if a.Kind == "sampler" {
			if row.AddrSpace != "sampler" || row.Sampler != a.Entry {
				return fmt.Errorf("argument %d is listed as %+v, its row is %+v", row.Index, a, row)
			}
			continue
		}
		bound := slices.Contains(k.Bindings, zebin.Binding{BTI: a.Entry, Index: row.Index})
		value := row.Type == "arg_byvalue" && row.Size == a.Size && a.Entry == -1
		pointer := row.Type == "arg_bypointer" && bound && (row.AddrSpace == "image") == (p.ABI.Bindings[a.Entry].Shape != "")
		if value == pointer {
			return fmt.Errorf("argument %d is listed as %+v, its row is %+v", row.Index, a, row)
		}
	}
	if i := slices.Index(rows, 0); i >= 0 {
		return fmt.Errorf("argument %d, %+v, has no row", i, args[i])
	}
	return nil
}

// TestZebinShadersRun counts the shaders of tests/shaders that TestAmber runs from a zebin on at least one machine.
func TestZebinShadersRun(t *testing.T) {
	run := map[string]bool{}
	for _, file := range scripts.Files(t, "../../amber/*.amber") {
		for _, e := range engines {
			if strings.HasPrefix(e.name, "zebin") && exception(strings.TrimSuffix(filepath.Base(file), ".amber"), e.name) == "" {
				for _, s := range scripts.Read(t, file).Shaders {
					if committed(s) {
						run[s.Name] = true
					}
				}
			}
		}
	}
	if len(run) < 60 {
		t.Errorf("only %d shaders run", len(run))
	}
	t.Logf("%d shaders of %d", len(run), len(shaders.All()))
}

func moduleOfWords(words []uint32) []byte {
	var out []byte
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// everyArgument is a script whose shader reads all that a kernel is given. Its result does
// not matter.
const everyArgument = `#!amber
SHADER compute every GLSL
#version 450
layout(local_size_x = 4, local_size_y = 2, local_size_z = 3) in;
layout(push_constant) uniform P { uint a, b; } p;
layout(std430, binding = 0) buffer I { uint i[]; };
layout(std430, binding = 1) buffer O { uint o[]; };
void main() {
  o[gl_LocalInvocationIndex] = i[gl_LocalInvocationIndex] ^ (p.a * 3 + p.b * 5 + gl_NumWorkGroups.x * 7 +
    gl_NumWorkGroups.y * 11 + gl_NumWorkGroups.z * 13 + gl_WorkGroupID.x * 17 + gl_WorkGroupID.y * 19 +
    gl_WorkGroupID.z * 23 + i.length() * 29 + o.length() * 31);
}
END
BUFFER in DATA_TYPE uint32 SIZE 30 SERIES_FROM 1000 INC_BY 7
BUFFER out DATA_TYPE uint32 SIZE 24 FILL 0
BUFFER push DATA_TYPE uint32 DATA 100 200 END
PIPELINE compute pipeline
  ATTACH every
  BIND BUFFER in AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER push AS push_constant
END
RUN pipeline 1 1 1
EXPECT out IDX 0 EQ 0
`

// everyImage is the same for images: 24 words at binding 1 hold the properties that all of them share.
const everyImage = `#!amber
SHADER compute every GLSL
#version 450
layout(local_size_x = 4, local_size_y = 2, local_size_z = 3) in;
layout(binding = 0, r32ui) uniform uimage1D a;
layout(std430, binding = 1) buffer O { uint o[]; };
layout(binding = 2, r32ui) uniform readonly uimage2D b;
layout(binding = 3, r32ui) uniform uimage2D c;
layout(binding = 4, r32ui) uniform uimage3D d;
layout(binding = 5, r32ui) uniform readonly uimageBuffer e;
layout(binding = 6, r32ui) uniform writeonly uimage2D f[2];
void main() {
  int i = int(gl_LocalInvocationIndex);
  imageStore(f[0], ivec2(i, 0), uvec4(1));
  imageStore(f[1], ivec2(i, 0), uvec4(2));
  o[i] = imageLoad(a, i).x + imageLoad(b, ivec2(i, 0)).x * 3 + imageLoad(c, ivec2(i, 0)).x * 5 +
    imageLoad(d, ivec3(i, 0, 0)).x * 7 + imageLoad(e, i).x * 11 + gl_NumWorkGroups.x * 13 + gl_WorkGroupID.x * 17;
}
END
IMAGE a DATA_TYPE uint32 DIM_1D WIDTH 24 SERIES_FROM 100 INC_BY 1
IMAGE b DATA_TYPE uint32 DIM_2D WIDTH 24 HEIGHT 1 SERIES_FROM 200 INC_BY 1
IMAGE c DATA_TYPE uint32 DIM_2D WIDTH 24 HEIGHT 1 SERIES_FROM 300 INC_BY 1
IMAGE d DATA_TYPE uint32 DIM_3D WIDTH 24 HEIGHT 1 DEPTH 1 SERIES_FROM 400 INC_BY 1
IMAGE f DATA_TYPE uint32 DIM_2D WIDTH 24 HEIGHT 1 FILL 0
IMAGE g DATA_TYPE uint32 DIM_2D WIDTH 24 HEIGHT 1 FILL 0
BUFFER e DATA_TYPE uint32 SIZE 24 SERIES_FROM 500 INC_BY 1
BUFFER out DATA_TYPE uint32 SIZE 24 FILL 0
PIPELINE compute pipeline
  ATTACH every
  BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER c AS storage_image DESCRIPTOR_SET 0 BINDING 3
  BIND BUFFER d AS storage_image DESCRIPTOR_SET 0 BINDING 4
  BIND BUFFER e AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 5
  BIND BUFFER_ARRAY f g AS storage_image DESCRIPTOR_SET 0 BINDING 6
END
RUN pipeline 1 1 1
EXPECT out IDX 0 EQ 0
`

// everySampler is the same for samplers: coordinates outside of the images.
const everySampler = `#!amber
SHADER compute every GLSL
#version 450
layout(local_size_x = 4, local_size_y = 2, local_size_z = 3) in;
layout(binding = 0) uniform utexture2D a;
layout(std430, binding = 1) buffer O { uint o[]; };
layout(binding = 2) uniform sampler s;
layout(binding = 3) uniform sampler t;
layout(binding = 4) uniform usampler2D c;
void main() {
  int i = int(gl_LocalInvocationIndex);
  vec2 p = vec2((i + 24.5) / 24.0, 0.5);
  o[i] = textureLod(usampler2D(a, s), p, 0.0).x + textureLod(usampler2D(a, t), p, 0.0).x * 3 + textureLod(c, p, 0.0).x * 5 +
    gl_NumWorkGroups.x * 13 + gl_WorkGroupID.x * 17;
}
END
SAMPLER s MAG_FILTER nearest MIN_FILTER nearest ADDRESS_MODE_U repeat ADDRESS_MODE_V repeat
SAMPLER t MAG_FILTER nearest MIN_FILTER nearest ADDRESS_MODE_U clamp_to_edge ADDRESS_MODE_V clamp_to_edge
SAMPLER u MAG_FILTER nearest MIN_FILTER nearest ADDRESS_MODE_U mirrored_repeat ADDRESS_MODE_V mirrored_repeat
IMAGE a DATA_TYPE uint32 DIM_2D WIDTH 24 HEIGHT 1 SERIES_FROM 100 INC_BY 1
IMAGE c DATA_TYPE uint32 DIM_2D WIDTH 24 HEIGHT 1 SERIES_FROM 300 INC_BY 1
BUFFER out DATA_TYPE uint32 SIZE 24 FILL 0
PIPELINE compute pipeline
  ATTACH every
  BIND BUFFER a AS sampled_image DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1
  BIND SAMPLER s DESCRIPTOR_SET 0 BINDING 2
  BIND SAMPLER t DESCRIPTOR_SET 0 BINDING 3
  BIND BUFFER c AS combined_image_sampler SAMPLER u DESCRIPTOR_SET 0 BINDING 4
END
RUN pipeline 1 1 1
EXPECT out IDX 0 EQ 0
`

// TestZebinArguments removes and moves every row of a kernel's payload and binding table in
// turn: the kernel reads all of it, so that it must then compute something else, or not be
// launched at all.
func TestZebinArguments(t *testing.T) {
	for _, s := range []struct {
		name, script   string
		want           func(n uint32) uint32
		args, bindings int
	}{
		{"values", everyArgument, func(n uint32) uint32 {
			return (1000 + 7*n) ^ (100*3 + 200*5 + 7 + 11 + 13 + 5*17 + 6*19 + 7*23 + 30*29 + 24*31)
		}, 6, 2},
		{"images", everyImage, func(n uint32) uint32 { return 100 + n + 3*(200+n) + 5*(300+n) + 7*(400+n) + 11*(500+n) + 13 + 5*17 }, 10, 8},
		{"samplers", everySampler, func(n uint32) uint32 { return 100 + n + 3*123 + 5*(323-n) + 13 + 5*17 }, 8, 3},
	} {
		for _, c := range []struct {
			target string
			simd   int
		}{{"tgl", 8}, {"tgl", 16}, {"icl", 32}, {"skl", 16}} {
			t.Run(fmt.Sprint(s.name, c.target, c.simd), func(t *testing.T) {
				run := openEvery(t, s.script, jacquard.Options{Target: jacquard.Target(c.target), SIMD: c.simd})
				right, kernel := run(func(*zebin.Kernel) {})
				for n := range uint32(24) {
					if want := s.want(n); right[n] != want {
						t.Fatalf("invocation %d: %d, want %d", n, right[n], want)
					}
				}
				if len(kernel.Args) != s.args || len(kernel.Bindings) != s.bindings {
					t.Fatalf("the kernel has the arguments %+v and bindings %+v", kernel.Args, kernel.Bindings)
				}
				everyRow(&kernel, func(what string, change func(*zebin.Kernel)) {
					if got, _ := run(change); slices.Equal(got, right) {
						t.Errorf("%s: the result is the same", what)
					}
				})
			})
		}
	}
}

// TestZebinAddresses does that with the addresses of buffers, for code that reaches all
// buffers by address.
func TestZebinAddresses(t *testing.T) {
	for _, name := range zebinTargets() {
		run := openEvery(t, everyArgument, jacquard.Options{Target: name, Buffers: "bounded64"})
		right, kernel := run(func(*zebin.Kernel) {})
		if right == nil {
			t.Fatalf("%s: the script fails", name)
		}
		addresses := 0
		for i, a := range kernel.Args {
			if a.AddrMode != "stateless" {
				continue
			}
			addresses++
			for what, change := range map[string]func(*zebin.Kernel){
				"removed":          func(k *zebin.Kernel) { k.Args = slices.Delete(k.Args, i, i+1) },
				"moved":            func(k *zebin.Kernel) { k.Args[i].Offset += 8 },
				"of another index": func(k *zebin.Kernel) { k.Args[i].Index ^= 1 },
			} {
				if got, _ := run(change); slices.Equal(got, right) {
					t.Errorf("%s: argument row %d %s: the result is the same", name, i, what)
				}
			}
		}
		if addresses != 2 {
			t.Errorf("%s: %d addresses are arguments, want 2", name, addresses)
		}
	}
}

// everyRow calls try with changes of a kernel's description.
func everyRow(kernel *zebin.Kernel, try func(what string, change func(*zebin.Kernel))) {
	for i, a := range kernel.Args {
		try("without argument row "+a.Type, func(k *zebin.Kernel) { k.Args = slices.Delete(k.Args, i, i+1) })
		if a.Size > 0 {
			try("argument row "+a.Type+" moved", func(k *zebin.Kernel) { k.Args[i].Offset += 4 })
		}
		if a.AddrSpace == "sampler" {
			for other := range 4 {
				if other != a.Sampler {
					try(fmt.Sprintf("sampler %d as %d", a.Sampler, other), func(k *zebin.Kernel) { k.Args[i].Sampler = other })
				}
			}
		}
		if a.AddrSpace != "" {
			try("argument in another space", func(k *zebin.Kernel) {
				k.Args[i].AddrSpace, k.Args[i].Image = "image", "image_2d"
				if a.AddrSpace == "image" {
					k.Args[i].AddrSpace, k.Args[i].Image = "global", ""
				}
			})
		}
		if a.Image != "" {
			for _, other := range []string{"", "image_buffer", "image_1d", "image_2d", "image_2d_msaa", "image_3d", "image_cube_array"} {
				if other != a.Image {
					try(a.Image+" as "+other, func(k *zebin.Kernel) { k.Args[i].Image = other })
				}
			}
		}
	}
	for i := range kernel.Bindings {
		try("without a binding", func(k *zebin.Kernel) { k.Bindings = slices.Delete(k.Bindings, i, i+1) })
		for j := range i {
			try(fmt.Sprintf("bindings %d and %d exchanged", i, j), func(k *zebin.Kernel) {
				k.Bindings[i].BTI, k.Bindings[j].BTI = k.Bindings[j].BTI, k.Bindings[i].BTI
			})
		}
	}
	try("without local ids", func(k *zebin.Kernel) { k.LocalIDSize = 0 })
	try("with two channels of local ids", func(k *zebin.Kernel) { k.LocalIDSize = k.LocalIDSize / 3 * 2 })
}

// openEvery compiles a script's shader. The function that it returns runs it on a zebin that is changed before its
// launch, and returns the words at bindings 1 and 6, or nil if it fails, and the kernel as it was read. The shader reads
// the base of the workgroup ids instead of the ids, since SPIR-V cannot name the base.
func openEvery(t *testing.T, source string, opts jacquard.Options) func(change func(*zebin.Kernel)) ([]uint32, zebin.Kernel) {
	t.Helper()
	e := &runengine.EU{
		Module: func(_ context.Context, s *runner.Shader) ([]byte, error) {
			module, err := moduleBytes(t, s)
			if err != nil {
				return nil, err
			}
			read, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
			if err != nil {
				return nil, err
			}
			ids := []byte("load_workgroup_id.")
			jir := text.Print(read)
			if !bytes.Contains(jir, ids) {
				return nil, errors.New("the shader does not read workgroup ids")
			}
			return bytes.ReplaceAll(jir, ids, []byte("load_base_workgroup_id.")), nil
		},
		Options: opts,
		Base:    [3]uint32{5, 6, 7},
	}
	e.Options.Zebin = true
	return func(change func(*zebin.Kernel)) (out []uint32, kernel zebin.Kernel) {
		script, err := amber.Parse("every.amber", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		e.Kernel = func(k *zebin.Kernel) {
			kernel = *k
			k.Args, k.Bindings = slices.Clone(k.Args), slices.Clone(k.Bindings)
			change(k)
		}
		if _, err := script.Run(t.Context(), &watched{e, func(c *runner.Call) {
			for _, b := range c.Bindings {
				for i := 0; i < len(b.Data) && (b.Binding == 1 || b.Binding == 6); i += 4 {
					out = append(out, binary.LittleEndian.Uint32(b.Data[i:]))
				}
			}
		}}); err != nil {
			return nil, kernel
		}
		return out, kernel
	}
}

// watched is an engine whose dispatches are looked at afterwards.
type watched struct {
	runner.Engine
	look func(*runner.Call)
}

func (w *watched) Dispatch(ctx context.Context, c *runner.Call) error {
	err := w.Engine.Dispatch(ctx, c)
	if err == nil {
		w.look(c)
	}
	return err
}
