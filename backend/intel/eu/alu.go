package eu

import (
	"math/bits"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// intFn computes n lanes of integers. Results are exact; the store truncates them to the
// destination's type.
type intFn func(r, a, b, c *[32]int64, n int)

// fltFn computes one lane of float arithmetic in float64. Results are exact or rounded to
// odd, so that rounding them to float32 or float16 rounds only once.
type fltFn func(a, b, c float64) float64

func isLogic(op isa.Op) bool {
	switch op {
	case isa.OpNot, isa.OpAnd, isa.OpOr, isa.OpXor:
		return true
	}
	return false
}

// predecodeALU sets operands, class and handler of an ALU or math operation.
func (p *Program) predecodeALU(o *op, in *isa.Inst) *opError {
	ternary := o.nsrc == 3
	for k := 0; k < int(o.nsrc); k++ {
		if err := p.source(o, in, k, ternary); err != nil {
			return err
		}
	}
	if err := p.destination(o, in); err != nil {
		return err
	}
	if err := o.classify(in); err != nil {
		return err
	}
	o.footprints(in)
	if o.kind == kindMath {
		return o.predecodeMath(in)
	}
	if err := o.pick(p.machine, in); err != nil {
		return err
	}
	if !o.wide {
		o.speed()
	}
	o.makesDescriptor(in)
	return nil
}

// classify determines the execution type: the widest float type of the sources, or integer
// if there is none (TGL PRM vol. 7, "Execution Data Type").
func (o *op) classify(in *isa.Inst) *opError {
	ints, halves, floats, doubles := 0, 0, 0, 0
	for k := 0; k < int(o.nsrc); k++ {
		switch o.src[k].typ {
		case isa.TypeF, isa.TypeVF:
			floats++
		case isa.TypeHF:
			halves++
		case isa.TypeDF:
			doubles++
		default:
			ints++
		}
	}
	switch {
	case ints > 0 && ints < int(o.nsrc):
		return operr(FaultIllegal, "integer and float sources in one operation")
	case doubles > 0:
		o.class = clsF64
	case floats > 0:
		o.class = clsF32
	case halves > 0:
		o.class = clsF16
	default:
		o.class = clsInt
	}
	return nil
}

// raw turns moves that change no bits into integer moves, which preserve denormals and NaN
// payloads (TGL PRM vol. 2a, mov: "raw move").
func (o *op) raw(in *isa.Inst) bool {
	s := &o.src[0]
	if in.Op != isa.OpMov || s.typ != o.dst.typ || in.Src[0].Type != s.typ || o.sat || s.neg || s.abs || o.cmod != isa.CModNone {
		return false
	}
	switch s.typ {
	case isa.TypeF:
		s.typ, o.dst.typ = isa.TypeUD, isa.TypeUD
	case isa.TypeHF:
		s.typ, o.dst.typ = isa.TypeUW, isa.TypeUW
	case isa.TypeDF:
		s.typ, o.dst.typ = isa.TypeUQ, isa.TypeUQ
	default:
		return false
	}
	if s.kind == srcImm {
		a := in.Src[0]
		a.Type = s.typ
		s.setImm(&a, 1)
	}
	return true
}

// pick selects the handler and the function of an ALU operation.
func (o *op) pick(machine *target.Target, in *isa.Inst) *opError {
	if o.raw(in) {
		o.class = clsInt
	}
	if err := o.conditions(in); err != nil {
		return err
	}
	if undocumented[in.Op] {
		return operr(FaultUnsupported, "how %s rounds is not documented", in.Op)
	}
	if o.isWide() {
		return o.pickWide(in)
	}
	if o.nsrc == 3 && !takes(machine, in) {
		return operr(FaultIllegal, "%s of this hardware does not take the types %s, %s and %s for %s", in.Op, in.Src[0].Type, in.Src[1].Type, in.Src[2].Type, in.Dst.Type)
	}
	switch in.Op {
	case isa.OpSel:
		o.exec = execSelI
		if o.class != clsInt {
			o.exec = execSelF
		}
		return nil
	case isa.OpCmp, isa.OpCmpn:
		// Each lane becomes all ones or zero, regardless of the type.
		switch o.dst.typ.Size() {
		case 1:
			o.dst.typ = isa.TypeB
		case 2:
			o.dst.typ = isa.TypeW
		default:
			o.dst.typ = isa.TypeD
		}
		o.exec = execCmpI
		if o.class != clsInt {
			o.exec = execCmpF
		}
		return nil
	case isa.OpCsel:
		o.exec = execCselI
		if o.class != clsInt {
			o.exec = execCselF
		}
		return nil
	}
	if o.class != clsInt {
		o.fnF = fltFnOf(in.Op)
		if o.fnF == nil {
			return operr(FaultIllegal, "%s does not take floats", in.Op)
		}
		o.exec = execFlt
		if o.class == clsF32 {
			if h := fastF32[in.Op]; h != nil {
				o.exec = h
			}
		}
		if in.Op == isa.OpMac {
			o.exec = execMacF
		}
		return nil
	}
	return o.pickInt(machine, in)
}

// conditions checks that an operation that selects or compares has a condition.
func (o *op) conditions(in *isa.Inst) *opError {
	switch {
	case in.Op == isa.OpSel && (in.Pred != isa.PredNone) == (in.CMod != isa.CModNone):
		return operr(FaultIllegal, "sel needs either a predicate or a conditional modifier")
	case (in.Op == isa.OpCmp || in.Op == isa.OpCmpn) && in.CMod == isa.CModNone:
		return operr(FaultIllegal, "%s needs a conditional modifier", in.Op)
	case in.Op == isa.OpCsel && (in.CMod == isa.CModNone || in.Pred != isa.PredNone):
		return operr(FaultIllegal, "csel needs a conditional modifier and takes no predicate")
	}
	return nil
}

func (o *op) pickInt(machine *target.Target, in *isa.Inst) *opError {
	o.exec = execInt
	size := 2 // size of the execution type, at least a word
	signed := true
	for k := 0; k < int(o.nsrc); k++ {
		size = max(size, o.src[k].typ.Size())
		signed = signed && o.src[k].typ.IsSigned()
	}
	mask := int64(1)<<(8*size) - 1
	switch in.Op {
	case isa.OpMul:
		if o.src[0].typ.Size() == 4 && o.src[1].typ.Size() == 4 {
			return o.pickMul32(machine)
		}
		if o.src[1].typ.Size() == 4 {
			return operr(FaultIllegal, "the 32-bit operand of a multiply must be source 0")
		}
	case isa.OpMad:
		if o.src[1].typ.Size() == 4 && o.src[2].typ.Size() == 4 {
			return operr(FaultIllegal, "this hardware has no 32-bit by 32-bit multiply")
		}
	case isa.OpMach:
		if o.src[0].typ.Size() != 4 || o.src[1].typ.Size() != 4 || o.dst.typ.Size() != 4 {
			return operr(FaultIllegal, "mach takes 32-bit integers")
		}
		o.exec = execMach
		return nil
	case isa.OpMac:
		o.exec = execMacI
		return nil
	case isa.OpDp4a:
		o.exec = execDp4a
		return nil
	case isa.OpSad2, isa.OpSada2:
		if o.n < 2 || size != 2 || o.src[0].typ.Size() != 1 || o.src[1].typ.Size() != 1 || o.dst.typ.Size() != 2 {
			return operr(FaultIllegal, "%s takes pairs of bytes and returns words", in.Op)
		}
		o.exec = execSad
		return nil
	case isa.OpAddc, isa.OpSubb:
		o.exec = execCarry
		return nil
	case isa.OpShr:
		o.fnI = func(r, a, b, _ *[32]int64, n int) {
			for i := range r[:n] {
				r[i] = int64(uint64(a[i]&mask) >> (uint(b[i]) & 31))
			}
		}
		return nil
	case isa.OpRol, isa.OpRor:
		w := uint(8 * size)
		left := in.Op == isa.OpRol
		o.fnI = func(r, a, b, _ *[32]int64, n int) {
			for i := range r[:n] {
				v, s := uint64(a[i]&mask), uint(b[i])%w
				if !left {
					s = (w - s) % w
				}
				r[i] = int64((v<<s | v>>(w-s)) & uint64(mask))
			}
		}
		return nil
	case isa.OpFbh:
		signed = o.src[0].typ == isa.TypeD
		fallthrough
	case isa.OpBfe:
		if signed {
			if in.Op == isa.OpFbh {
				o.fnI = fbhSigned
			} else {
				o.fnI = bfeSigned
			}
			return nil
		}
	}
	o.fnI = intFns[in.Op]
	if o.fnI == nil {
		return operr(FaultIllegal, "%s does not take integers", in.Op)
	}
	return nil
}

// intFns are the integer operations that need only their operands.
var intFns = [isa.NumOps]intFn{
	isa.OpMov:  func(r, a, _, _ *[32]int64, n int) { copy(r[:n], a[:n]) },
	isa.OpMovi: func(r, a, _, _ *[32]int64, n int) { copy(r[:n], a[:n]) },
	isa.OpNot: func(r, a, _, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = ^a[i]
		}
	},
	isa.OpAnd: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] & b[i]
		}
	},
	isa.OpOr: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] | b[i]
		}
	},
	isa.OpXor: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] ^ b[i]
		}
	},
	isa.OpShl: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] << (uint(b[i]) & 31)
		}
	},
	isa.OpAsr: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] >> (uint(b[i]) & 31)
		}
	},
	isa.OpAdd: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] + b[i]
		}
	},
	isa.OpMul: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] * b[i]
		}
	},
	isa.OpAvg: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = (a[i] + b[i] + 1) >> 1
		}
	},
	isa.OpMad: func(r, a, b, c *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] + b[i]*c[i]
		}
	},
	isa.OpLzd: func(r, a, _, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = int64(bits.LeadingZeros32(uint32(a[i])))
		}
	},
	isa.OpFbh: func(r, a, _, _ *[32]int64, n int) {
		for i := range r[:n] {
			if v := uint32(a[i]); v == 0 {
				r[i] = -1
			} else {
				r[i] = int64(bits.LeadingZeros32(v))
			}
		}
	},
	isa.OpFbl: func(r, a, _, _ *[32]int64, n int) {
		for i := range r[:n] {
			if v := uint32(a[i]); v == 0 {
				r[i] = -1
			} else {
				r[i] = int64(bits.TrailingZeros32(v))
			}
		}
	},
	isa.OpCbit: func(r, a, _, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = int64(bits.OnesCount32(uint32(a[i])))
		}
	},
	isa.OpBfrev: func(r, a, _, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = int64(bits.Reverse32(uint32(a[i])))
		}
	},
	isa.OpBfe: func(r, a, b, c *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = int64(uint32(c[i])) >> (b[i] & 31) & (1<<(a[i]&31) - 1)
		}
	},
	isa.OpBfi1: func(r, a, b, _ *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = int64(uint32(1<<(a[i]&31)-1) << (b[i] & 31))
		}
	},
	// The value to insert is at bit 0: it is moved to the mask's lowest bit (vISA's BFI,
	// which is bfi1 and bfi2, allows no other shift).
	isa.OpBfi2: func(r, a, b, c *[32]int64, n int) {
		for i := range r[:n] {
			mask := uint32(a[i])
			r[i] = int64(uint32(b[i])<<(bits.TrailingZeros32(mask)&31)&mask | uint32(c[i])&^mask)
		}
	},
}

