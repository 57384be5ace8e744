// SPDX-License-Identifier: MIT

package lower

import (
	"fmt"
	"math/bits"
	"slices"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// threadHeader is the GRF that holds the thread's header at the start (TGL PRM vol. 7, "Thread Payload").
const threadHeader = 0

// Messages lowers all logical messages to sends of a message family. The payloads, each a range of whole
// registers, are composed already. Messages adds the thread's header, if the family requires it, and the
// descriptor.
func Messages(f *mir.Func, family *message.Family, p isa.Platform) {
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Op == mir.OpMessage {
				lower(f, i, family, p, mir.Operand{})
				in = f.At(i)
			}
		}
	}
}

// Message lowers one logical message to scratch memory, after the allocation of address registers.
func Message(f *mir.Func, i mir.ID, family *message.Family, p isa.Platform) {
	lower(f, i, family, p, spillState)
}

// lower lowers a message. address is the address register for a surface state, or none for a new virtual one.
func lower(f *mir.Func, i mir.ID, family *message.Family, p isa.Platform, address mir.Operand) {
	desc, dyn, err := descriptor(f, f.At(i), family)
	in := *f.At(i)
	row := family.Send(in.Msg.Name, in.Msg.Space)
	if err != nil {
		panic("lower: " + err.Error())
	}
	in.Op, in.SFID, in.Desc = isa.OpSend, row.SFID, desc
	if row.Single {
		in.Exec, in.Chan, in.NoMask = 1, 0, true
	}
	if row.Ordered {
		in.Op = isa.OpSendc
	}
	surface := in.Source(message.Surface)
	if s := surface; s.File == mir.Imm && !in.Msg.Bindless {
		switch {
		case row.Extended != 0:
			in.ExDesc |= s.Num >> 8 << row.Extended
		case row.Binding != 0:
			in.ExDesc |= s.Num << row.Binding
		}
	}
	if row.Halves && message.Operations[in.Msg.Op].Halves {
		halve(f, i, &in)
	}
	offset := in.Source(message.Offset)
	if row.Added != 0 {
		in.ExDesc |= offset.Num << row.Added
	}
	in.Src[2] = mir.Operand{}
	switch {
	case row.ThreadHeader:
		in.Src[0], in.Len[0] = header(f, i, beyond(f, f.At(i), row)), 1
	case row.Offset:
		in.Src[0], in.Len[0] = offsetRegister(f, i, offset), 1
	case row.LaneOffsets:
		in.Src[0], in.Len[0] = laneOffsets(f, i, offset)
	}
	if in.Len[1] == 0 {
		in.Src[1] = mir.Null(isa.TypeUD)
	}
	switch {
	case row.State != 0:
		in.Src[2], in.Msg.Bindless = state(f, i, &in, row.State, p, address), true
	case row.Binding != 0 && in.Msg.Bindless:
		in.Src[2], in.Msg.Separate = stateOffset(f, i, surface, in.Loc), true
	case row.Binding != 0 && dyn.index.File != mir.None:
		in.Src[2], in.Msg.Bindless = dyn.putHandle(f, i, &in, p), true
	case in.Msg.Bindless:
		in.Src[2] = dyn.putHandle(f, i, &in, p)
	case in.ExDesc&registerBits != 0 && p.Words().WholeExDesc:
		in.Src[2] = wholeExDesc(f, i, &in, p)
		in.ExDesc, in.Msg.Bindless = 0, true
	case dyn.index.File != mir.None:
		in.Src[2] = dyn.put(f, i, &in)
	}
	f.Replace(i, in)
	if row.Copy || overlap(f, &in) {
		copyPayload(f, i, 0)
	}
	// The payloads of the last message are in registers that the allocator chooses.
	for k := range 2 {
		if in.EOT && in.Len[k] != 0 && f.At(i).Src[k].File == mir.GRF {
			copyPayload(f, i, k)
		}
	}
}

// beyond returns the part of a message's offset that does not fit into its descriptor and has to be added to
// its header: a multiple of the descriptor's reach.
func beyond(f *mir.Func, in *mir.Inst, row *message.Send) move {
	if row.Base == 0 {
		return move{}
	}
	offset := in.Source(message.Offset).Num
	return move{row.Base, offset - offset%row.Reach(f.GRF.Bytes())}
}

