// SPDX-License-Identifier: MIT

package vars

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// original describes the object that a private variable is a copy of.
type original struct {
	base    ir.Value // a deref of an object with the same parts; 0 if nothing is stored to the variable
	access  uint32   // access flags of the loads from it
	indexed bool     // the variable is loaded at a dynamic index
	element bool     // base has a dynamic index
	early   bool     // the variable is loaded before the first store
	loops   bool     // the variable is loaded at a dynamic index in a loop
	last    int      // the number of the last load from the variable, among the intrinsics
	none    bool     // the variable is not a copy of one object

	// Of the variable as an original:
	checked bool
	changes int // once checked: the number of the first intrinsic that may change it, or of the loop that it is in
}

// ForwardReadOnly replaces private variables that are copies, part by part, of memory that the shader does not write, or
// only after the last load from the variable: the loads read the original instead. If every store to a part of the
// variable stores the same part of the original, then a load returns that part, or is undefined because it precedes the
// store. Variables that are accessed at constant indices alone are left to VarsToSSA.
func ForwardReadOnly(pc *pass.Context) bool {
	c := in(pc)
	if !c.private() {
		return false
	}
	s := c.S
	plain := c.plainVars()
	if !c.findOriginals(plain) {
		return false
	}
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			var buf [maxChain]ir.Value
			x, chain := c.plainAccess(v, plain, &buf)
			if chain == nil || !c.originals[x].forwards() {
				continue
			}
			o := &c.originals[x]
			if s.At(v).Intrinsic() == intrinsic.StoreDeref {
				s.Remove(v)
				continue
			}
			c.B.Before(v)
			s.SetSrc(v, 0, s.All(c.partOf(chain[len(chain)-1], c.rebuild(o.base))))
			s.SetIndex(v, intrinsic.IxAccess, s.Index(v, intrinsic.IxAccess)|o.access)
			changed = true
		}
	}
	return changed
}

func (o *original) forwards() bool { return !o.none && o.indexed && o.base != 0 }

// findOriginals finds the originals of plain variables, and reports whether any variable has one.
func (c context) findOriginals(plain []bool) bool {
	s := c.S
	c.originals = reuse.Zeroed(c.originals, s.NumVars())
	number := 0
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Kind == kind.Intrinsic {
				number++
			}
			var buf [maxChain]ir.Value
			x, chain := c.plainAccess(v, plain, &buf)
			if chain == nil || c.originals[x].none {
				continue
			}
			if o := &c.originals[x]; s.At(v).Intrinsic() == intrinsic.StoreDeref {
				o.none = !c.storesPart(v, chain, o)
			} else {
				if c.indexed(chain[len(chain)-1]) {
					o.indexed, o.loops = true, o.loops || s.LoopOf(b) != 0
				}
				o.early = o.early || o.base == 0
				o.last = number
			}
		}
	}
	found := false
	for x := range c.originals {
		if o := &c.originals[x]; o.forwards() {
			o.none = c.better(ir.Var(x), o) || o.element && o.early || c.changes(s.DerefVar(o.base)) <= o.last
			found = found || !o.none
		}
	}
	return found
}

// better reports whether a copy is better kept in registers: a small one of a storage buffer, if a loop would read the
// buffer each time.
func (c context) better(x ir.Var, o *original) bool {
	return o.loops && c.S.Modes(o.base) == kind.ModeSSBO && c.S.Types.Dwords(c.S.Var(x).Type, maxSmallTable+1) <= maxSmallTable
}

// storesPart reports whether v stores to a part of a variable the same part of its original, which the first store
// determines: storesPart sets o.base. chain leads to the part of the variable.
func (c context) storesPart(v ir.Value, chain []ir.Value, o *original) bool {
	s := c.S
	val := s.Src(v, 1)
	in := s.At(val.Val)
	if in.Intrinsic() != intrinsic.LoadDeref || val != s.All(val.Val) || c.indexed(chain[len(chain)-1]) ||
		s.Index(v, intrinsic.IxWriteMask) != 1<<val.N-1 || s.At(s.Src(val.Val, 0).Val).Kind != kind.Deref {
		return false
	}
	d := s.Src(val.Val, 0).Val
	const readable = pass.Buffers // a load of push constants at a dynamic index selects among all of them
	const observed = kind.AccessVolatile | kind.AccessCoherent
	access := s.Index(val.Val, intrinsic.IxAccess)
	if !ir.ModeMustBe(s.Modes(d), readable) || kind.Access(access)&observed != 0 || s.DerefType(d) != s.DerefType(chain[len(chain)-1]) {
		return false
	}
	var buf [maxChain]ir.Value
	from := c.derefChain(d, &buf)
	n := len(from) - (len(chain) - 1)
	if from == nil || n < 1 || s.At(from[0]).DerefKind() != kind.DerefVar {
		return false
	}
	for i, step := range chain[1:] {
		if !c.sameStep(step, from[n+i]) {
			return false
		}
	}
	if o.base == 0 {
		for _, d := range from[1:n] {
			if s.At(d).DerefKind() != kind.DerefArray || s.At(s.Src(d, 1).Val).IsConst() {
				continue
			}
			if o.element = true; !c.once(s.Src(d, 1).Val) {
				return false
			}
		}
		if !c.covers(s.DerefType(from[n-1]), s.DerefType(chain[0])) {
			return false
		}
		o.base, o.access = from[n-1], access
		return true
	}
	o.access &= access
	return c.sameObject(from[n-1], o.base)
}

// once reports whether a value is computed at most once, in code that the rest of the function follows: everything after
// the first use can use it.
func (c context) once(v ir.Value) bool { return c.S.Parent(c.S.At(v).Block()) == c.S.Func(c.F).Node }

