// SPDX-License-Identifier: MIT

package validate

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// checkParameters checks the address or data of a logical message: n whole registers, or one parameter that is
// not composed yet, which is any operand that a mov can read.
func checkParameters(f *mir.Func, in *mir.Inst, o *mir.Operand, n uint8, name string) string {
	if o.IsReg() && (o.File == mir.GRF || o.Num != 0 && uint64(o.Num) < uint64(len(f.Regs))) && f.IsParameters(o) ||
		f.Parameter(in) != f.GRF.Start(uint32(n)) {
		return checkPayload(f, o, n, name)
	}
	switch {
	case o.File == mir.ARF || o.File == mir.VReg && uint64(o.Num) < uint64(len(f.Regs)) && f.Regs[o.Num].Class != mir.General:
		return name + " is not a general register"
	case o.File != mir.Imm && !mir.IsStride(uint(o.Stride)) || o.Rows != 0:
		return name + " has a stride that the machine does not support"
	}
	if msg := checkOperand(f, o, o.Extent(int(in.Exec)), name); msg != "" || f.Width <= maxExec {
		return msg
	}
	return checkHalf(f, in, o, name)
}

// composition checks that the parts of a composed payload immediately precede their message, in order.
type composition struct {
	f    *mir.Func
	open mir.ID // the previous part
	end  uint32
}

// step processes the next instruction and returns an error message, or "".
func (c *composition) step(i mir.ID) string {
	in := &c.f.Insts[i]
	if c.open != 0 {
		w := &c.f.Insts[c.open]
		data := &in.Src[message.Data.Place()]
		switch {
		case in.Exec != w.Exec || in.Chan != w.Chan || in.NoMask != w.NoMask:
			return "does not have the lanes of the payload composed before it"
		case in.Op == mir.OpCompose:
			if !in.Dst.SameReg(&w.Dst) || in.Dst.Off != c.end {
				return "does not continue the payload composed before it"
			}
		case in.Op != mir.OpMessage || !in.Msg.Name.Info().Has(message.Data) || !data.SameReg(&w.Dst) || data.Off != 0 ||
			c.f.GRF.Start(uint32(in.Len[1])) != c.end:
			return "is not the message whose data is composed before it"
		}
		c.open = 0
	} else if in.Op == mir.OpCompose && in.Dst.Off != 0 {
		return "starts a payload in its middle"
	}
	if in.Op != mir.OpCompose {
		return ""
	}
	switch {
	case in.Dst.File != mir.VReg || !in.Dst.HasStride(1) || in.Dst.Type != isa.TypeUD || c.f.Regs[in.Dst.Num].Align != c.f.GRF.Align():
		return "does not compose doublewords in a separate register"
	case in.Pred != 0 || in.CMod != 0 || in.Sat:
		return "has a predicate, condition or saturation"
	}
	c.open, c.end = i, in.Dst.Off+c.f.DstBytes(in)
	return ""
}
