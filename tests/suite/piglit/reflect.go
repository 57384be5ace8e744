// SPDX-License-Identifier: MIT

package piglit

import (
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/tests/support/modules"
)

// Opcodes, decorations and storage classes (SPIR-V specification 3.49, 3.20, 3.7).
const (
	opName, opMemberName, opConstant, opVariable, opDecorate, opMemberDecorate = 5, 6, 43, 59, 71, 72
	opTypeInt, opTypeFloat, opTypeVector, opTypeMatrix, opTypeImage            = 21, 22, 23, 24, 25
	opTypeSampledImage, opTypeArray, opTypeRuntimeArray, opTypeStruct          = 27, 28, 29, 30
	opTypePointer                                                              = 32

	decBlock, decBufferBlock, decRowMajor, decArrayStride, decMatrixStride = 2, 3, 4, 6, 7
	decLocation, decComponent, decBinding, decDescriptorSet, decOffset     = 30, 31, 33, 34, 35

	classUniformConstant, classInput, classUniform, classOutput, classStorageBuffer = 0, 1, 2, 3, 12
)

// typ is a type of a module.
type typ struct {
	op     uint16
	in     []uint32 // words of its instruction
	stride uint32   // stride of an array
}

type member struct {
	name                 string
	offset, matrixStride uint32
	rowMajor             bool
}

// module holds the parts of a shader's interface that a runner needs.
type module struct {
	types   map[uint32]*typ
	names   map[uint32]string
	members map[uint32]map[uint32]*member
	consts  map[uint32]uint32
	binding map[uint32]uint32
	blocks  map[uint32]bool // structs that are Block
	buffer  map[uint32]bool // structs that are BufferBlock
	vars    []variable
	inputs  []port
	outputs []port
}

// variable is a resource.
type variable struct {
	name    string
	typ     uint32 // the type that it points to
	class   uint32
	binding uint32
	element uint32 // element type of an array
}

// port is an input or output with a location. A block has the name of its type.
type port struct {
	name     string
	typ      uint32 // the type that it points to
	location uint32
	// component reports that the variable has been given its first component, and shares its location.
	component bool
	word      int // word of the module that has the location
}

func reflect(spirv []byte) *module {
	m := &module{
		types: map[uint32]*typ{}, names: map[uint32]string{}, members: map[uint32]map[uint32]*member{}, consts: map[uint32]uint32{},
		binding: map[uint32]uint32{}, blocks: map[uint32]bool{}, buffer: map[uint32]bool{},
	}
	strides, locations := map[uint32]uint32{}, map[uint32]port{}
	word := 5
	modules.Each(spirv, func(op uint16, in []uint32) {
		switch op {
		case opName:
			m.names[in[1]] = text(in[2:])
		case opMemberName:
			m.member(in[1], in[2]).name = text(in[3:])
		case opDecorate:
			switch in[2] {
			case decBlock:
				m.blocks[in[1]] = true
			case decBufferBlock:
				m.buffer[in[1]] = true
			case decArrayStride:
				strides[in[1]] = in[3]
			case decBinding:
				m.binding[in[1]] = in[3]
			case decLocation:
				p := locations[in[1]]
				p.location, p.word = in[3], word+3
				locations[in[1]] = p
			case decComponent:
				p := locations[in[1]]
				p.component = true
				locations[in[1]] = p
			}
		case opMemberDecorate:
			x := m.member(in[1], in[2])
			switch in[3] {
			case decOffset:
				x.offset = in[4]
			case decMatrixStride:
				x.matrixStride = in[4]
			case decRowMajor:
				x.rowMajor = true
			}
		case opConstant:
			m.consts[in[2]] = in[3]
		case opTypeInt, opTypeFloat, opTypeVector, opTypeMatrix, opTypeImage, opTypeSampledImage, opTypeArray, opTypeRuntimeArray,
			opTypeStruct, opTypePointer:
			m.types[in[1]] = &typ{op: op, in: in, stride: strides[in[1]]}
		case opVariable:
			m.variable(in, locations[in[2]])
		}
		word += len(in)
	})
	return m
}

