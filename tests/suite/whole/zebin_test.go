package whole

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/zebin"
	"jacquard.example/cmd/jacquard/amber"
	runengine "jacquard.example/cmd/jacquard/engine"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
)

// TestZebinIsValid has ocloc validate the zebin of every compute shader, on one of the
// targets each, and reads it back.
func TestZebinIsValid(t *testing.T) {
	valid := 0
	for i, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		name := jacquard.Targets()[i%len(jacquard.Targets())]
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
		// The oracle is older than the version, which it says, and nothing else.
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
		valid++
	}
	if valid < 100 {
		t.Errorf("only %d shaders became a zebin", valid)
	}
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

// TestZebinArguments removes and moves every row of a kernel's payload and binding table in
// turn: the kernel reads all of it, so that it must then compute something else, or not be
// launched at all.
func TestZebinArguments(t *testing.T) {
	for _, c := range []struct {
		target string
		simd   int
	}{{"tgl", 8}, {"tgl", 16}, {"icl", 32}} {
		t.Run(fmt.Sprint(c.target, c.simd), func(t *testing.T) {
			right, kernel := runEvery(t, c.target, c.simd, func(*zebin.Kernel) {})
			for n := range uint32(24) {
				if want := (1000 + 7*n) ^ (100*3 + 200*5 + 7 + 11 + 13 + 5*17 + 6*19 + 7*23 + 30*29 + 24*31); right[n] != want {
					t.Fatalf("invocation %d: %d, want %d", n, right[n], want)
				}
			}
			try := func(what string, change func(*zebin.Kernel)) {
				if got, _ := runEvery(t, c.target, c.simd, change); slices.Equal(got, right) {
					t.Errorf("%s: the result is the same", what)
				}
			}
			if len(kernel.Args) != 6 || len(kernel.Bindings) != 2 {
				t.Fatalf("the kernel has the arguments %+v and bindings %+v", kernel.Args, kernel.Bindings)
			}
			for i, a := range kernel.Args {
				try("without argument row "+a.Type, func(k *zebin.Kernel) { k.Args = slices.Delete(slices.Clone(k.Args), i, i+1) })
				if a.Size > 0 {
					try("argument row "+a.Type+" moved", func(k *zebin.Kernel) { k.Args[i].Offset += 4 })
				}
			}
			try("buffers exchanged", func(k *zebin.Kernel) { k.Bindings[0].BTI, k.Bindings[1].BTI = k.Bindings[1].BTI, k.Bindings[0].BTI })
			for i := range kernel.Bindings {
				try("without a binding", func(k *zebin.Kernel) { k.Bindings = slices.Delete(slices.Clone(k.Bindings), i, i+1) })
			}
			try("without local ids", func(k *zebin.Kernel) { k.LocalIDSize = 0 })
			try("with two channels of local ids", func(k *zebin.Kernel) { k.LocalIDSize = k.LocalIDSize / 3 * 2 })
		})
	}
}

// runEvery runs everyArgument on a zebin that is changed before its launch, nil if that
// fails, and returns the kernel as it was read. The shader reads the base of the workgroup
// ids in place of the ids: SPIR-V cannot name it.
func runEvery(t *testing.T, targetName string, simd int, change func(*zebin.Kernel)) ([]uint32, zebin.Kernel) {
	t.Helper()
	script, err := amber.Parse("every.amber", []byte(everyArgument))
	if err != nil {
		t.Fatal(err)
	}
	var kernel zebin.Kernel
	e := &runengine.EU{
		Module: func(_ context.Context, s *amber.Shader) ([]byte, error) {
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
		Options: jacquard.Options{Target: targetName, SIMD: simd, Zebin: true},
		Kernel: func(k *zebin.Kernel) {
			kernel = *k
			k.Args, k.Bindings = slices.Clone(k.Args), slices.Clone(k.Bindings)
			change(k)
		},
		Base: [3]uint32{5, 6, 7},
	}
	var out []uint32
	if _, err := script.Run(t.Context(), &watched{e, func(c *amber.Call) {
		for i := range 24 {
			out = append(out, binary.LittleEndian.Uint32(c.Bindings[1].Data[4*i:]))
		}
	}}); err != nil {
		return nil, kernel
	}
	return out, kernel
}

// watched is an engine whose dispatches are looked at afterwards.
type watched struct {
	amber.Engine
	look func(*amber.Call)
}

func (w *watched) Dispatch(ctx context.Context, c *amber.Call) error {
	err := w.Engine.Dispatch(ctx, c)
	if err == nil {
		w.look(c)
	}
	return err
}
