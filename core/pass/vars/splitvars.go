// SPDX-License-Identifier: MIT

package vars

import (
	"strconv"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/values"
	"jacquard.example/generated/kind"
)

// SplitVars splits private variables that are only loaded and stored. A struct, or an array of structs, is split into a
// variable for each member; an array with constant indices into a variable for each element. The remaining variables
// are dynamically indexed at every level, so that they take no more memory than necessary and show which elements
// cannot alias. A dynamically indexed array of structs that is too large for registers is not split if accesses to
// neighboring members can be merged.
func SplitVars(pc *pass.Context) bool {
	c := in(pc)
	changed := false
	for range maxChain { // levels of a type
		if !c.splitVars() {
			break
		}
		values.DeadCode(c.Context) // removes derefs of split variables
		changed = true
	}
	return changed
}

// splitVars splits one level of every variable.
func (c context) splitVars() bool {
	s := c.S
	var shape []splitShape
	for x := range s.Vars(pass.Promotable) {
		if sh := c.shapeOf(s.Var(x).Type); sh.kind != splitNot {
			if shape == nil {
				shape = make([]splitShape, s.NumVars())
			}
			shape[x] = sh
		}
	}
	if shape == nil {
		return false
	}
	for x, plain := range c.plainVars() {
		if !plain {
			shape[x].kind = splitNot
		}
	}
	c.eachInstr(func(v ir.Value) {
		if x, i, ok := c.outermostIndex(v); ok && shape[x].kind == splitArray && i >= shape[x].n {
			shape[x].kind = splitNot
		}
	})
	if c.parts == nil {
		c.parts = map[splitPart]ir.Var{}
	}
	clear(c.parts)
	c.eachInstr(func(v ir.Value) {
		if x, i, ok := c.outermostIndex(v); ok && i == dynamic && shape[x].kind == splitStruct && c.mergeable(s.Var(x).Type) {
			shape[x].kind = splitNot
		}
	})
	changed := false
	c.eachInstr(func(v ir.Value) { changed = c.splitAt(v, shape) || changed })
	return changed
}

// eachInstr visits the instructions of all functions: several functions may use a variable of the shader.
func (c context) eachInstr(f func(ir.Value)) {
	for fn := range c.S.Funcs() {
		for b := range c.S.Blocks(fn) {
			for v := range c.S.Instrs(b) {
				f(v)
			}
		}
	}
}

type splitKind uint8

const (
	splitNot    splitKind = iota
	splitStruct           // a struct, or nested arrays of a struct
	splitArray            // an array of something else
)

// splitShape describes how a variable is split.
type splitShape struct {
	kind   splitKind
	arrays int    // number of array levels around the struct
	n      uint64 // elements of the array
}

// splitPart is a member of a variable's struct, or an element of its array.
type splitPart struct {
	v ir.Var
	i uint32
}

// shapeOf returns how a variable of a type can be split.
func (c context) shapeOf(t ir.Type) splitShape {
	tt := &c.S.Types
	x := tt.At(t)
	n := uint64(x.Len)
	arrays := 0
	for ; x.Kind == ir.TypeArray; x = tt.At(x.Elem) {
		arrays++
	}
	switch {
	case arrays+2 > maxChain:
	case x.Kind == ir.TypeStruct:
		return splitShape{splitStruct, arrays, n}
	case arrays > 0:
		return splitShape{splitArray, arrays, n}
	}
	return splitShape{}
}

// dynamic denotes an index that is not constant.
const dynamic = ^uint64(0)

// outermostIndex returns the array variable that v steps into, and the index, dynamic if it is not a constant. ok is false
// if v is no such step.
func (c context) outermostIndex(v ir.Value) (x ir.Var, i uint64, ok bool) {
	s := c.S
	if s.At(v).Kind != kind.Deref || s.At(v).DerefKind() != kind.DerefArray || !ir.ModeMayBe(s.Modes(v), pass.Promotable) {
		return 0, 0, false
	}
	p := s.Src(v, 0).Val
	if s.At(p).Kind != kind.Deref || s.At(p).DerefKind() != kind.DerefVar {
		return 0, 0, false
	}
	i, known := s.ConstOf(s.Src(v, 1))
	if !known {
		i = dynamic
	}
	return s.DerefVar(p), i, true
}

// mergeable reports whether an array of structs should stay in memory: it has too many scalars for registers, and
// consists of dwords, so that one message can access several members of an element. Split members would be in different
// places.
func (c context) mergeable(t ir.Type) bool {
	tt := &c.S.Types
	n := uint64(1)
	for tt.At(t).Kind == ir.TypeArray {
		n *= uint64(tt.At(t).Len)
		t = tt.At(t).Elem
	}
	dwords := uint64(0)
	for _, m := range tt.Members(t) {
		x := *tt.At(m.Type)
		count := uint64(1)
		if x.Kind == ir.TypeVector {
			count, x = uint64(x.Len), *tt.At(x.Elem)
		}
		if x.Kind != ir.TypeInt && x.Kind != ir.TypeUint && x.Kind != ir.TypeFloat || x.Bits != 32 {
			return false
		}
		dwords += count
	}
	return n*dwords > maxTable
}

// splitAt redirects a deref of a part of a split variable to the part's own variable.
func (c context) splitAt(v ir.Value, shape []splitShape) bool {
	s := c.S
	if s.At(v).Kind != kind.Deref {
		return false
	}
	var r ir.Value
	switch s.At(v).DerefKind() {
	case kind.DerefArray:
		x, i, ok := c.outermostIndex(v)
		if !ok || int(x) >= len(shape) || shape[x].kind != splitArray {
			return false
		}
		c.B.Before(v)
		r = c.B.DerefVar(c.part(splitPart{x, uint32(i)}, s.DerefType(v), "["+strconv.FormatUint(i, 10)+"]"))
	case kind.DerefStruct:
		var buf [maxChain]ir.Value
		chain := c.derefChain(v, &buf)
		if chain == nil || s.At(chain[0]).DerefKind() != kind.DerefVar {
			return false
		}
		x := s.DerefVar(chain[0])
		if int(x) >= len(shape) || shape[x].kind != splitStruct || len(chain) != shape[x].arrays+2 {
			return false
		}
		m := s.Words(v)[kind.FieldDerefStructMember]
		name := s.Strs.Text(s.Types.Members(s.DerefType(s.Src(v, 0).Val))[m].Name)
		c.B.Before(v)
		r = c.B.DerefVar(c.part(splitPart{x, m}, c.arraysOf(s.Var(x).Type, s.DerefType(v)), "."+name))
		for _, step := range chain[1 : len(chain)-1] {
			r = c.B.DerefArray(r, s.Src(step, 1))
		}
	default:
		return false
	}
	s.ReplaceUses(v, s.All(r))
	s.Remove(v)
	return true
}

// arraysOf returns the nested array type like with its struct replaced by t.
func (c context) arraysOf(like, t ir.Type) ir.Type {
	tt := &c.S.Types
	x := *tt.At(like)
	if x.Kind != ir.TypeArray {
		return t
	}
	return tt.Intern(ir.TypeInfo{Kind: ir.TypeArray, Elem: c.arraysOf(x.Elem, t), Len: x.Len})
}

// part returns the variable of a part, and creates it if necessary.
func (c context) part(k splitPart, t ir.Type, name string) ir.Var {
	if x := c.parts[k]; x != 0 {
		return x
	}
	info := *c.S.Var(k.v)
	info.Type = t
	info.Name = c.S.Strs.Intern(c.S.Strs.Text(info.Name) + name)
	x := c.S.NewVar(info)
	c.parts[k] = x
	return x
}
