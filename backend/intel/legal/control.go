// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"

	"jacquard.example/generated/isa"
)

func (in *inst) send() bool {
	return in.info.Format == isa.FormatSend || in.info.Format == isa.FormatSends
}

// lengths returns the numbers of GRFs of the payloads and the response if the descriptors are immediates; an
// unknown length is -1.
func (in *inst) lengths() (mlen, xlen, rlen int) {
	mlen, xlen, rlen = -1, -1, -1
	if !in.DescReg {
		mlen, rlen = int(in.Desc>>25&0xF), int(in.Desc>>20&0x1F)
	}
	if !in.ExDescReg || in.ExBSO {
		xlen = int(in.ExDesc >> 6 & 0x1F)
	}
	return mlen, xlen, rlen
}

func sendLanes(in *inst) string {
	if in.ExecSize > 16 && in.send() {
		return fmt.Sprintf("%d lanes", in.ExecSize)
	}
	return sendLanesXe2(in)
}

func sendLanesXe2(in *inst) string {
	if in.send() && in.ExecSize != 1 && in.ExecSize < 8 {
		return fmt.Sprintf("%d lanes", in.ExecSize)
	}
	return ""
}

func sendFloatAtomic(in *inst) string {
	if !in.send() || in.DescReg {
		return ""
	}
	m, _ := isa.DecodeMessage(in.p, in.SFID, in.Desc, in.ExDesc)
	switch m.Kind {
	case isa.MsgUntypedAtomicFloat, isa.MsgA64AtomicFloat, isa.MsgA64AtomicHalf:
		if !m.FloatOp.On(in.p) {
			return fmt.Sprintf("%s does not exist on %s", m.FloatOp, in.p)
		}
	}
	return ""
}

func sendPayloadFile(in *inst) string {
	if !in.send() {
		return ""
	}
	if in.Src[0].File != isa.FileGRF {
		return "the first payload is not a general register"
	}
	if in.Src[1].File == isa.FileNone { // a word with one payload
		return ""
	}
	_, xlen, _ := in.lengths()
	switch null := in.Src[1].File != isa.FileGRF; {
	case null && !in.Src[1].IsNull():
		return "the second payload is not a general register"
	case null && xlen > 0:
		return fmt.Sprintf("the second payload has %d registers but is null", xlen)
	case !null && xlen == 0:
		return "the second payload has no registers but is not null"
	}
	return ""
}

func sendMlen(in *inst) string {
	if mlen, _, _ := in.lengths(); in.send() && mlen == 0 {
		return "the first payload has no registers"
	}
	return ""
}

func sendRange(in *inst) string {
	if !in.send() {
		return ""
	}
	mlen, xlen, rlen := in.lengths()
	for _, x := range []struct {
		what string
		o    *isa.Operand
		n    int
	}{{"the first payload", &in.Src[0], mlen}, {"the second payload", &in.Src[1], xlen}, {"the response", &in.Dst, rlen}} {
		if x.o.File == isa.FileGRF && int(x.o.Reg)+max(x.n, 1) > in.lastGRF()+1 {
			return fmt.Sprintf("%s begins at r%d and has %d registers", x.what, x.o.Reg, x.n)
		}
	}
	return ""
}

// overlap reports whether n registers starting at one operand and m registers starting at another overlap.
func overlap(a *isa.Operand, n int, b *isa.Operand, m int) bool {
	return a.File == isa.FileGRF && b.File == isa.FileGRF && n > 0 && m > 0 && int(a.Reg) < int(b.Reg)+m && int(b.Reg) < int(a.Reg)+n
}

func sendOverlap(in *inst) string {
	if mlen, xlen, _ := in.lengths(); in.send() && overlap(&in.Src[0], mlen, &in.Src[1], xlen) {
		return fmt.Sprintf("%d registers at r%d and %d at r%d", mlen, in.Src[0].Reg, xlen, in.Src[1].Reg)
	}
	return ""
}

func sendNullDst(in *inst) string {
	if _, _, rlen := in.lengths(); in.send() && rlen > 0 && in.Dst.File != isa.FileGRF {
		return fmt.Sprintf("a response of %d registers does not go to a general register", rlen)
	}
	return ""
}

// sendLastRegister checks that a response in the last register does not overlap a payload.
func sendLastRegister(in *inst) string {
	mlen, xlen, rlen := in.lengths()
	if in.send() && int(in.Dst.Reg)+rlen > in.lastGRF() &&
		(overlap(&in.Dst, rlen, &in.Src[0], mlen) || overlap(&in.Dst, rlen, &in.Src[1], xlen)) {
		return fmt.Sprintf("the response at r%d overlaps a payload", in.Dst.Reg)
	}
	return ""
}

func eotRegisters(in *inst) string {
	if !in.send() || !in.EOT {
		return ""
	}
	for i := range in.Src[:2] {
		if o := &in.Src[i]; o.File == isa.FileGRF && int(o.Reg) < in.p.Registers().LastFrom {
			return fmt.Sprintf("payload %d begins at r%d", i, o.Reg)
		}
	}
	return ""
}

func eotDst(in *inst) string {
	if _, _, rlen := in.lengths(); in.send() && in.EOT && (!in.Dst.IsNull() || rlen > 0) {
		return "the thread ends before the response arrives"
	}
	return ""
}

func branchTarget(in *inst) string {
	if in.info.Targets == 0 || in.Src[0].File != isa.FileNone {
		return ""
	}
	base := in.pc
	if in.Op == isa.OpCalla {
		base = 0
	}
	for i, off := range []int32{in.JIP, in.UIP}[:in.info.Targets] {
		at := base + int(off)
		switch name := []string{"JIP", "UIP"}[i]; {
		case at < 0 || at >= in.end:
			return fmt.Sprintf("%s goes to %#x, outside the program of %#x bytes", name, at, in.end)
		case at%8 != 0 || !in.starts.Has(at/8):
			return fmt.Sprintf("%s goes to %#x, where no instruction begins", name, at)
		}
	}
	return ""
}

// decodable rejects the illegal opcode. Undecodable words never reach the checks.
func decodable(in *inst) string {
	if in.Op == isa.OpIllegal {
		return "the illegal opcode"
	}
	return ""
}

func noDDPredicate(in *inst) string {
	if (in.NoDDClr || in.NoDDChk) && in.Pred != isa.PredNone && in.Op != isa.OpSel {
		return "NoDDClr or NoDDChk on a predicated instruction"
	}
	return ""
}
