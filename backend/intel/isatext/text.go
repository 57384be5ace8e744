// SPDX-License-Identifier: MIT

package isatext

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// Append appends the instruction in iga64's syntax, without a newline. pc is
// its byte address; branch targets are written as labels L<address>.
func Append(b []byte, p isa.Platform, in *isa.Inst, pc int) []byte {
	if int(in.Op) >= isa.NumOps {
		return append(b, in.Op.String()...)
	}
	info := &isa.Ops[in.Op]
	if info.Format == isa.FormatNop {
		return appendOptions(append(b, info.Name...), p, in)
	}
	b = appendPred(b, in, info)
	b = append(b, info.Name...)
	switch info.Format {
	case isa.FormatMath:
		b = append(append(b, '.'), in.Math.String()...)
	case isa.FormatTernary:
		if info.Table {
			b = fmt.Appendf(b, ".0x%02X", in.Table)
		}
	case isa.FormatSync:
		b = append(append(b, '.'), in.Sync.String()...)
	case isa.FormatSend, isa.FormatSends:
		if !p.Words().WholeExDesc {
			b = append(append(b, '.'), in.SFID.String()...)
		}
	}
	if in.BranchCtrl {
		b = append(b, ".b"...)
	}
	if hasLanes(info) {
		b = append(b, " ("...)
		b = strconv.AppendUint(b, uint64(in.ExecSize), 10)
		b = append(b, "|M"...)
		b = strconv.AppendUint(b, uint64(in.ChanOff), 10)
		b = append(b, ')')
	}
	switch {
	case info.Format == isa.FormatMath && in.Math.IsMacro():
		b = append(b, " (eo)"...)
		b = appendFlag(b, in.Flag)
	case in.CMod != isa.CModNone:
		b = append(append(append(b, " ("...), in.CMod.String()...), ')')
		b = appendFlag(b, in.Flag)
	}
	switch info.Format {
	case isa.FormatBasic, isa.FormatMath, isa.FormatTernary:
		b = appendALU(b, p, in, info)
	case isa.FormatSend, isa.FormatSends:
		b = appendSend(b, p, in)
	case isa.FormatWait:
		b = appendReg(append(b, ' '), p, &in.Src[0], false)
		b = append(b, "<0;1,0>:ud"...)
	case isa.FormatBranch:
		b = appendBranch(b, p, in, info, pc)
	case isa.FormatSync:
		b = append(b, ' ')
		if o := &in.Src[0]; o.File == isa.FileImm {
			b = appendTokenMask(b, uint32(o.Imm), in.Sync)
		} else {
			b = append(b, "null"...)
		}
	}
	return appendOptions(b, p, in)
}

// hasLanes reports whether the opcode is written with a number of lanes.
func hasLanes(info *isa.OpInfo) bool {
	return info.Format != isa.FormatSync && info.Format != isa.FormatWait && !info.Scalar
}

func appendFlag(b []byte, f uint8) []byte {
	return append(b, 'f', '0'+f>>1, '.', '0'+f&1)
}

func appendPred(b []byte, in *isa.Inst, info *isa.OpInfo) []byte {
	pred := in.Pred != isa.PredNone && info.CanPred
	if !in.NoMask && !pred {
		return b
	}
	b = append(b, '(')
	if in.NoMask {
		b = append(b, 'W')
		if pred {
			b = append(b, '&')
		}
	}
	if pred {
		if in.PredInv {
			b = append(b, '~')
		}
		b = appendFlag(b, in.Flag)
		if in.Pred != isa.PredNormal {
			b = append(append(b, '.'), in.Pred.String()...)
		}
	}
	return append(b, ") "...)
}

