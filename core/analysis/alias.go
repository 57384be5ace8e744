package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// Surface is what is known of the entry of the binding table that an access reaches.
type Surface struct {
	// Known says that the entry is a constant, Entry.
	Known bool
	Entry uint32
	// Binding is the position of the entry's declaration in Info.Bindings, counted from 1; 0 if
	// it is not known.
	Binding int32
}

// SurfaceOf returns what is known of a surface after explicit I/O.
func SurfaceOf(s *ir.Shader, at ir.Src) Surface {
	entry, known := s.ConstOf(at)
	if !known {
		return Surface{}
	}
	x := Surface{Known: true, Entry: uint32(entry)}
	for i := range s.Info.Bindings {
		if b := &s.Info.Bindings[i]; b.Index != ir.NoIndex && x.Entry >= b.Index && x.Entry-b.Index < b.Count {
			x.Binding = int32(i) + 1
			break
		}
	}
	return x
}

// MayAlias reports whether two surfaces may be the same memory. Those of different
// declarations are not, unless one is decorated with Aliased (SPIR-V specification 2.18.2:
// the Simple, GLSL and Vulkan memory models can assume that memory object declarations do
// not alias unless they say so). Elements of one array of descriptors are one declaration.
// Variables with the same set and binding are one binding here, and may alias.
func MayAlias(s *ir.Shader, a, b Surface) bool {
	if a.Binding == 0 || b.Binding == 0 || a.Binding == b.Binding {
		return true
	}
	list := s.Info.Bindings
	return (list[a.Binding-1].Access|list[b.Binding-1].Access)&kind.AccessAliased != 0
}
