// SPDX-License-Identifier: MIT

package vars

import (
	mathbits "math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// A dynamically indexed private variable is kept in registers if it has at most maxIndirect dwords, or maxStored if it
// is not a vector and loops store to it at dynamic indices, and all such variables of a shader have at most maxSelected:
// at SIMD16 a dword takes two of 128 registers. A table, to which only constants are stored, takes no registers, and may
// have maxSmallTable dwords; larger ones become constant data. maxTable bounds all of these sizes; a dynamically indexed
// array of structs with more dwords stays whole (see mergeable).
const (
	maxStored   = 8
	maxIndirect = 16
	maxSelected = 32
	maxTable    = 32

	maxSmallTable = 8
)

// LowerIndirectDerefs turns loads and stores of small private arrays and vectors at dynamic indices into selects among
// all elements, if that takes no more instructions than keeping the variable in memory. With an out-of-bounds index,
// which is undefined behavior in SPIR-V, a load returns any element and a store does nothing.
func LowerIndirectDerefs(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	worth := c.worthSelecting()
	if worth == nil {
		return false
	}
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			var buf [maxChain]ir.Value
			_, chain := c.plainAccess(v, worth, &buf)
			if chain == nil || !c.indexed(chain[len(chain)-1]) {
				continue
			}
			c.B.Before(v)
			if s.At(v).Intrinsic() == intrinsic.LoadDeref {
				s.ReplaceUses(v, c.loadAny(chain[0], chain[1:], v))
			} else {
				c.storeAny(chain[0], chain[1:], ir.Src{}, v)
			}
			s.Remove(v)
			changed = true
		}
	}
	return changed
}

// The cost in instructions of a scratch access per scalar: a message, its data, and the address if the index is
// dynamic.
const (
	knownCost   = 8
	indexedCost = 16
)

// worthSelecting marks the small, dynamically indexed private variables that take no more instructions with all elements
// in registers, and adds their sizes to c.Selected. It returns nil if no private variable is indexed dynamically.
func (c context) worthSelecting() []bool {
	if !c.private() {
		return nil
	}
	s := c.S
	var plain, indexed, varies []bool
	tables := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			id := s.At(v).Intrinsic()
			if id != intrinsic.LoadDeref && id != intrinsic.StoreDeref || !c.indexed(s.Src(v, 0).Val) {
				continue
			}
			if plain == nil {
				plain, indexed, varies = c.plainVars(), make([]bool, s.NumVars()), c.varyingVars()
			}
			x := s.DerefVar(s.Src(v, 0).Val)
			if x == 0 {
				continue
			}
			indexed[x] = true
			vector := s.Types.At(s.Var(x).Type).Kind == ir.TypeVector
			most := uint32(maxIndirect)
			switch {
			case !varies[x]:
				tables = true
				most = maxSmallTable
			case id == intrinsic.StoreDeref && !vector && s.LoopOf(b) != 0:
				most = maxStored // unrolling may free larger ones
			}
			if s.Types.Dwords(s.Var(x).Type, most+1) > most {
				plain[x] = false
			}
		}
	}
	if plain == nil {
		return nil
	}
	if tables && c.findTables(plain) {
		for x := range plain {
			plain[x] = plain[x] && c.tables[x].form.words == 0 // ConstantData takes fewer instructions
		}
	}
	saved := make([]int, s.NumVars()) // memory instructions minus select instructions
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			var buf [maxChain]ir.Value
			if x, chain := c.plainAccess(v, plain, &buf); chain != nil {
				saved[x] += c.savedBy(v, chain)
			}
		}
	}
	// Variables get registers in order while they fit, since all of them may be live at the same time.
	for x := range plain {
		if plain[x] = plain[x] && indexed[x] && saved[x] >= 0; !plain[x] {
			continue
		}
		n := s.Types.Dwords(s.Var(ir.Var(x)).Type, maxTable+1)
		if !varies[x] {
			n = 0
		}
		if plain[x] = c.Selected+n <= maxSelected; plain[x] {
			c.Selected += n
		}
	}
	return plain
}

// varyingVars marks the variables to which a value that is not constant is stored, or any value at a dynamic index.
func (c context) varyingVars() []bool {
	s := c.S
	varies := make([]bool, s.NumVars())
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() != intrinsic.StoreDeref {
				continue
			}
			at := s.Src(v, 0).Val
			if x := s.DerefVar(at); x != 0 && (c.indexed(at) || !s.At(s.Src(v, 1).Val).IsConst()) {
				varies[x] = true
			}
		}
	}
	return varies
}

