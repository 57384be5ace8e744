// SPDX-License-Identifier: MIT

package isa

import (
	"math/bits"
	"math/rand/v2"
	"strings"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// source makes random instructions from the opcode table: everything that the
// word can hold and iga64 accepts, meaningful or not.
type source struct {
	*rand.Rand
	n int // instructions in the program, for branch targets
	machine
}

// machine describes the fields that a platform's words can encode, as probed with the encoder.
type machine struct {
	p                                   isa.Platform
	swsb, atomic, swtch, noPreempt, dep bool
	accWr                               bool
	tokens                              int           // that words can name
	pipes                               []fields.Pipe // those that distances can name
	sendPipes                           []fields.Pipe // those that a message can name beside a token
	lanes                               int           // unit of the first lane
	grf                                 int           // bytes of a register
	src1                                int           // bytes that source 1 is aligned to
	offsets                             int           // bytes that an address can be away, in either direction
	flags                               int           // 16-bit flags
	beside                              bool          // a word can hold other bits beside such a register
	exBSO                               bool          // a word can hold a length beside a register with an extended descriptor
	secondLen                           bool          // the length of a second payload is in the word or in such a register
	sfids                               []isa.SFID
	dst3                                int // bytes that destinations of three-source instructions are aligned to
	src3                                int // bytes that their sources are aligned to
	preds                               []isa.Pred
	math                                []isa.MathFn
	syncs                               []isa.SyncFn // functions of sync that iga64 takes
	vstrides                            []uint8      // vertical strides in three-source instructions
	accs                                [3]bool      // sources of three-source instructions that can be accumulators
	macroRegion                         [3]uint8     // the region that words of math macros hold
	wholeExDesc                         bool         // texts hold the shared function in the extended descriptor
	general                             bool         // source 1, and all operands of math, are general registers
	macroScalar                         bool         // words of math macros hold that region for one lane too
	mme                                 bool         // math-macro registers are operands like others
	imm3                                bool         // three-source words hold immediates
	narrow                              bool         // three-source words and words of math macros hold few predicates and regions
	macros                              bool         // there are math macros
	exDescReg                           bool         // a register can hold an extended descriptor
	bctrl                               bool         // branches have a control bit
	plainMath                           bool         // iga64 takes neither modifiers nor immediates of math
	types                               uint32       // types of operands and of immediates
	addrs                               int          // words of a0 that operands can name
}

func (m *machine) can(in isa.Inst) bool {
	return isa.Encode(m.p, &in, make([]byte, isa.InstSize)) == nil
}

func newMachine(p isa.Platform) machine {
	m := machine{p: p}
	r := isa.Operand{File: isa.FileGRF, Type: isa.TypeF, VStride: 8, Width: 8, HStride: 1}
	with := func(op isa.Op, change func(*isa.Inst)) bool {
		in := isa.Inst{Op: op, ExecSize: 8, Dst: r, Src: [3]isa.Operand{r, r}}
		if isa.Ops[op].NumSrc == 3 {
			in.Src[2] = r
			in.Src[2].VStride = 0
		}
		change(&in)
		return m.can(in)
	}
	m.swsb = with(isa.OpMov, func(in *isa.Inst) { in.SWSB = fields.SWSBDist(1) })
	for pipe := fields.PipeOwn; pipe < fields.NumPipes; pipe++ {
		if pipe != fields.PipeOwn && with(isa.OpMov, func(in *isa.Inst) { in.SWSB = fields.SWSBPipe(pipe, 1) }) {
			m.pipes = append(m.pipes, pipe)
		}
		send := isa.Inst{Op: isa.OpSend, ExecSize: 16, Src: [3]isa.Operand{{File: isa.FileGRF}}}
		if send.SWSB = fields.SWSBPipe(pipe, 1) | fields.SWSBSet(0); m.can(send) {
			m.sendPipes = append(m.sendPipes, pipe)
		}
	}
	for m.tokens = fields.MaxTokens; m.tokens > 1 && !m.can(isa.Inst{Op: isa.OpSend, ExecSize: 8,
		Src: [3]isa.Operand{{File: isa.FileGRF}}, SWSB: fields.SWSBSet(m.tokens - 1)}); m.tokens /= 2 {
	}
	m.accWr = with(isa.OpMov, func(in *isa.Inst) { in.AccWrEn = true })
	for m.lanes = 4; !with(isa.OpMov, func(in *isa.Inst) { in.ChanOff = uint8(m.lanes) }); m.lanes *= 2 {
	}
	for m.grf = 64; !with(isa.OpMov, func(in *isa.Inst) { in.Dst.Sub = uint8(m.grf - 4) }); m.grf /= 2 {
	}
	for m.src1 = 1; !with(isa.OpAdd, func(in *isa.Inst) { in.Src[1].Sub = uint8(m.src1) }); m.src1 *= 2 {
	}
	m.offsets = 16 * m.grf
	for m.flags = 8; !with(isa.OpMov, func(in *isa.Inst) { in.Flag = uint8(m.flags - 1) }); m.flags /= 2 {
	}
	m.atomic = with(isa.OpMov, func(in *isa.Inst) { in.Atomic = true })
	m.swtch = with(isa.OpMov, func(in *isa.Inst) { in.Switch = true })
	m.noPreempt = with(isa.OpMov, func(in *isa.Inst) { in.NoPreempt = true })
	m.dep = with(isa.OpMov, func(in *isa.Inst) { in.NoDDClr, in.NoDDChk = true, true })
	for t := isa.TypeNone + 1; t < isa.NumTypes; t++ {
		if t.HasImm(p) || with(isa.OpMov, func(in *isa.Inst) { in.Dst.Type, in.Src[0].Type = t, t }) {
			m.types |= 1 << t
		}
	}
	for m.addrs = 16; !with(isa.OpMov, func(in *isa.Inst) {
		in.Dst = isa.Operand{File: isa.FileGRF, Type: isa.TypeF, HStride: 1, Indirect: true, AddrSub: uint8(m.addrs - 1)}
	}); m.addrs-- {
	}
	long := isa.Inst{Op: isa.OpSends, ExecSize: 8, Src: [3]isa.Operand{{File: isa.FileGRF}}, ExDescReg: true}
	long.Dst.Type = isa.TypeF
	m.exDescReg = m.can(long)
	long.Op, long.Dst.Type = isa.OpSend, isa.TypeNone
	m.exDescReg = m.exDescReg || m.can(long)
	long.ExBSO, m.secondLen = true, p.Words().SecondLen
	m.exBSO = m.can(long)
	long.ExDesc = besideRegister
	m.beside = m.can(long)
	for f := isa.SFID(0); f < 32; f++ {
		if _, ok := isa.SFIDByName(p, f.String()); ok {
			m.sfids = append(m.sfids, f)
		}
	}
	m.bctrl = with(isa.OpIf, func(in *isa.Inst) { in.Src[0], in.Src[1], in.BranchCtrl = isa.Operand{}, isa.Operand{}, true })
	m.plainMath = p.IGA() == "7p5"
	for p := isa.PredNone + 1; p < 16; p++ {
		if with(isa.OpMov, func(in *isa.Inst) { in.Pred = p }) {
			m.preds = append(m.preds, p)
		}
	}
	for _, f := range []isa.SyncFn{isa.SyncNop, isa.SyncAllRd, isa.SyncAllWr, isa.SyncFence, isa.SyncBar, isa.SyncHost} {
		if m.can(isa.Inst{Op: isa.OpSync, ExecSize: 1, Sync: f, Src: [3]isa.Operand{{File: isa.FileARF, Reg: isa.ARFNull}}}) {
			m.syncs = append(m.syncs, f)
		}
	}
	for f := isa.MathFn(0); f < 16; f++ {
		switch {
		case f.IsMacro():
			_, err := isatext.Assemble(p, "math."+f.String()+" (8|M0) (eo)f0.0 r1.mme0:f r2.mme0:f r3.mme0:f")
			m.macros = m.macros || err == nil
		case with(isa.OpMath, func(in *isa.Inst) { in.Math = f }):
			m.math = append(m.math, f)
		}
	}
	for _, v := range []uint8{0, 1, 2, 4, 8} {
		in := isa.Inst{Op: isa.OpMad, ExecSize: 8, Dst: r, Src: [3]isa.Operand{r, r, r}}
		in.Src[0].VStride, in.Src[1].VStride, in.Src[2].VStride = v, v, 0
		if v == 0 {
			in.Src[0].HStride, in.Src[1].HStride = 0, 0
		}
		var word [isa.InstSize]byte
		if isa.Encode(p, &in, word[:]) == nil {
			if back, err := isa.Decode(p, word[:]); err == nil && back.Src[0].VStride == v { // not another encoding of the same value
				m.vstrides = append(m.vstrides, v)
			}
		}
	}
	for k := range m.accs {
		m.accs[k] = with(isa.OpMad, func(in *isa.Inst) { in.Src[k].File, in.Src[k].Reg = isa.FileARF, isa.ARFAcc0 })
	}
	macro := func(lanes string) (region [3]uint8) {
		if code, err := isatext.Assemble(p, "math.invm ("+lanes+"|M0) (eo)f0.0 r1.mme0:f r2.mme0:f r3.mme0:f"); err == nil {
			in, _ := isa.Decode(p, code)
			region = [3]uint8{in.Src[0].VStride, in.Src[0].Width, in.Src[0].HStride}
		}
		return region
	}
	m.macroRegion = macro("8")
	m.macroScalar = macro("1") == m.macroRegion
	m.mme = with(isa.OpMov, func(in *isa.Inst) { in.Src[0].File, in.Src[0].Reg = isa.FileARF, isa.ARFAcc0+3 })
	m.imm3 = with(isa.OpMad, func(in *isa.Inst) {
		in.Src[0] = isa.Operand{File: isa.FileImm, Type: isa.TypeHF}
		in.Dst.Type, in.Src[1].Type, in.Src[2].Type = isa.TypeHF, isa.TypeHF, isa.TypeHF
	})
	for m.dst3 = 1; !with(isa.OpMad, func(in *isa.Inst) { in.Dst.Sub = uint8(m.dst3) }); m.dst3 *= 2 {
	}
	for m.src3 = 1; !with(isa.OpMad, func(in *isa.Inst) { in.Src[0].Sub = uint8(m.src3) }); m.src3 *= 2 {
	}
	m.narrow = !with(isa.OpMad, func(in *isa.Inst) { in.Pred = isa.PredAny8H })
	m.wholeExDesc = strings.HasPrefix(string(isatext.Append(nil, p, &isa.Inst{Op: isa.OpSend, ExecSize: 8}, 0)), "send (")
	for i := range isa.Restrictions {
		if r := &isa.Restrictions[i]; r.ID == "src1_general" && r.Concerns(p, isa.OpAdd) {
			m.general = true
		}
	}
	return m
}

func pick[T any](s *source, list ...T) T { return list[s.IntN(len(list))] }

// oneOf returns the index of a random set bit.
func (s *source) oneOf(set uint32) isa.Type {
	if set &= s.types; set == 0 {
		return isa.TypeUD
	}
	k := s.IntN(bits.OnesCount32(set))
	for ; k > 0; k-- {
		set &= set - 1
	}
	return isa.Type(bits.TrailingZeros32(set))
}

// rule returns a random combination of types that the platform's opcode takes.
func (s *source) rule(info *isa.OpInfo) isa.TypeRule {
	for {
		if r := info.Types[s.IntN(len(info.Types))]; r.On>>s.p&1 != 0 {
			return r
		}
	}
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
			if op == isa.OpNop {
				in.SWSB = s.scoreboard(op)
			}
			if op == isa.OpIllegal {
				in.Breakpoint = false
			}
			return in
		}
		in.SWSB = s.scoreboard(op)
		if info.Format != isa.FormatSend && info.Format != isa.FormatSends && info.Format != isa.FormatSync {
			in.NoDDClr, in.NoDDChk = s.dep && s.IntN(8) == 0, s.dep && s.IntN(8) == 0
			in.Switch = s.swtch && s.IntN(16) == 0
		}
		in.NoMask = s.IntN(3) == 0
		in.ExecSize = 1 << s.IntN(6)
		in.ChanOff = uint8(s.lanes * s.IntN(32/s.lanes))
		if info.Format == isa.FormatSync || info.Format == isa.FormatWait || info.Scalar {
			in.ExecSize, in.ChanOff = 1, 0
			in.NoMask = in.NoMask || info.Scalar
		}
		if info.CanPred && s.IntN(2) == 0 {
			in.Pred = s.preds[s.IntN(len(s.preds))]
			in.PredInv = s.IntN(2) == 0
			in.Flag = uint8(s.IntN(s.flags))
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
		if s.narrow && (info.Format == isa.FormatTernary || in.Math.IsMacro()) {
			if in.Pred != isa.PredNone {
				in.Pred = pick(s, isa.PredNormal, isa.PredAny4H, isa.PredAll4H)
			}
			if !s.can(in) {
				continue
			}
		}
		in.Atomic = in.Atomic && s.atomic && !in.Switch
		in.NoPreempt = s.noPreempt && !in.Atomic && !in.Switch && i%16 == 7
		return in
	}
}

