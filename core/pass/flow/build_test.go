// SPDX-License-Identifier: MIT

package flow_test

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/kind"
)

// builder builds a shader with a few private variables. Each invocation stores one word.
type builder struct {
	*build.Builder
	vars  [4]ir.Var
	out   ir.Var
	index ir.Src
}

func newBuilder(invocations uint32) *builder {
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{invocations, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	u32 := s.Types.Scalar(ir.TypeUint, 32)
	b := &builder{Builder: build.New(s)}
	for i := range b.vars {
		b.vars[i] = s.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Func: f, Location: -1, Type: u32})
	}
	b.out = s.NewVar(ir.VarInfo{
		Name: s.Strs.Intern("out"), Mode: kind.ModeSSBO, Location: -1, Type: s.Types.Array(u32, invocations, 4),
	})
	b.AtEnd(s.FirstBlock(f))
	b.index = b.LoadLocalInvocationIndex(32)
	return b
}

func (b *builder) get(v int) ir.Src {
	return b.LoadDeref(1, 32, b.S.All(b.DerefVar(b.vars[v])), 0)
}

func (b *builder) set(v int, x ir.Src) {
	b.StoreDeref(b.S.All(b.DerefVar(b.vars[v])), x, 1, 0)
}

// result stores the result of the invocation.
func (b *builder) result(x ir.Src) {
	b.StoreDeref(b.S.All(b.DerefArray(b.DerefVar(b.out), b.index)), x, 1, 0)
}
