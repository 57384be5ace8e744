// SPDX-License-Identifier: MIT

package wire

import (
	"slices"
	"sync"

	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// record is the kind name in the forms of records; no instruction has it.
const record = "record"

// field is a field of an instruction or a record, as listed in a form. Only typ determines the encoding of its words.
type field struct {
	name  string
	typ   string
	class kind.FieldClass
	enum  *kind.Enum
	fill  uint32 // value of the word if the file lacks the field
}

var classNames = map[kind.FieldClass]string{
	kind.ClassU32: "u32", kind.ClassI32: "i32", kind.ClassU64: "u64", kind.ClassBool: "bool",
	kind.ClassEnum: "enum", kind.ClassMask: "mask", kind.ClassType: "type", kind.ClassVar: "var",
	kind.ClassFunc: "func", kind.ClassBlocks: "blocks", kind.ClassEnums: "enums", kind.ClassData: "data",
}

func newField(name string, class kind.FieldClass, enum *kind.Enum) field {
	typ := classNames[class]
	if enum != nil {
		typ += ":" + enum.Name
	}
	return field{name: name, typ: typ, class: class, enum: enum}
}

// indexFields describes the indices of intrinsics as fields.
var indexFields = sync.OnceValue(func() (out [intrinsic.NumIndices]field) {
	classes := map[string]kind.FieldClass{"u32": kind.ClassU32, "i32": kind.ClassI32, "bool": kind.ClassBool, "enum": kind.ClassEnum, "mask": kind.ClassMask}
	for i := range out {
		info := &intrinsic.Indices[i]
		out[i] = newField(info.Name, classes[info.Class], enumByName(info.Enum))
		out[i].fill = info.Default
	}
	return out
})

// fieldsOf lists the fields of an instruction in the order of its words.
func fieldsOf(k kind.Kind, sub uint16) []field {
	var out []field
	if k == kind.Intrinsic {
		info := intrinsic.ID(sub).Info()
		indices := indexFields()
		for _, ix := range info.Ix[:info.NumIx] {
			out = append(out, indices[ix])
		}
		return out
	}
	for _, f := range kind.Infos[k].ShapeOf(sub).Fields {
		out = append(out, newField(f.Name, f.Class, f.Enum))
	}
	return out
}

// Enumerations without a table: kinds of types, and hints about control flow in the order of their bits.
var (
	enumTypeKind = kind.Enum{Name: "type_kind", Names: []string{"void", "bool", "int", "uint", "float", "vector", "matrix", "array", "struct", "image", "sampler", "sampled_image", "pointer"}}
	enumHint     = kind.Enum{Name: "hint", Mask: true, Names: []string{"unroll", "dont_unroll", "flatten", "dont_flatten"}}
)

var enums = append(slices.Clone(kind.Enums[:]), &enumTypeKind, &enumHint)

func enumByName(name string) *kind.Enum {
	for _, e := range enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}