func (s *source) scoreboard(op isa.Op) fields.SWSB {
	if !s.swsb {
		return fields.SWSBNone
	}
	d, t := 1+s.IntN(7), s.IntN(s.tokens)
	if s.pipes != nil && s.IntN(2) == 0 {
		if isa.Ops[op].Format == isa.FormatSend && s.IntN(2) == 0 {
			return fields.SWSBPipe(pick(s, s.sendPipes...), d) | fields.SWSBSet(t)
		}
		return fields.SWSBPipe(pick(s, s.pipes...), d)
	}
	if s.pipes != nil && isa.Ops[op].Format == isa.FormatSend {
		return pick(s, fields.SWSBNone, fields.SWSBDist(d), fields.SWSBSet(t), fields.SWSBDst(t), fields.SWSBSrc(t))
	}
	if s.p.OutOfOrder(op) {
		return pick(s, fields.SWSBNone, fields.SWSBDist(d), fields.SWSBSet(t), fields.SWSBDist(d)|fields.SWSBSet(t), fields.SWSBDst(t),
			fields.SWSBSrc(t))
	}
	return pick(s, fields.SWSBNone, fields.SWSBDist(d), fields.SWSBDst(t), fields.SWSBSrc(t), fields.SWSBDist(d)|fields.SWSBDst(t))
}

