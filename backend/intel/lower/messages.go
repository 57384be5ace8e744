package lower

import (
	"fmt"
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// threadHeader is the GRF in which a thread is given its header (TGL PRM vol. 7,
// "Thread Payload").
const threadHeader = 0

// Messages makes sends of all logical messages, as a family of messages does them.
// The payloads are composed already, each of one run of whole registers; what is
// added is the thread's header, where the family wants it, and the descriptor.
func Messages(f *mir.Func, family *message.Family) {
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			if f.At(i).Op == mir.OpMessage {
				Message(f, i, family)
			}
		}
	}
}

// Message makes a send of one logical message.
func Message(f *mir.Func, i mir.ID, family *message.Family) {
	desc, dyn, err := descriptor(f.At(i), family)
	in := *f.At(i)
	row := &family.Sends[in.Msg.Name]
	if err != nil {
		panic("lower: " + err.Error())
	}
	in.Op, in.SFID, in.Desc = isa.OpSend, row.SFID, desc
	in.Src[2] = mir.Operand{}
	if row.ThreadHeader {
		in.Src[0], in.Len[0] = header(f, i, beyond(f.At(i), row)), 1
	}
	if in.Len[1] == 0 {
		in.Src[1] = mir.Null(isa.TypeUD)
	}
	if dyn.index.File != mir.None {
		in.Src[2] = dyn.put(f, i, &in)
	}
	f.Replace(i, in)
	if row.Copy || overlap(&in) {
		copyFirst(f, i)
	}
}

// beyond is what the descriptor of a message cannot say of its offset, and its header
// can: that moves by whole reaches of the descriptor.
func beyond(in *mir.Inst, row *message.Send) move {
	if row.Base == 0 {
		return move{}
	}
	offset := in.Source(message.Offset).Num
	return move{row.Base, offset - offset%row.Reach(mir.GRFBytes)}
}

// move is what is added to a doubleword of the thread's header.
type move struct {
	dword uint8
	by    uint32
}

// header is the thread's header for a message, or a copy of it in which a doubleword
// is moved.
func header(f *mir.Func, i mir.ID, m move) mir.Operand {
	given := mir.Fixed(threadHeader, isa.TypeUD)
	if m.by == 0 {
		return given
	}
	loc := f.At(i).Loc
	own := mir.V(f.AddReg(mir.RegInfo{Bytes: mir.GRFBytes, Lane: mir.GRFBytes, Uniform: true, Align: mir.GRFBytes, NoSpill: true}), isa.TypeUD)
	f.Before(i, mir.Inst{Op: isa.OpMov, Exec: 8, NoMask: true, Loc: loc, Dst: own, Src: [3]mir.Operand{given}})
	at := 4 * uint32(m.dword)
	f.Before(i, mir.Inst{Op: isa.OpAdd, Exec: 1, NoMask: true, Loc: loc,
		Dst: own.At(at), Src: [3]mir.Operand{mir.FixedScalar(threadHeader, at, isa.TypeUD), mir.UD(m.by)}})
	return own
}

// descriptor is what a message says in its descriptor, but for the lengths, which
// follow from the instruction's, and for a surface that only a register holds.
func descriptor(in *mir.Inst, family *message.Family) (desc uint32, dyn dynamic, err error) {
	row := &family.Sends[in.Msg.Name]
	if !row.Does {
		return 0, dyn, fmt.Errorf("%s has no message for %v", family.Name, in.Msg.Name)
	}
	desc = row.Desc
	for k := range row.Fields {
		d := &row.Fields[k]
		v := uint32(0)
		switch d.From {
		case message.ValueSurface:
			s := in.Source(message.Surface)
			switch s.File {
			case mir.None:
				v = family.Surfaces[in.Msg.Space]
			case mir.Imm:
				v = s.Num & d.Mask // more would change the message
			default:
				dyn = dynamic{s, d.Mask}
			}
		case message.ValueOffsetGrfs:
			v = (in.Source(message.Offset).Num - beyond(in, row).by) / mir.GRFBytes
		default:
			v = known[d.From](in)
		}
		if d.Codes != nil {
			if int(v) >= len(d.Codes) || d.Codes[v] == message.NoCode {
				return 0, dyn, fmt.Errorf("%v of %s: %v is %d, which it cannot be", in.Msg.Name, family.Name, d.From, v)
			}
			v = uint32(d.Codes[v])
		}
		if v&^d.Mask != 0 {
			return 0, dyn, fmt.Errorf("%v of %s: %v is %d, more than fits", in.Msg.Name, family.Name, d.From, v)
		}
		desc |= v << d.At
	}
	return desc, dyn, nil
}