// move is a value to add to a doubleword of the thread's header.
type move struct {
	dword uint8
	by    uint32
}

// header returns the thread's header for a message, or a copy with a move applied.
func header(f *mir.Func, i mir.ID, m move) mir.Operand {
	given := mir.Fixed(threadHeader, isa.TypeUD)
	if m.by == 0 {
		return given
	}
	loc := f.At(i).Loc
	whole := f.GRF.Align()
	own := mir.V(f.AddReg(mir.RegInfo{Bytes: f.GRF.Bytes(), Lane: whole, Uniform: true, Align: whole, NoSpill: true}), isa.TypeUD)
	f.Before(i, mir.Inst{Op: isa.OpMov, Exec: whole / 4, NoMask: true, Loc: loc, Dst: own, Src: [3]mir.Operand{given}})
	at := 4 * uint32(m.dword)
	f.Before(i, mir.Inst{Op: isa.OpAdd, Exec: 1, NoMask: true, Loc: loc,
		Dst: own.At(at), Src: [3]mir.Operand{mir.FixedScalar(threadHeader, at, isa.TypeUD), mir.UD(m.by)}})
	return own
}

// descriptor returns the descriptor of a message without the lengths, which follow from the instruction's, and
// without a surface that is in a register, which dyn describes.
func descriptor(f *mir.Func, in *mir.Inst, family *message.Family) (desc uint32, dyn dynamic, err error) {
	row := family.Send(in.Msg.Name, in.Msg.Space)
	if !row.Does {
		return 0, dyn, fmt.Errorf("%s has no message for %v", family.Name, in.Msg.Name)
	}
	desc = row.Desc
	if s := in.Source(message.Surface); row.Binding != 0 {
		switch {
		case in.Msg.Bindless:
			if !slices.ContainsFunc(row.Fields, func(d message.Field) bool { return d.From == message.ValueSurfaceKind }) {
				return 0, dyn, fmt.Errorf("%v of %s: handles do not exist", in.Msg.Name, family.Name)
			}
		case s.File == mir.Imm && s.Num > mostBinding:
			return 0, dyn, fmt.Errorf("%v of %s: there is no binding table entry %d", in.Msg.Name, family.Name, s.Num)
		case s.File != mir.None && s.File != mir.Imm:
			dyn = dynamic{index: s, mask: mostBinding, shift: row.Binding}
		}
	}
	for k := range row.Fields {
		d := &row.Fields[k]
		v := uint32(0)
		switch d.From {
		case message.ValueSurface:
			s := in.Source(message.Surface)
			switch {
			case in.Msg.Bindless:
				v, dyn = family.Bindless, dynamic{index: s, mask: handleMask}
				if v == 0 {
					return 0, dyn, fmt.Errorf("%v of %s: handles do not exist", in.Msg.Name, family.Name)
				}
			case s.File == mir.None:
				v = family.Surfaces[in.Msg.Space]
			case s.File == mir.Imm:
				v = s.Num & d.Mask // other bits would change the message
			default:
				dyn = dynamic{index: s, mask: dyn.mask | d.Mask}
			}
		case message.ValueSampler:
			switch s := in.Source(message.Surface); {
			case s.File == mir.None, in.Msg.Bindless: // the handle of a sampler is in the header
			case s.File == mir.Imm:
				v = s.Num >> d.At & d.Mask
			default:
				dyn = dynamic{index: s, mask: dyn.mask | d.Mask<<d.At}
			}
		case message.ValueOffsetGrfs:
			v = f.GRF.Of(in.Source(message.Offset).Num - beyond(f, in, row).by)
		default:
			v = known[d.From](f, in)
		}
		if d.Codes != nil {
			if int(v) >= len(d.Codes) || d.Codes[v] == message.NoCode {
				return 0, dyn, fmt.Errorf("%v of %s: %v is %d, which is not possible", in.Msg.Name, family.Name, d.From, v)
			}
			v = uint32(d.Codes[v])
		}
		if v&^d.Mask != 0 {
			return 0, dyn, fmt.Errorf("%v of %s: %v is %d, which does not fit", in.Msg.Name, family.Name, d.From, v)
		}
		desc |= v << d.At
	}
	return desc, dyn, nil
}

// CheckMessage returns an error if a family has no send for a logical message.
func CheckMessage(f *mir.Func, in *mir.Inst, family *message.Family) error {
	_, _, err := descriptor(f, in, family)
	return err
}