func (s *source) condition(in *isa.Inst, info *isa.OpInfo) {
	if info.CanCMod && s.IntN(3) == 0 || in.Op == isa.OpCmp || in.Op == isa.OpCmpn || in.Op == isa.OpCsel {
		in.CMod = pick(s, isa.CModEQ, isa.CModNE, isa.CModGT, isa.CModGE, isa.CModLT, isa.CModLE, isa.CModOV, isa.CModUN)
		if in.Pred == isa.PredNone {
			in.Flag = uint8(s.IntN(s.flags))
		}
	}
}

func (s *source) basic(in *isa.Inst, info *isa.OpInfo) {
	rule := s.rule(info)
	n := int(info.NumSrc)
	if info.Format == isa.FormatMath {
		in.Math = pick(s, s.math...)
		if s.IntN(8) == 0 && s.macros {
			s.macro(in)
			return
		}
		n = in.Math.Sources()
	}
	in.Sat = info.Saturates(s.p) && s.IntN(4) == 0
	in.AccWrEn = s.accWr && s.IntN(8) == 0
	in.Atomic = s.IntN(16) == 0
	s.condition(in, info)
	indirect := info.Format != isa.FormatMath
	in.Dst = s.dst(s.oneOf(rule.Dst), indirect)
	for k := range in.Src[:n] {
		t := s.oneOf(rule.Src[k])
		last := k == n-1
		o := &in.Src[k]
		switch {
		case last && (s.IntN(4) == 0 || t.Elem() != t) && t.HasImm(s.p) && (t.Size() < 8 || n == 1) &&
			in.Op != isa.OpMovi && !(s.plainMath && in.Op == isa.OpMath):
			*o = s.imm(t)
			continue
		case t.Elem() != t:
			t = t.Elem()
		}
		*o = s.region(t, indirect)
		if k == 1 {
			o.Sub, o.AddrOff = o.Sub&^uint8(s.src1-1), o.AddrOff&^int16(s.src1-1)
		}
		if info.SrcMods && !(s.plainMath && in.Op == isa.OpMath) {
			o.Neg = s.IntN(4) == 0
			o.Abs = s.IntN(4) == 0 && !info.LogicMods
		}
	}
	if s.general { // only source 0 of opcodes other than math is an architecture register
		for k, o := range []*isa.Operand{&in.Dst, &in.Src[0], &in.Src[1]} {
			if (k == 2 || info.Format == isa.FormatMath) && o.File == isa.FileARF {
				o.File, o.Reg = isa.FileGRF, uint8(s.IntN(128))
			}
		}
	}
	if in.Op == isa.OpMovi {
		in.Src[0] = isa.Operand{File: isa.FileGRF, Type: in.Src[0].Type, Indirect: true, AddrSub: uint8(s.IntN(s.addrs)), VStride: 8,
			Width: 8, HStride: 1}
		in.Src[1] = isa.Operand{File: isa.FileARF, Reg: isa.ARFNull, Type: in.Src[0].Type, VStride: 1, Width: 1}
	}
}