// fbhSigned finds the first bit, from the top, that differs from the sign bit.
func fbhSigned(r, a, _, _ *[32]int64, n int) {
	for i := range r[:n] {
		v := int32(a[i])
		if v < 0 {
			v = ^v
		}
		if v == 0 {
			r[i] = -1
		} else {
			r[i] = int64(bits.LeadingZeros32(uint32(v)))
		}
	}
}

// bfeSigned extracts a[i] bits from bit b[i] of c[i] and sign-extends them; a field that
// reaches past bit 31 ends there (TGL PRM vol. 2a, bfe).
func bfeSigned(r, a, b, c *[32]int64, n int) {
	for i := range r[:n] {
		w, off := uint(a[i]&31), uint(b[i]&31)
		v := int64(int32(c[i])) >> off
		if w == 0 {
			v = 0
		} else if w+off < 32 {
			v = v << (64 - w) >> (64 - w)
		}
		r[i] = v
	}
}

// sourcesI loads the integer sources.
func (t *Thread) sourcesI(o *op) (a, b, c *[32]int64) {
	a = t.loadI(o, 0)
	if o.nsrc > 1 {
		b = t.loadI(o, 1)
	}
	if o.nsrc > 2 {
		c = t.loadI(o, 2)
	}
	return
}

func execInt(t *Thread, o *op) {
	mask := t.mask(o)
	if !t.indirect(o, mask) {
		return
	}
	a, b, c := t.sourcesI(o)
	r := &t.bufI[3]
	o.fnI(r, a, b, c, int(o.n))
	t.storeI(o, r, mask)
}