// known has the values of a message that follow from the instruction and the size of registers. If the instruction will be split
// into halves, they are each half's.
var known = [message.NumValues]func(*mir.Func, *mir.Inst) uint32{
	message.ValueLanes:       func(_ *mir.Func, in *mir.Inst) uint32 { return min(max(uint32(in.Exec), 8), 16) / 8 },
	message.ValueSurfaceKind: func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(fields.Bit(in.Msg.Bindless)) },
	message.ValueHalves: func(_ *mir.Func, in *mir.Inst) uint32 {
		return uint32(fields.Bit(message.Operations[in.Msg.Op].Halves))
	},
	message.ValueComps:     func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(in.Msg.Comps) },
	message.ValueChannels:  func(_ *mir.Func, in *mir.Inst) uint32 { return 1<<in.Msg.Comps - 1 },
	message.ValueOp:        func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(in.Msg.Op) },
	message.ValueSlotGroup: func(_ *mir.Func, in *mir.Inst) uint32 { return slots(in) + 1 },
	message.ValueSlotHigh:  func(_ *mir.Func, in *mir.Inst) uint32 { return slots(in) },
	message.ValueDwords: func(f *mir.Func, in *mir.Inst) uint32 {
		return uint32(in.Len[1]) / uint32(f.GRF.Count(4*uint32(in.Exec)))
	},
	message.ValueRegisters: func(f *mir.Func, in *mir.Inst) uint32 {
		return uint32(f.GRF.Count(4 * uint32(min(in.Exec, f.GRF.Lanes()))))
	},
	message.ValueOffsetSlots: func(_ *mir.Func, in *mir.Inst) uint32 { return in.Source(message.Offset).Num / mir.SlotBytes },
	message.ValueOffsetPairs: func(_ *mir.Func, in *mir.Inst) uint32 {
		return in.Source(message.Offset).Num / (2 * mir.SlotBytes)
	},
	message.ValueLog2Dwords: func(f *mir.Func, in *mir.Inst) uint32 {
		return uint32(bits.Len32(f.GRF.Start(uint32(in.Len[2]))/4 - 1))
	},
	message.ValueBlock: func(f *mir.Func, in *mir.Inst) uint32 {
		return uint32(bits.TrailingZeros32(f.GRF.Start(uint32(in.Len[2]))/owordPair)) + pairBlock
	},
	message.ValueReturns:   func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(min(in.Len[2], 1)) },
	message.ValueDualHalf:  func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(isa.RTModeDualLow) + slots(in) },
	message.ValueUpperHalf: func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(in.Chan) / 16 },
	message.ValueLog2Bytes: func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(bits.TrailingZeros8(in.Msg.Bytes)) },
	message.ValueQwords:    func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(in.Msg.Bytes) / 8 },
	message.ValueLog2Grfs:  func(_ *mir.Func, in *mir.Inst) uint32 { return uint32(bits.TrailingZeros8(max(in.Len[1], in.Len[2]))) },
}

// A block of two OWords has the code pairBlock and owordPair bytes. Each following code doubles the size.
const (
	pairBlock = 2
	owordPair = 32
)

// slots returns the slot group of an instruction of eight lanes: which half of 16 lanes it covers.
func slots(in *mir.Inst) uint32 { return uint32(in.Chan) / 8 % 2 }

// dynamic is a surface in a register with the descriptor fields for it and for a sampler, which are the lowest
// bits of a descriptor; or it is a handle, or a binding table index to be shifted, with its bits in an extended descriptor.
type dynamic struct {
	index mir.Operand
	mask  uint32
	shift uint8
}

// mostBinding is the last entry of a binding table that the field of an extended descriptor can name.
const mostBinding = 0xFF

// put computes the descriptor of a send in an address register, before the send.
func (d *dynamic) put(f *mir.Func, i mir.ID, in *mir.Inst) mir.Operand {
	parts := splits(f, in)
	first, result := in.Len[0], in.Len[2]/parts
	if !hasHeader(in) {
		first /= parts
	}
	return d.join(f, i, in.Desc|isa.DescLengths(int(first), int(result)), in.Loc)
}

// handleMask has the bits of a handle in an extended descriptor (TGL PRM vol. 2a, "Extended Message
// Descriptor").
const handleMask = ^uint32(0xFFF)

