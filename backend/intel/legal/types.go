// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"

	"jacquard.example/generated/isa"
)

func isWide(t isa.Type) bool  { return t == isa.TypeDF || t == isa.TypeQ || t == isa.TypeUQ }
func isByte(t isa.Type) bool  { return t == isa.TypeB || t == isa.TypeUB }
func isDword(t isa.Type) bool { return t == isa.TypeD || t == isa.TypeUD }
func isInt(t isa.Type) bool   { return t != isa.TypeNone && !t.IsFloat() }

func no64Bit(in *inst) string {
	if !in.alu() {
		return ""
	}
	if isWide(in.Dst.Type) {
		return "the destination has type " + in.Dst.Type.String()
	}
	for i, o := range in.sources() {
		if isWide(o.Type) {
			return fmt.Sprintf("source %d has type %s", i, o.Type)
		}
	}
	return ""
}

// narrowPlatforms are the platforms that compute with at most 32 bits: bit n for Platform n.
var narrowPlatforms = func() uint32 {
	for i := range isa.Restrictions {
		if r := &isa.Restrictions[i]; r.Check == "no64Bit" {
			return r.On
		}
	}
	return 0
}()

func types(in *inst) string {
	if !in.alu() || len(in.info.Types) == 0 {
		return ""
	}
	srcs := in.sources()
	narrow := narrowPlatforms>>in.p&1 != 0
rules:
	for _, r := range in.info.Types {
		if r.On>>in.p&1 == 0 {
			continue
		}
		if !in.Dst.IsNull() && r.Dst>>in.Dst.Type&1 == 0 {
			continue
		}
		for i := range srcs {
			if srcs[i].IsNull() || narrow && isWide(srcs[i].Type) {
				continue
			}
			if r.Src[i] != 0 && r.Src[i]>>srcs[i].Type&1 == 0 {
				continue rules
			}
		}
		return ""
	}
	if narrow && isWide(in.Dst.Type) {
		return "" // covered by the rule on 64 bits
	}
	list := ""
	for i := range srcs {
		list += " " + srcs[i].Type.String()
	}
	return fmt.Sprintf("%s does not take %s <-%s", in.info.Name, in.Dst.Type, list)
}

// execType returns the type in which an instruction computes: the widest of its sources, with bytes widened to
// words, or float if half and single floats are mixed.
func (in *inst) execType() isa.Type {
	best := isa.TypeNone
	half := false
	for _, o := range in.sources() {
		t := o.Type.Elem()
		switch t {
		case isa.TypeB:
			t = isa.TypeW
		case isa.TypeUB:
			t = isa.TypeUW
		}
		half = half || t == isa.TypeHF
		if best == isa.TypeNone || t.Size() > best.Size() || t.Size() == best.Size() && t.IsFloat() {
			best = t
		}
	}
	if best == isa.TypeHF && in.Dst.Type == isa.TypeF {
		return isa.TypeF
	}
	if half && best.Size() < 4 {
		return isa.TypeHF
	}
	return best
}

// isRawMov reports whether an instruction is a mov that copies bits.
func (in *inst) isRawMov() bool {
	s := &in.Src[0]
	return in.Op == isa.OpMov && !in.Sat && in.CMod == isa.CModNone && !s.Neg && !s.Abs &&
		s.Type.Elem().Size() == in.Dst.Type.Size() && s.Type.IsFloat() == in.Dst.Type.IsFloat()
}

// mixedFloat reports whether the operands include both F and HF. Immediates of three-source instructions do not count.
func (in *inst) mixedFloat() bool {
	if !in.alu() {
		return false
	}
	f, h := in.Dst.Type == isa.TypeF, in.Dst.Type == isa.TypeHF
	for _, o := range in.sources() {
		if o.File == isa.FileImm && in.info.Format == isa.FormatTernary {
			continue
		}
		f = f || o.Type.Elem() == isa.TypeF
		h = h || o.Type == isa.TypeHF
	}
	return f && h
}

// narrowDst reports whether the destination is in registers and narrower than the execution type, so that the
// rules of stride and alignment apply.
func (in *inst) narrowDst() (exec isa.Type, ok bool) {
	d := &in.Dst
	if !in.alu() || in.info.Format == isa.FormatTernary || d.Indirect || d.File != isa.FileGRF || in.ExecSize == 1 ||
		in.macro() || in.mixedFloat() {
		return 0, false
	}
	exec = in.execType()
	return exec, d.Type.Size() < exec.Size()
}

