// SPDX-License-Identifier: MIT

package analysis

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// Surface is the binding-table entry that an access reaches, as far as it is known.
type Surface struct {
	// Known is set if the entry is the constant Entry.
	Known bool
	Entry uint32
	// Binding is the index of the entry's declaration in Info.Bindings plus 1; 0 if it is not known.
	Binding int32
}

// SurfaceOf returns the surface that an operand of an access selects, after explicit I/O.
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

// MayAlias reports whether two surfaces may be the same memory. Surfaces of different declarations may alias only if
// one is decorated with Aliased (SPIR-V specification 2.18.2: the Simple, GLSL and Vulkan memory models can assume that
// memory object declarations do not alias otherwise). Elements of an array of descriptors belong to one declaration.
// Variables with the same set and binding are one binding here, and may alias.
func MayAlias(s *ir.Shader, a, b Surface) bool {
	if a.Binding == 0 || b.Binding == 0 || a.Binding == b.Binding {
		return true
	}
	list := s.Info.Bindings
	return (list[a.Binding-1].Access|list[b.Binding-1].Access)&kind.AccessAliased != 0
}
