// SPDX-License-Identifier: MIT

package piglit

import (
	"encoding/binary"

	"jacquard.example/tests/support/modules"
)

// fragmentSet is the descriptor set of the fragment shader: the shaders' bindings are assigned one by one, and
// may be equal.
const fragmentSet = 1

// number gives inputs or outputs of a module consecutive locations starting at 0. glslang assigns one location to a
// vector of four 64-bit components, as OpenGL counts them, where Vulkan needs two, and may assign a structure's locations
// twice.
func number(spirv []byte, m *module, list []port) []byte {
	out, next := append([]byte(nil), spirv...), uint32(0)
	for _, p := range list {
		binary.LittleEndian.PutUint32(out[4*p.word:], next)
		next += m.locations(p.typ)
	}
	return out
}

// collide reports whether inputs or outputs of a module share a location as Vulkan counts them, and not by components.
func collide(m *module, list []port) bool {
	taken := map[uint32]bool{}
	for _, p := range list {
		for k := range m.locations(p.typ) {
			if at := p.location + k; !p.component {
				if taken[at] {
					return true
				}
				taken[at] = true
			}
		}
	}
	return false
}

// link gives the inputs of a fragment shader the locations of the vertex shader's outputs of the same
// names, as OpenGL does, and puts its resources into a separate descriptor set.
func link(vertex, fragment []byte) []byte {
	out := append([]byte(nil), fragment...)
	set := func(word int, x uint32) { binary.LittleEndian.PutUint32(out[4*word:], x) }
	at := map[string]uint32{}
	for _, p := range reflect(vertex).outputs {
		at[p.name] = p.location
	}
	for _, p := range reflect(fragment).inputs {
		if l, ok := at[p.name]; ok {
			set(p.word, l)
		}
	}
	word := 5
	modules.Each(fragment, func(op uint16, in []uint32) {
		if op == opDecorate && in[2] == decDescriptorSet {
			set(word+3, fragmentSet)
		}
		word += len(in)
	})
	return out
}
