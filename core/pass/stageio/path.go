// SPDX-License-Identifier: MIT

package stageio

import (
	"fmt"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// path is the location in the interface that a deref refers to.
type path struct {
	builtin  kind.IOBuiltin
	number   uint32 // SPIR-V's number of the builtin, plus 1
	location uint32
	slots    uint32 // constant offset from the location, in slots
	offset   ir.Src // dynamic offset in slots, if an index is not constant
	dynamic  bool
	extent   uint32 // number of slots that offset ranges over
	comp     uint32
	part     ir.Src // dynamic index of a vector's component, or of an element of a builtin array
	choose   bool
	elements uint32 // length of the array that part indexes
	vertex   ir.Src // index of the vertex in the primitive, for inputs that are not interpolated
	each     bool   // vertex is valid
	qual     kind.Qualifier
	flags    kind.IOFlags
	typ      ir.Type // type of the value
	whole    ir.Type // type of the vector that part indexes
	lost     bool    // the deref is not supported
	// barycentric marks the barycentric coordinates of the fragment.
	barycentric bool
}

// slotsOf returns the number of slots of a type, at most maxLocation: a scalar or vector takes one, or two if it is
// longer than 128 bits (Vulkan specification, "Location Assignment").
func slotsOf(tt *ir.TypeTable, t ir.Type) uint32 {
	x := tt.At(t)
	switch x.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		return min(min(x.Len, maxLocation)*slotsOf(tt, x.Elem), maxLocation)
	case ir.TypeStruct:
		n := uint32(0)
		for _, m := range tt.Members(t) {
			if n += slotsOf(tt, m.Type); n >= maxLocation {
				return maxLocation
			}
		}
		return n
	}
	if _, bits, n := tt.ScalarOf(t); int(bits)*int(n) > 128 {
		return 2
	}
	return 1
}

// resolve returns the path to which the chain of derefs from a variable to d leads.
func (c context) resolve(d ir.Value) path {
	s := c.S
	var chain []ir.Value
	at := d
	for ; s.At(at).DerefKind() != kind.DerefVar; at = s.Src(at, 0).Val {
		chain = append(chain, at)
	}
	v := s.Var(s.DerefVar(at))
	p := path{comp: uint32(v.Comp), qual: v.Qual, typ: v.Type, location: uint32(max(v.Location, 0)), number: v.Builtin}
	if v.Index == 1 {
		p.flags = kind.IODualSource
	}
	for i := len(chain) - 1; i >= 0; i-- {
		c.step(&p, chain[i], i == len(chain)-1)
	}
	switch p.number - 1 {
	case baryCoordNoPerspective:
		p.qual |= kind.QualifierNoperspective
		p.number, p.barycentric = 0, true
	case baryCoord:
		p.number, p.barycentric = 0, true
	}
	if p.number != 0 {
		p.builtin = builtinOf(p.number - 1)
		p.location = 0
		if p.builtin == kind.BuiltinNone {
			c.FailAt(c.B.Loc, "the builtin %s is not supported as an input or output of a %s shader", nameOf(p.number-1), s.Info.Stage)
		}
	}
	if p.qual&kind.QualifierInvariant != 0 {
		p.flags |= kind.IOInvariant
	}
	return p
}

// step applies deref d of a chain to a path; first is set if d steps into the variable itself.
func (c context) step(p *path, d ir.Value, first bool) {
	s := c.S
	tt := &s.Types
	x := *tt.At(p.typ)
	if s.At(d).DerefKind() == kind.DerefStruct {
		n := s.Words(d)[kind.FieldDerefStructMember]
		members := tt.Members(p.typ)
		for _, m := range members[:n] {
			p.slots += slotsOf(tt, m.Type)
		}
		m := &members[n]
		if m.Location != 0 {
			p.location, p.slots = m.Location-1, 0
		}
		if m.Location != 0 || m.Comp != 0 {
			p.comp = uint32(m.Comp)
		}
		if m.Builtin != 0 {
			p.number, p.slots = m.Builtin, 0
		}
		p.qual |= m.Qual
		p.typ = m.Type
		return
	}
	if s.At(d).DerefKind() != kind.DerefArray {
		p.lost = true
		return
	}
	index, known := s.ConstOf(s.Src(d, 1))
	of := p.typ
	p.typ = s.DerefType(d)
	switch {
	case first && p.qual&kind.QualifierPerVertex != 0:
		p.vertex, p.each = s.Src(d, 1), true
	case x.Kind == ir.TypeVector && known:
		_, bits, _ := tt.ScalarOf(p.typ)
		p.comp += uint32(index) * max(uint32(bits)/32, 1)
	case x.Kind == ir.TypeVector:
		if tt.At(p.typ).Bits > 32 {
			p.lost = true
		}
		p.part, p.choose, p.whole = s.Src(d, 1), true, tt.Intern(x)
	case p.number != 0 && !known:
		p.part, p.choose, p.elements = s.Src(d, 1), true, min(max(x.Len, 1), distances)
	case p.number != 0: // packed, four elements to a slot
		p.slots, p.comp = uint32(min(index/4, maxLocation)), uint32(index%4)
	case known:
		p.slots += uint32(min(index, maxLocation)) * slotsOf(tt, p.typ)
	default:
		c.addIndex(p, s.Src(d, 1), slotsOf(tt, p.typ))
		p.extent = max(p.extent, slotsOf(tt, of), 1)
	}
}

// addIndex adds an index into elements of n slots each to the dynamic offset of a path.
func (c context) addIndex(p *path, index ir.Src, n uint32) {
	b := c.B
	if c.S.At(index.Val).Bits == 64 {
		index = b.U2U32(index)
	}
	if n != 1 {
		index = b.IMul(index, b.Imm(n))
	}
	if p.dynamic {
		index = b.IAdd(p.offset, index)
	}
	p.offset, p.dynamic = index, true
}

// nameOf returns the name of a SPIR-V builtin.
func nameOf(number uint32) string {
	if row := spirvtab.Builtins.Lookup(number); row != nil {
		return row.Name
	}
	return fmt.Sprintf("with the number %d", number)
}
