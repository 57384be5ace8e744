package mir

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Parameter returns the size in bytes of a message parameter: a doubleword for each lane, in whole registers.
func (in *Inst) Parameter() uint32 { return RoundGRF(4 * uint32(in.Exec)) }

// composed returns the number of sources.
func (in *Inst) composed() (n int) {
	for n < len(in.Src) && in.Src[n].File != None {
		n++
	}
	return n
}

// IsParameters reports whether an operand can serve as message parameters in place: unmodified dwords in whole
// registers.
func (f *Func) IsParameters(o *Operand) bool {
	return o.IsReg() && !o.HasMods() && o.HasStride(1) && o.Type.Size() == 4 && o.Off%GRFBytes == 0 &&
		(o.File == GRF || f.Regs[o.Num].Align == GRFBytes)
}

// Uncomposed returns a source of a logical message that still has to be moved to whole registers.
func (f *Func) Uncomposed(in *Inst) (message.Source, bool) {
	for _, s := range [...]message.Source{message.Address, message.Data} {
		if o := in.Source(s); o.File != None && !f.IsParameters(&o) {
			return s, true
		}
	}
	return 0, false
}

// checkParameters checks the address or data of a logical message: n whole registers, or one parameter that is
// not composed yet, which is any operand that a mov can read.
func (f *Func) checkParameters(in *Inst, o *Operand, n uint8, name string) string {
	if o.IsReg() && (o.File == GRF || o.Num != 0 && uint64(o.Num) < uint64(len(f.Regs))) && f.IsParameters(o) || in.Parameter() != GRFBytes*uint32(n) {
		return f.checkPayload(o, n, name)
	}
	switch {
	case o.File == ARF || o.File == VReg && uint64(o.Num) < uint64(len(f.Regs)) && f.Regs[o.Num].Class != General:
		return name + " is not a general register"
	case o.File != Imm && !IsStride(uint(o.Stride)) || o.Rows != 0:
		return name + " has a stride that the machine does not support"
	}
	if msg := f.checkOperand(o, o.Extent(int(in.Exec)), name); msg != "" || f.Width <= maxExec {
		return msg
	}
	return f.checkHalf(in, o, name)
}

// composition checks that the parts of a composed payload immediately precede their message, in order.
type composition struct {
	f    *Func
	open ID // the previous part
	end  uint32
}

const noMessage = "no message follows whose data it composes"

// step processes the next instruction and returns an error message, or "".
func (c *composition) step(i ID) string {
	in := &c.f.Insts[i]
	if c.open != 0 {
		w := &c.f.Insts[c.open]
		data := &in.Src[message.Data.Place()]
		switch {
		case in.Exec != w.Exec || in.Chan != w.Chan || in.NoMask != w.NoMask:
			return "does not have the lanes of the payload composed before it"
		case in.Op == OpCompose:
			if !in.Dst.SameReg(&w.Dst) || in.Dst.Off != c.end {
				return "does not continue the payload composed before it"
			}
		case in.Op != OpMessage || !in.Msg.Name.Info().Has(message.Data) || !data.SameReg(&w.Dst) || data.Off != 0 || GRFBytes*uint32(in.Len[1]) != c.end:
			return "is not the message whose data is composed before it"
		}
		c.open = 0
	} else if in.Op == OpCompose && in.Dst.Off != 0 {
		return "starts a payload in its middle"
	}
	if in.Op != OpCompose {
		return ""
	}
	switch {
	case in.Dst.File != VReg || !in.Dst.HasStride(1) || in.Dst.Type != isa.TypeUD || c.f.Regs[in.Dst.Num].Align != GRFBytes:
		return "does not compose doublewords in a register of its own"
	case in.Pred != 0 || in.CMod != 0 || in.Sat:
		return "has a predicate, condition or saturation"
	}
	c.open, c.end = i, in.Dst.Off+in.DstBytes()
	return ""
}
