package piglit

import (
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/tests/suite/corpus"
)

// Opcodes, decorations and storage classes (SPIR-V specification 3.49, 3.20, 3.7).
const (
	opName, opMemberName, opConstant, opVariable, opDecorate, opMemberDecorate = 5, 6, 43, 59, 71, 72
	opTypeInt, opTypeFloat, opTypeVector, opTypeMatrix, opTypeImage            = 21, 22, 23, 24, 25
	opTypeSampledImage, opTypeArray, opTypeRuntimeArray, opTypeStruct          = 27, 28, 29, 30
	opTypePointer                                                              = 32

	decBufferBlock, decRowMajor, decArrayStride, decMatrixStride, decBinding, decOffset = 3, 4, 6, 7, 33, 35

	classUniformConstant, classUniform, classStorageBuffer = 0, 2, 12
)

// typ is a type of a module.
type typ struct {
	op     uint16
	in     []uint32 // words of its instruction
	stride uint32   // of an array
}

type member struct {
	name                 string
	offset, matrixStride uint32
	rowMajor             bool
}

// module is what a runner must know about a shader's interface.
type module struct {
	types   map[uint32]*typ
	names   map[uint32]string
	members map[uint32]map[uint32]*member
	consts  map[uint32]uint32
	binding map[uint32]uint32
	buffer  map[uint32]bool // structs that are BufferBlock
	vars    []variable
}

// variable is a resource.
type variable struct {
	name    string
	typ     uint32 // what it points to
	class   uint32
	binding uint32
	element uint32 // of an array
}

func reflect(spirv []byte) *module {
	m := &module{
		types: map[uint32]*typ{}, names: map[uint32]string{}, members: map[uint32]map[uint32]*member{}, consts: map[uint32]uint32{},
		binding: map[uint32]uint32{}, buffer: map[uint32]bool{},
	}
	strides := map[uint32]uint32{}
	corpus.Each(spirv, func(op uint16, in []uint32) {
		switch op {
		case opName:
			m.names[in[1]] = text(in[2:])
		case opMemberName:
			m.member(in[1], in[2]).name = text(in[3:])
		case opDecorate:
			switch in[2] {
			case decBufferBlock:
				m.buffer[in[1]] = true
			case decArrayStride:
				strides[in[1]] = in[3]
			case decBinding:
				m.binding[in[1]] = in[3]
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
		case opTypeInt, opTypeFloat, opTypeVector, opTypeMatrix, opTypeImage, opTypeSampledImage, opTypeArray, opTypeRuntimeArray, opTypeStruct, opTypePointer:
			m.types[in[1]] = &typ{op: op, in: in, stride: strides[in[1]]}
		case opVariable:
			p := m.types[in[1]]
			if p == nil || in[3] != classUniformConstant && in[3] != classUniform && in[3] != classStorageBuffer {
				return
			}
			name := m.names[in[2]]
			if t := m.types[p.in[3]]; t != nil && t.op == opTypeStruct {
				name = m.names[p.in[3]]
			}
			m.vars = append(m.vars, variable{name: name, typ: p.in[3], class: in[3], binding: m.binding[in[2]]})
		}
	})
	return m
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

// block returns the variable of a block, nil if there is none.
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
	at.typ = block.typ
	if t := m.types[at.typ]; t != nil && t.op == opTypeArray {
		at.typ = t.in[2]
	}
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

// place finds a uniform: in the default block, or in another one, whose members may be called by their
// names alone or behind the block's.
func (r *runner) place(path string) (data []byte, at place, err error) {
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

// blockData returns the data of a block, of an element of an array of blocks.
func (r *runner) blockData(name string, element uint32) []byte {
	key := fmt.Sprint(name, element)
	if r.blocks[key] == nil {
		r.blocks[key] = make([]byte, uniformBytes)
	}
	return r.blocks[key]
}
