package isa

import (
	"math/bits"
	"math/rand/v2"

	"jacquard.example/generated/isa"
)

// source makes random instructions from the opcode table: everything that the
// word can hold and iga64 accepts, meaningful or not.
type source struct {
	*rand.Rand
	p isa.Platform
	n int // instructions in the program, for branch targets
}

// software reports whether the platform has a software scoreboard; hardware ones have
// options that leave an instruction out of them.
func (s *source) software() bool {
	in := isa.Inst{Op: isa.OpNop, SWSB: isa.SWSBDist(1)}
	return isa.Encode(s.p, &in, make([]byte, isa.InstSize)) == nil
}

func pick[T any](s *source, list ...T) T { return list[s.IntN(len(list))] }

// oneOf is a random set bit's number.
func (s *source) oneOf(set uint32) isa.Type {
	if set == 0 {
		return isa.TypeUD
	}
	k := s.IntN(bits.OnesCount32(set))
	for ; k > 0; k-- {
		set &= set - 1
	}
	return isa.Type(bits.TrailingZeros32(set))
}

// inst makes the i-th instruction of the program.
func (s *source) inst(i int) isa.Inst {
	for {
		op := isa.Op(s.IntN(isa.NumOps))
		info := &isa.Ops[op]
		if !info.Exists(s.p) || op == isa.OpCalla { // its target is absolute; TestCalla covers it
			continue
		}
		in := isa.Inst{Op: op, Size: isa.InstSize, Breakpoint: s.IntN(16) == 0}
		if info.Format == isa.FormatNop {
			if op == isa.OpNop && s.software() {
				in.SWSB = s.swsb(op)
			}
			if op == isa.OpIllegal {
				in.Breakpoint = false
			}
			return in
		}
		if s.software() {
			in.SWSB = s.swsb(op)
		} else if info.Format != isa.FormatSend && info.Format != isa.FormatSends {
			in.NoDDClr, in.NoDDChk, in.Switch = s.IntN(8) == 0, s.IntN(8) == 0, s.IntN(16) == 0
		}
		in.NoMask = s.IntN(3) == 0
		in.ExecSize = 1 << s.IntN(6)
		in.ChanOff = uint8(4 * s.IntN(8))
		if info.Format == isa.FormatSync || info.Format == isa.FormatWait || info.Scalar {
			in.ExecSize, in.ChanOff = 1, 0
			in.NoMask = in.NoMask || info.Scalar
		}
		if info.CanPred && s.IntN(2) == 0 {
			in.Pred = isa.Pred(1 + s.IntN(13))
			in.PredInv = s.IntN(2) == 0
			in.Flag = uint8(s.IntN(4))
		}
		switch info.Format {
		case isa.FormatBasic, isa.FormatMath:
			s.basic(&in, info)
		case isa.FormatTernary:
			s.ternary(&in, info)
		case isa.FormatSend, isa.FormatSends:
			s.send(&in, info)
		case isa.FormatWait:
			in.Src[0] = isa.Operand{File: isa.FileARF, Reg: isa.ARFN0, Type: isa.TypeUD, Sub: s.sub(4)}
		case isa.FormatBranch:
			s.branch(&in, info, i)
		case isa.FormatSync:
			s.sync(&in)
		}
		in.Atomic = in.Atomic && !in.Switch
		in.NoPreempt = !s.software() && !in.Atomic && !in.Switch && i%16 == 7
		return in
	}
}

func (s *source) swsb(op isa.Op) isa.SWSB {
	d, t := 1+s.IntN(7), s.IntN(16)
	if op.IsOutOfOrder() {
		return pick(s, isa.SWSBNone, isa.SWSBDist(d), isa.SWSBSet(t), isa.SWSBDistSet(d, t), isa.SWSBDst(t), isa.SWSBSrc(t))
	}
	return pick(s, isa.SWSBNone, isa.SWSBDist(d), isa.SWSBDst(t), isa.SWSBSrc(t), isa.SWSBDistDst(d, t))
}

