// SPDX-License-Identifier: MIT

package kernel

import (
	"fmt"

	"jacquard.example/backend/intel/zebin"
	"jacquard.example/backend/launch"
)

// Argument is an argument of a zebin's kernel.
type Argument struct {
	// Kind is the kind of a Resource, or of a value: base_group, push_constants or buffer_sizes.
	Kind string `json:"kind"`
	// Entry is the index of a Resource in ABI.Bindings or, for a sampler, in ABI.Samplers; -1 for a value.
	Entry int `json:"entry"`
	Size  int `json:"size"` // size of a value in bytes
}

// Arguments returns the arguments of the kernel, by index. Constant data is not an argument: the kernel's code has its
// address.
func Arguments(a *launch.ABI) []Argument {
	args := []Argument{}
	for i := range a.Bindings {
		if a.Bindings[i].Kind == constantsKind {
			continue
		}
		args = append(args, Argument{Kind: a.Bindings[i].Kind, Entry: i})
	}
	for i := range a.Samplers {
		args = append(args, Argument{Kind: samplerKind, Entry: i})
	}
	args = append(args, Argument{"base_group", -1, 12})
	if n := a.PushBytes; n > 0 {
		args = append(args, Argument{"push_constants", -1, n})
	}
	sizes := a.SizesCount
	for i := range a.Bindings[:min(sizes, len(a.Bindings))] {
		if a.Bindings[i].Kind == constantsKind { // not in the binding table of the zebin
			sizes--
		}
	}
	if sizes > 0 {
		args = append(args, Argument{"buffer_sizes", -1, 4 * sizes})
	}
	return args
}

// constantsKind is the Kind of the entry of constant data.
const constantsKind = "constants"

// samplerKind is the Kind of a sampler argument. Every sampler is a separate argument: a combined image and sampler is
// two.
const samplerKind = "sampler"

// maxSamplers is the maximum number of samplers of a kernel: sampler_index must be less (zeinfo.md).
const maxSamplers = 16

// samplerArgument returns the row of .ze_info for a sampler.
func samplerArgument(index int) (zebin.Argument, error) {
	if index >= maxSamplers {
		return zebin.Argument{}, fmt.Errorf("the shader has more than %d samplers, which a zebin cannot have", maxSamplers)
	}
	return zebin.Argument{Type: "arg_bypointer", AddrMode: "stateful", AddrSpace: "sampler", Access: "readwrite", Sampler: index}, nil
}

// bufferArgument returns the row of .ze_info for an entry of the binding table that is a buffer, imageArgument for an
// image.
func bufferArgument(r *launch.Resource) zebin.Argument {
	return zebin.Argument{Type: "arg_bypointer", AddrMode: "stateful", AddrSpace: "global", Access: r.Access}
}

func imageArgument(r *launch.Resource) (zebin.Argument, error) {
	types := imageTypes
	if r.Kind == "storage_image" {
		types = storageTypes
	}
	shape, ok := types[r.Shape]
	if !ok {
		return zebin.Argument{}, fmt.Errorf("set %d binding %d: no argument of a zebin is an image of shape %s", r.Set, r.Binding, r.Shape)
	}
	return zebin.Argument{Type: "arg_bypointer", AddrMode: "stateful", AddrSpace: "image", Access: r.Access, Image: shape}, nil
}

// imageTypes are the values of image_type (zeinfo.md) by the shape of a shader's type. ocloc accepts only arrays of
// cubes; a cube is an array of one.
var imageTypes = map[string]string{
	"1d": "image_1d", "1d_array": "image_1d_array",
	"2d": "image_2d", "2d_array": "image_2d_array", "rect": "image_2d",
	"3d":   "image_3d",
	"cube": "image_cube_array", "cube_array": "image_cube_array",
	"ms": "image_2d_msaa", "ms_array": "image_2d_array_msaa",
	"buf": "image_buffer",
}

// storageTypes are the values of image_type for images that typed messages access: the surface of a cube is an array of
// its faces.
var storageTypes = map[string]string{
	"1d": "image_1d", "1d_array": "image_1d_array",
	"2d": "image_2d", "2d_array": "image_2d_array", "rect": "image_2d",
	"3d":   "image_3d",
	"cube": "image_2d_array", "cube_array": "image_2d_array",
}