func dstStrideExecType(in *inst) string {
	exec, narrow := in.narrowDst()
	if !narrow || isByte(in.Dst.Type) && in.Dst.HStride == 1 { // packed bytes have their own rule
		return ""
	}
	stride := int(in.Dst.HStride) * in.Dst.Type.Size()
	if isByte(in.Dst.Type) && stride > exec.Size() { // Intel's compiler spreads bytes over doublewords
		return ""
	}
	if stride != exec.Size() {
		return fmt.Sprintf("destination <%d>:%s under execution type %s", in.Dst.HStride, in.Dst.Type, exec)
	}
	return ""
}

func dstSubExecType(in *inst) string {
	exec, narrow := in.narrowDst()
	if !narrow || isByte(in.Dst.Type) {
		return ""
	}
	if int(in.Dst.Sub)%exec.Size() != 0 {
		return fmt.Sprintf("destination at byte %d under execution type %s", in.Dst.Sub, exec)
	}
	return ""
}

func packedByteDst(in *inst) string {
	d := &in.Dst
	if in.alu() && isByte(d.Type) && d.HStride == 1 && !d.IsNull() && in.ExecSize > 1 && !in.isRawMov() {
		return "packed bytes of " + in.info.Name
	}
	return ""
}

func byteSource(in *inst) string {
	if !in.alu() {
		return ""
	}
	for i := 1; i < len(in.sources()); i++ {
		if isByte(in.Src[i].Type) && !in.Src[i].IsNull() {
			return fmt.Sprintf("source %d is a byte", i)
		}
	}
	return ""
}

// planeScalar checks that source 0 of pln and line is the first of the four numbers of a plane.
func planeScalar(in *inst) string {
	if o := &in.Src[0]; o.VStride != 0 || o.Width != 1 || o.HStride != 0 || o.Indirect || o.Sub%octWord != 0 {
		return fmt.Sprintf("source 0 has region <%d;%d,%d> at byte %d", o.VStride, o.Width, o.HStride, o.Sub)
	}
	return ""
}

// planeCoordinates checks that source 1 of pln is the first of the registers with the coordinates of 8 or 16 lanes.
func planeCoordinates(in *inst) string {
	o, n := &in.Src[1], int(in.ExecSize)
	switch {
	case n != 8 && n != 16:
		return fmt.Sprintf("%d lanes", n)
	case o.VStride != 8 || o.Width != 8 || o.HStride != 1 || o.Indirect || o.Sub != 0 || o.File != isa.FileGRF:
		return fmt.Sprintf("source 1 has region <%d;%d,%d> at byte %d", o.VStride, o.Width, o.HStride, o.Sub)
	case int(o.Reg)+2*n*o.Type.Size()/in.grf() > in.p.Registers().Registers:
		return fmt.Sprintf("source 1 begins at r%d", o.Reg)
	case in.Dst.HStride != 1 && !in.Dst.IsNull():
		return "the destination has a stride"
	}
	return ""
}

func halfIntConversion(in *inst) string {
	d := &in.Dst
	if !in.alu() || d.File != isa.FileGRF || d.Indirect || in.ExecSize == 1 {
		return ""
	}
	convert := false
	for _, o := range in.sources() {
		convert = convert || d.Type == isa.TypeHF && isInt(o.Type.Elem()) || o.Type == isa.TypeHF && isInt(d.Type) && in.Op == isa.OpMov
	}
	if convert && (int(d.HStride)*d.Type.Size() != 4 || d.Sub%4 != 0) {
		return fmt.Sprintf("destination <%d>:%s at byte %d", d.HStride, d.Type, d.Sub)
	}
	return ""
}

func halfFloatDst(in *inst) string {
	d := &in.Dst
	if d.Type != isa.TypeHF || !in.mixedFloat() || d.File != isa.FileGRF || d.Indirect || in.ExecSize == 1 || d.HStride == 2 {
		return ""
	}
	if d.HStride != 1 || d.Sub%16 != 0 || in.ExecSize > 8 {
		return fmt.Sprintf("destination <%d>:hf at byte %d with %d lanes", d.HStride, d.Sub, in.ExecSize)
	}
	return ""
}

func mixedFloatLanes(in *inst) string {
	if in.mixedFloat() && in.Dst.Type == isa.TypeF && in.ExecSize > 8 && in.Op != isa.OpMov {
		return fmt.Sprintf("%d lanes of mixed floats", in.ExecSize)
	}
	return ""
}

func mixedFloatIndirect(in *inst) string {
	if !in.mixedFloat() {
		return ""
	}
	for i, o := range in.sources() {
		if o.Indirect {
			return fmt.Sprintf("source %d is indirect", i)
		}
	}
	return ""
}

func mulDwordDword(in *inst) string {
	if in.Op == isa.OpMul && isDword(in.Src[0].Type) && isDword(in.Src[1].Type) {
		return "both sources are doublewords"
	}
	return ""
}

func mulDwordFirst(in *inst) string {
	if in.Op == isa.OpMul && isDword(in.Src[1].Type) && isInt(in.Src[0].Type) && !isDword(in.Src[0].Type) {
		return "the doubleword is source 1"
	}
	return ""
}

