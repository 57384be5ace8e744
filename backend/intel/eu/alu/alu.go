// SPDX-License-Identifier: MIT

package alu

import (
	"math/bits"

	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// PredecodeALU sets operands, class and handler of an ALU or math operation.
func PredecodeALU(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	ternary := o.Nsrc == 3
	for k := 0; k < int(o.Nsrc); k++ {
		if err := p.Source(o, in, k, ternary); err != nil {
			return err
		}
	}
	if err := p.Destination(o, in); err != nil {
		return err
	}
	if err := classify(o, in); err != nil {
		return err
	}
	clock.Footprints(p, o, in)
	if o.Kind == thread.KindMath {
		return predecodeMath(p, o, in)
	}
	if err := pick(p, o, in); err != nil {
		return err
	}
	if !o.Wide {
		speed(o)
	}
	makesDescriptor(o, in)
	return nil
}

// classify determines the execution type: the widest float type of the sources, or integer
// if there is none (TGL PRM vol. 7, "Execution Data Type").
func classify(o *thread.Op, in *isa.Inst) *thread.OpError {
	ints, halves := 0, 0
	floats, doubles := 0, 0
	for k := 0; k < int(o.Nsrc); k++ {
		switch o.Src[k].Typ {
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
	case ints > 0 && ints < int(o.Nsrc):
		return thread.Operr(thread.FaultIllegal, "an operation cannot mix integer and float sources")
	case doubles > 0:
		o.Class = thread.ClsF64
	case floats > 0:
		o.Class = thread.ClsF32
	case halves > 0:
		o.Class = thread.ClsF16
	default:
		o.Class = thread.ClsInt
	}
	return nil
}

// raw turns a move that changes no bits of its float source into an integer move, which preserves denormals and NaN
// payloads (TGL PRM vol. 2a, mov: "raw move"), and reports whether it did.
func raw(o *thread.Op, in *isa.Inst) bool {
	s := &o.Src[0]
	if in.Op != isa.OpMov || s.Typ != o.Dst.Typ || in.Src[0].Type != s.Typ || o.Sat || s.Neg || s.Abs || o.Cmod != isa.CModNone {
		return false
	}
	switch s.Typ {
	case isa.TypeF:
		s.Typ, o.Dst.Typ = isa.TypeUD, isa.TypeUD
	case isa.TypeHF:
		s.Typ, o.Dst.Typ = isa.TypeUW, isa.TypeUW
	case isa.TypeDF:
		s.Typ, o.Dst.Typ = isa.TypeUQ, isa.TypeUQ
	default:
		return false
	}
	if s.Kind == thread.SrcImm {
		a := in.Src[0]
		a.Type = s.Typ
		s.SetImm(&a, 1)
	}
	return true
}

// pick selects the handler and the function of an ALU operation.
func pick(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	machine := p.Machine
	if raw(o, in) {
		o.Class = thread.ClsInt
	}
	if err := conditions(o, in); err != nil {
		return err
	}
	if undocumented[in.Op] {
		return thread.Operr(thread.FaultUnsupported, "how %s rounds is not documented", in.Op)
	}
	if isWide(o) {
		if in.Align16 {
			return thread.Operr(thread.FaultUnsupported, "64-bit operands in Align16 are not supported yet")
		}
		return pickWide(o, in)
	}
	if in.Op == isa.OpPln {
		return pickPlane(p, o, in)
	}
	if h := vectorOps[in.Op]; h != nil {
		return pickVector(o, machine, in, h)
	}
	if o.Nsrc == 3 && !takes(machine, in, 3) {
		return thread.Operr(thread.FaultIllegal,
			"this hardware has no %s with sources of types %s, %s and %s and a destination of type %s", in.Op,
			in.Src[0].Type, in.Src[1].Type, in.Src[2].Type, in.Dst.Type)
	}
	switch in.Op {
	case isa.OpSel:
		o.Exec = execSelI
		if o.Class != thread.ClsInt {
			o.Exec = execSelF
		}
		return nil
	case isa.OpCmp, isa.OpCmpn:
		// Each lane becomes all ones or zero, regardless of the type.
		switch o.Dst.Typ.Size() {
		case 1:
			o.Dst.Typ = isa.TypeB
		case 2:
			o.Dst.Typ = isa.TypeW
		default:
			o.Dst.Typ = isa.TypeD
		}
		o.Exec = execCmpI
		if o.Class != thread.ClsInt {
			o.Exec = execCmpF
		}
		return nil
	case isa.OpCsel:
		o.Exec = execCselI
		if o.Class != thread.ClsInt {
			o.Exec = execCselF
		}
		return nil
	}
	if o.Class != thread.ClsInt {
		o.FnF = fltFnOf(in.Op)
		if o.FnF == nil {
			return thread.Operr(thread.FaultIllegal, "%s does not take floats", in.Op)
		}
		o.Exec = execFlt
		if o.Class == thread.ClsF32 {
			if h := fastF32[in.Op]; h != nil {
				o.Exec = h
			}
		}
		if in.Op == isa.OpMac {
			o.Exec = execMacF
		}
		return nil
	}
	return pickInt(o, machine, in)
}

// conditions checks that a selection or comparison has the conditional modifier or predicate that it needs, and no other.
func conditions(o *thread.Op, in *isa.Inst) *thread.OpError {
	switch {
	case in.Op == isa.OpSel && (in.Pred != isa.PredNone) == (in.CMod != isa.CModNone):
		return thread.Operr(thread.FaultIllegal, "sel needs either a predicate or a conditional modifier, not both")
	case (in.Op == isa.OpCmp || in.Op == isa.OpCmpn) && in.CMod == isa.CModNone:
		return thread.Operr(thread.FaultIllegal, "%s needs a conditional modifier", in.Op)
	case in.Op == isa.OpCsel && (in.CMod == isa.CModNone || in.Pred != isa.PredNone):
		return thread.Operr(thread.FaultIllegal, "csel needs a conditional modifier and takes no predicate")
	}
	return nil
}

func pickInt(o *thread.Op, machine *target.Target, in *isa.Inst) *thread.OpError {
	o.Exec = execInt
	size := 2 // size of the execution type, at least a word
	signed := true
	for k := 0; k < int(o.Nsrc); k++ {
		size = max(size, o.Src[k].Typ.Size())
		signed = signed && o.Src[k].Typ.IsSigned()
	}
	mask := int64(1)<<(8*size) - 1
	switch in.Op {
	case isa.OpMul:
		if o.Src[0].Typ.Size() == 4 && o.Src[1].Typ.Size() == 4 {
			return pickMul32(o, machine)
		}
		if o.Src[1].Typ.Size() == 4 {
			return thread.Operr(thread.FaultIllegal, "the 32-bit operand of a multiply must be source 0")
		}
	case isa.OpMad:
		if o.Src[1].Typ.Size() == 4 && o.Src[2].Typ.Size() == 4 {
			return thread.Operr(thread.FaultIllegal, "this hardware has no 32-bit by 32-bit multiply")
		}
	case isa.OpMach, isa.OpMacl:
		if o.Src[0].Typ.Size() != 4 || o.Src[1].Typ.Size() != 4 || o.Dst.Typ.Size() != 4 {
			return thread.Operr(thread.FaultIllegal, "mach takes 32-bit integers")
		}
		// Where macl has its own opcode, mach always writes the accumulator, and no instruction has a bit for that.
		o.AccWr = o.AccWr || in.Op == isa.OpMach && isa.Ops[isa.OpMacl].Exists(machine.Platform)
		o.Exec = execMach
		return nil
	case isa.OpMac:
		o.Exec = execMacI
		return nil
	case isa.OpDp4a:
		o.Exec = execDp4a
		return nil
	case isa.OpBfn:
		o.FnI = bitFunction(in.Table)
		return nil
	case isa.OpSad2, isa.OpSada2:
		if o.N < 2 || size != 2 || o.Src[0].Typ.Size() != 1 || o.Src[1].Typ.Size() != 1 || o.Dst.Typ.Size() != 2 {
			return thread.Operr(thread.FaultIllegal, "%s takes pairs of bytes and returns words", in.Op)
		}
		o.Exec = execSad
		return nil
	case isa.OpAddc, isa.OpSubb:
		o.Exec = execCarry
		return nil
	case isa.OpShr:
		o.FnI = func(r, a, b, _ *[32]int64, n int) {
			for i := range r[:n] {
				r[i] = int64(uint64(a[i]&mask) >> (uint(b[i]) & 31))
			}
		}
		return nil
	case isa.OpRol, isa.OpRor:
		w := uint(8 * size)
		left := in.Op == isa.OpRol
		o.FnI = func(r, a, b, _ *[32]int64, n int) {
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
		signed = o.Src[0].Typ == isa.TypeD
		fallthrough
	case isa.OpBfe:
		if signed {
			if in.Op == isa.OpFbh {
				o.FnI = fbhSigned
			} else {
				o.FnI = bfeSigned
			}
			return nil
		}
	}
	o.FnI = intFns[in.Op]
	if o.FnI == nil {
		return thread.Operr(thread.FaultIllegal, "%s does not take integers", in.Op)
	}
	return nil
}

// bitFunction returns the operation that looks up each bit of the result in a table, by the bits of the sources.
func bitFunction(table uint8) thread.IntFn {
	return func(r, a, b, c *[32]int64, n int) {
		for i := range r[:n] {
			v := int64(0)
			for k := range 8 {
				if table>>k&1 == 0 {
					continue
				}
				bits := int64(-1)
				for s, x := range [3]int64{a[i], b[i], c[i]} {
					if k>>s&1 == 0 {
						x = ^x
					}
					bits &= x
				}
				v |= bits
			}
			r[i] = v
		}
	}
}

// intFns are the integer operations that need only their operands.
var intFns = [isa.NumOps]thread.IntFn{
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
	isa.OpAdd3: func(r, a, b, c *[32]int64, n int) {
		for i := range r[:n] {
			r[i] = a[i] + b[i] + c[i]
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

// fbhSigned finds the first bit, counted from the top, that differs from the sign bit. The result is -1 if there is none.
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

// sourcesI loads the integer sources. b and c are nil if the operation has fewer sources.
func sourcesI(t *thread.Thread, o *thread.Op) (a, b, c *[32]int64) {
	a = t.LoadI(o, 0)
	if o.Nsrc > 1 {
		b = t.LoadI(o, 1)
	}
	if o.Nsrc > 2 {
		c = t.LoadI(o, 2)
	}
	return
}

func execInt(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, c := sourcesI(t, o)
	r := &t.BufI[3]
	o.FnI(r, a, b, c, int(o.N))
	t.StoreI(o, r, mask)
}

// indirect resolves the addresses of indirect sources. It returns false after a fault.
func indirect(t *thread.Thread, o *thread.Op, mask uint32) bool {
	if !o.Foot.Indirect {
		return true
	}
	for k := 0; k < int(o.Nsrc); k++ {
		if o.Src[k].Kind == thread.SrcIndirect && !t.Lanes(o, k, mask) {
			return false
		}
	}
	return true
}

func execDp4a(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	a, b, c := sourcesI(t, o)
	r := &t.BufI[3]
	sb, sc := o.Src[1].Typ == isa.TypeD, o.Src[2].Typ == isa.TypeD
	for i := range r[:o.N] {
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
	t.StoreI(o, r, mask)
}

// takes reports whether the machine has an operation of that many sources for the instruction's types. Older machines have
// fewer.
func takes(machine *target.Target, in *isa.Inst, sources int) bool {
	for _, r := range isa.Ops[in.Op].Types {
		ok := r.On>>machine.Platform&1 != 0 && r.Dst>>in.Dst.Type&1 != 0
		for k := range sources {
			ok = ok && r.Src[k]>>in.Src[k].Type&1 != 0
		}
		if ok {
			return true
		}
	}
	return false
}