func appendALU(b []byte, p isa.Platform, in *isa.Inst, info *isa.OpInfo) []byte {
	macro := info.Format == isa.FormatMath && in.Math.IsMacro()
	b = append(b, ' ')
	if in.Sat {
		b = append(b, "(sat)"...)
	}
	b = appendReg(b, p, &in.Dst, macro)
	if !macro {
		b = append(b, '<')
		b = strconv.AppendUint(b, uint64(in.Dst.HStride), 10)
		b = append(b, '>')
		b = appendMask(b, in.Dst.Mask)
	}
	b = appendType(b, in.Dst.Type)
	n := info.NumSrc
	if info.Format == isa.FormatMath {
		n = uint8(in.Math.Sources())
	}
	for i := range in.Src[:n] {
		o := &in.Src[i]
		b = append(b, ' ')
		if o.File == isa.FileImm {
			b = appendImm(b, o)
			continue
		}
		switch {
		case o.Neg && info.LogicMods && !o.Abs:
			b = append(b, '~')
		case o.Neg:
			b = append(b, '-')
		}
		if o.Abs {
			b = append(b, "(abs)"...)
		}
		b = appendReg(b, p, o, macro)
		switch {
		case macro:
		case info.Format == isa.FormatTernary:
			b = append(b, '<')
			if i < 2 {
				b = strconv.AppendUint(b, uint64(o.VStride), 10)
				b = append(b, ';')
			}
			b = strconv.AppendUint(b, uint64(o.HStride), 10)
			b = append(b, '>')
			b = appendSwizzle(b, o.Swizzle)
		default:
			b = append(b, '<')
			if o.VStride != isa.VStrideVxH {
				b = strconv.AppendUint(b, uint64(o.VStride), 10)
				b = append(b, ';')
			}
			b = strconv.AppendUint(b, uint64(o.Width), 10)
			b = append(b, ',')
			b = strconv.AppendUint(b, uint64(o.HStride), 10)
			b = append(b, '>')
			b = appendSwizzle(b, o.Swizzle)
		}
		b = appendType(b, o.Type)
	}
	return b
}

// appendSwizzle writes a swizzle other than the identity: ".yyxw".
func appendSwizzle(b []byte, s fields.Swizzle) []byte {
	if s == 0 {
		return b
	}
	return append(append(b, '.'), s.String()...)
}

// appendMask writes a partial mask: ".xz". A mask that writes nothing is ".".
func appendMask(b []byte, m fields.WriteMask) []byte {
	if m == 0 {
		return b
	}
	return append(append(b, '.'), m.String()...)
}

func appendType(b []byte, t isa.Type) []byte { return append(append(b, ':'), t.String()...) }

// subUnit returns the number of bytes between subregisters in iga64's texts: the size of an element or, for some
// architecture registers, the unit of the subregister field (measured with iga64; on Xe2, -p=12p72 counts words).
func subUnit(p isa.Platform, o *isa.Operand) int {
	if o.File == isa.FileARF && isa.ARFBytes>>(o.Reg>>4)&1 != 0 {
		return int(p.Words().SubUnit)
	}
	return max(1, o.Type.Size())
}

// appendReg writes a register with its subregister in units of its type.
func appendReg(b []byte, p isa.Platform, o *isa.Operand, macro bool) []byte {
	if o.Indirect {
		b = append(b, "r[a0."...)
		b = strconv.AppendUint(b, uint64(o.AddrSub), 10)
		if o.AddrOff != 0 {
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(o.AddrOff), 10)
		}
		return append(b, ']')
	}
	sub := int(o.Sub) / subUnit(p, o)
	b, numbered := appendRegName(b, p, o)
	if !numbered && sub == 0 && !macro {
		return b
	}
	if macro {
		if o.Sub == isa.NoMME {
			return append(b, ".nomme"...)
		}
		b = append(b, ".mme"...)
		return strconv.AppendUint(b, uint64(o.Sub), 10)
	}
	return strconv.AppendInt(append(b, '.'), int64(sub), 10)
}

