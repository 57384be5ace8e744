// SPDX-License-Identifier: MIT

package alu

import (
	"math"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// The plane p·u + q·v + r of pln: source 0 holds p, q, a doubleword that means nothing, and r; source 1 is the first of the
// registers with the coordinates, u of eight lanes and v of the same lanes in turn (vISA specification, PLN; SKL PRM vol. 2a,
// pln).
const (
	planeP, planeQ, planeR = 0, 4, 12 // bytes of source 0
	planeLanes             = 8        // lanes for which u and v alternate
	planeBytes             = 4 * planeLanes
)

// pickPlane sets the handler of pln and, because source 1 has more elements than the instruction lanes, its footprint.
func pickPlane(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	plane, at := &o.Src[0], &o.Src[1]
	regs := (2*int(o.N)/planeLanes*planeBytes + p.GRF - 1) / p.GRF
	first := int(at.Base) / p.GRF
	switch {
	case o.N != planeLanes && o.N != 2*planeLanes:
		return thread.Operr(thread.FaultIllegal, "pln has 8 or 16 lanes, not %d", o.N)
	case plane.Typ != isa.TypeF || at.Typ != isa.TypeF || o.Dst.Typ != isa.TypeF:
		return thread.Operr(thread.FaultIllegal, "pln takes and returns floats")
	case plane.Kind != thread.SrcScalar || plane.Arf != thread.ArfNone || int(plane.Base)%(planeR+4) != 0:
		return thread.Operr(thread.FaultOperand, "source 0 of pln is not the first of four doublewords")
	case at.Kind != thread.SrcPacked || at.Arf != thread.ArfNone || int(at.Base)%p.GRF != 0:
		return thread.Operr(thread.FaultOperand, "source 1 of pln is not a packed register")
	case (first+regs)*p.GRF > p.End:
		return thread.Operr(thread.FaultOperand, "source 1 ends past the last register")
	case !o.Dst.Packed && !o.Dst.Null:
		return thread.Operr(thread.FaultIllegal, "the destination of pln is not packed")
	}
	o.Foot.Src[0] = thread.Span{}
	for _, b := range [...]int{planeP, planeQ, planeR} {
		o.Foot.Src[0].Add(p.GRF, int(plane.Base)+b, 4)
	}
	o.Foot.Src[1] = thread.WholeRegs(first, regs)
	o.Exec = execPlane
	return nil
}

// execPlane computes r + p·u, and adds q·v. The documents do not tell how pln rounds. Here it rounds like the two mad by
// which Intel's compiler replaces it on machines that lack it, which add the products in this order (IGC, HWConformity).
func execPlane(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	u, v := &t.BufF[0], &t.BufF[1]
	sum, plane := &t.BufF[2], &t.BufF[3]
	n := int(o.N)
	for i := range n {
		at := int(o.Src[1].Base) + i/planeLanes*2*planeBytes + i%planeLanes*4
		u[i], v[i] = floatAt(t, at), floatAt(t, at+planeBytes)
	}
	for i, b := range [...]int{planeP, planeQ, planeR} {
		plane[i] = floatAt(t, int(o.Src[0].Base)+b)
	}
	finishF(t, u, n)
	finishF(t, v, n)
	finishF(t, plane, 3)
	p, q, r := plane[0], plane[1], plane[2]
	add := func(a, b, c float32) float32 {
		return thread.Round32(thread.OddSum(float64(float64(b)*float64(c)), float64(a)), t.Round)
	}
	for i := range n {
		sum[i] = add(r, p, u[i])
	}
	finishF(t, sum, n)
	for i := range n {
		sum[i] = add(sum[i], q, v[i])
	}
	finishF(t, sum, n)
	t.StoreF(o, sum, mask)
}

// floatAt reads a float at a byte of the register file.
func floatAt(t *thread.Thread, at int) float32 {
	return math.Float32frombits(uint32(t.IntAt(at, isa.TypeUD)))
}
