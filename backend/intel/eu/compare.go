package eu

import (
	"math"

	"jacquard.example/generated/isa"
)

func execSelI(t *Thread, o *op) {
	mask := t.laneMask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b, _ := t.sourcesI(o)
	r := &t.bufI[3]
	if o.pred != isa.PredNone {
		sel := t.predicate(o)
		for i := range r[:o.n] {
			r[i] = b[i]
			if sel>>i&1 != 0 {
				r[i] = a[i]
			}
		}
	} else {
		for i := range r[:o.n] {
			r[i] = b[i]
			if compare(o.cmod, a[i], b[i]) {
				r[i] = a[i]
			}
		}
	}
	t.storeI(o, r, mask)
}

func execSelF(t *Thread, o *op) {
	mask := t.laneMask(o)
	if !t.indirect(o, mask) {
		return
	}
	byFlag := o.pred != isa.PredNone
	a, b := t.loadF(o, 0, byFlag), t.loadF(o, 1, byFlag)
	r := &t.bufF[3]
	if byFlag {
		sel := t.predicate(o)
		for i := range r[:o.n] {
			r[i] = b[i]
			if sel>>i&1 != 0 {
				r[i] = a[i]
			}
		}
	} else {
		// minNum and maxNum: a number wins over NaN (TGL PRM vol. 2a, sel).
		for i := range r[:o.n] {
			r[i] = b[i]
			if b[i] != b[i] || compare(o.cmod, a[i], b[i]) {
				r[i] = a[i]
			}
		}
	}
	t.storeF(o, r, mask)
}

func execCmpI(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b, _ := t.sourcesI(o)
	var bits uint32
	for i := range a[:o.n] {
		if compare(o.cmod, a[i], b[i]) {
			bits |= 1 << i
		}
	}
	t.compared(o, bits, mask)
}

func execCmpF(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b := t.loadF(o, 0, false), t.loadF(o, 1, false)
	var bits uint32
	for i := range a[:o.n] {
		// cmpn passes if source 1 is a NaN, as min and max require.
		if compare(o.cmod, a[i], b[i]) || o.op == isa.OpCmpn && b[i] != b[i] {
			bits |= 1 << i
		}
	}
	t.compared(o, bits, mask)
}

// compared writes flag and destination of a comparison.
func (t *Thread) compared(o *op, bits, mask uint32) {
	t.setFlags(o, bits, mask)
	if o.dst.null {
		return
	}
	r := &t.bufI[3]
	for i := range r[:o.n] {
		r[i] = -int64(bits >> i & 1)
	}
	if o.dst.typ.Size() == 8 {
		t.storeBits(o, func(i int) uint64 { return uint64(r[i]) }, mask)
		return
	}
	t.storeI(o, r, mask)
}

func execCselI(t *Thread, o *op) {
	mask := t.mask(o)
	a, b, c := t.sourcesI(o)
	r := &t.bufI[3]
	for i := range r[:o.n] {
		r[i] = b[i]
		if compare(o.cmod, c[i], 0) {
			r[i] = a[i]
		}
	}
	t.storeI(o, r, mask)
}

func execCselF(t *Thread, o *op) {
	mask := t.mask(o)
	a, b, c := t.loadF(o, 0, true), t.loadF(o, 1, true), t.loadF(o, 2, false)
	r := &t.bufF[3]
	for i := range r[:o.n] {
		r[i] = b[i]
		if compare(o.cmod, c[i], 0) {
			r[i] = a[i]
		}
	}
	t.storeF(o, r, mask)
}

// compare tests a against b. Every ordered test fails on NaN; ne succeeds. Infinity and unordered tests always
// fail on integers.
func compare[T int64 | float32 | float64](c isa.CMod, a, b T) bool {
	switch c {
	case isa.CModEQ:
		return a == b
	case isa.CModNE:
		return a != b
	case isa.CModGT:
		return a > b
	case isa.CModGE:
		return a >= b
	case isa.CModLT:
		return a < b
	case isa.CModLE:
		return a <= b
	case isa.CModOV:
		return math.IsInf(float64(a), 0)
	case isa.CModUN:
		return a != a || b != b
	}
	return false
}
