package jacquard

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/zebin"
	"jacquard.example/generated/target"
)

// kernelOf returns the kernel of a zebin with the given binding table.
func kernelOf(t *testing.T, bindings []Resource) (*zebin.Kernel, error) {
	t.Helper()
	p := &Program{
		Target: target.TGL.Name, Entry: "main", ABI: ABI{Name: target.TGL.Zebin.Name, Bindings: bindings},
		Variants: []Variant{{SIMD: 16, Code: make([]byte, 16)}},
	}
	file, err := p.Zebin()
	if err != nil {
		return nil, err
	}
	m, err := zebin.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return m.Kernels[0], nil
}

// TestZebinImageTypes: images are arguments of the type that their surface has, with the
// access that the shader declares; buffers are pointers.
func TestZebinImageTypes(t *testing.T) {
	for _, c := range []struct{ kind, shape, want string }{
		{"storage", "", ""}, {"uniform", "", ""},
		{"storage_image", "1d", "image_1d"}, {"storage_image", "1d_array", "image_1d_array"},
		{"storage_image", "2d", "image_2d"}, {"storage_image", "2d_array", "image_2d_array"},
		{"storage_image", "3d", "image_3d"}, {"storage_image", "rect", "image_2d"},
		{"storage_image", "cube", "image_2d_array"}, {"storage_image", "cube_array", "image_2d_array"},
		{"storage_texel_buffer", "buf", "image_buffer"},
	} {
		for _, access := range []string{"readonly", "writeonly", "readwrite"} {
			k, err := kernelOf(t, []Resource{{Kind: "storage"}, {Kind: c.kind, Shape: c.shape, Access: access}})
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
	if _, err := kernelOf(t, []Resource{{Set: 2, Binding: 3, Kind: "storage_image", Shape: "ms"}}); err == nil || !strings.Contains(err.Error(), "set 2 binding 3: no argument of a zebin is an image of shape ms") {
		t.Errorf("an image without a type: %v", err)
	}
}
