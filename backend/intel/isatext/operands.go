// SPDX-License-Identifier: MIT

package isatext

import (
	"math"
	"strconv"
	"strings"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// alu parses condition, destination and sources.
func (a *assembler) alu(in *isa.Inst, info *isa.OpInfo) {
	macro := info.Format == isa.FormatMath && in.Math.IsMacro()
	if a.peek() == '(' && !strings.HasPrefix(a.text[a.pos:], "(sat)") {
		a.condition(in, info, macro)
	}
	m := a.here()
	if in.Sat = a.accept("(sat)"); in.Sat && !info.Saturates(a.p) {
		a.fail(m, "%s cannot saturate", info.Name)
	}
	d := &in.Dst
	sub := a.register(d, macro)
	if macro {
		d.HStride = 1
	} else {
		a.expect("<")
		d.HStride = uint8(a.number("stride", 4))
		a.expect(">")
		a.mask(d)
	}
	a.typ(d)
	a.setSub(d, sub, macro)
	n := int(info.NumSrc)
	if info.Format == isa.FormatMath {
		n = in.Math.Sources()
	}
	for i := 0; i < n; i++ {
		a.source(in, info, i, macro)
	}
}

func (a *assembler) condition(in *isa.Inst, info *isa.OpInfo, macro bool) {
	a.expect("(")
	m := a.here()
	w := a.word()
	cond, ok := isa.CModByName(a.p, w)
	switch {
	case macro && w == "eo":
	case macro || !ok:
		a.fail(m, "unknown condition %q", w)
	case !info.CanCMod:
		a.fail(m, "%s has no condition modifier", info.Name)
	default:
		in.CMod = cond
	}
	a.expect(")")
	m = a.here()
	f := a.flag()
	if in.Pred != isa.PredNone && f != in.Flag {
		a.fail(m, "predicate and condition must use the same flag")
	}
	in.Flag = f
}

// subreg is a subregister as written: a number of elements or, in macro form, a math-macro register.
type subreg struct {
	n   uint64
	at  mark
	set bool
}

// register parses a direct or indirect register up to its region.
func (a *assembler) register(o *isa.Operand, macro bool) subreg {
	a.skip(false)
	m := a.here()
	if a.accept("r[") {
		a.expect("a0.")
		o.File, o.Indirect = isa.FileGRF, true
		o.AddrSub = uint8(a.number("address subregister", 15))
		if a.accept(",") {
			neg := a.accept("-")
			reach := 16 * int(a.p.Registers().Bytes)
			v := int(a.number("address offset", uint64(reach)))
			if neg {
				v = -v
			} else if v == reach {
				a.fail(m, "address offset %d is larger than %d", v, reach-1)
			}
			o.AddrOff = int16(v)
		}
		a.expect("]")
		return subreg{}
	}
	w := a.word()
	file, reg, ok := registerByName(a.p, w)
	if !ok {
		a.fail(m, "unknown register %q", w)
	}
	o.File, o.Reg = file, reg
	if !a.accept(".") {
		return subreg{}
	}
	s := subreg{at: a.here(), set: true}
	if macro {
		w := a.word()
		v, ok := parseUint(strings.TrimPrefix(w, "mme"))
		switch {
		case w == "nomme":
			s.n = isa.NoMME
		case !strings.HasPrefix(w, "mme") || !ok || v >= isa.NoMME:
			a.fail(s.at, "expected mme0..mme7 or nomme")
		default:
			s.n = v
		}
		return s
	}
	s.n = a.number("subregister", uint64(a.p.Registers().Bytes-1))
	return s
}

// registerByName parses r0 to r255 and the names of architecture registers.
func registerByName(p isa.Platform, w string) (isa.File, uint8, bool) {
	i := len(w)
	for i > 0 && w[i-1] >= '0' && w[i-1] <= '9' {
		i--
	}
	name := w[:i]
	n, numbered := uint64(0), i < len(w)
	if numbered {
		v, err := strconv.ParseUint(w[i:], 10, 8)
		if err != nil {
			return 0, 0, false
		}
		n = v
	}
	switch name {
	case "r":
		return isa.FileGRF, uint8(n), numbered
	case "arf":
		return isa.FileARF, uint8(n), numbered
	case "mme":
		acc := p.Words().MacroAcc + uint8(n)
		return isa.FileARF, isa.ARFAcc0 + acc, numbered && n < isa.NumMME && acc < 16
	case isa.ARFNames[isa.ARFNull>>4], isa.ARFNames[isa.ARFIP>>4], isa.ARFNames[isa.ARFSP>>4]:
		k := indexOf(isa.ARFNames[:], name)
		return isa.FileARF, uint8(k) << 4, !numbered
	case isa.ARFNames[isa.ARFCE0>>4]:
		return isa.FileARF, isa.ARFCE0, n == 0
	case "":
		return 0, 0, false
	}
	k := indexOf(isa.ARFNames[:], name)
	if k < 0 || !numbered || n >= uint64(isa.ARFCounts[p][k]) {
		return 0, 0, false
	}
	return isa.FileARF, uint8(k)<<4 | uint8(n), true
}

// setSub converts a subregister in elements to bytes.
func (a *assembler) setSub(o *isa.Operand, s subreg, macro bool) {
	if !s.set {
		return
	}
	if macro {
		o.Sub = uint8(s.n)
		return
	}
	bytes := s.n * uint64(subUnit(a.p, o))
	if bytes >= uint64(a.p.Registers().Bytes) {
		a.fail(s.at, "subregister %d of type %s is outside the register", s.n, o.Type)
	}
	o.Sub = uint8(bytes)
}

// typ parses ":ud".
func (a *assembler) typ(o *isa.Operand) {
	a.expect(":")
	m := a.here()
	w := a.word()
	t, ok := isa.TypeByName(w)
	if !ok {
		a.fail(m, "unknown type %q", w)
	}
	o.Type = t
}

func (a *assembler) source(in *isa.Inst, info *isa.OpInfo, i int, macro bool) {
	o := &in.Src[i]
	c := a.peek()
	if a.immediateNext(c) {
		a.immediate(o)
		return
	}
	m := a.here()
	switch {
	case a.accept("~"):
		o.Neg = true
	case a.accept("-"):
		o.Neg = true
	}
	o.Abs = a.accept("(abs)")
	if (o.Neg || o.Abs) && !info.SrcMods {
		a.fail(m, "%s has no source modifiers", info.Name)
	}
	sub := a.register(o, macro)
	switch {
	case macro: // no region is written: the platform's default or, on some platforms, scalar for one lane
		o.Width = 1
		if in.ExecSize > 1 || a.p.Words().MacroScalar {
			r := a.p.Words().MacroRegion
			o.VStride, o.Width, o.HStride = r[0], r[1], r[2]
		}
	case info.Format == isa.FormatTernary:
		a.expect("<")
		if i < 2 {
			o.VStride = uint8(a.number("vertical stride", 32))
			a.expect(";")
		}
		o.HStride = uint8(a.number("horizontal stride", 4))
		a.expect(">")
		a.swizzle(o)
	case a.peek() == '<':
		a.region(o)
		a.swizzle(o)
	case o.IsNull():
		o.VStride, o.Width, o.HStride = 1, 1, 0
	default:
		a.fail(a.here(), "expected a region <V;W,H>")
	}
	a.typ(o)
	a.setSub(o, sub, macro)
}

// swizzle parses ".yyxw", if present.
func (a *assembler) swizzle(o *isa.Operand) {
	if !a.accept(".") {
		return
	}
	m := a.here()
	w := a.word()
	s, ok := fields.SwizzleByName(w)
	if !ok {
		a.fail(m, "a swizzle has four of x, y, z, w, not %q", w)
	}
	o.Swizzle = s
}

// mask parses ".xz", if present.
func (a *assembler) mask(o *isa.Operand) {
	if !a.accept(".") {
		return
	}
	m := a.here()
	w := a.word()
	mask, ok := fields.MaskByName(w)
	if !ok {
		a.fail(m, "a write mask has some of x, y, z, w in order, not %q", w)
	}
	o.Mask = mask
}

// region parses "<8;8,1>", or "<8,1>" for one address per row.
func (a *assembler) region(o *isa.Operand) {
	a.expect("<")
	v := uint8(a.number("vertical stride", 32))
	if a.accept(";") {
		o.VStride = v
		o.Width = uint8(a.number("width", 16))
	} else {
		o.VStride, o.Width = isa.VStrideVxH, v
	}
	a.expect(",")
	o.HStride = uint8(a.number("horizontal stride", 4))
	a.expect(">")
}

// immediateNext reports whether the next source, which starts with c, is an immediate: a digit, inf or a NaN, perhaps
// after a minus sign.
func (a *assembler) immediateNext(c byte) bool {
	rest := a.text[a.pos:]
	if c == '-' {
		rest = strings.TrimLeft(rest[1:], " \t")
	}
	if rest == "" {
		return false
	}
	return rest[0] >= '0' && rest[0] <= '9' || strings.HasPrefix(rest, "inf") ||
		strings.HasPrefix(rest, "nan") || strings.HasPrefix(rest, "qnan(") || strings.HasPrefix(rest, "snan(")
}

// immediate parses a literal and its type.
func (a *assembler) immediate(o *isa.Operand) {
	m := a.here()
	o.File = isa.FileImm
	neg := a.accept("-")
	a.skip(false)
	start := a.pos
	for a.pos < len(a.text) && (isWord(a.text[a.pos]) || a.text[a.pos] == '.' || a.text[a.pos] == '(' || a.text[a.pos] == ')' ||
		(a.text[a.pos] == '+' || a.text[a.pos] == '-') && a.pos > start && a.text[a.pos-1]|0x20 == 'e' &&
			!strings.HasPrefix(a.text[start:], "0x")) {
		a.pos++
	}
	lit := a.text[start:a.pos]
	a.typ(o)
	if !o.Type.HasImm(a.p) {
		a.fail(m, "type %s has no immediates", o.Type)
	}
	var msg string
	if o.Type.IsFloat() && o.Type != isa.TypeVF {
		o.Imm, msg = floatBits(lit, neg, o.Type)
	} else {
		o.Imm, msg = intBits(lit, neg, o.Type)
	}
	if msg != "" {
		a.fail(m, "%s", msg)
	}
}

// intBits returns the bits of an integer literal at its type's width. It accepts a value that fits the width as
// signed or as unsigned.
func intBits(lit string, neg bool, t isa.Type) (uint64, string) {
	v, ok := parseUint(lit)
	if !ok {
		return 0, "malformed integer " + strconv.Quote(lit)
	}
	width := uint(t.Size()) * 8
	all := uint64(1)<<(width-1)<<1 - 1 // wraps to all ones at 64
	if v > all || neg && v > 1<<(width-1) {
		return 0, "immediate does not fit " + t.String()
	}
	if neg {
		v = -v & all
	}
	return v, ""
}

// floatBits returns the bits of a float literal: a number, inf, nan, qnan(p), snan(p), or the bits themselves
// in hexadecimal.
func floatBits(lit string, neg bool, t isa.Type) (uint64, string) {
	width := uint(t.Size()) * 8
	mant := uint(52)
	switch t {
	case isa.TypeHF:
		mant = 10
	case isa.TypeF:
		mant = 23
	}
	sign := uint64(1) << (width - 1)
	exp := (sign - 1) &^ (1<<mant - 1)
	var v uint64
	switch {
	case lit == "inf":
		v = exp
	case lit == "nan":
		v = exp | 1<<(mant-1)
	case strings.HasPrefix(lit, "qnan(") || strings.HasPrefix(lit, "snan("):
		n, ok := parseUint(strings.TrimSuffix(lit[5:], ")"))
		if !ok || n >= 1<<(mant-1) || lit[0] == 's' && n == 0 {
			return 0, "malformed NaN " + strconv.Quote(lit)
		}
		v = exp | n
		if lit[0] == 'q' {
			v |= 1 << (mant - 1)
		}
	case strings.HasPrefix(lit, "0x") || strings.HasPrefix(lit, "0X"):
		n, ok := parseUint(lit)
		if !ok || n > sign|(sign-1) {
			return 0, "immediate does not fit " + t.String()
		}
		v = n
	default:
		var msg string
		if v, msg = decimalBits(lit, t); msg != "" {
			return 0, msg
		}
	}
	if neg {
		v ^= sign
	}
	return v, ""
}

func decimalBits(lit string, t isa.Type) (uint64, string) {
	width := 64
	if t != isa.TypeDF {
		width = 32
	}
	f, err := strconv.ParseFloat(lit, width)
	if err != nil {
		return 0, "malformed number " + strconv.Quote(lit)
	}
	switch t {
	case isa.TypeDF:
		return math.Float64bits(f), ""
	case isa.TypeF:
		return uint64(math.Float32bits(float32(f))), ""
	}
	h := floatToHalf(f)
	if h == 0x7C00 {
		return 0, "immediate does not fit hf"
	}
	return uint64(h), ""
}

// floatToHalf rounds a non-negative value to the nearest half float, ties to even.
func floatToHalf(f float64) uint16 {
	switch {
	case f == 0:
		return 0
	case f >= 65520:
		return 0x7C00
	}
	_, e := math.Frexp(f) // f = m * 2^e, 0.5 <= m < 1
	e = max(e-1, -14)
	n := math.RoundToEven(math.Ldexp(f, 10-e)) // 1024..2048, less for denormals
	return uint16(int(n) + (e+14)<<10)
}

// send parses "r14 r12 null 0x0 0x04205E01" or, on platforms with whole extended descriptors, "r14:f r12 0x6
// 0x04205E01".
func (a *assembler) send(in *isa.Inst, info *isa.OpInfo) {
	w := a.p.Words()
	whole, typed := w.WholeExDesc, w.SendTypes
	if info.Format == isa.FormatSends {
		typed = w.SendsTypes
	}
	for i, o := range []*isa.Operand{&in.Dst, &in.Src[0], &in.Src[1]} {
		if i == 2 && w.OnePayload && info.Format == isa.FormatSend {
			break
		}
		a.skip(false)
		m := a.here()
		name := a.word()
		file, reg, ok := registerByName(a.p, name)
		if !ok {
			a.fail(m, "expected a register, not %q", name)
		}
		o.File, o.Reg = file, reg
		if i == 0 {
			a.mask(o)
		}
		if i == 2 || !typed[i] {
			continue
		}
		o.Type = isa.TypeUD
		if a.peek() == ':' {
			a.typ(o)
		}
	}
	length := uint32(0)
	if w.SecondLen && a.accept(":") {
		length = uint32(a.number("length", secondMax)) << secondLen
	}
	a.skip(false)
	m, inRegister := a.here(), a.accept("a0.")
	if !inRegister {
		in.ExDesc = uint32(a.number("extended descriptor", 1<<32-1))
		inRegister = a.accept(":a0.")
	}
	if inRegister {
		in.ExDescReg, in.ExBSO = true, a.p.LengthInWord(in.SFID)
		in.ExDescSub = uint8(a.number("address subregister", 7))
		if in.ExDesc&0x707FF != 0 {
			a.fail(m, "bits 18:16 and 10:0 of an extended descriptor are not encodable beside a register")
		}
	} else {
		if whole {
			sfid, ok := a.p.SFID(in.ExDesc)
			if !ok {
				a.fail(m, "undefined shared function %d", in.ExDesc&0xF)
			}
			in.SFID, in.EOT = sfid, in.ExDesc>>exDescEOT&1 != 0
			in.ExDesc &^= 0xF | 1<<exDescEOT
		}
		if in.ExDesc&0x3F != 0 {
			if whole {
				a.fail(m, "bit 4 of the extended descriptor is not encodable")
			}
			a.fail(m, "bits 5:0 of the extended descriptor are not encodable")
		}
		if w.SecondLen && in.ExDesc>>secondLen&secondMax != 0 {
			a.fail(m, "bits 10:6 of the extended descriptor are written with the second payload")
		}
	}
	in.ExDesc |= length
	if a.accept("a0.") {
		a.number("address subregister", 0)
		in.DescReg = true
	} else {
		in.Desc = uint32(a.number("descriptor", 1<<32-1))
	}
}

// wait parses "n0.0<0;1,0>:ud".
func (a *assembler) wait(in *isa.Inst) {
	o := &in.Src[0]
	o.Type = isa.TypeUD
	s := a.register(o, false)
	if a.accept("<") {
		a.expect("0;1,0>")
	}
	a.expect(":ud")
	a.setSub(o, s, false)
}

func (a *assembler) branch(pi *placedInst, info *isa.OpInfo) {
	in := &pi.in
	if info.HasDst {
		a.link(&in.Dst)
	}
	if info.Targets == 0 || info.RegTarget && a.registerNext() {
		a.link(&in.Src[0])
		return
	}
	for k := range info.TargetsOn(a.p) {
		a.skip(false)
		m := a.here()
		neg := a.accept("-")
		w := a.word()
		if v, ok := parseUint(w); ok {
			if v > 1<<31-1 {
				a.fail(m, "branch offset %s is too large", w)
			}
			off := int32(v)
			if neg {
				off = -off
			}
			if k == 0 {
				in.JIP = off
			} else {
				in.UIP = off
			}
			continue
		}
		if w == "" || neg {
			a.fail(m, "expected a label")
		}
		pi.to[k], pi.toAt[k] = w, m
	}
}

// registerNext reports whether a register with a subregister is next. A label never looks like one.
func (a *assembler) registerNext() bool {
	a.skip(false)
	save := a.pos
	_, _, ok := registerByName(a.p, a.word())
	ok = ok && a.pos < len(a.text) && a.text[a.pos] == '.'
	a.pos = save
	return ok
}

// link parses a doubleword register without region or type.
func (a *assembler) link(o *isa.Operand) {
	o.Type = isa.TypeUD
	s := a.register(o, false)
	a.setSub(o, s, false)
	o.Type = isa.TypeNone
}

// sync parses "null", a mask, or a list of tokens.
func (a *assembler) sync(in *isa.Inst) {
	o := &in.Src[0]
	switch {
	case a.accept("null"):
		o.File, o.Reg = isa.FileARF, isa.ARFNull
		return
	case a.accept("("):
		for !a.accept(")") {
			a.expect("$")
			o.Imm |= 1 << a.number("token", 31)
			if !a.accept(",") && a.peek() != ')' {
				a.fail(a.here(), "expected , or )")
			}
		}
	default:
		o.Imm = a.number("mask of tokens", 1<<32-1)
		if a.accept(":") {
			a.expect("ud")
		}
	}
	o.File, o.Type = isa.FileImm, isa.TypeUD
}