func (s *source) condition(in *isa.Inst, info *isa.OpInfo) {
	if info.CanCMod && s.IntN(3) == 0 || in.Op == isa.OpCmp || in.Op == isa.OpCmpn || in.Op == isa.OpCsel {
		in.CMod = pick(s, isa.CModEQ, isa.CModNE, isa.CModGT, isa.CModGE, isa.CModLT, isa.CModLE, isa.CModOV, isa.CModUN)
		if in.Pred == isa.PredNone {
			in.Flag = uint8(s.IntN(4))
		}
	}
}

func (s *source) basic(in *isa.Inst, info *isa.OpInfo) {
	rule := info.Types[s.IntN(len(info.Types))]
	n := int(info.NumSrc)
	if info.Format == isa.FormatMath {
		in.Math = pick(s, isa.MathInv, isa.MathLog2, isa.MathExp2, isa.MathSqrt, isa.MathRsqrt, isa.MathSin, isa.MathCos, isa.MathIDiv, isa.MathIQuot, isa.MathIRem)
		if !s.software() && s.IntN(8) == 0 {
			in.Math = pick(s, isa.MathFDiv, isa.MathPow)
		}
		if s.IntN(8) == 0 {
			s.macro(in)
			return
		}
		n = in.Math.Sources()
	}
	in.Sat = info.CanSat && s.IntN(4) == 0
	in.AccWrEn = s.IntN(8) == 0
	in.Atomic = s.IntN(16) == 0
	s.condition(in, info)
	indirect := info.Format != isa.FormatMath
	in.Dst = s.dst(s.oneOf(rule.Dst), indirect)
	for k := range in.Src[:n] {
		t := s.oneOf(rule.Src[k])
		last := k == n-1
		o := &in.Src[k]
		switch {
		case last && (s.IntN(4) == 0 || t.Elem() != t) && t != isa.TypeUB && t != isa.TypeB && in.Op != isa.OpMovi:
			*o = s.imm(t)
			continue
		case t.Elem() != t:
			t = t.Elem()
		}
		*o = s.region(t, indirect)
		if info.SrcMods {
			o.Neg = s.IntN(4) == 0
			o.Abs = s.IntN(4) == 0 && !info.LogicMods
		}
	}
	if !s.software() { // only source 0 of opcodes other than math is an architecture register
		for k, o := range []*isa.Operand{&in.Dst, &in.Src[0], &in.Src[1]} {
			if (k == 2 || info.Format == isa.FormatMath) && o.File == isa.FileARF {
				o.File, o.Reg = isa.FileGRF, uint8(s.IntN(128))
			}
		}
	}
	if in.Op == isa.OpMovi {
		in.Src[0] = isa.Operand{File: isa.FileGRF, Type: in.Src[0].Type, Indirect: true, AddrSub: uint8(s.IntN(16)), VStride: 8, Width: 8, HStride: 1}
		in.Src[1] = isa.Operand{File: isa.FileARF, Reg: isa.ARFNull, Type: in.Src[0].Type, VStride: 1, Width: 1}
	}
}

// macro makes a math.invm or math.rsqtm.
func (s *source) macro(in *isa.Inst) {
	in.Math = pick(s, isa.MathInvM, isa.MathRsqtM)
	if in.Pred == isa.PredNone {
		in.Flag = uint8(s.IntN(4))
	}
	in.Dst = isa.Operand{File: isa.FileGRF, Type: isa.TypeF, Reg: uint8(s.IntN(128)), Sub: uint8(s.IntN(9)), HStride: 1}
	for k := range in.Src[:in.Math.Sources()] {
		o := &in.Src[k]
		*o = isa.Operand{File: isa.FileGRF, Type: isa.TypeF, Reg: uint8(s.IntN(128)), Sub: uint8(s.IntN(9)), Width: 1, Neg: s.IntN(2) == 0, Abs: s.IntN(2) == 0}
		switch {
		case in.ExecSize == 1:
		case s.software():
			o.VStride = 1
		default:
			o.VStride, o.Width, o.HStride = 2, 2, 1
		}
	}
}