func (in *inst) mulDwordWord() bool {
	return in.Op == isa.OpMul && isDword(in.Src[0].Type) && isInt(in.Src[1].Type) && !isDword(in.Src[1].Type)
}

func mulDwordSatCmod(in *inst) string {
	if in.mulDwordWord() && (in.Sat || in.CMod != isa.CModNone) {
		return "saturation or a condition on a product of a doubleword"
	}
	return ""
}

func mulWordMods(in *inst) string {
	if in.mulDwordWord() && (in.Src[1].Neg || in.Src[1].Abs) {
		return "source 1 has a modifier"
	}
	return ""
}

func isAcc(o *isa.Operand) bool {
	return o.File == isa.FileARF && o.Reg>>4 == isa.ARFAcc0>>4
}

func mulAcc(in *inst) string {
	if in.Op != isa.OpMul || !isInt(in.Src[0].Type) {
		return ""
	}
	if isAcc(&in.Src[0]) || isAcc(&in.Src[1]) {
		return "a source is an accumulator"
	}
	return ""
}

func madDwordDword(in *inst) string {
	if in.Op == isa.OpMad && isDword(in.Src[1].Type) && isDword(in.Src[2].Type) {
		return "sources 1 and 2 are doublewords"
	}
	return ""
}

func dp4aAcc(in *inst) string {
	if in.Op == isa.OpDp4a && isAcc(&in.Src[0]) && isAcc(&in.Src[1]) {
		return "sources 0 and 1 are accumulators"
	}
	return ""
}

func logicCmod(in *inst) string {
	if in.info.LogicMods && (in.CMod == isa.CModOV || in.CMod == isa.CModUN) {
		return "condition " + in.CMod.String()
	}
	return ""
}

func (in *inst) intDivide() bool { return in.info.Format == isa.FormatMath && in.Math.IsInt() }

func intDivideMods(in *inst) string {
	if !in.intDivide() {
		return ""
	}
	for i := range in.sources() {
		if in.Src[i].Neg || in.Src[i].Abs {
			return fmt.Sprintf("source %d has a modifier", i)
		}
	}
	return ""
}

func intDivideLanes(in *inst) string {
	if in.intDivide() && in.ExecSize > 8 {
		return fmt.Sprintf("%d lanes", in.ExecSize)
	}
	return ""
}

func mathTypes(in *inst) string {
	if in.info.Format != isa.FormatMath {
		return ""
	}
	want := !in.Math.IsInt()
	for i, o := range in.sources() {
		if o.Type.IsFloat() != want {
			return fmt.Sprintf("source %d of %s has type %s", i, in.Math, o.Type)
		}
	}
	if in.Dst.Type.IsFloat() != want {
		return fmt.Sprintf("the destination of %s has type %s", in.Math, in.Dst.Type)
	}
	return ""
}

// src1General rejects architecture registers as source 1, except in movi, whose source 1 is null.
func src1General(in *inst) string {
	if in.info.Format != isa.FormatBasic || in.info.NumSrc < 2 || in.Src[1].File != isa.FileARF || in.Op == isa.OpMovi {
		return ""
	}
	return "source 1 is an architecture register"
}

// controlSwitch checks accesses to the control register, which hardware does not track.
func controlSwitch(in *inst) string {
	if !in.alu() || in.Switch {
		return ""
	}
	control := func(o *isa.Operand) bool { return o.File == isa.FileARF && o.Reg&0xF0 == isa.ARFCR0 }
	for _, o := range in.sources() {
		if control(&o) {
			return "the control register is read without Switch"
		}
	}
	if control(&in.Dst) {
		return "the control register is written without Switch"
	}
	return ""
}

func mathGeneral(in *inst) string {
	if in.info.Format != isa.FormatMath {
		return ""
	}
	if in.Dst.File == isa.FileARF {
		return "the destination is an architecture register"
	}
	for i, o := range in.sources() {
		if o.File == isa.FileARF {
			return fmt.Sprintf("source %d is an architecture register", i)
		}
	}
	return ""
}

func vectorImmDst(in *inst) string {
	d := &in.Dst
	if d.File != isa.FileGRF || d.Indirect {
		return ""
	}
	for _, o := range in.sources() {
		stride := 2
		switch {
		case o.File != isa.FileImm || o.Type.Elem() == o.Type:
			continue
		case o.Type == isa.TypeVF:
			stride = 4
		}
		if int(d.HStride)*d.Type.Size() != stride || d.Sub%16 != 0 {
			return fmt.Sprintf("destination <%d>:%s at byte %d of a %s immediate", d.HStride, d.Type, d.Sub, o.Type)
		}
	}
	return ""
}