// appendRegName writes a register without its subregister, and reports whether subregister 0 of the register is
// written explicitly.
func appendRegName(b []byte, p isa.Platform, o *isa.Operand) (text []byte, numbered bool) {
	if o.File == isa.FileGRF {
		return strconv.AppendUint(append(b, 'r'), uint64(o.Reg), 10), true
	}
	name := isa.ARFNames[o.Reg>>4]
	switch {
	case o.Reg == isa.ARFNull || o.Reg == isa.ARFIP || o.Reg == isa.ARFCE0:
		return append(b, name...), false
	case name == "":
		return strconv.AppendUint(append(b, "arf"...), uint64(o.Reg), 10), true
	case o.Reg&^15 == isa.ARFAcc0 && o.Reg >= isa.ARFAcc0+p.Words().MacroAcc && o.Reg < isa.ARFAcc0+p.Words().MacroAcc+isa.NumMME:
		return strconv.AppendUint(append(b, "mme"...), uint64(o.Reg-isa.ARFAcc0-p.Words().MacroAcc), 10), true
	case o.Reg == isa.ARFSP:
		return append(b, name...), true
	}
	return strconv.AppendUint(append(b, name...), uint64(o.Reg&15), 10), true
}

func appendImm(b []byte, o *isa.Operand) []byte {
	switch t := o.Type; {
	case t == isa.TypeHF:
		b = appendFloat(b, uint32(o.Imm&0xFFFF), 16, halfToFloat(uint16(o.Imm)))
	case t == isa.TypeF:
		b = appendFloat(b, uint32(o.Imm), 32, float64(math.Float32frombits(uint32(o.Imm))))
	case t == isa.TypeDF:
		b = appendDouble(b, o.Imm)
	case t == isa.TypeV || t == isa.TypeVF || !t.IsSigned():
		b = appendHex(b, o.Imm)
	case t.Size() == 2:
		b = strconv.AppendInt(b, int64(int16(o.Imm)), 10)
	case t.Size() == 4:
		b = strconv.AppendInt(b, int64(int32(o.Imm)), 10)
	default:
		b = strconv.AppendInt(b, int64(o.Imm), 10)
	}
	return appendType(b, o.Type)
}

func appendHex(b []byte, v uint64) []byte { return fmt.Appendf(b, "0x%X", v) }

// appendFloat writes a half or single float as iga64 does: in short form if that round-trips in single
// precision, otherwise as bits.
func appendFloat(b []byte, bits uint32, width int, v float64) []byte {
	fraction, sign := uint32(1)<<23-1, bits>>31
	quiet := uint32(1) << 22
	if width == 16 {
		fraction, sign, quiet = 1<<10-1, bits>>15, 1<<9
	}
	switch {
	case math.IsNaN(v):
		return appendNaN(b, sign != 0, bits&quiet != 0, uint64(bits&fraction&^quiet))
	case math.IsInf(v, 0):
		return appendInf(b, v)
	}
	for _, f := range []byte{'g', 'e'} {
		t := strconv.AppendFloat(nil, v, f, 6, 64)
		if back, err := strconv.ParseFloat(string(t), 32); err == nil && float32(back) == float32(v) {
			return appendPoint(b, t)
		}
	}
	return appendHex(b, uint64(bits))
}

func appendDouble(b []byte, bits uint64) []byte {
	v := math.Float64frombits(bits)
	const fraction, quiet = uint64(1)<<52 - 1, uint64(1) << 51
	switch {
	case math.IsNaN(v):
		return appendNaN(b, bits>>63 != 0, bits&quiet != 0, bits&fraction&^quiet)
	case math.IsInf(v, 0):
		return appendInf(b, v)
	}
	for _, f := range []byte{'g', 'e'} {
		t := strconv.AppendFloat(nil, v, f, 6, 64)
		if back, err := strconv.ParseFloat(string(t), 64); err == nil && back == v {
			return appendPoint(b, t)
		}
	}
	return appendHex(b, bits)
}

func appendNaN(b []byte, neg, quiet bool, payload uint64) []byte {
	if neg {
		b = append(b, '-')
	}
	if quiet {
		b = append(b, 'q')
	} else {
		b = append(b, 's')
	}
	b = appendHex(append(b, "nan("...), payload)
	return append(b, ')')
}

func appendInf(b []byte, v float64) []byte {
	if v < 0 {
		b = append(b, '-')
	}
	return append(b, "inf"...)
}

