// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Payloads composes the payloads of logical messages: it moves parameters to whole registers, unless they are
// already in adjacent ones. A message with more lanes than the family's message supports is split first.
func Payloads(f *mir.Func, family *message.Family) {
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Op != mir.OpMessage {
				continue
			}
			if n := lanesOf(f, in, family.Send(in.Msg.Name, in.Msg.Space)); n != 0 && in.Exec > n {
				i = pieces(f, b, i, n)
			}
			if f.At(i).Op == mir.OpMessage {
				first := composed(f, i)
				parameter(f, i, first, message.Address)
				parameter(f, i, first, message.Data)
				compose(f, first, i)
				if f.At(i).Msg.Name.Info().LaneBits {
					laneBits(f, i)
				}
			}
			in = f.At(i)
		}
	}
}

// composed returns the first of the instructions that compose the data of a message, which precede it, or the
// message itself if there are none.
func composed(f *mir.Func, i mir.ID) mir.ID {
	for p := f.Prev(i); p != 0 && f.At(p).Op == mir.OpCompose; p = f.Prev(p) {
		i = p
	}
	return i
}

// parameter moves a single-parameter source of message i to whole registers unless it is in such already. The move
// precedes first, the first of the instructions that compose the data.
func parameter(f *mir.Func, i, first mir.ID, s message.Source) {
	o := f.At(i).Source(s)
	if o.File == mir.None || f.IsParameters(&o) {
		return
	}
	in := *f.At(i)
	r := mir.Reg(0)
	switch {
	case in.NoMask:
		r = f.NewGRFs(int(f.GRF.Of(f.Parameter(&in))))
	case int(in.Exec) < f.Width:
		r = f.NewPiece(int(f.GRF.Of(f.Parameter(&in))))
	default:
		r = f.NewReg(1, 4)
	}
	to := mir.V(r, isa.TypeUD)
	define(f, first, moveParameter(&in, to, o))
	f.At(i).Src[s.Place()] = to
}

// moveParameter returns a mov of a parameter of a message.
func moveParameter(in *mir.Inst, to, from mir.Operand) mir.Inst {
	return mir.Inst{Op: isa.OpMov, Exec: in.Exec, Chan: in.Chan, NoMask: in.NoMask, Loc: in.Loc, Dst: to, Src: [3]mir.Operand{from}}
}

// composeParameter returns the definition of parameter k of an instruction that composes data: a mov, unless
// the parameter is undefined.
func composeParameter(f *mir.Func, in *mir.Inst, k int) mir.Inst {
	out := moveParameter(in, in.Dst.At(uint32(k)*f.Parameter(in)), in.Src[k])
	if in.Src[k].IsNull() {
		out.Op, out.Src = mir.OpUndef, [3]mir.Operand{}
	}
	return out
}

// compose turns the instructions that compose the data of message i, starting at first, into moves.
func compose(f *mir.Func, first, i mir.ID) {
	if first == i {
		return
	}
	inPlace := sideBySide(f, first, i)
	if inPlace {
		f.At(i).Src[message.Data.Place()] = f.At(first).Src[0]
	}
	for p := first; p != i; {
		next := f.Next(p)
		if part := *f.At(p); !inPlace {
			for k := range part.Src {
				if part.Src[k].File != mir.None {
					f.Before(p, composeParameter(f, &part, k))
				}
			}
		}
		f.Remove(p)
		p = next
	}
}

// sideBySide reports whether the parameters from first up to a message are adjacent whole registers. It grows the virtual
// register that the first parameter is in if undefined parameters follow its end.
func sideBySide(f *mir.Func, first, message mir.ID) bool {
	next := f.At(first).Src[0]
	for p := first; p != message; p = f.Next(p) {
		part := f.At(p)
		for k := range part.Src {
			o := &part.Src[k]
			if o.File == mir.None {
				break
			}
			undefined := o.IsNull() && next.File == mir.VReg && (f.Parameter(part) == f.Pitch(4) || f.Reg(mir.Reg(next.Num)).Piece)
			if !undefined && (!f.IsParameters(o) || o.File != next.File || o.Num != next.Num || o.Off != next.Off) {
				return false
			}
			next.Off += f.Parameter(part)
		}
	}
	if next.File == mir.VReg {
		r := f.Reg(mir.Reg(next.Num))
		r.Bytes = max(r.Bytes, next.Off)
	}
	return true
}
