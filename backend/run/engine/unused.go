// SPDX-License-Identifier: MIT

package engine

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
)

// needs reports whether a pipeline must bind a descriptor. It must if the shader statically uses the variable, that
// is, if any instruction refers to it, executed or not (Vulkan specification, "Valid Usage" of draws and dispatches).
type needs func(set, binding uint32) bool

const descriptors = kind.ModeUBO | kind.ModeSSBO | kind.ModeImage | kind.ModeUniform

// needs reports whether a program's shader statically uses a descriptor.
func (p *compiled) needs(set, binding uint32) bool {
	if p.used == nil {
		p.used = map[[2]uint32]bool{}
		if s, err := spirv.Read(p.module, p.read); err == nil {
			eachUse(s, func(x *ir.VarInfo) {
				if x.Mode&descriptors != 0 {
					p.used[[2]uint32{x.Set, x.Binding}] = true
				}
			})
		}
	}
	return p.used[[2]uint32{set, binding}]
}

// eachUse calls a function with the variables that instructions of a shader refer to.
func eachUse(s *ir.Shader, use func(*ir.VarInfo)) {
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind == kind.Deref && s.At(v).DerefKind() == kind.DerefVar {
					use(s.Var(s.DerefVar(v)))
				}
			}
		}
	}
}
