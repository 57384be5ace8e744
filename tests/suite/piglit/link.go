package piglit

import (
	"encoding/binary"

	"jacquard.example/tests/suite/corpus"
)

// Storage classes and decorations of interfaces (SPIR-V specification 3.7, 3.20).
const (
	classInput, classOutput       = 1, 3
	decLocation, decDescriptorSet = 30, 34
)

// fragmentSet is the descriptor set of the fragment shader: the shaders' bindings are assigned one by one, and
// may be equal.
const fragmentSet = 1

// port is an input or output with a location.
type port struct {
	name     string
	typ      uint32 // what it points to
	location uint32
	word     int // of the module: where the location is
}

// ports returns the variables of a storage class that have locations. A block has the name of its type.
func ports(spirv []byte, class uint32) (out []port) {
	names, pointee, location, word := map[uint32]string{}, map[uint32]uint32{}, map[uint32]uint32{}, map[uint32]int{}
	at := 5
	corpus.Each(spirv, func(op uint16, in []uint32) {
		switch op {
		case opName:
			names[in[1]] = text(in[2:])
		case opDecorate:
			if in[2] == decLocation {
				location[in[1]], word[in[1]] = in[3], at+3
			}
		case opTypePointer:
			pointee[in[1]] = in[3]
		case opVariable:
			if w := word[in[2]]; in[3] == class && w != 0 {
				p := port{names[in[2]], pointee[in[1]], location[in[2]], w}
				out = append(out, p)
			}
		}
		at += len(in)
	})
	return out
}

// blockNames renames ports that are blocks after their types.
func blockNames(m *module, list []port) []port {
	for i := range list {
		if t := m.types[list[i].typ]; t != nil && t.op == opTypeStruct {
			list[i].name = m.names[list[i].typ]
		}
	}
	return list
}

// numberInputs gives the inputs of a vertex shader the locations from 0 on, one after the other: glslang assigns one
// to a vector of four components of 64 bits, as OpenGL counts them, where Vulkan has two.
func numberInputs(vertex []byte) []byte {
	out, next := append([]byte(nil), vertex...), uint32(0)
	m := reflect(vertex)
	for _, p := range ports(vertex, classInput) {
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
	for _, p := range blockNames(reflect(vertex), ports(vertex, classOutput)) {
		at[p.name] = p.location
	}
	for _, p := range blockNames(reflect(fragment), ports(fragment, classInput)) {
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
