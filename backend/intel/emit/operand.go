// SPDX-License-Identifier: MIT

package emit

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// convert turns an instruction into the encoder's form.
func (e *Emitter) convert(in *mir.Inst, raw *isa.Inst) error {
	*raw = isa.Inst{
		Op: in.Op, ExecSize: in.Exec, ChanOff: in.Chan, Pred: in.Pred, PredInv: in.PredInv, Flag: uint8(in.Flag),
		CMod: in.CMod, Math: in.Math, Sync: in.Sync, SFID: in.SFID, NoMask: in.NoMask, Sat: in.Sat, EOT: in.EOT,
		AccWrEn: in.AccWrEn && e.accWr, Switch: in.Switch, SWSB: in.SWSB,
	}
	if in.Flag.Reg() != 0 {
		return fmt.Errorf("%v has no flag register", in.Flag)
	}
	switch in.Op {
	case mir.OpHaltTarget:
		raw.Op = isa.OpHalt
	case mir.OpIndirect:
		return e.indirect(in, raw)
	case mir.OpAddress:
		return e.address(in, raw)
	case mir.OpCompose:
		return fmt.Errorf("the payload was not composed")
	case mir.OpMessage:
		return fmt.Errorf("the message was not lowered")
	}
	info := &isa.Ops[raw.Op]
	switch info.Format {
	case isa.FormatSend:
		raw.Align16 = in.Align16
		return e.message(in, raw)
	case isa.FormatBranch:
		raw.Align16 = in.Align16
		return nil
	case isa.FormatSync:
		raw.Src[0] = null()
		return nil
	}
	if info.HasDst {
		if err := e.destination(in, raw); err != nil {
			return err
		}
	}
	ternary := info.Format == isa.FormatTernary
	raw.Align16 = in.Align16 && !ternary // words of three sources have no other access mode
	for k := range in.Src {
		o := &in.Src[k]
		if o.File == mir.None {
			continue
		}
		if err := e.source(in, o, &raw.Src[k], ternary); err != nil {
			return err
		}
		if ternary && k == 2 {
			raw.Src[k].VStride = 0 // the last source has only one stride
		}
	}
	if info.Format == isa.FormatMath && raw.Src[1].File == isa.FileNone {
		raw.Src[1] = null()
	}
	return nil
}

func null() isa.Operand { return isa.Operand{File: isa.FileARF, Reg: isa.ARFNull} }

// address adds the start of the run in the register file to the offsets.
func (e *Emitter) address(in *mir.Inst, raw *isa.Inst) error {
	run := in.Src[1]
	if run.File != mir.GRF {
		return fmt.Errorf("v%d has no register", run.Num)
	}
	place := mir.UW(uint16(e.grf.Place(&run)))
	if at := &in.Src[0]; at.File == mir.Imm {
		raw.Op = isa.OpMov
		place.Num += at.Num
		if err := e.source(in, &place, &raw.Src[0], false); err != nil {
			return err
		}
		return e.destination(in, raw)
	}
	raw.Op = isa.OpAdd
	for k, o := range [...]*mir.Operand{&in.Src[0], &place} {
		if err := e.source(in, o, &raw.Src[k], false); err != nil {
			return err
		}
	}
	return e.destination(in, raw)
}

// base sets file, register and type.
func (e *Emitter) base(o *mir.Operand, r *isa.Operand) error {
	r.Type, r.Neg, r.Abs = o.Type, o.Neg, o.Abs
	r.Swizzle, r.Mask = o.Swizzle, o.Mask
	switch o.File {
	case mir.GRF:
		n := o.Num + e.grf.Of(o.Off)
		if n >= mir.NumGRFs {
			return fmt.Errorf("register r%d does not exist", n)
		}
		r.File, r.Reg, r.Sub = isa.FileGRF, uint8(n), uint8(e.grf.In(o.Off))
	case mir.ARF:
		r.File, r.Reg, r.Sub = isa.FileARF, uint8(o.Num), uint8(o.Off)
	case mir.VReg:
		return fmt.Errorf("v%d has no register", o.Num)
	}
	return nil
}

