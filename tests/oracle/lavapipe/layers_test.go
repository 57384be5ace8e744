// SPDX-License-Identifier: MIT

package lavapipe

import (
	"encoding/binary"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/spv"
)

const layersShader = `#version 450
layout(local_size_x = 2, local_size_y = 2, local_size_z = 12) in;
layout(binding = 0, r32ui) uniform uimage2DArray a;
layout(binding = 1, r32ui) uniform uimageCubeArray c;
void main() {
  ivec3 at = ivec3(gl_LocalInvocationID);
  if (at.z < 3) imageStore(a, at, imageLoad(a, at) + uvec4(100 * (at.z + imageSize(a).z)));
  imageStore(c, at, imageLoad(c, at) + uvec4(100 * (at.z + imageSize(c).z)));
}
`

// TestLayers: the layers of an image, and the faces of cubes, are consecutive.
func TestLayers(t *testing.T) {
	device := Need(t)
	module, err := oracle.GLSL(t, "comp", []byte(layersShader))
	if err != nil {
		t.Fatal(err)
	}
	words, err := spv.Words(module)
	if err != nil {
		t.Fatal(err)
	}
	format, err := texture.Named("R32_UINT")
	if err != nil {
		t.Fatal(err)
	}
	d := &Dispatch{Words: words, Groups: [3]uint32{1, 1, 1}}
	sizes := []uint32{3, 2} // as the shader sees them
	for i, layers := range []uint32{3, 12} {
		b := Binding{Binding: uint32(i), Kind: StorageImage, Format: format, Dims: 2, Layers: layers, Arrayed: true, Cube: i == 1,
			Levels: []texture.Level{{Width: 2, Height: 2, Depth: 1}}}
		for k := range 4 * layers {
			b.Data = binary.LittleEndian.AppendUint32(b.Data, k)
		}
		d.Bindings = append(d.Bindings, b)
	}
	if err := device.Run(d); err != nil {
		t.Fatal(err)
	}
	for i, b := range d.Bindings {
		for k := range 4 * b.Layers {
			if got, want := binary.LittleEndian.Uint32(b.Data[4*k:]), k+100*(k/4+sizes[i]); got != want {
				t.Errorf("image %d, texel %d: %d, want %d", i, k, got, want)
			}
		}
	}
}
