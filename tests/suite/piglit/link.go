package piglit

import (
	"encoding/binary"

	"jacquard.example/tests/suite/corpus"
)

// fragmentSet is the descriptor set of the fragment shader: the shaders' bindings are assigned one by one, and
// may be equal.
const fragmentSet = 1

// numberInputs gives the inputs of a vertex shader the locations from 0 on, one after the other: glslang assigns one
// to a vector of four components of 64 bits, as OpenGL counts them, where Vulkan has two.
func numberInputs(vertex []byte) []byte {
	out, next := append([]byte(nil), vertex...), uint32(0)
	m := reflect(vertex)
	for _, p := range m.inputs {
		binary.LittleEndian.PutUint32(out[4*p.word:], next)
		next += m.locations(p.typ)
	}
	return out
}

// link gives the inputs of a fragment shader the locations of the vertex shader's outputs of the same
// names, as OpenGL does, and puts its resources into a descriptor set of their own.
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
	corpus.Each(fragment, func(op uint16, in []uint32) {
		if op == opDecorate && in[2] == decDescriptorSet {
			set(word+3, fragmentSet)
		}
		word += len(in)
	})
	return out
}