// appendPoint adds ".0" to a number that looks like an integer.
func appendPoint(b, t []byte) []byte {
	b = append(b, t...)
	for _, c := range t {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, ".0"...)
}

// halfToFloat returns the exact value of a half float.
func halfToFloat(h uint16) float64 {
	sign := 1.0
	if h>>15 != 0 {
		sign = -1
	}
	const infinite = 1<<5 - 1
	e, m := int(h>>10&infinite), float64(h&0x3FF)
	switch e {
	case 0:
		return math.Copysign(math.Ldexp(m, -24), sign)
	case infinite:
		if m != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return math.Copysign(math.Ldexp(1024+m, e-25), sign)
}

// appendTokenMask writes the mask of sync.allrd and sync.allwr as a list of tokens, and other masks in hexadecimal.
func appendTokenMask(b []byte, mask uint32, fn isa.SyncFn) []byte {
	if !fn.TakesMask() {
		return appendHex(b, uint64(mask))
	}
	b = append(b, '(')
	for rest := mask; rest != 0; rest &= rest - 1 {
		if rest != mask {
			b = append(b, ',')
		}
		b = append(b, '$')
		b = strconv.AppendInt(b, int64(bits.TrailingZeros32(rest)), 10)
	}
	return append(b, ')')
}

func appendSend(b []byte, p isa.Platform, in *isa.Inst) []byte {
	split := isa.Ops[in.Op].Format == isa.FormatSends
	for i, o := range []*isa.Operand{&in.Dst, &in.Src[0], &in.Src[1]} {
		if i == 2 && !split && p.Words().OnePayload {
			break
		}
		b = append(b, ' ')
		if o.File == isa.FileNone {
			b = append(b, "null"...)
		} else {
			b, _ = appendRegName(b, p, o)
		}
		b = appendMask(b, o.Mask)
		if o.Type != isa.TypeNone && (split || o.Type != isa.TypeUD || i == 0 && p.Words().ResponseUD) {
			b = appendType(b, o.Type)
		}
	}
	exDesc := in.ExDesc
	if p.Words().SecondLen && (!in.ExDescReg || in.ExBSO) {
		b = append(b, ':')
		b = strconv.AppendUint(b, uint64(exDesc>>secondLen&secondMax), 10)
		exDesc &^= secondMax << secondLen
	}
	b = append(b, ' ')
	switch {
	case in.ExDescReg:
		if exDesc != 0 {
			b = append(appendHex(b, uint64(exDesc)), ':')
		}
		b = append(b, "a0."...)
		b = strconv.AppendUint(b, uint64(in.ExDescSub), 10)
	case p.Words().WholeExDesc:
		b = appendHex(b, uint64(exDesc)|fields.Bit(in.EOT)<<exDescEOT|p.SFIDCode(in.SFID))
	default:
		b = appendHex(b, uint64(exDesc))
	}
	if in.DescReg {
		return append(b, " a0.0"...)
	}
	return fmt.Appendf(b, " 0x%08X", in.Desc)
}

// exDescEOT is the bit of an extended descriptor that ends the thread. secondLen is the first bit of the length of the
// second payload, and secondMax its largest value.
const (
	exDescEOT = 5
	secondLen = 6
	secondMax = 31
)

func appendBranch(b []byte, p isa.Platform, in *isa.Inst, info *isa.OpInfo, pc int) []byte {
	if info.HasDst {
		b = appendLink(append(b, ' '), p, &in.Dst)
	}
	if in.Src[0].File != isa.FileNone {
		return appendLink(append(b, ' '), p, &in.Src[0])
	}
	if in.Op == isa.OpCalla {
		pc = 0
	}
	b = AppendLabel(append(b, ' '), pc+int(in.JIP))
	if info.TargetsOn(p) == 2 {
		b = AppendLabel(append(b, ' '), pc+int(in.UIP))
	}
	return b
}

// appendLink writes the register of a call or jump. Its type is always a doubleword, and omitted.
func appendLink(b []byte, p isa.Platform, o *isa.Operand) []byte {
	r := *o
	r.Type = isa.TypeUD
	return appendReg(b, p, &r, false)
}

// AppendLabel appends the label of a byte address.
func AppendLabel(b []byte, at int) []byte {
	return strconv.AppendInt(append(b, 'L'), int64(at), 10)
}

func appendOptions(b []byte, p isa.Platform, in *isa.Inst) []byte {
	n := 0
	add := func(on bool, name string) {
		if !on {
			return
		}
		if n == 0 {
			b = append(b, " {"...)
		} else {
			b = append(b, ',')
		}
		n++
		b = append(b, name...)
	}
	add(in.AccWrEn, "AccWrEn")
	add(in.Align16, "Align16")
	add(in.Atomic, "Atomic")
	add(in.Breakpoint, "Breakpoint")
	add(in.Size == isa.InstSize/2, "Compacted")
	add(in.EOT, "EOT")
	add(in.ExBSO && !p.LengthInWord(in.SFID), "ExBSO")
	add(in.NoDDChk, "NoDDChk")
	add(in.NoDDClr, "NoDDClr")
	add(in.NoPreempt, "NoPreempt")
	add(in.Switch, "Switch")
	if in.SWSB != 0 {
		add(true, "")
		b = in.SWSB.Append(b)
	}
	if n > 0 {
		b = append(b, '}')
	}
	return b
}

// Disassemble writes a whole program, one instruction per line, with a label before every branch target.
func Disassemble(p isa.Platform, code []byte, w io.Writer) error {
	var b []byte
	err := Walk(p, code, func(pc int, in *isa.Inst, label bool) error {
		if label {
			b = append(AppendLabel(b, pc), ":\n"...)
		}
		if in != nil {
			b = append(Append(append(b, Indent...), p, in, pc), '\n')
		}
		if len(b) <= 1<<14 {
			return nil
		}
		_, err := w.Write(b)
		b = b[:0]
		return err
	})
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// Indent precedes every instruction.
const Indent = "        "

// Walk visits the instructions of a program. label reports whether a branch leads to the byte address pc. The
// end of the program is visited, with a nil in, only if it has a label. Zeros too few for an instruction may
// follow the last instruction, since compilers pad with them.
func Walk(p isa.Platform, code []byte, visit func(pc int, in *isa.Inst, label bool) error) error {
	targets, err := branchTargets(p, code)
	if err != nil {
		return err
	}
	for pc := 0; !isPadding(code[pc:]); {
		in, err := isa.Decode(p, code[pc:])
		if err != nil {
			return fmt.Errorf("offset %#x: %w", pc, err)
		}
		if err := visit(pc, &in, targets[pc/8]); err != nil {
			return err
		}
		pc += int(in.Size)
	}
	if targets[len(code)/8] {
		return visit(len(code), nil, true)
	}
	return nil
}

// isPadding reports whether code consists of zeros too few for an instruction.
func isPadding(code []byte) bool {
	if len(code) >= isa.InstSize {
		return false
	}
	for _, c := range code {
		if c != 0 {
			return false
		}
	}
	return true
}

// branchTargets marks the 8-byte slots that branches lead to, including the end of the program.
func branchTargets(p isa.Platform, code []byte) ([]bool, error) {
	marks := make([]bool, len(code)/8+1)
	mark := func(at int) {
		if at >= 0 && at <= len(code) && at%8 == 0 {
			marks[at/8] = true
		}
	}
	for pc := 0; !isPadding(code[pc:]); {
		in, err := isa.Decode(p, code[pc:])
		if err != nil {
			return nil, fmt.Errorf("offset %#x: %w", pc, err)
		}
		if info := &isa.Ops[in.Op]; info.Targets > 0 && in.Src[0].File == isa.FileNone {
			base := pc
			if in.Op == isa.OpCalla {
				base = 0
			}
			mark(base + int(in.JIP))
			if info.TargetsOn(p) == 2 {
				mark(base + int(in.UIP))
			}
		}
		pc += int(in.Size)
	}
	return marks, nil
}