// sub is a random subregister aligned to unit bytes.
func (s *source) sub(unit int) uint8 { return uint8(s.IntN(32/unit) * unit) }

// reg is a random register: mostly general ones, sometimes an accumulator or a
// flag.
func (s *source) reg(o *isa.Operand) {
	o.File, o.Reg = isa.FileGRF, uint8(s.IntN(128))
	if s.IntN(6) == 0 {
		o.File = isa.FileARF
		o.Reg = pick[uint8](s, isa.ARFAcc0, isa.ARFAcc0+1, isa.ARFAcc0+3, isa.ARFA0, isa.ARFF0, isa.ARFF0+1, isa.ARFSR0, isa.ARFCR0, isa.ARFTM0, isa.ARFN0, isa.ARFNull)
	}
	if s.IntN(40) == 0 {
		o.File, o.Reg = isa.FileARF, isa.ARFCE0
	} else if !o.IsNull() {
		o.Sub = s.sub(o.Type.Size())
	}
}

func (s *source) dst(t isa.Type, indirect bool) isa.Operand {
	o := isa.Operand{Type: t, HStride: 1 << s.IntN(3)}
	if indirect && s.IntN(6) == 0 {
		o.File, o.Indirect, o.AddrSub, o.AddrOff = isa.FileGRF, true, uint8(s.IntN(16)), int16(s.IntN(1024)-512)
		return o
	}
	s.reg(&o)
	return o
}

func (s *source) region(t isa.Type, indirect bool) isa.Operand {
	o := isa.Operand{Type: t, VStride: pick[uint8](s, 0, 1, 2, 4, 8, 16, 32), Width: 1 << s.IntN(5), HStride: pick[uint8](s, 0, 1, 2, 4)}
	if indirect && s.IntN(6) == 0 {
		o.File, o.Indirect, o.AddrSub, o.AddrOff = isa.FileGRF, true, uint8(s.IntN(16)), int16(s.IntN(1024)-512)
		if s.IntN(2) == 0 {
			o.VStride = isa.VStrideVxH
		}
		return o
	}
	s.reg(&o)
	return o
}

func (s *source) imm(t isa.Type) isa.Operand {
	o := isa.Operand{File: isa.FileImm, Type: t, Imm: s.Uint64()}
	if s.IntN(2) == 0 {
		o.Imm = uint64(s.IntN(256)) << s.IntN(32)
	}
	if size := t.Size(); size < 8 {
		o.Imm &= 1<<(8*size) - 1
	}
	return o
}

func (s *source) ternary(in *isa.Inst, info *isa.OpInfo) {
	rule := info.Types[s.IntN(len(info.Types))]
	in.Sat = info.CanSat && s.IntN(4) == 0
	in.AccWrEn = s.IntN(8) == 0
	in.Atomic = s.IntN(16) == 0
	s.condition(in, info)
	reg := func(o *isa.Operand, unit int) {
		o.File, o.Reg, o.Sub = isa.FileGRF, uint8(s.IntN(128)), s.sub(unit)
		if s.IntN(8) == 0 && (s.software() || o == &in.Dst || o == &in.Src[1]) {
			o.File, o.Reg, o.Sub = isa.FileARF, isa.ARFAcc0+uint8(s.IntN(2)), 0
		}
	}
	in.Dst = isa.Operand{Type: s.oneOf(rule.Dst), HStride: uint8(1 + s.IntN(2))}
	reg(&in.Dst, 8)
	for k := range in.Src {
		t := s.oneOf(rule.Src[k])
		o := &in.Src[k]
		if k != 1 && t.Size() == 2 && s.IntN(3) == 0 {
			*o = s.imm(t)
			continue
		}
		o.Type = t
		o.HStride = pick[uint8](s, 0, 1, 2, 4)
		if k < 2 {
			o.VStride = pick[uint8](s, 0, 1, 4, 8)
			if o.VStride == 1 && !s.software() {
				o.VStride = 2
			}
		}
		reg(o, t.Size())
		if info.SrcMods {
			o.Neg, o.Abs = s.IntN(4) == 0, s.IntN(4) == 0
		}
	}
}

