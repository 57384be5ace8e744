// SPDX-License-Identifier: MIT

package outline

import (
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Binding is a variable bound to a descriptor or an array of descriptors.
type Binding struct {
	Set, Binding uint32
	// Kind is storage or uniform for a buffer, storage_image, sampled_image, combined (with a sampler),
	// storage_texel_buffer, uniform_texel_buffer, input_attachment, sampler, acceleration_structure, or unknown.
	Kind   string
	Access string // the access that decorations allow: readonly, writeonly or readwrite
	Shape  string // shape of an image: 1d, 2d, 3d, cube, rect, buf, ms, subpass or subpass_ms, and _array if it has layers
	Format string // format of a storage image: SPIR-V's name in lower case, or unknown
	Count  uint32 // number of descriptors; 0 if it is not declared, or computed from specialization constants
	Name   string // name of the variable or, if it has none, of the block
	Bytes  uint32 // size of a buffer's block without a runtime array at its end
}

// Block is a block of push constants.
type Block struct {
	Name    string
	Offset  int // offset of its first member, in bytes
	Bytes   int // from the first member to the end of the last
	Members []Member
}

// Member is a member of a block.
type Member struct {
	Name   string
	Offset int // in bytes
	Bytes  int // 0 if the length of an array is not declared
	typ    *typ
}

// Type returns the GLSL name of the member's type.
func (m *Member) Type() string { return m.typ.String() }

// variables lists the variables that the caller provides: descriptors and push constants.
func (r *reader) variables() error {
	seen := map[*typ]bool{} // types of push constant blocks, each of which is listed once
	for _, at := range r.vars {
		in := r.ins(at)
		class, t := in[3], (*typ)(nil)
		switch p := r.types[in[1]]; {
		case p == nil:
			return r.errorf(at, "id %d is not a type", in[1])
		case r.op(at) == spirvtab.OpUntypedVariableKHR:
			if len(in) > 4 {
				t = r.types[in[4]]
			}
		default:
			t = p.elem
		}
		if t == nil {
			continue
		}
		name, err := r.nameOf(in[2])
		if err != nil {
			return err
		}
		switch class {
		case spirvtab.StorageUniformConstant, spirvtab.StorageUniform, spirvtab.StorageStorageBuffer:
			r.m.Bindings = append(r.m.Bindings, r.binding(in[2], class, t, name))
		case spirvtab.StoragePushConstant:
			if !seen[t] {
				r.m.Push = append(r.m.Push, pushBlock(t, name))
			}
			seen[t] = true
		}
	}
	return nil
}

// pushBlock describes a block of push constants.
func pushBlock(t *typ, name string) Block {
	b := Block{Name: name, Members: t.members}
	if b.Name == "" {
		b.Name = t.name
	}
	for i := range t.members {
		if m := &t.members[i]; i == 0 || m.Offset < b.Offset {
			b.Offset = m.Offset
		}
	}
	b.Bytes = max(int(t.bytes)-b.Offset, 0)
	return b
}

// binding describes a variable that is a descriptor.
func (r *reader) binding(id, class uint32, t *typ, name string) Binding {
	d := r.marks[id]
	b := Binding{Set: d.set, Binding: d.binding, Name: name, Count: 1, Access: "readonly"}
	for ; t.op == spirvtab.OpTypeArray || t.op == spirvtab.OpTypeRuntimeArray; t = t.elem {
		b.Count = times(b.Count, t.n)
	}
	if b.Name == "" {
		b.Name = t.name
	}
	switch t.op {
	case spirvtab.OpTypeStruct:
		b.Bytes = t.bytes
		if b.Kind = "uniform"; class == spirvtab.StorageStorageBuffer || t.has&bufferBlock != 0 {
			b.Kind, b.Access = "storage", accessOf(d.has|t.all)
		}
	case spirvtab.OpTypeSampler:
		b.Kind = "sampler"
	case accelerationStructure:
		b.Kind = "acceleration_structure"
	case spirvtab.OpTypeSampledImage:
		b.Kind = "combined"
		if b.image(t.elem); t.elem.dim == kind.DimBuf { // a texel buffer is not sampled: its sampler has no meaning
			b.Kind = "uniform_texel_buffer"
		}
	case spirvtab.OpTypeImage:
		b.image(t)
		switch {
		case t.dim == kind.DimSubpass || t.dim == kind.DimSubpassMs:
			b.Kind = "input_attachment"
		case t.storage:
			b.Kind, b.Access, b.Format = "storage_image", accessOf(d.has), t.format
		default:
			b.Kind = "sampled_image"
		}
		if t.dim == kind.DimBuf {
			b.Kind = map[bool]string{false: "uniform_texel_buffer", true: "storage_texel_buffer"}[t.storage]
		}
	default:
		b.Kind = "unknown"
	}
	return b
}

// image fills in the properties of an image's type.
func (b *Binding) image(t *typ) {
	b.Shape = t.dim.String()
	if t.arrayed {
		b.Shape += "_array"
	}
}

// accessOf returns the access that decorations allow.
func accessOf(has mark) string {
	switch {
	case has&nonWritable != 0 && has&nonReadable == 0:
		return "readonly"
	case has&nonReadable != 0 && has&nonWritable == 0:
		return "writeonly"
	}
	return "readwrite"
}
