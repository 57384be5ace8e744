// SPDX-License-Identifier: MIT

package alu

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

func execSelI(t *thread.Thread, o *thread.Op) {
	mask := t.LaneMask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, _ := sourcesI(t, o)
	r := &t.BufI[3]
	if o.Pred != isa.PredNone {
		sel := t.Predicate(o)
		for i := range r[:o.N] {
			r[i] = b[i]
			if sel>>i&1 != 0 {
				r[i] = a[i]
			}
		}
	} else {
		for i := range r[:o.N] {
			r[i] = b[i]
			if thread.Compare(o.Cmod, a[i], b[i]) {
				r[i] = a[i]
			}
		}
	}
	t.StoreI(o, r, mask)
}

func execSelF(t *thread.Thread, o *thread.Op) {
	mask := t.LaneMask(o)
	if !indirect(t, o, mask) {
		return
	}
	byFlag := o.Pred != isa.PredNone
	a, b := t.LoadF(o, 0, byFlag), t.LoadF(o, 1, byFlag)
	r := &t.BufF[3]
	if byFlag {
		sel := t.Predicate(o)
		for i := range r[:o.N] {
			r[i] = b[i]
			if sel>>i&1 != 0 {
				r[i] = a[i]
			}
		}
	} else {
		// minNum and maxNum: a number wins over NaN (TGL PRM vol. 2a, sel).
		for i := range r[:o.N] {
			r[i] = b[i]
			if b[i] != b[i] || thread.Compare(o.Cmod, a[i], b[i]) {
				r[i] = a[i]
			}
		}
	}
	t.StoreF(o, r, mask)
}

func execCmpI(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, _ := sourcesI(t, o)
	var bits uint32
	for i := range a[:o.N] {
		if thread.Compare(o.Cmod, a[i], b[i]) {
			bits |= 1 << i
		}
	}
	compared(t, o, bits, mask)
}

func execCmpF(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b := t.LoadF(o, 0, false), t.LoadF(o, 1, false)
	var bits uint32
	for i := range a[:o.N] {
		// cmpn passes if source 1 is a NaN, as min and max require.
		if thread.Compare(o.Cmod, a[i], b[i]) || o.Op == isa.OpCmpn && b[i] != b[i] {
			bits |= 1 << i
		}
	}
	compared(t, o, bits, mask)
}

// compared writes flag and destination of a comparison.
func compared(t *thread.Thread, o *thread.Op, bits, mask uint32) {
	t.SetFlags(o, bits, mask)
	if o.Dst.Null {
		return
	}
	r := &t.BufI[3]
	for i := range r[:o.N] {
		r[i] = -int64(bits >> i & 1)
	}
	if o.Dst.Typ.Size() == 8 {
		storeBits(t, o, func(i int) uint64 { return uint64(r[i]) }, mask)
		return
	}
	t.StoreI(o, r, mask)
}

func execCselI(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	a, b, c := sourcesI(t, o)
	r := &t.BufI[3]
	for i := range r[:o.N] {
		r[i] = b[i]
		if thread.Compare(o.Cmod, c[i], 0) {
			r[i] = a[i]
		}
	}
	t.StoreI(o, r, mask)
}

func execCselF(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	a, b, c := t.LoadF(o, 0, true), t.LoadF(o, 1, true), t.LoadF(o, 2, false)
	r := &t.BufF[3]
	for i := range r[:o.N] {
		r[i] = b[i]
		if thread.Compare(o.Cmod, c[i], 0) {
			r[i] = a[i]
		}
	}
	t.StoreF(o, r, mask)
}