func (e *Emitter) destination(in *mir.Inst, raw *isa.Inst) error {
	o := &in.Dst
	if o.File == mir.None {
		raw.Dst = null()
		raw.Dst.HStride, raw.Dst.Type = 1, isa.TypeUD
		return nil
	}
	raw.Dst.HStride = o.Stride
	if in.Exec == 1 && o.Stride > 4 || o.Stride == 0 {
		raw.Dst.HStride = 1
	}
	return e.base(o, &raw.Dst)
}

func (e *Emitter) source(in *mir.Inst, o *mir.Operand, r *isa.Operand, ternary bool) error {
	if o.File == mir.Imm {
		r.File, r.Type, r.Imm = isa.FileImm, o.Type, o.Bits()
		if o.Type.Size() == 2 {
			r.Imm &= 0xFFFF
		}
		return nil
	}
	if err := e.base(o, r); err != nil {
		return err
	}
	if o.IsNull() {
		if !ternary {
			r.VStride, r.Width, r.HStride = 0, 1, 0
		}
		return nil
	}
	if ternary {
		return e.ternaryRegion(in, o, r)
	}
	return e.region(in, o, r)
}

// maxVStride is the largest distance between rows of a region, in elements.
const maxVStride = 32

// region encodes rows unchanged. It encodes a stride as <V;W,H> with rows as wide as will fit into a register, so
// that no row crosses into the next one (TGL PRM vol. 2a, "Register region restrictions").
func (e *Emitter) region(in *mir.Inst, o *mir.Operand, r *isa.Operand) error {
	if in.Align16 {
		return vectorRegion(o, r)
	}
	if o.IsScalar() || in.Exec == 1 {
		r.VStride, r.Width, r.HStride = 0, 1, 0
		return nil
	}
	if o.Rows != 0 {
		r.VStride, r.Width, r.HStride = uint8(o.Rows.VStride()), uint8(o.Rows.Width()), o.Stride
		return nil
	}
	step := uint32(o.Stride) * uint32(o.Type.Size())
	width := uint32(in.Exec)
	grf, off := e.grf.Bytes(), e.grf.In(o.Off)
	for width > 1 && (width > 16 || width*uint32(o.Stride) > maxVStride || width*step > grf ||
		off+(width-1)*step+uint32(o.Type.Size()) > grf) {
		width /= 2
	}
	if o.Stride > 4 || width == 1 {
		// One element per row.
		if o.Stride > maxVStride {
			return fmt.Errorf("stride %d has no region", o.Stride)
		}
		r.VStride, r.Width, r.HStride = o.Stride, 1, 0
		return nil
	}
	r.VStride, r.Width, r.HStride = uint8(width)*o.Stride, uint8(width), o.Stride
	return nil
}

// vectorRegion encodes a region of Align16: each group of four lanes reads its own four elements, or all read the same.
func vectorRegion(o *mir.Operand, r *isa.Operand) error {
	r.VStride, r.Width, r.HStride = vectorLanes, vectorLanes, 1
	switch {
	case o.Stride == 1 && o.Rows == 0:
	case o.Stride == 1 && o.Rows.VStride() == 0 && o.Rows.Width() == vectorLanes:
		r.VStride = 0
	default:
		return fmt.Errorf("a source of Align16 is not a vector")
	}
	return nil
}

// vectorLanes is the number of lanes of a vector of Align16.
const vectorLanes = 4

