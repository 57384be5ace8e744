// SPDX-License-Identifier: MIT

package link

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// stays moves an access to locations that stay together to their new location, or removes it if nothing reads them. It
// returns false for other accesses.
func (l *linker) stays(s *ir.Shader, a *access) bool {
	l.at(a.first)
	at := a.first / components
	if !l.locations[at].fixed {
		return false
	}
	if !l.needed(int(at)) {
		s.Remove(a.v)
		return true
	}
	to := uint32(l.locations[s.Index(a.v, intrinsic.IxBase)].to)
	s.SetIndex(a.v, intrinsic.IxBase, uint32(stageio.Slot(kind.BuiltinNone, to, 0)))
	s.SetIndex(a.v, intrinsic.IxLocation, to)
	return true
}

// rewriteVertex stores the components that stay to their new places. Components whose value is known are stored at the
// end of the shader, by one store for each run of components in a location.
func (l *linker) rewriteVertex() {
	s, b := l.vertex.S, l.vertex.B
	var packed []*varying // by new component
	accesses(s, isStore, func(a *access) {
		if l.stays(s, a) {
			return
		}
		value := s.Src(a.v, a.id.Source(intrinsic.RoleValue))
		mask := s.Index(a.v, intrinsic.IxWriteMask)
		b.Before(a.v)
		for c := range a.comps {
			v := l.at(a.part(c))
			if mask>>c&1 == 0 || v.to < 0 {
				continue
			}
			if !v.known {
				l.store(value.Comp(c), v.to, v)
				continue
			}
			for int(v.to) >= len(packed) {
				packed = append(packed, nil)
			}
			packed[v.to] = v
		}
		s.Remove(a.v)
	})
	b.AtEnd(l.last)
	for c := 0; c < len(packed); {
		n := l.run(packed[c:], components-c%components)
		if n == 0 {
			c++
			continue
		}
		parts := make([]ir.Src, n)
		for i := range parts {
			parts[i] = packed[c+i].value
		}
		l.store(pass.Vec(b, parts), int32(c), packed[c])
		c += n
	}
}

// run returns the number of components at the start of list that one store can write.
func (l *linker) run(list []*varying, most int) (n int) {
	for n < min(most, len(list)) && list[n] != nil && list[n].bits == list[0].bits && list[n].flags == list[0].flags &&
		list[n].base == list[0].base {
		n++
	}
	return n
}

// store stores a value to components starting at to.
func (l *linker) store(value ir.Src, to int32, v *varying) {
	b := l.vertex.B
	at := uint32(to / components)
	b.StoreOutput(value, b.Imm(0), stageio.Slot(kind.BuiltinNone, at, 0), 1, 1<<value.N-1, uint32(to%components), v.base, at,
		kind.BuiltinNone, v.flags, 0)
}

// rewriteFragment loads the components that stay from their new places, and computes the others.
func (l *linker) rewriteFragment() {
	s := l.fragment.S
	accesses(s, isLoad, func(a *access) {
		if l.stays(s, a) {
			return
		}
		used := analysis.UsedComps(s, a.v)
		parts := make([]ir.Src, a.comps)
		l.fragment.B.Before(a.v)
		for c := range parts {
			if used>>c&1 == 0 {
				parts[c] = l.fragment.B.ImmN(a.bits, 0)
				continue
			}
			parts[c] = l.replacement(a, l.at(a.part(c)))
		}
		s.ReplaceUses(a.v, pass.Vec(l.fragment.B, parts))
		s.Remove(a.v)
	})
}

// replacement returns the new value of a component of an input.
func (l *linker) replacement(a *access, v *varying) ir.Src {
	s, b := l.fragment.S, l.fragment.B
	switch v.fate {
	case zero:
		return b.ImmN(a.bits, 0)
	case constant:
		return b.ImmN(a.bits, l.constantOf(v))
	case uniform:
		return l.loadUniform(v.value.Val).Comp(int(v.value.Swz.Comp(0)))
	}
	if v.duplicate >= 0 {
		v = &l.varyings[v.duplicate]
	}
	at, comp := uint32(v.to/components), uint32(v.to%components)
	slot := stageio.Slot(kind.BuiltinNone, at, 0)
	base := kind.BaseType(s.Index(a.v, intrinsic.IxValueBase))
	flags := kind.IOFlags(s.Index(a.v, intrinsic.IxIOFlags))
	switch a.id {
	case intrinsic.LoadInterpolatedInput:
		where := s.Src(a.v, a.id.Source(intrinsic.RoleBarycentric))
		return b.LoadInterpolatedInput(1, a.bits, where, b.Imm(0), slot, 1, comp, base, at, kind.BuiltinNone, flags)
	case intrinsic.LoadInputVertex:
		vertex := s.Src(a.v, a.id.Source(intrinsic.RoleVertex))
		return b.LoadInputVertex(1, a.bits, vertex, b.Imm(0), slot, 1, comp, base, at, kind.BuiltinNone, flags)
	}
	return b.LoadInput(1, a.bits, b.Imm(0), slot, 1, comp, base, at, kind.BuiltinNone, flags)
}