// putHandle computes the extended descriptor of a send in an address register, before the send. The bits below
// the handle are the length of the second payload and, on platforms with whole extended descriptors, the shared
// function.
func (d *dynamic) putHandle(f *mir.Func, i mir.ID, in *mir.Inst, p isa.Platform) mir.Operand {
	rest := extendedLength(f, in, p)
	if p.Words().WholeExDesc {
		rest |= uint32(p.SFIDCode(in.SFID))
	}
	return d.join(f, i, rest, in.Loc)
}

// splits returns the number of instructions into which SplitSIMD32 splits one. Each has an equal part of the payloads and of the
// result.
func splits(f *mir.Func, in *mir.Inst) uint8 { return max(in.Exec/f.GRF.Lanes(), 1) }

// extendedLength returns the length of a message's second payload as bits of an extended descriptor in a register.
func extendedLength(f *mir.Func, in *mir.Inst, p isa.Platform) uint32 {
	if p.LengthInWord(in.SFID) {
		return 0
	}
	return isa.ExDescLength(int(in.Len[1] / splits(f, in)))
}

// handleShift moves a handle's bits to where an extended descriptor has the offset of the image's state.
const handleShift = 6

// stateOffset computes the offset of the state of the image with a handle in an address register, before a message.
func stateOffset(f *mir.Func, i mir.ID, handle mir.Operand, loc uint32) mir.Operand {
	a := mir.V(f.NewAddress(), isa.TypeUD)
	if handle.File == mir.Imm {
		define(f, i, mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Loc: loc, Dst: a,
			Src: [3]mir.Operand{mir.UD(handle.Num & handleMask >> handleShift)}})
		return a.WithStride(0)
	}
	bits := mir.V(f.NewScalar(4), isa.TypeUD)
	define(f, i, mir.Inst{Op: isa.OpAnd, Exec: 1, NoMask: true, Loc: loc, Dst: bits, Src: [3]mir.Operand{handle, mir.UD(handleMask)}})
	define(f, i, mir.Inst{Op: isa.OpShr, Exec: 1, NoMask: true, Loc: loc, Dst: a,
		Src: [3]mir.Operand{bits.WithStride(0), mir.UD(handleShift)}})
	return a.WithStride(0)
}

// registerBits are the bits of an extended descriptor for which words with a whole one have no place: only an
// address register can hold them (ICL PRM vol. 2a, sends).
const registerBits = 0xF000

// endOfThread is the bit of a whole extended descriptor that marks the thread's last message.
const endOfThread = 1 << 5

// wholeExDesc computes the extended descriptor of a send in an address register, before the send.
func wholeExDesc(f *mir.Func, i mir.ID, in *mir.Inst, p isa.Platform) mir.Operand {
	x := in.ExDesc | isa.ExDescLength(int(in.Len[1])) | uint32(p.SFIDCode(in.SFID))
	if in.EOT {
		x |= endOfThread
	}
	a := mir.V(f.NewAddress(), isa.TypeUD)
	define(f, i, mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Loc: in.Loc, Dst: a, Src: [3]mir.Operand{mir.UD(x)}})
	return a.WithStride(0)
}

// A doubleword of the thread's header has the offset of a surface state in bits 31:10. An extended descriptor that has a length
// too has it in bits 31:11: bit 10 belongs to the length, and is 0 in the header. Others have it in bits 31:6 (GENS.md 8; IGC
// and Mesa 25.0.7 on Xe2).
const (
	stateMask  = ^uint32(0x3FF)
	lengthBits = 0x7FF
	stateShift = 4
)

// state computes the extended descriptor of a message in an address register, before the message, from a doubleword of the
// thread's header. address is the register, or none for a new one.
func state(f *mir.Func, i mir.ID, in *mir.Inst, dword uint8, p isa.Platform, address mir.Operand) mir.Operand {
	a := mir.FixedScalar(threadHeader, 4*uint32(dword), isa.TypeUD)
	steps := []struct {
		op isa.Op
		by uint32
	}{{isa.OpAnd, ^uint32(lengthBits)}, {isa.OpOr, extendedLength(f, in, p)}}
	if p.LengthInWord(in.SFID) {
		steps[0].by, steps[1].op, steps[1].by = stateMask, isa.OpShr, stateShift
	}
	if steps[1].by == 0 {
		steps = steps[:1]
	}
	for k, step := range steps {
		next := mir.Inst{Op: step.op, Exec: 1, NoMask: true, Loc: in.Loc, Dst: address, Src: [3]mir.Operand{a, mir.UD(step.by)}}
		switch {
		case address.File != mir.None:
			f.Before(i, next)
		case k == len(steps)-1:
			next.Dst = mir.V(f.NewAddress(), isa.TypeUD)
			define(f, i, next)
		default:
			next.Dst = mir.V(f.NewScalar(4), isa.TypeUD)
			define(f, i, next)
		}
		a = next.Dst.WithStride(0)
	}
	return a
}

