// SPDX-License-Identifier: MIT

package alu

import (
	"math"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Operations of vertex shaders that later machines lack: dot products of the four lanes of a vertex, interpolations, and
// conversions of halves that have no type (Haswell PRM vol. 7, "Instruction Reference").

// vectorOps are the handlers of these operations.
var vectorOps = [isa.NumOps]func(*thread.Thread, *thread.Op){
	isa.OpDp2: execDot, isa.OpDp3: execDot, isa.OpDp4: execDot, isa.OpDph: execDot, isa.OpLrp: execLerp,
	isa.OpF32to16: execToHalf, isa.OpF16to32: execFromHalf,
}

// pickVector sets the handler of such an operation after checking its types.
func pickVector(o *thread.Op, machine *target.Target, in *isa.Inst, h func(*thread.Thread, *thread.Op)) *thread.OpError {
	if !takes(machine, in, int(o.Nsrc)) {
		return thread.Operr(thread.FaultIllegal, "this hardware has no %s with a source of type %s and a destination of type %s", in.Op,
			in.Src[0].Type, in.Dst.Type)
	}
	halves := in.Op == isa.OpF32to16 && in.Dst.Type.Size() == 2 || in.Op == isa.OpF16to32 && in.Src[0].Type.Size() == 2
	switch {
	case in.Op != isa.OpF32to16 && in.Op != isa.OpF16to32:
		if in.Op != isa.OpLrp && (!in.Align16 || o.N < 4) {
			return thread.Operr(thread.FaultUnsupported, "%s takes vectors, which Align16 has", in.Op)
		}
	case halves == in.Align16:
		return thread.Operr(thread.FaultIllegal, "the halves of %s are words in Align1 and doublewords in Align16", in.Op)
	}
	o.Exec = h
	return nil
}

// products are the numbers of products in the dot products.
var products = [isa.NumOps]int{isa.OpDp2: 2, isa.OpDp3: 3, isa.OpDph: 3, isa.OpDp4: 4}

// execDot computes a dot product for each four lanes. The documents do not tell how it rounds. Here it rounds each product
// and each sum, in the order ((x + y) + z) + w, as a shader without a dot product does.
func execDot(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, r := t.LoadF(o, 0, false), t.LoadF(o, 1, false), &t.BufF[3]
	n := products[o.Op]
	for first := 0; first < int(o.N); first += 4 {
		sum := thread.Round32(float64(a[first])*float64(b[first]), t.Round)
		add := func(x float32) { sum = thread.Round32(thread.OddSum(float64(sum), float64(x)), t.Round) }
		for i := first + 1; i < first+n; i++ {
			add(thread.Round32(float64(a[i])*float64(b[i]), t.Round))
		}
		if o.Op == isa.OpDph {
			add(b[first+3])
		}
		for i := first; i < first+4; i++ {
			r[i] = sum
		}
	}
	finishF(t, r, int(o.N))
	t.StoreF(o, r, mask)
}

// execLerp computes src0 * src1 + (1 - src0) * src2. The documents do not tell how it rounds. Here it rounds each step, as
// a shader without lrp does.
func execLerp(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	a, b := t.LoadF(o, 0, false), t.LoadF(o, 1, false)
	c, r := t.LoadF(o, 2, false), &t.BufF[3]
	round := func(x float64) float64 { return float64(thread.Round32(x, t.Round)) }
	for i := range r[:o.N] {
		s := float64(a[i])
		r[i] = float32(round(thread.OddSum(round(s*float64(b[i])), round(round(thread.OddSum(1, -s))*float64(c[i])))))
	}
	finishF(t, r, int(o.N))
	t.StoreF(o, r, mask)
}

// execToHalf converts floats to halves. In Align16 the upper half of the doubleword becomes zero: the documents say nothing
// about it, and Mesa's compiler relies on it for Gen7 (src/intel/compiler/elk, F32TO16).
func execToHalf(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, r := t.LoadF(o, 0, false), &t.BufI[3]
	for i := range r[:o.N] {
		r[i] = int64(thread.Round16(float64(a[i]), t.Round))
	}
	t.StoreI(o, r, mask)
}

// execFromHalf converts halves to floats.
func execFromHalf(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, r := t.LoadI(o, 0), &t.BufF[3]
	for i := range r[:o.N] {
		r[i] = thread.Half32(uint16(a[i]))
		if r[i] != r[i] {
			r[i] = math.Float32frombits(thread.QuietNaN32)
		}
	}
	t.StoreF(o, r, mask)
}

// mul16 multiplies doublewords on machines that use the low half of source 1, as an unsigned number (Haswell PRM vol. 7,
// mul): the first step of a product, which mach completes.
func mul16(r, a, b, _ *[32]int64, n int) {
	for i := range r[:n] {
		r[i] = a[i] * (b[i] & 0xFFFF)
	}
}
