package jacquard

import (
	"fmt"

	"jacquard.example/backend/intel/zebin"
)

// bufferArgument is the row of .ze_info for an entry of the binding table that is a buffer,
// imageArgument for one that is an image.
func bufferArgument(r *Resource) zebin.Argument {
	return zebin.Argument{Type: "arg_bypointer", AddrMode: "stateful", AddrSpace: "global", Access: r.Access}
}

func imageArgument(r *Resource) (zebin.Argument, error) {
	types := imageTypes
	if r.Kind == "storage_image" {
		types = storageTypes
	}
	shape, ok := types[r.Shape]
	if !ok {
		return zebin.Argument{}, &Error{Msg: fmt.Sprintf("set %d binding %d: no argument of a zebin is an image of shape %s", r.Set, r.Binding, r.Shape)}
	}
	return zebin.Argument{Type: "arg_bypointer", AddrMode: "stateful", AddrSpace: "image", Access: r.Access, Image: shape}, nil
}

// imageTypes are the values of image_type (zeinfo.md) by the shape of a shader's type. Of
// cubes, ocloc accepts arrays only; a cube is an array of one.
var imageTypes = map[string]string{
	"1d": "image_1d", "1d_array": "image_1d_array",
	"2d": "image_2d", "2d_array": "image_2d_array", "rect": "image_2d",
	"3d":   "image_3d",
	"cube": "image_cube_array", "cube_array": "image_cube_array",
	"ms": "image_2d_msaa", "ms_array": "image_2d_array_msaa",
	"buf": "image_buffer",
}

// storageTypes are those of images that typed messages access: the surface of a cube is an
// array of its faces.
var storageTypes = map[string]string{
	"1d": "image_1d", "1d_array": "image_1d_array",
	"2d": "image_2d", "2d_array": "image_2d_array", "rect": "image_2d",
	"3d":   "image_3d",
	"cube": "image_2d_array", "cube_array": "image_2d_array",
}