// savedBy returns the number of instructions that access v saves if the variable is in registers.
func (c context) savedBy(v ir.Value, chain []ir.Value) int {
	s := c.S
	comps := int(s.At(v).Comps)
	load := s.At(v).Intrinsic() == intrinsic.LoadDeref
	if !load {
		comps = int(s.Src(v, 1).N)
	}
	n, bits := 1, 0
	for _, d := range chain[1:] {
		if s.At(d).DerefKind() != kind.DerefArray {
			continue
		}
		if _, known := s.ConstOf(s.Src(d, 1)); !known {
			k := s.Types.At(s.DerefType(s.Src(d, 0).Val)).Len
			n *= int(k)
			bits += mathbits.Len32(k - 1)
		}
	}
	switch {
	case n == 1:
		return knownCost * comps
	case load:
		return indexedCost*comps - (n-1)*comps - bits
	}
	return indexedCost*comps - n*comps - n
}

// indexed reports whether a step of a private deref has a dynamic index.
func (c context) indexed(d ir.Value) bool {
	s := c.S
	for s.At(d).Kind == kind.Deref && ir.ModeMustBe(s.Modes(d), pass.Promotable) {
		switch s.At(d).DerefKind() {
		case kind.DerefVar, kind.DerefCast:
			return false
		case kind.DerefArray:
			if _, known := s.ConstOf(s.Src(d, 1)); !known {
				return true
			}
		}
		d = s.Src(d, 0).Val
	}
	return false
}

// knownSteps follows the leading steps with constant indices. It returns the deref that they lead to and the remaining
// steps.
func (c context) knownSteps(d ir.Value, steps []ir.Value) (ir.Value, []ir.Value) {
	s := c.S
	for ; len(steps) > 0; steps = steps[1:] {
		if s.At(steps[0]).DerefKind() == kind.DerefStruct {
			d = c.B.DerefStruct(d, int(s.Words(steps[0])[kind.FieldDerefStructMember]))
			continue
		}
		if _, ok := s.ConstOf(s.Src(steps[0], 1)); !ok {
			break
		}
		d = c.B.DerefArray(d, s.Src(steps[0], 1))
	}
	return d, steps
}

// elementAt returns a deref of element i, and the index operand of the step.
func (c context) elementAt(d ir.Value, step ir.Value, i uint32) (ir.Value, ir.Src) {
	index := c.S.Src(step, 1)
	return c.B.DerefArray(d, c.B.ImmN(c.S.At(index.Val).Bits, uint64(i))), index
}

// loadAny returns the value of load v from the location that the steps select from d.
func (c context) loadAny(d ir.Value, steps []ir.Value, v ir.Value) ir.Src {
	s := c.S
	if d, steps = c.knownSteps(d, steps); len(steps) == 0 {
		in := s.At(v)
		return c.B.LoadDeref(in.Comps, in.Bits, s.All(d), kind.Access(s.Index(v, intrinsic.IxAccess)))
	}
	var all [maxTable]ir.Src
	n := s.Types.At(s.DerefType(d)).Len
	var index ir.Src
	for i := range n {
		var e ir.Value
		e, index = c.elementAt(d, steps[0], i)
		all[i] = c.loadAny(e, steps[1:], v)
	}
	return c.choose(all[:n], index, 1)
}

// choose returns the element of all at an index, by a binary tree of selects on the bits of the index, of which bit is the
// lowest. It overwrites all.
func (c context) choose(all []ir.Src, index ir.Src, bit uint64) ir.Src {
	b := c.B
	bits := c.S.At(index.Val).Bits
	for ; len(all) > 1; bit <<= 1 {
		odd := b.INe(b.IAnd(index, b.ImmN(bits, bit)), b.ImmN(bits, 0))
		n := 0
		for i := 0; i < len(all); i += 2 {
			r := all[i]
			if i+1 < len(all) {
				r = b.BCsel(odd.X().Take(int(r.N)), all[i+1], r)
			}
			all[n] = r
			n++
		}
		all = all[:n]
	}
	return all[0]
}

// storeAny performs store v to the location that the steps select from d, if cond holds or there is no condition.
func (c context) storeAny(d ir.Value, steps []ir.Value, cond ir.Src, v ir.Value) {
	s, b := c.S, c.B
	if d, steps = c.knownSteps(d, steps); len(steps) == 0 {
		val, acc := s.Src(v, 1), kind.Access(s.Index(v, intrinsic.IxAccess))
		old := b.LoadDeref(val.N, s.At(val.Val).Bits, s.All(d), acc)
		b.StoreDeref(s.All(d), b.BCsel(cond.X().Take(int(val.N)), val, old), s.Index(v, intrinsic.IxWriteMask), acc)
		return
	}
	for i := range s.Types.At(s.DerefType(d)).Len {
		e, index := c.elementAt(d, steps[0], i)
		here := b.IEq(index, b.ImmN(s.At(index.Val).Bits, uint64(i)))
		if cond.Val != 0 {
			here = b.IAnd(cond, here)
		}
		c.storeAny(e, steps[1:], here, v)
	}
}