// ternaryRegion encodes the region of a three-source operand, which has a vertical stride of 0, 1, 4 or 8 and a
// horizontal stride of 0, 1, 2 or 4.
func (e *Emitter) ternaryRegion(in *mir.Inst, o *mir.Operand, r *isa.Operand) error {
	if o.IsScalar() || in.Exec == 1 {
		r.VStride, r.HStride = 0, 0
		return nil
	}
	if o.Rows != 0 {
		return fmt.Errorf("a region of rows is not a three-source region")
	}
	r.HStride = o.Stride
	switch o.Stride {
	case 1, 2:
		r.VStride = 8
		if uint32(o.Stride)*uint32(o.Type.Size())*8 > e.grf.Bytes() && o.Stride == 1 {
			r.VStride = 4
		}
	case 4:
		r.VStride = 8
	default:
		return fmt.Errorf("stride %d has no three-source region", o.Stride)
	}
	return nil
}

// message encodes a send; its lengths go into the descriptors.
func (e *Emitter) message(in *mir.Inst, raw *isa.Inst) error {
	raw.Desc, raw.ExDesc = in.Desc, in.ExDesc
	raw.SetLengths(int(in.Len[0]), int(in.Len[1]), int(in.Len[2]))
	raw.Dst, raw.Src[1] = null(), null()
	raw.Dst.Mask = in.Dst.Mask
	if in.Len[2] > 0 {
		if err := e.payload(&in.Dst, &raw.Dst); err != nil {
			return err
		}
	}
	if err := e.payload(&in.Src[0], &raw.Src[0]); err != nil {
		return err
	}
	if in.Len[1] > 0 {
		if err := e.payload(&in.Src[1], &raw.Src[1]); err != nil {
			return err
		}
	}
	if d := &in.Src[2]; d.File == mir.ARF {
		if in.Msg.Bindless {
			raw.ExDescReg, raw.ExDescSub = true, uint8(d.Off/4)
			if raw.ExBSO = in.Msg.Separate || e.p.LengthInWord(raw.SFID); !raw.ExBSO {
				raw.ExDesc = 0
			}
		} else {
			raw.DescReg, raw.Desc = true, 0
		}
	} else if d.File != mir.None {
		return fmt.Errorf("the descriptor's register is not an address register")
	}
	return nil
}

// sendWord sets the opcode and the (ignored) operand types of the platform's word for a message with these
// payloads.
func sendWord(p isa.Platform, raw *isa.Inst) {
	two := raw.Src[1].File == isa.FileGRF || raw.ExDescReg // the word for one payload has no such register
	w, types := p.Words(), &p.Words().SendTypes
	switch {
	case w.OnePayload && two:
		types = &w.SendsTypes
		if raw.Op == isa.OpSendc {
			raw.Op = isa.OpSendsc
		} else {
			raw.Op = isa.OpSends
		}
		if raw.ExDescReg {
			raw.SFID = 0 // the extended descriptor's register names it
		}
	case w.OnePayload:
		raw.Src[1] = isa.Operand{}
	}
	if types[0] {
		raw.Dst.Type = isa.TypeUD
	}
	if types[1] {
		raw.Src[0].Type = isa.TypeUD
	}
}

func (e *Emitter) payload(o *mir.Operand, r *isa.Operand) error {
	if o.File != mir.GRF || e.grf.In(o.Off) != 0 {
		return fmt.Errorf("a payload does not start at a register")
	}
	if err := e.base(o, r); err != nil {
		return err
	}
	r.Type, r.Neg, r.Abs = isa.TypeNone, false, false
	return nil
}

// indirect encodes a read through a0: one address for all lanes, or a word for each lane.
func (e *Emitter) indirect(in *mir.Inst, raw *isa.Inst) error {
	if o := &in.Src[1]; o.File != mir.ARF || o.Num != isa.ARFA0 {
		return fmt.Errorf("the addresses are not in a0")
	}
	raw.Op = isa.OpMov
	raw.Src[0] = isa.Operand{File: isa.FileGRF, Type: in.Src[0].Type, Indirect: true, Width: 1}
	if in.Exec > 1 {
		raw.Src[0].VStride = isa.VStrideVxH
	}
	return e.destination(in, raw)
}
