// SPDX-License-Identifier: MIT

package alu

import (
	"encoding/binary"
	"math/big"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// wideOps are the integer operations that take 64-bit operands (BDW PRM vol. 2a, the instructions' type
// tables).
var wideOps = [isa.NumOps]bool{
	isa.OpMov: true, isa.OpSel: true, isa.OpNot: true, isa.OpAnd: true, isa.OpOr: true, isa.OpXor: true,
	isa.OpShl: true, isa.OpShr: true, isa.OpAsr: true, isa.OpCmp: true, isa.OpCmpn: true, isa.OpAdd: true, isa.OpMul: true,
}

// isWide reports whether an instruction has a 64-bit operand.
func isWide(o *thread.Op) bool {
	if o.Dst.Typ.Size() == 8 {
		return true
	}
	for k := 0; k < int(o.Nsrc); k++ {
		if o.Src[k].Typ.Size() == 8 {
			return true
		}
	}
	return false
}

// pickWide chooses the handler of an operation with 64-bit operands.
func pickWide(o *thread.Op, in *isa.Inst) *thread.OpError {
	o.Wide = true
	types := []isa.Type{o.Dst.Typ, o.Src[0].Typ, o.Src[1].Typ, o.Src[2].Typ}[:1+o.Nsrc]
	for _, t := range types {
		switch t {
		// BDW PRM vol. 7, "Type Conversion": conversions between 64-bit types and these go through dwords.
		case isa.TypeB, isa.TypeUB, isa.TypeHF:
			return thread.Operr(thread.FaultIllegal, "an operation cannot mix type %s and a 64-bit type", t)
		}
	}
	if o.AccWr || o.Dst.Arf == thread.ArfAcc || o.Dst.Arf == thread.ArfAccHigh {
		return thread.Operr(thread.FaultUnsupported, "operations with 64-bit operands and the accumulator are not modeled")
	}
	if o.Class != thread.ClsInt {
		return pickDouble(o, in)
	}
	if !wideOps[in.Op] {
		return thread.Operr(thread.FaultIllegal, "%s does not take 64-bit integers", in.Op)
	}
	if in.Op == isa.OpMul && (o.Src[0].Typ.Size() == 8 || o.Src[1].Typ.Size() == 8) {
		return thread.Operr(thread.FaultIllegal, "this hardware multiplies integers of at most 32 bits")
	}
	if o.Dst.Typ.IsFloat() && in.Op != isa.OpMov {
		return thread.Operr(thread.FaultIllegal, "only mov converts 64-bit integers")
	}
	for k := range o.Src[:o.Nsrc] {
		// Modifiers are applied in 128 bits: an unsigned integer may be negated, as in narrower types.
		if s := &o.Src[k]; !s.Logic && s.Kind != thread.SrcImm {
			o.WideNeg[k], o.WideAbs[k] = s.Neg, s.Abs
			s.Neg, s.Abs = false, false
		}
	}
	o.Exec = execWide
	return nil
}

// loadWide reads source k as integers.
func loadWide(t *thread.Thread, o *thread.Op, k int) *[32]thread.Int128 {
	s := &o.Src[k]
	v, r := t.LoadI(o, k), &wideBuffers(t).I[k]
	for i := range r[:o.N] {
		x := thread.Wide(v[i], s.Typ)
		if o.WideAbs[k] {
			x = x.Abs()
		}
		if o.WideNeg[k] {
			x = x.Neg()
		}
		r[i] = x
	}
	return r
}

// wideBuffers returns the buffers, allocated when a thread first needs them.
func wideBuffers(t *thread.Thread) *thread.WideBuffers {
	if t.Wide == nil {
		t.Wide = new(thread.WideBuffers)
	}
	return t.Wide
}

// quadShift reports whether a shift uses six bits of its count. Source 0 and the destination, but not the
// count, determine this QWord mode (BDW PRM vol. 2a, shl, shr, asr).
func quadShift(o *thread.Op) bool { return o.Src[0].Typ.Size() == 8 || o.Dst.Typ.Size() == 8 }

func execWide(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if o.Op == isa.OpSel {
		mask = t.LaneMask(o)
	}
	if !indirect(t, o, mask) {
		return
	}
	a := loadWide(t, o, 0)
	b, r := a, &wideBuffers(t).I[3]
	if o.Nsrc > 1 {
		b = loadWide(t, o, 1)
	}
	var bits uint32 // comparison results, or the lanes for which sel selects source 0
	switch {
	case o.Op == isa.OpSel && o.Pred != isa.PredNone:
		bits = t.Predicate(o)
	case o.Op == isa.OpSel, o.Op == isa.OpCmp, o.Op == isa.OpCmpn:
		for i := range r[:o.N] {
			if thread.Compare(o.Cmod, int64(a[i].Cmp(b[i])), 0) {
				bits |= 1 << i
			}
		}
	}
	if o.Op == isa.OpCmp || o.Op == isa.OpCmpn {
		compared(t, o, bits, mask)
		return
	}
	count := uint64(31)
	if quadShift(o) {
		count = 63
	}
	for i := range r[:o.N] {
		x, y := a[i], b[i]
		switch n := uint(y.Lo & count); o.Op {
		case isa.OpMov:
			r[i] = x
		case isa.OpNot:
			r[i] = thread.Int128{Hi: ^x.Hi, Lo: ^x.Lo}
		case isa.OpAnd:
			r[i] = thread.Int128{Hi: x.Hi & y.Hi, Lo: x.Lo & y.Lo}
		case isa.OpOr:
			r[i] = thread.Int128{Hi: x.Hi | y.Hi, Lo: x.Lo | y.Lo}
		case isa.OpXor:
			r[i] = thread.Int128{Hi: x.Hi ^ y.Hi, Lo: x.Lo ^ y.Lo}
		case isa.OpAdd:
			r[i] = x.Add(y)
		case isa.OpMul:
			r[i] = thread.Product(x, y)
		case isa.OpShl:
			r[i] = x.Shl(n)
		case isa.OpAsr:
			r[i] = x.Sar(n)
		case isa.OpShr:
			if count == 31 {
				x.Lo = uint64(uint32(x.Lo))
			}
			r[i] = thread.Int128{Hi: 0, Lo: x.Lo >> n}
		case isa.OpSel:
			r[i] = y
			if bits>>i&1 != 0 {
				r[i] = x
			}
		}
	}
	storeWideI(t, o, r, mask)
}

// storeWideI is like [thread.Thread.StoreI], for 128-bit integers.
func storeWideI(t *thread.Thread, o *thread.Op, r *[32]thread.Int128, mask uint32) {
	d, n := &o.Dst, int(o.N)
	if d.Typ.IsFloat() {
		exact := func(i int) *big.Float { return r[i].Float() }
		storeExact(t, o, exact, mask)
		return
	}
	if o.Sat {
		lo, hi := thread.Range128(d.Typ)
		for i := range r[:n] {
			if r[i].Cmp(lo) < 0 {
				r[i] = lo
			} else if r[i].Cmp(hi) > 0 {
				r[i] = hi
			}
		}
	}
	if o.Cmod != isa.CModNone && o.FlagFromResult() {
		var bits uint32
		for i := range r[:n] {
			v := thread.Wrap128(r[i], d.Typ)
			if thread.Compare(o.Cmod, int64(v.Cmp(thread.Int128{})), 0) || o.Cmod == isa.CModOV && v != r[i] {
				bits |= 1 << i
			}
		}
		t.SetFlags(o, bits, mask)
	}
	if d.Null {
		return
	}
	storeBits(t, o, func(i int) uint64 { return r[i].Lo }, mask)
}

// storeBits writes the low bits of each lane's value to the destination.
func storeBits(t *thread.Thread, o *thread.Op, value func(i int) uint64, mask uint32) {
	at, ok := t.DstAddr(o)
	if !ok {
		return
	}
	d := &o.Dst
	for i := 0; i < int(o.N); i, at = i+1, at+int(d.Stride) {
		if mask>>i&1 != 0 {
			putBits(t.Reg[at:], d.Typ.Size(), value(i))
		}
	}
	if d.Arf != thread.ArfNone {
		t.CommitARF(d.Arf)
	}
}

// putBits writes the low size bytes of a value.
func putBits(b []byte, size int, v uint64) {
	switch size {
	case 1:
		b[0] = uint8(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// pickMul32 chooses the handler of a product of two 32-bit integers.
func pickMul32(o *thread.Op, machine *target.Target) *thread.OpError {
	switch {
	case machine.Can(target.Mul32x16):
		o.FnI, o.Exec = mul16, execInt
		return nil
	case !machine.Can(target.Mul32x32):
		return thread.Operr(thread.FaultIllegal, "this hardware has no 32-bit by 32-bit multiply")
	case o.AccWr || o.Dst.Arf == thread.ArfAcc || o.Dst.Arf == thread.ArfAccHigh:
		return thread.Operr(thread.FaultUnsupported,
			"the contents of the accumulator after a product of 32-bit integers are not documented")
	}
	o.Wide, o.Exec = true, execWide
	return nil
}