// macro makes a math.invm or math.rsqtm.
func (s *source) macro(in *isa.Inst) {
	in.Math = pick(s, isa.MathInvM, isa.MathRsqtM)
	if in.Pred == isa.PredNone {
		in.Flag = uint8(s.IntN(s.flags))
	}
	in.Dst = isa.Operand{File: isa.FileGRF, Type: isa.TypeF, Reg: uint8(s.IntN(128)), Sub: uint8(s.IntN(9)), HStride: 1}
	for k := range in.Src[:in.Math.Sources()] {
		o := &in.Src[k]
		*o = isa.Operand{File: isa.FileGRF, Type: isa.TypeF, Reg: uint8(s.IntN(128)), Sub: uint8(s.IntN(9)), Width: 1, Neg: s.IntN(2) == 0,
			Abs: s.IntN(2) == 0}
		if in.ExecSize > 1 || s.macroScalar {
			o.VStride, o.Width, o.HStride = s.macroRegion[0], s.macroRegion[1], s.macroRegion[2]
		}
	}
}

// sub returns a random subregister aligned to unit bytes.
func (s *source) sub(unit int) uint8 { return uint8(s.IntN(s.grf/unit) * unit) }

// reg sets o to a random register: mostly general ones, sometimes an accumulator or a
// flag.
func (s *source) reg(o *isa.Operand) {
	o.File, o.Reg = isa.FileGRF, uint8(s.IntN(128))
	if s.IntN(6) == 0 {
		o.File = isa.FileARF
		o.Reg = pick[uint8](s, isa.ARFAcc0, isa.ARFAcc0+1, isa.ARFAcc0+3, isa.ARFA0, isa.ARFF0, isa.ARFF0+1, isa.ARFSR0, isa.ARFCR0,
			isa.ARFTM0, isa.ARFN0, isa.ARFNull)
		if o.Reg == isa.ARFAcc0+3 && !s.mme {
			o.Reg = isa.ARFAcc0
		}
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
		o.File, o.Indirect = isa.FileGRF, true
		o.AddrSub, o.AddrOff = uint8(s.IntN(s.addrs)), int16(s.IntN(2*s.offsets)-s.offsets)
		return o
	}
	s.reg(&o)
	return o
}