// indirect resolves the addresses of indirect sources.
func (t *Thread) indirect(o *op, mask uint32) bool {
	if !o.foot.indirect {
		return true
	}
	for k := 0; k < int(o.nsrc); k++ {
		if o.src[k].kind == srcIndirect && !t.lanes(o, k, mask) {
			return false
		}
	}
	return true
}

func execDp4a(t *Thread, o *op) {
	mask := t.mask(o)
	a, b, c := t.sourcesI(o)
	r := &t.bufI[3]
	sb, sc := o.src[1].typ == isa.TypeD, o.src[2].typ == isa.TypeD
	for i := range r[:o.n] {
		sum := a[i]
		for j := 0; j < 32; j += 8 {
			x, y := int64(uint8(b[i]>>j)), int64(uint8(c[i]>>j))
			if sb {
				x = int64(int8(x))
			}
			if sc {
				y = int64(int8(y))
			}
			sum += x * y
		}
		r[i] = sum
	}
	t.storeI(o, r, mask)
}

// takes reports whether the machine's three-source encoding has the instruction's types. Older machines have
// fewer.
func takes(machine *target.Target, in *isa.Inst) bool {
	for _, r := range isa.Ops[in.Op].Types {
		ok := r.On>>machine.Platform&1 != 0 && r.Dst>>in.Dst.Type&1 != 0
		for k := range in.Src {
			ok = ok && r.Src[k]>>in.Src[k].Type&1 != 0
		}
		if ok {
			return true
		}
	}
	return false
}
