// SPDX-License-Identifier: MIT

package memory

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// descriptors are the modes of variables bound through descriptors.
const descriptors = pass.Buffers | kind.ModeImage | kind.ModeUniform

// LowerNonUniform inserts a loop around every access whose descriptor may be divergent within a subgroup: it is marked
// in the shader, and divergence analysis does not prove it uniform. A message uses one descriptor for all lanes:
//
//	loop {
//	    first = read_first_invocation(index)
//	    if index == first { access array[first]; break }
//	}
//
// An access with several descriptors (a texture and its sampler) runs when all indices are equal to the first
// invocation's. The pixel interpolator also takes one sample for all lanes: coordinates at a divergent sample are loaded
// in such a loop.
func LowerNonUniform(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	work := c.Values[:0]
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if pass.MayTouch(s.At(v)) && c.nonUniform(v) {
				work = append(work, v)
			}
		}
	}
	c.Values = work
	if len(work) == 0 {
		return false
	}
	// Collect all accesses before the first loop is inserted, since divergence is valid only for the control flow that
	// it was computed for.
	c.CFG.Build(s, c.F)
	c.Div.Build(s, c.F, &c.CFG)
	var elements []ir.Value
	var ends []int // by access: the end of its elements
	for _, v := range work {
		if s.At(v).Intrinsic() == intrinsic.LoadBarycentricAtSample {
			if c.Div.Read(s.Src(v, 0).Val, s.At(v).Block()) {
				elements = append(elements, v)
			}
		} else {
			elements = c.divergentElements(elements, v)
		}
		ends = append(ends, len(elements))
	}
	start := 0
	for i, v := range work {
		if ends[i] > start {
			// other lanes of its quads do not run in the loop
			if in := s.At(v); in.Kind == kind.Tex && kind.TexOp(in.Op) == kind.TexLOD {
				c.FailAt(in.Loc, "tex_%v with descriptors that differ between invocations is not supported", kind.TexLOD)
				return true
			}
			if elements[start] == v {
				c.sampleOneByOne(v)
			} else {
				c.accessOneByOne(v, elements[start:ends[i]])
			}
			start = ends[i]
		}
	}
	return len(elements) > 0
}

// UniformDescriptors removes the mark of accesses whose descriptor may be divergent from accesses whose descriptor is not,
// so that texture operations keep their implicit derivatives.
func UniformDescriptors(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed, built := false, false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() == intrinsic.LoadBarycentricAtSample || !pass.MayTouch(s.At(v)) || !c.nonUniform(v) {
				continue
			}
			if !built {
				c.CFG.Build(s, c.F)
				c.Div.Build(s, c.F, &c.CFG)
				built = true
			}
			if len(c.divergentElements(nil, v)) == 0 {
				c.unmark(v)
				changed = true
			}
		}
	}
	return changed
}

// sampleOneByOne inserts the loop around a load of barycentric coordinates at a sample.
func (c context) sampleOneByOne(v ir.Value) {
	index := []ir.Src{c.S.Src(v, 0)}
	c.oneByOne(v, index)
	c.S.SetSrc(v, 0, index[0])
}

// nonUniform reports whether an instruction for which pass.MayTouch holds is marked as having a divergent descriptor, or
// loads coordinates at a sample that is not constant.
func (c context) nonUniform(v ir.Value) bool {
	s := c.S
	in := s.At(v)
	switch id := in.Intrinsic(); id {
	case intrinsic.None:
		return s.Tex(v).Flags()&kind.TexFlagNonUniform != 0
	case intrinsic.LoadBarycentricAtSample:
		return !s.At(s.Src(v, 0).Val).IsConst()
	default:
		return kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessNonUniform != 0
	}
}

// descriptorElement returns the deref in a chain that selects an element of an array of descriptors, or 0 if there is
// none.
func (c context) descriptorElement(d ir.Value) ir.Value {
	s := c.S
	for s.At(d).Kind == kind.Deref && s.At(d).DerefKind() != kind.DerefVar {
		p := s.Src(d, 0).Val
		if x := s.At(p); s.At(d).DerefKind() == kind.DerefArray && x.Kind == kind.Deref &&
			x.DerefKind() == kind.DerefVar && ir.ModeMayBe(s.Modes(p), descriptors) &&
			s.Types.At(s.DerefType(p)).Kind == ir.TypeArray {
			return d
		}
		d = p
	}
	return 0
}

// divergentElements appends the derefs of array elements with a divergent index
// in the chains of an access.
func (c context) divergentElements(out []ir.Value, v ir.Value) []ir.Value {
	s := c.S
	first := len(out)
	for i := range int(s.At(v).NSrc) {
		e := c.descriptorElement(s.Src(v, i).Val)
		if e != 0 && c.Div.Read(s.Src(e, 1).Val, s.At(v).Block()) && !slices.Contains(out[first:], e) {
			out = append(out, e)
		}
	}
	return out
}

// accessOneByOne inserts the loop around an access to the given elements.
func (c context) accessOneByOne(v ir.Value, elements []ir.Value) {
	s := c.S
	index := make([]ir.Src, len(elements))
	for i, e := range elements {
		index[i] = s.Src(e, 1)
	}
	c.oneByOne(v, index)
	c.Cloner.Start(s)
	for i := range int(s.At(v).NSrc) {
		d := s.Src(v, i).Val
		for k, e := range elements {
			if c.descriptorElement(d) == e {
				s.SetSrc(v, i, s.All(c.derefAgain(d, e, index[k])))
			}
		}
	}
	c.unmark(v)
}

// oneByOne inserts a loop around v that runs it for one set of equal indices at a time, and replaces the indices with
// the first active invocation's. It leaves the cursor before v.
func (c context) oneByOne(v ir.Value, index []ir.Src) {
	s, b := c.S, c.B
	before := s.SplitFront(v)
	b.Loc = s.At(v).Loc
	loop := s.InsertLoop(before)
	first := s.Body(loop)
	b.AtEnd(first)
	same := ir.Src{}
	for i, x := range index {
		index[i] = b.ReadFirstInvocation(s.At(x.Val).Bits, x)
		if eq := b.IEq(x, index[i]); i == 0 {
			same = eq
		} else {
			same = b.IAnd(same, eq)
		}
	}
	iff := s.InsertIf(first, same)
	then := s.Then(iff)
	s.MoveToEnd(v, then)
	b.AtEnd(then)
	b.Jump(kind.JumpBreak)
	b.Before(v)
}

// derefAgain copies the chain of derefs from element to d to the cursor, with another index for element,
// and returns the copy of d.
func (c context) derefAgain(d, element ir.Value, index ir.Src) ir.Value {
	s := c.S
	if x := c.Cloner.Value(d); x != d {
		return x
	}
	if d != element {
		c.derefAgain(s.Src(d, 0).Val, element, index)
	}
	n := c.Cloner.Instr(d)
	if d == element {
		s.SetSrc(n, 1, index)
	}
	c.B.Insert(n)
	return n
}

// unmark records that an access has a uniform descriptor.
func (c context) unmark(v ir.Value) {
	s := c.S
	if s.At(v).Kind == kind.Tex {
		s.Words(v)[kind.FieldTexFlags] = uint32(s.Tex(v).Flags() &^ kind.TexFlagNonUniform)
		return
	}
	s.SetIndex(v, intrinsic.IxAccess, s.Index(v, intrinsic.IxAccess)&^uint32(kind.AccessNonUniform))
}