func (s *source) region(t isa.Type, indirect bool) isa.Operand {
	o := isa.Operand{Type: t, VStride: pick[uint8](s, 0, 1, 2, 4, 8, 16, 32), Width: 1 << s.IntN(5), HStride: pick[uint8](s, 0, 1, 2, 4)}
	if indirect && s.IntN(6) == 0 {
		o.File, o.Indirect = isa.FileGRF, true
		o.AddrSub, o.AddrOff = uint8(s.IntN(s.addrs)), int16(s.IntN(2*s.offsets)-s.offsets)
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
	rule := s.rule(info)
	in.Sat = info.Saturates(s.p) && s.IntN(4) == 0
	in.AccWrEn = s.accWr && s.IntN(8) == 0
	in.Atomic = s.IntN(16) == 0
	if info.Table {
		in.Table = uint8(s.IntN(256))
	}
	s.condition(in, info)
	reg := func(o *isa.Operand, unit int, acc bool) {
		o.File, o.Reg, o.Sub = isa.FileGRF, uint8(s.IntN(128)), s.sub(unit)
		if acc && s.IntN(8) == 0 {
			o.File, o.Reg, o.Sub = isa.FileARF, isa.ARFAcc0+uint8(s.IntN(2)), 0
		}
	}
	in.Dst = isa.Operand{Type: s.oneOf(rule.Dst), HStride: uint8(1 + s.IntN(2))}
	reg(&in.Dst, max(s.dst3, in.Dst.Type.Size()), true)
	for k := range in.Src {
		t := s.oneOf(rule.Src[k])
		o := &in.Src[k]
		if s.imm3 && k != 1 && t.Size() == 2 && s.IntN(3) == 0 {
			*o = s.imm(t)
			continue
		}
		o.Type = t
		o.HStride = pick[uint8](s, 0, 1, 2, 4)
		if k < 2 {
			o.VStride = pick(s, s.vstrides...)
		}
		reg(o, max(s.src3, t.Size()), s.accs[k])
		if info.SrcMods {
			o.Neg, o.Abs = s.IntN(4) == 0, s.IntN(4) == 0
		}
	}
}

// besideRegister are bits that words can have beside a register with an extended descriptor.
const besideRegister = 0xFFF87800

func (s *source) send(in *isa.Inst, info *isa.OpInfo) {
	in.SFID = pick(s, s.sfids...)
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
		in.ExBSO = s.exBSO && s.IntN(2) == 0 || s.p.LengthInWord(in.SFID)
		if s.beside && s.IntN(2) == 0 {
			in.ExDesc = s.Uint32() & besideRegister
		}
		if in.ExBSO {
			in.ExDesc |= s.Uint32N(32) << 6
		}
	} else {
		in.ExDesc = s.Uint32() &^ 0x3F
	}
	if s.secondLen && in.Src[1].IsNull() { // iga64 writes 0
		in.ExDesc &^= 0x7C0
	}
	// Fields that the words cannot encode are left out, one after the other.
	typ := func() isa.Type {
		if in.DescReg && s.narrow { // iga64 -p=9 marks half floats in the place of the immediate too
			return s.oneOf(1<<isa.TypeUD | 1<<isa.TypeUW | 1<<isa.TypeF | 1<<isa.TypeB)
		}
		return s.oneOf(1<<isa.TypeUD | 1<<isa.TypeUW | 1<<isa.TypeF | 1<<isa.TypeB | 1<<isa.TypeHF)
	}
	fits := []func(){
		func() { in.Dst.Type = typ() },
		func() { in.Desc &^= 1 << 31 },
		func() { in.ExDesc &^= 0xFC00 },
	}
	if info.Format == isa.FormatSend {
		fits = append(fits, func() { in.Src[0].Type, in.Src[1] = typ(), isa.Operand{} }, func() { in.ExDesc &^= 0xFFFF },
			func() { in.ExDescReg, in.ExDescSub = false, 0 }, func() { in.ExDesc = 0 }, func() { in.Desc &= 1<<29 - 1 })
	}
	for _, fit := range fits {
		if s.can(*in) {
			break
		}
		fit()
	}
	if in.ExDescReg && s.wholeExDesc {
		in.SFID = isa.SFIDNull // the register contains it
	}
}

func (s *source) branch(in *isa.Inst, info *isa.OpInfo, i int) {
	in.BranchCtrl = info.BranchCtrl && s.bctrl && s.IntN(4) == 0
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
	if info.TargetsOn(s.p) == 2 {
		in.UIP = target()
	}
}

func (s *source) sync(in *isa.Inst) {
	in.Sync = pick(s, s.syncs...)
	in.Src[0] = isa.Operand{File: isa.FileARF, Reg: isa.ARFNull}
	if (in.Sync == isa.SyncAllRd || in.Sync == isa.SyncAllWr) && s.IntN(2) == 0 {
		in.Src[0] = isa.Operand{File: isa.FileImm, Type: isa.TypeUD, Imm: uint64(s.Uint32())}
	}
}

// program makes n instructions.
func randomProgram(p isa.Platform, seed uint64, n int) []isa.Inst {
	s := &source{rand.New(rand.NewPCG(seed, 12)), n, newMachine(p)}
	out := make([]isa.Inst, n)
	for i := range out {
		out[i] = s.inst(i)
	}
	return out
}