// variable adds the variable of an OpVariable, with the location, if any, of p.
func (m *module) variable(in []uint32, p port) {
	pointer := m.types[in[1]]
	if pointer == nil {
		return
	}
	p.name, p.typ = m.names[in[2]], pointer.in[3]
	element, _ := m.elements(p.typ)
	typeName := m.names[element]
	switch class := in[3]; class {
	case classUniformConstant, classUniform, classStorageBuffer:
		if t := m.types[element]; t != nil && t.op == opTypeStruct {
			p.name = typeName
		}
		m.vars = append(m.vars, variable{name: p.name, typ: p.typ, class: class, binding: m.binding[in[2]]})
	case classInput, classOutput:
		if m.blocks[p.typ] {
			p.name = typeName
		}
		if p.word == 0 {
			return
		}
		if class == classInput {
			m.inputs = append(m.inputs, p)
		} else {
			m.outputs = append(m.outputs, p)
		}
	}
}

func (m *module) member(typ, i uint32) *member {
	if m.members[typ] == nil {
		m.members[typ] = map[uint32]*member{}
	}
	if m.members[typ][i] == nil {
		m.members[typ][i] = &member{}
	}
	return m.members[typ][i]
}

// elements returns the element type of an array, maybe of arrays, and the number of elements. If typ is not an array,
// it returns typ and 1.
func (m *module) elements(typ uint32) (element, n uint32) {
	n = 1
	for t := m.types[typ]; t != nil && t.op == opTypeArray; t = m.types[typ] {
		n *= m.consts[t.in[3]]
		typ = t.in[2]
	}
	return typ, n
}

// elementOf returns the number of an element, such as "a[1][2]", counted through arrays of arrays. The name of an array
// means its first element.
func (m *module) elementOf(typ uint32, name string) (k uint32) {
	for step := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '[' || r == ']' }) {
		t := m.types[typ]
		n, err := strconv.ParseUint(step, 10, 31)
		if err != nil || t == nil || t.op != opTypeArray { // the array's name
			continue
		}
		typ = t.in[2]
		_, each := m.elements(typ)
		k += uint32(n) * each
	}
	return k
}

func text(in []uint32) string {
	var b []byte
	for _, w := range in {
		for range 4 {
			if byte(w) == 0 {
				return string(b)
			}
			b = append(b, byte(w))
			w >>= 8
		}
	}
	return string(b)
}

// place is the location of a uniform in the default block.
type place struct {
	offset       uint32
	typ          uint32
	matrixStride uint32
	rowMajor     bool
}

const defaultBlock = "gl_DefaultUniformBlock"

// block returns the variable of a block, or nil if there is none.
func (m *module) block(name string) *variable {
	for i := range m.vars {
		if m.vars[i].name == name {
			return &m.vars[i]
		}
	}
	return nil
}

// inBlock finds a part of a block: a name with indices and members, such as "a[2].b".
func (m *module) inBlock(block *variable, path string) (at place, ok bool) {
	if block == nil {
		return at, false
	}
	at.typ, _ = m.elements(block.typ)
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		t := m.types[at.typ]
		switch t.op {
		case opTypeStruct:
			found := false
			for i, x := range m.members[at.typ] {
				if x.name == step {
					at = place{at.offset + x.offset, t.in[2+i], x.matrixStride, x.rowMajor}
					found = true
					break
				}
			}
			if !found {
				return at, false
			}
		case opTypeArray:
			n, err := strconv.ParseUint(step, 10, 31)
			if err != nil {
				return at, false
			}
			at.offset += uint32(n) * t.stride
			at.typ = t.in[2]
		default:
			return at, false
		}
	}
	return at, true
}

// place finds a uniform in the default block or in another block, whose members may be named with or without the
// block's name.
func (r *scriptRunner) place(path string) (data []byte, at place, err error) {
	for _, m := range r.modules {
		if at, ok := m.inBlock(m.block(defaultBlock), path); ok {
			return r.uniforms, at, nil
		}
	}
	for _, m := range r.modules {
		for i := range m.vars {
			v := &m.vars[i]
			if v.class != classUniform || v.name == defaultBlock {
				continue
			}
			for _, p := range []string{path, strings.TrimPrefix(path, v.name+".")} {
				if at, ok := m.inBlock(v, p); ok {
					return r.blockData(v.name, uint32(r.element)), at, nil
				}
			}
		}
	}
	return nil, at, fmt.Errorf("there is no uniform %q", path)
}

// blockData returns the data of a block or of an element of an array of blocks, which it creates if necessary.
func (r *scriptRunner) blockData(name string, element uint32) []byte {
	key := arrayElement{name, element}
	if r.blocks[key] == nil {
		r.blocks[key] = make([]byte, uniformBytes)
	}
	return r.blocks[key]
}
