// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// context is the pass.Context with this package's methods.
type context struct{ *pass.Context }

// LowerStageIO lowers loads, interpolations and stores of inputs and outputs.
func LowerStageIO(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	if !graphics(s.Info.Stage) {
		return false
	}
	changed := false
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				changed = c.lower(v) || changed
				if c.Failed() {
					return true
				}
			}
		}
	}
	return changed
}

func graphics(s kind.Stage) bool { return s == kind.StageVertex || s == kind.StageFragment }

const connected = kind.ModeShaderIn | kind.ModeShaderOut

// lower lowers an instruction if it accesses an input or output, and reports whether it did.
func (c context) lower(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	if in.Kind != kind.Intrinsic || in.NSrc == 0 {
		return false
	}
	id := in.Intrinsic()
	at := id.Source(intrinsic.RoleDeref)
	if id == intrinsic.CopyDeref {
		at = 0
	}
	if at < 0 {
		return false
	}
	d := s.Src(v, at).Val
	if id == intrinsic.CopyDeref && s.At(d).Kind == kind.Deref && !ir.ModeMayBe(s.Modes(d), connected) {
		d = s.Src(v, 1).Val
	}
	if s.At(d).Kind != kind.Deref || !ir.ModeMayBe(s.Modes(d), connected) {
		return false
	}
	if s.DerefVar(d) == 0 {
		c.FailAt(in.Loc, "an input or output that is accessed through a pointer of unknown origin is not supported")
		return false
	}
	c.B.Before(v)
	p := c.resolve(d)
	switch {
	case c.Failed():
		return false
	case p.lost:
		c.FailAt(in.Loc, "%s of an input or output at a non-constant index is not supported", id)
		return false
	case p.builtin != kind.BuiltinNone && p.slots >= builtinSize:
		c.FailAt(in.Loc, "element %d of the builtin %v does not exist; there are %d", 4*p.slots+p.comp, p.builtin, distances)
		return false
	case p.location >= maxLocation, p.location+p.slots >= maxLocation:
		c.FailAt(in.Loc, "location %d of an input or output is too large; there are %d locations", p.location+p.slots, maxLocation)
		return false
	}
	switch {
	case id == intrinsic.StoreDeref:
		return c.store(v, &p)
	case in.HasResult() && !id.Is(intrinsic.TraitAtomic) && s.Modes(d) != kind.ModeShaderOut:
		s.ReplaceUses(v, c.load(v, &p))
		s.Remove(v)
		return true
	}
	c.FailAt(in.Loc, "%s of an input or output cannot be lowered", id)
	return false
}

// place returns the offset of a path from its base slot, the base slot, and the number of slots that the access may
// touch.
func (c context) place(p *path) (offset ir.Src, base int32, count uint32) {
	offset = c.B.Imm(0)
	if p.dynamic {
		offset = p.offset
	}
	count = slotsOf(&c.S.Types, p.typ)
	if p.dynamic {
		count = p.extent
	}
	return offset, Slot(p.builtin, p.location, p.flags) + int32(p.slots), count
}

// valueBase returns the base type of the components of a type.
func (c context) valueBase(t ir.Type) kind.BaseType {
	k, _, _ := c.S.Types.ScalarOf(t)
	switch k {
	case ir.TypeInt:
		return kind.BaseInt
	case ir.TypeUint:
		return kind.BaseUint
	case ir.TypeBool:
		return kind.BaseBool
	}
	return kind.BaseFloat
}

// load returns the value of an input.
func (c context) load(v ir.Value, p *path) ir.Src {
	s, b := c.S, c.B
	n := uint32(s.At(v).Comps)
	if !p.choose {
		return c.loadAt(v, p, uint8(n))
	}
	var all ir.Src
	element := func(i uint32) ir.Src { return all.Comp(int(i)) }
	if n = p.elements; n != 0 {
		element = func(i uint32) ir.Src {
			p.slots, p.comp = i/4, i%4
			return c.loadAt(v, p, 1)
		}
	} else {
		_, _, comps := s.Types.ScalarOf(p.whole)
		n = uint32(comps)
		all = c.loadAt(v, p, uint8(comps))
	}
	chosen := element(0)
	for i := uint32(1); i < n; i++ {
		chosen = b.BCsel(b.IEq(p.part, b.ImmN(s.At(p.part.Val).Bits, uint64(i))), element(i), chosen)
	}
	return chosen
}

// loadAt loads comps components of the input at a path without a dynamic component index.
func (c context) loadAt(v ir.Value, p *path, comps uint8) ir.Src {
	s, b := c.S, c.B
	bits := s.At(v).Bits
	half := bits == halfBits
	if half {
		bits = 2 * halfBits
	}
	offset, base, count := c.place(p)
	vb := c.valueBase(p.typ)
	location := p.location + p.slots
	var out ir.Src
	switch id := s.At(v).Intrinsic(); {
	case p.barycentric:
		out = c.coordinates(v, p, comps)
	case p.each:
		out = b.LoadInputVertex(comps, bits, p.vertex, offset, base, count, p.comp, vb, location, p.builtin, p.flags)
	case id == intrinsic.InterpDerefAtVertex:
		out = b.LoadInputVertex(comps, bits, s.Src(v, 1), offset, base, count, p.comp, vb, location, p.builtin, p.flags)
	case s.Info.Stage != kind.StageFragment || p.qual&kind.QualifierFlat != 0 || vb != kind.BaseFloat || bits == 64:
		out = b.LoadInput(comps, bits, offset, base, count, p.comp, vb, location, p.builtin, p.flags)
	default:
		out = b.LoadInterpolatedInput(comps, bits, c.barycentric(v, p.qual), offset, base, count, p.comp, vb, location, p.builtin, p.flags)
	}
	if half {
		out = c.narrow(out, vb)
	}
	return out
}

// store lowers a store to an output.
func (c context) store(v ir.Value, p *path) bool {
	s := c.S
	if p.choose {
		c.FailAt(s.At(v).Loc, "a store to an output's component at a non-constant index is not supported")
		return false
	}
	offset, base, count := c.place(p)
	location := p.location + p.slots
	value := s.Src(v, s.At(v).Intrinsic().Source(intrinsic.RoleValue))
	if s.At(value.Val).Bits == halfBits {
		value = c.widen(value, c.valueBase(p.typ))
	}
	c.B.StoreOutput(value, offset, base, count, s.Index(v, intrinsic.IxWriteMask), p.comp, c.valueBase(p.typ), location,
		p.builtin, p.flags, 0)
	s.Remove(v)
	return true
}
