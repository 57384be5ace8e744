// SPDX-License-Identifier: MIT

package link

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// access is an access to user-defined locations.
type access struct {
	v         ir.Value
	id        intrinsic.ID
	first     int32 // first component, counted from component 0 of location 0
	comps     int   // number of components of the value
	parts     int32 // 32-bit components that each of them takes
	bits      uint8
	locations int32 // number of locations that a dynamic offset ranges over; 0 if the offset is constant
}

// part returns the component at which component c of the value starts.
func (a *access) part(c int) int32 { return a.first + int32(c)*a.parts }

// span returns the first location and the number of locations of an access with a constant offset.
func (a *access) span() (first, n int32) {
	first = a.first / components
	return first, (a.part(a.comps)-1)/components - first + 1
}

// accesses calls fn for the accesses of a shader to user-defined inputs or outputs by intrinsics that are wanted.
func accesses(s *ir.Shader, wanted func(intrinsic.ID) bool, fn func(*access)) {
	for b := range s.Blocks(s.Entry()) {
		for v := s.First(b); v != 0; {
			next := s.At(v).Next()
			if in := s.At(v); in.Kind == kind.Intrinsic && wanted(in.Intrinsic()) &&
				kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin)) == kind.BuiltinNone {
				a := describe(s, v)
				fn(&a)
			}
			v = next
		}
	}
}

func describe(s *ir.Shader, v ir.Value) access {
	in := s.At(v)
	a := access{v: v, id: in.Intrinsic(), comps: int(in.Comps), bits: in.Bits}
	if at := a.id.Source(intrinsic.RoleValue); at >= 0 {
		r := s.Src(v, at)
		a.comps, a.bits = int(r.N), s.At(r.Val).Bits
	}
	a.parts = max(int32(a.bits)/32, 1)
	slot := int32(s.Index(v, intrinsic.IxBase))
	if offset, known := stageio.Offset(s, v); known {
		slot += int32(offset)
	} else {
		a.locations = int32(s.Index(v, intrinsic.IxRange))
	}
	a.first = components*slot + int32(s.Index(v, intrinsic.IxComponent))
	return a
}

func isStore(id intrinsic.ID) bool { return id == intrinsic.StoreOutput }

func isLoad(id intrinsic.ID) bool { return id.Is(intrinsic.TraitInput) }

// written collects the components that the vertex shader writes.
func (l *linker) written() {
	s := l.vertex.S
	accesses(s, isStore, func(a *access) {
		value := s.Src(a.v, a.id.Source(intrinsic.RoleValue))
		if a.locations > 0 {
			l.keep(a.first/components, a.locations)
		} else if first, n := a.span(); n > 1 || a.parts > 1 {
			l.keep(first, n)
		}
		mask := s.Index(a.v, intrinsic.IxWriteMask)
		for c := range a.comps {
			if mask>>c&1 == 0 {
				continue
			}
			l.everywhere(a, c, func(v *varying) {
				v.stores++
				v.known = v.stores == 1 && a.locations == 0 && s.At(a.v).Block() == l.last
				v.value, v.bits = origin(s, value.Comp(c)), a.bits
				v.flags |= kind.IOFlags(s.Index(a.v, intrinsic.IxIOFlags))
				v.base = kind.BaseType(s.Index(a.v, intrinsic.IxValueBase))
			})
		}
	})
	for i := 0; i < len(l.varyings); i += components {
		for _, v := range l.varyings[i : i+components] {
			if v.stores > 0 {
				l.stats.Before++
				break
			}
		}
	}
}

// everywhere calls fn for all components that component c of an access may refer to.
func (l *linker) everywhere(a *access, c int, fn func(*varying)) {
	for p := range a.parts {
		for i := range max(a.locations, 1) {
			fn(l.at(a.part(c) + p + components*i))
		}
	}
}

// loaded collects the components that the fragment shader reads.
func (l *linker) loaded() {
	s := l.fragment.S
	accesses(s, isLoad, func(a *access) {
		if a.locations > 0 {
			l.keep(a.first/components, a.locations)
		} else if first, n := a.span(); n > 1 || a.parts > 1 {
			l.keep(first, n)
		}
		used := analysis.UsedComps(s, a.v)
		for c := range a.comps {
			if used>>c&1 != 0 {
				l.everywhere(a, c, func(v *varying) { v.read, v.manner = a.bits, v.manner|mannerOf(s, a) })
			}
		}
	})
}

func mannerOf(s *ir.Shader, a *access) manner {
	if a.id != intrinsic.LoadInterpolatedInput {
		return flat
	}
	b := s.Src(a.v, a.id.Source(intrinsic.RoleBarycentric)).Val
	if in := s.At(b); in.Kind == kind.Intrinsic && in.Intrinsic().Slot(intrinsic.IxInterpMode) >= 0 &&
		kind.InterpMode(s.Index(b, intrinsic.IxInterpMode)) == kind.InterpNoperspective {
		return linear
	}
	return smooth
}

// origin follows a scalar through copies and vectors to its computation.
func origin(s *ir.Shader, r ir.Src) ir.Src {
	for {
		switch in := s.At(r.Val); {
		case in.IsALU(op.Mov):
			r = s.Src(r.Val, 0).Comp(int(r.Swz.Comp(0)))
		case in.IsALU(op.Vec2), in.IsALU(op.Vec3), in.IsALU(op.Vec4):
			r = s.Src(r.Val, int(r.Swz.Comp(0))).Comp(0)
		default:
			return r
		}
	}
}