// join combines the dynamic fields of a descriptor with its other bits in an address register. An index that exceeds its field,
// which would change the message, loses the bits above.
func (d *dynamic) join(f *mir.Func, i mir.ID, rest, loc uint32) mir.Operand {
	if d.index.File == mir.Imm {
		a := mir.V(f.NewAddress(), isa.TypeUD)
		define(f, i, mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Loc: loc, Dst: a,
			Src: [3]mir.Operand{mir.UD(d.index.Num&d.mask<<d.shift | rest)}})
		return a.WithStride(0)
	}
	place := mir.Inst{Op: isa.OpAnd, Exec: 1, NoMask: true, Loc: loc, Src: [3]mir.Operand{d.index, mir.UD(d.mask)}}
	if d.shift != 0 { // to the highest bits
		place.Op, place.Src[1] = isa.OpShl, mir.UD(uint32(d.shift))
		if rest == 0 {
			place.Dst = mir.V(f.NewAddress(), isa.TypeUD)
			define(f, i, place)
			return place.Dst.WithStride(0)
		}
	}
	field := mir.V(f.NewScalar(4), isa.TypeUD)
	place.Dst = field
	define(f, i, place)
	a := mir.V(f.NewAddress(), isa.TypeUD)
	define(f, i, mir.Inst{Op: isa.OpOr, Exec: 1, NoMask: true, Loc: loc, Dst: a, Src: [3]mir.Operand{field.WithStride(0), mir.UD(rest)}})
	return a.WithStride(0)
}

// overlap reports whether the payloads of a send overlap, which is illegal (TGL PRM vol. 2a, send).
func overlap(f *mir.Func, in *mir.Inst) bool {
	a, b := &in.Src[0], &in.Src[1]
	return in.Len[1] != 0 && a.SameReg(b) && a.Off < b.Off+f.GRF.Start(uint32(in.Len[1])) && b.Off < a.Off+f.GRF.Start(uint32(in.Len[0]))
}

// copyPayload copies payload k of a send to a new register.
func copyPayload(f *mir.Func, i mir.ID, k int) {
	in := *f.At(i)
	from := in.Src[k]
	info := mir.RegInfo{Bytes: f.GRF.Start(uint32(in.Len[k])), Lane: f.GRF.Align(), Uniform: true, Align: f.GRF.Align()}
	if from.File == mir.VReg {
		info = *f.Reg(mir.Reg(from.Num))
		info.Bytes = f.GRF.Start(uint32(in.Len[k]))
		info.Piece = info.Piece || !info.Uniform && int(in.Exec) < f.Width // is not halved with the lanes of the function
	}
	to := mir.V(f.AddReg(info), isa.TypeUD)
	from = from.As(isa.TypeUD).WithStride(1)
	each := max(4*uint32(in.Exec), f.GRF.Bytes()) // bytes per move
	for at := uint32(0); at < info.Bytes; at += each {
		exec := uint8(min(uint32(in.Exec), (info.Bytes-at)/4)) // a payload may have fewer doublewords than the message has lanes
		define(f, i, mir.Inst{Op: isa.OpMov, Exec: exec, Chan: in.Chan, NoMask: in.NoMask || info.Uniform, Loc: in.Loc,
			Dst: to.At(at), Src: [3]mir.Operand{from.At(at)}})
	}
	if info.Bytes > each { // there are several definitions
		f.Reg(mir.Reg(to.Num)).Def = 0
	}
	f.At(i).Src[k] = to
}

// define inserts the single definition of a new register before an instruction.
func define(f *mir.Func, before mir.ID, in mir.Inst) {
	f.Reg(mir.Reg(in.Dst.Num)).Def = f.Before(before, in)
}
