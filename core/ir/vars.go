// SPDX-License-Identifier: MIT

package ir

import "jacquard.example/generated/kind"

// VarInfo describes a variable.
type VarInfo struct {
	Name     Str
	Mode     kind.Mode // exactly one bit
	Type     Type
	Func     Func   // function_temp: the function that it belongs to
	Set      uint32 // descriptor set; of an output captured by transform feedback: its buffer's number
	Binding  uint32 // binding of a descriptor; stride in the buffer of a captured output
	Location int32  // location, or the index of an input attachment; -1 if none
	Comp     uint8
	Index    uint8 // index of a fragment output: 1 for the second source of blending
	Qual     kind.Qualifier
	Builtin  uint32 // SPIR-V builtin + 1, or 0 if none
	Access   kind.Access
	Offset   uint32 // after explicit layout: bytes from the start of its memory; of a captured output: in its buffer
	ZeroInit bool   // workgroup memory: zero-initialized
	Removed  bool   // no deref refers to it
}

// NewVar adds a variable.
func (s *Shader) NewVar(info VarInfo) Var {
	s.vars = append(s.vars, info)
	s.sharedBlocks = s.sharedBlocks || info.SharedBlock(&s.Types)
	return Var(len(s.vars) - 1)
}

// Var returns the description of a variable, valid until the next is added.
func (s *Shader) Var(v Var) *VarInfo { return &s.vars[v] }

// NumVars returns one more than the last variable: the size of a table indexed by Var.
func (s *Shader) NumVars() int { return len(s.vars) }

// Vars iterates over the variables with one of the modes.
func (s *Shader) Vars(modes kind.Mode) func(yield func(Var) bool) {
	return func(yield func(Var) bool) {
		for v := 1; v < len(s.vars); v++ {
			if s.vars[v].Mode&modes != 0 && !s.vars[v].Removed && !yield(Var(v)) {
				return
			}
		}
	}
}

// SharedBlock reports whether a workgroup variable is a block, which has an explicit layout (SPIR-V extension
// SPV_KHR_workgroup_memory_explicit_layout).
func (v *VarInfo) SharedBlock(t *TypeTable) bool {
	return v.Mode == kind.ModeShared && t.At(v.Type).Kind == TypeStruct && t.At(v.Type).Block
}

// SharesMemory reports whether a workgroup variable shares its memory with other variables: all blocks do that are not
// decorated restrict.
func (v *VarInfo) SharesMemory(t *TypeTable) bool {
	return v.SharedBlock(t) && v.Access&kind.AccessRestrict == 0
}