// CheckMessage says why a family has no send for a logical message.
func CheckMessage(in *mir.Inst, family *message.Family) error {
	_, _, err := descriptor(in, family)
	return err
}

// known is what an instruction itself says of a message. Where it has 32 lanes,
// that holds for each of the halves that it is split into.
var known = [message.NumValues]func(*mir.Inst) uint32{
	message.ValueLanes:     func(in *mir.Inst) uint32 { return min(max(uint32(in.Exec), 8), 16) / 8 },
	message.ValueComps:     func(in *mir.Inst) uint32 { return uint32(in.Msg.Comps) },
	message.ValueOp:        func(in *mir.Inst) uint32 { return uint32(in.Msg.Op) },
	message.ValueReturns:   func(in *mir.Inst) uint32 { return uint32(min(in.Len[2], 1)) },
	message.ValueLog2Bytes: func(in *mir.Inst) uint32 { return uint32(bits.TrailingZeros8(in.Msg.Bytes)) },
	message.ValueLog2Grfs:  func(in *mir.Inst) uint32 { return uint32(bits.TrailingZeros8(max(in.Len[1], in.Len[2]))) },
}

// dynamic is a surface that a register holds, and the field for it, which are the
// lowest bits of a descriptor.
type dynamic struct {
	index mir.Operand
	mask  uint32
}

// put makes the descriptor of a send before it, in an address register.
func (d *dynamic) put(f *mir.Func, i mir.ID, in *mir.Inst) mir.Operand {
	first, result := in.Len[0], in.Len[2]
	if in.Exec == 32 { // those of a half
		first, result = first/2, result/2
	}
	// An index beyond its field would change the message.
	field := mir.V(f.NewScalar(4), isa.TypeUD)
	define(f, i, mir.Inst{Op: isa.OpAnd, Exec: 1, NoMask: true, Loc: in.Loc, Dst: field, Src: [3]mir.Operand{d.index, mir.UD(d.mask)}})
	a := mir.V(f.NewAddress(), isa.TypeUD)
	desc := in.Desc | isa.DescLengths(int(first), int(result))
	define(f, i, mir.Inst{Op: isa.OpOr, Exec: 1, NoMask: true, Loc: in.Loc, Dst: a, Src: [3]mir.Operand{field.WithStride(0), mir.UD(desc)}})
	return a.WithStride(0)
}

// overlap reports that the payloads of a send have registers in common, which they
// may not (TGL PRM vol. 2a, send).
func overlap(in *mir.Inst) bool {
	a, b := &in.Src[0], &in.Src[1]
	return in.Len[1] != 0 && a.SameReg(b) && a.Off < b.Off+mir.GRFBytes*uint32(in.Len[1]) && b.Off < a.Off+mir.GRFBytes*uint32(in.Len[0])
}

// copyFirst gives the first payload of a send a register of its own.
func copyFirst(f *mir.Func, i mir.ID) {
	in := *f.At(i)
	a := in.Src[0]
	info := mir.RegInfo{Bytes: mir.GRFBytes * uint32(in.Len[0]), Lane: mir.GRFBytes, Uniform: true, Align: mir.GRFBytes}
	if a.File == mir.VReg {
		info = *f.Reg(mir.Reg(a.Num))
		info.Bytes = mir.GRFBytes * uint32(in.Len[0])
	}
	t := mir.V(f.AddReg(info), isa.TypeUD)
	a = a.As(isa.TypeUD).WithStride(1)
	define(f, i, mir.Inst{Op: isa.OpMov, Exec: in.Exec, Chan: in.Chan, NoMask: in.NoMask, Loc: in.Loc, Dst: t, Src: [3]mir.Operand{a}})
	f.At(i).Src[0] = t
}

// define puts the single definition of a new register before an instruction.
func define(f *mir.Func, before mir.ID, in mir.Inst) {
	f.Reg(mir.Reg(in.Dst.Num)).Def = f.Before(before, in)
}