func (s *source) send(in *isa.Inst, info *isa.OpInfo) {
	in.SFID = pick(s, isa.SFIDSampler, isa.SFIDGateway, isa.SFIDDC2, isa.SFIDRC, isa.SFIDURB, isa.SFIDTS, isa.SFIDDCRO, isa.SFIDDC0, isa.SFIDPixInterp, isa.SFIDDC1, isa.SFIDVME, isa.SFIDCRE, isa.SFIDNull)
	in.EOT = s.IntN(4) == 0
	grf := func() isa.Operand { return isa.Operand{File: isa.FileGRF, Reg: uint8(s.IntN(128))} }
	null := isa.Operand{File: isa.FileARF, Reg: isa.ARFNull}
	in.Dst, in.Src[0], in.Src[1] = pick(s, grf(), null), grf(), pick(s, grf(), null)
	if s.IntN(4) == 0 {
		in.DescReg = true
	} else {
		in.Desc = s.Uint32()
	}
	if s.IntN(4) == 0 {
		in.ExDescReg, in.ExDescSub = true, uint8(s.IntN(8))
	} else {
		in.ExDesc = s.Uint32() &^ 0x3F
	}
	if s.software() {
		return
	}
	typ := func() isa.Type {
		return s.oneOf(1<<isa.TypeUD | 1<<isa.TypeUW | 1<<isa.TypeF | 1<<isa.TypeB | 1<<isa.TypeHF)
	}
	in.Dst.Type = typ()
	in.Desc &^= 1 << 31
	switch {
	case info.Format == isa.FormatSend:
		in.Src[0].Type, in.Src[1] = typ(), isa.Operand{}
		in.ExDesc &^= 0xFFFF
		in.ExDescReg, in.ExDescSub = false, 0
	case in.ExDescReg:
		in.SFID = isa.SFIDNull // it comes from the register
	default:
		in.ExDesc &^= 0xFC00
	}
}

func (s *source) branch(in *isa.Inst, info *isa.OpInfo, i int) {
	in.BranchCtrl = info.BranchCtrl && s.IntN(4) == 0
	in.Atomic = s.IntN(16) == 0
	link := func() isa.Operand {
		return isa.Operand{File: isa.FileGRF, Reg: uint8(s.IntN(128)), Sub: s.sub(4)}
	}
	if info.HasDst {
		in.Dst = link()
	}
	if info.Targets == 0 || info.RegTarget && s.IntN(4) == 0 {
		in.Src[0] = link()
		return
	}
	target := func() int32 { return int32(s.IntN(s.n+1)-i) * isa.InstSize }
	in.JIP = target()
	if info.Targets == 2 {
		in.UIP = target()
	}
}

func (s *source) sync(in *isa.Inst) {
	in.Sync = pick(s, isa.SyncNop, isa.SyncAllRd, isa.SyncAllWr, isa.SyncBar, isa.SyncHost)
	in.Src[0] = isa.Operand{File: isa.FileARF, Reg: isa.ARFNull}
	if (in.Sync == isa.SyncAllRd || in.Sync == isa.SyncAllWr) && s.IntN(2) == 0 {
		in.Src[0] = isa.Operand{File: isa.FileImm, Type: isa.TypeUD, Imm: uint64(s.Uint32())}
	}
}

// program makes n instructions.
func randomProgram(p isa.Platform, seed uint64, n int) []isa.Inst {
	s := &source{rand.New(rand.NewPCG(seed, 12)), p, n}
	out := make([]isa.Inst, n)
	for i := range out {
		out[i] = s.inst(i)
	}
	return out
}
