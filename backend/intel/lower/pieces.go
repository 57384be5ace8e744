// SPDX-License-Identifier: MIT

package lower

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// lanesOf returns the maximum number of lanes of a message of a function; 0 means no limit. A message of 16 lanes may need a
// payload of more registers than the machine accepts.
func lanesOf(f *mir.Func, in *mir.Inst, row *message.Send) uint8 {
	if row.Lanes != 0 || row.Registers == 0 {
		return row.Lanes
	}
	op := &message.Operations[in.Msg.Op]
	switch {
	case op.Row:
		return f.GRF.Dwords()
	case row.Halves && op.Halves: // each parameter has a register then
		return 16
	}
	header := 0
	if hasHeader(in) {
		header = 1
	}
	parameters := (int(in.Len[0]) + int(in.Len[1]) - header) * int(f.GRF.Bytes()) / int(f.Parameter(in))
	if lanes := f.GRF.Lanes(); header+f.GRF.Count(4*uint32(lanes))*parameters > int(row.Registers) {
		return lanes / 2
	}
	if in.Msg.Name.Info().LaneBits { // split before each lane gets its bit
		return 16
	}
	return 0
}

// hasHeader reports whether the first payload of a message is a header, which all its lanes share.
func hasHeader(in *mir.Inst) bool { return in.Msg.Name.Info().Has(message.Header) }

// pieces splits a logical message that has more lanes than the family's message supports. Each piece has its own payload
// and response. The payload is not composed yet, so that every parameter is moved only once, to where its piece needs it.
// pieces returns the first instruction of the pieces.
func pieces(f *mir.Func, block int, i mir.ID, lanes uint8) mir.ID {
	first := composed(f, i)
	before := f.Prev(first)
	whole := *f.At(i)
	for at := uint8(0); at < whole.Exec; at += lanes {
		p := piece{f, f.Parameter(&whole), f.GRF.Round(4 * uint32(lanes)), lanes, at}
		in := whole
		p.narrow(&in)
		in.EOT = whole.EOT && at+lanes == whole.Exec
		if h := &in.Src[message.Header.Place()]; !hasHeader(&in) {
			in.Src[message.Address.Place()].Slice(uint32(at), int(lanes))
		} else if h.File == mir.VReg && !f.Reg(mir.Reg(h.Num)).Uniform { // one for each piece
			*h = h.At(f.GRF.Start(uint32(at/lanes) * uint32(in.Len[0])))
		}
		in.Src[message.Data.Place()] = p.data(&whole, first, i)
		dst := whole.Dst
		dst.Slice(uint32(at), int(lanes))
		several := in.Len[2] != 0 && uint32(in.Len[2]) != f.GRF.Of(p.each)
		if in.Len[2] != 0 {
			in.Dst = dst
		}
		if several {
			in.Dst = p.register(in.Len[2])
		}
		f.Before(first, in)
		if several {
			p.spread(&whole, first, dst, in.Dst)
		}
	}
	if whole.Dst.File == mir.VReg {
		f.Reg(mir.Reg(whole.Dst.Num)).Def = 0
	}
	for first != i { // remove the composition of the whole payload
		next := f.Next(first)
		f.Remove(first)
		first = next
	}
	f.Remove(i)
	if before == 0 {
		return f.Blocks[block].First
	}
	return f.Next(before)
}

// piece is a part of the lanes of a message.
type piece struct {
	f     *mir.Func
	whole uint32 // bytes of a parameter of the message
	each  uint32 // bytes of a parameter of the piece
	lanes uint8
	at    uint8 // first lane
}

// narrow restricts an instruction to the lanes of the piece, without changing its operands.
func (p *piece) narrow(in *mir.Inst) {
	in.Exec, in.Chan = p.lanes, in.Chan+p.at
	for k := range in.Len {
		if k == 0 && hasHeader(in) {
			continue
		}
		in.Len[k] = p.length(in.Len[k])
	}
}

// length returns the number of GRFs for as many parameters of the piece as n GRFs hold of the message.
func (p *piece) length(n uint8) uint8 {
	return uint8(p.f.GRF.Of(p.f.GRF.Start(uint32(n)) / p.whole * p.each))
}

// register returns a new register of n GRFs for the lanes of the piece.
func (p *piece) register(n uint8) mir.Operand {
	return mir.V(p.f.NewPiece(int(n)), isa.TypeUD)
}

// data composes the data of the piece before it, in the same way as the instructions starting at first compose the data
// of the whole message.
func (p *piece) data(whole *mir.Inst, first, last mir.ID) mir.Operand {
	if o := whole.Source(message.Data); first == last { // no data, or one parameter
		o.Slice(uint32(p.at), int(p.lanes))
		return o
	}
	to := p.register(p.length(whole.Len[1]))
	at := to
	for i := first; i != last; i = p.f.Next(i) {
		part := *p.f.At(i)
		p.narrow(&part)
		for k := range part.Src {
			part.Src[k].Slice(uint32(p.at), int(p.lanes))
		}
		part.Dst = at
		at = at.At(p.f.DstBytes(&part))
		p.f.Before(first, part)
	}
	return to
}

// spread moves the response of a piece to its place in the response of the message.
func (p *piece) spread(whole *mir.Inst, before mir.ID, dst, from mir.Operand) {
	for range p.f.GRF.Start(uint32(whole.Len[2])) / p.whole {
		p.f.Before(before, mir.Inst{Op: isa.OpMov, Exec: p.lanes, Chan: whole.Chan + p.at, NoMask: whole.NoMask, Loc: whole.Loc,
			Dst: dst.As(isa.TypeUD), Src: [3]mir.Operand{from}})
		dst, from = dst.At(p.whole), from.At(p.each)
	}
}