// covers reports whether an object of type a has all parts that an object of type b has, so that parts which are not
// stored can be read. A runtime array covers a longer one only if accesses beyond its end
// have bounds.
func (c context) covers(a, b ir.Type) bool {
	tt := &c.S.Types
	x, y := tt.At(a), tt.At(b)
	switch {
	case a == b:
		return true
	case x.Kind != y.Kind:
		return false
	}
	switch x.Kind {
	case ir.TypeStruct:
		of, parts := tt.Members(a), tt.Members(b)
		for i := range parts {
			if i >= len(of) || !c.covers(of[i].Type, parts[i].Type) {
				return false
			}
		}
		return true
	case ir.TypeArray:
		long := x.Len >= y.Len || x.Len == 0 && c.BufferFormat(kind.ModeSSBO, 0) == pass.IndexOffset
		return long && c.covers(x.Elem, y.Elem)
	case ir.TypeMatrix:
		return x.Len == y.Len && c.covers(x.Elem, y.Elem)
	}
	return false
}

// sameStep reports whether two derefs select the same part of objects of the same form, by constant indices.
func (c context) sameStep(a, b ir.Value) bool {
	s := c.S
	if s.At(a).DerefKind() != s.At(b).DerefKind() {
		return false
	}
	switch s.At(a).DerefKind() {
	case kind.DerefStruct:
		return s.Words(a)[kind.FieldDerefStructMember] == s.Words(b)[kind.FieldDerefStructMember]
	case kind.DerefArray:
		i, ok := s.ConstOf(s.Src(a, 1))
		j, also := s.ConstOf(s.Src(b, 1))
		return ok && also && i == j
	}
	return false
}

// sameObject reports whether two derefs, whose dynamic indices are computed once, refer to the same part of a variable.
func (c context) sameObject(a, b ir.Value) bool {
	s := c.S
	for a != b {
		if s.At(a).DerefKind() == kind.DerefVar || s.At(b).DerefKind() == kind.DerefVar {
			return s.At(a).DerefKind() == s.At(b).DerefKind() && s.DerefVar(a) == s.DerefVar(b)
		}
		if !c.sameStep(a, b) && !c.sameIndex(a, b) {
			return false
		}
		a, b = s.Src(a, 0).Val, s.Src(b, 0).Val
	}
	return true
}

// sameIndex reports whether two derefs select the element with the same index.
func (c context) sameIndex(a, b ir.Value) bool {
	s := c.S
	if s.At(a).DerefKind() != kind.DerefArray || s.At(b).DerefKind() != kind.DerefArray {
		return false
	}
	return s.Src(a, 1).X() == s.Src(b, 1).X()
}

// changes returns the number of the first intrinsic that may change variable x, or math.MaxInt if none may. If it is in a
// loop, that is the number of the first intrinsic in the outermost loop, since later iterations follow the change. The
// result is 0 if x is volatile or coherent, or if the shader changes x and has barriers or atomics, with which it may
// wait for changes by other invocations.
func (c context) changes(x ir.Var) int {
	s := c.S
	o := &c.originals[x]
	if o.checked {
		return o.changes
	}
	const observed = kind.AccessVolatile | kind.AccessCoherent
	if o.checked = true; s.Var(x).Access&observed != 0 {
		return 0
	}
	c.B.AtStart(s.FirstBlock(c.F))
	whole := c.B.DerefVar(x)
	o.changes = math.MaxInt
	orders, number := false, 0
	entered, outer := 0, ir.Node(0)
	for b := range s.Blocks(c.F) {
		if loop := outermostLoop(s, b); loop != outer {
			outer, entered = loop, number+1
		}
		for w := range s.Instrs(b) {
			in := s.At(w)
			if in.Kind == kind.Intrinsic {
				number++
			}
			switch id := in.Intrinsic(); {
			case id == intrinsic.Barrier:
				orders = true
			case c.mayChange(w, whole):
				at := number
				if outer != 0 {
					at = entered
				}
				orders = orders || id.Is(intrinsic.TraitAtomic)
				o.changes = min(o.changes, at)
			case id.Is(intrinsic.TraitAtomic):
				orders = true
			}
		}
	}
	s.Remove(whole)
	if orders && o.changes != math.MaxInt {
		o.changes = 0
	}
	return o.changes
}

// outermostLoop returns the outermost loop around a block, 0 if there is none.
func outermostLoop(s *ir.Shader, b ir.Node) (loop ir.Node) {
	for n := s.Parent(b); n != 0; n = s.Parent(n) {
		if s.NodeKind(n) == ir.NodeLoop {
			loop = n
		}
	}
	return loop
}

// rebuild inserts a deref of the same memory as d, whose indices are constants or computed before.
func (c context) rebuild(d ir.Value) ir.Value {
	s, b := c.S, c.B
	switch s.At(d).DerefKind() {
	case kind.DerefStruct:
		return b.DerefStruct(c.rebuild(s.Src(d, 0).Val), int(s.Words(d)[kind.FieldDerefStructMember]))
	case kind.DerefArray:
		p := c.rebuild(s.Src(d, 0).Val)
		index := s.Src(d, 1)
		if k, ok := s.ConstOf(index); ok {
			index = b.ImmN(s.At(index.Val).Bits, k)
		}
		n := b.DerefArray(p, index)
		s.Words(n)[kind.FieldDerefArrayInBounds] = s.Words(d)[kind.FieldDerefArrayInBounds]
		return n
	}
	return b.DerefVar(s.DerefVar(d))
}
