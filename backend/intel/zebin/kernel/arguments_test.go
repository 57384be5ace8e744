// SPDX-License-Identifier: MIT

package kernel

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/zebin"
	"jacquard.example/backend/launch"
	"jacquard.example/generated/target"
)

// program returns a program with the given binding table.
func program(bindings []launch.Resource) *Program {
	abi := &launch.ABI{Name: target.TGL.Zebin.Name, Bindings: bindings}
	return &Program{Name: "main", SIMD: 16, Code: make([]byte, 16), ABI: abi}
}

// kernelOf returns the kernel of a zebin with the given binding table.
func kernelOf(t *testing.T, bindings []launch.Resource) (*zebin.Kernel, error) {
	t.Helper()
	file, err := Write(program(bindings), target.TGL)
	if err != nil {
		return nil, err
	}
	m, err := zebin.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return m.Kernels[0], nil
}

// TestZebinImageTypes checks that images are arguments of the type of their surface, with the access that the shader
// declares, and that buffers are pointers.
func TestZebinImageTypes(t *testing.T) {
	for _, c := range []struct{ kind, shape, want string }{
		{"storage", "", ""}, {"uniform", "", ""},
		{"storage_image", "1d", "image_1d"}, {"storage_image", "1d_array", "image_1d_array"},
		{"storage_image", "2d", "image_2d"}, {"storage_image", "2d_array", "image_2d_array"},
		{"storage_image", "3d", "image_3d"}, {"storage_image", "rect", "image_2d"},
		{"storage_image", "cube", "image_2d_array"}, {"storage_image", "cube_array", "image_2d_array"},
		{"storage_texel_buffer", "buf", "image_buffer"}, {"uniform_texel_buffer", "buf", "image_buffer"},
		{"sampled_image", "2d", "image_2d"}, {"combined", "2d_array", "image_2d_array"},
		{"combined", "cube", "image_cube_array"}, {"combined", "cube_array", "image_cube_array"},
		{"sampled_image", "ms", "image_2d_msaa"}, {"sampled_image", "ms_array", "image_2d_array_msaa"},
	} {
		for _, access := range []string{"readonly", "writeonly", "readwrite"} {
			k, err := kernelOf(t, []launch.Resource{{Kind: "storage"}, {Kind: c.kind, Shape: c.shape, Access: access}})
			if err != nil {
				t.Errorf("%+v: %v", c, err)
				continue
			}
			space := "image"
			if c.shape == "" {
				space = "global"
			}
			want := zebin.Argument{Type: "arg_bypointer", Index: 1, AddrMode: "stateful", AddrSpace: space, Access: access, Image: c.want}
			if k.Args[1] != want || k.Bindings[1] != (zebin.Binding{BTI: 1, Index: 1}) {
				t.Errorf("%+v: %+v, want %+v", c, k.Args[1], want)
			}
		}
	}
	_, err := kernelOf(t, []launch.Resource{{Set: 2, Binding: 3, Kind: "storage_image", Shape: "ms"}})
	if err == nil || !strings.Contains(err.Error(), "set 2 binding 3: no argument of a zebin is an image of shape ms") {
		t.Errorf("an image without a type: %v", err)
	}
}

// TestZebinSamplers checks that samplers are arguments after the entries of the binding table, and that a kernel has at
// most 16.
func TestZebinSamplers(t *testing.T) {
	p := program(make([]launch.Resource, 2))
	p.ABI.Samplers = make([]launch.Resource, 16)
	file, err := Write(p, target.TGL)
	if err != nil {
		t.Fatal(err)
	}
	m, err := zebin.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		want := zebin.Argument{Type: "arg_bypointer", Index: 2 + i, AddrMode: "stateful", AddrSpace: "sampler",
			Access: "readwrite", Sampler: i}
		if got := m.Kernels[0].Args[2+i]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	p.ABI.Samplers = make([]launch.Resource, 17)
	if _, err := Write(p, target.TGL); err == nil || !strings.Contains(err.Error(), "more than 16 samplers, which a zebin cannot have") {
		t.Errorf("17 samplers: %v", err)
	}
}
