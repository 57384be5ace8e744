// SPDX-License-Identifier: MIT

package allocheck

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// values follows, within a block, the constants that unmasked instructions compute in general registers, and the
// extended descriptor in a0.7.
type values struct {
	f     *mir.Func
	at    []knownByte // by byte of the register file
	state extended
	long  bool  // the state has its long form
	runs  []run // scratch memory
}

type knownByte struct {
	known bool
	value byte
}

// extended is what a0.7 contains: the bits of mask from a doubleword of a general register, moved right, and constant bits.
type extended struct {
	known      bool
	from       mir.Operand
	mask, bits uint32
	right      uint32
}

// stateAt is the byte of the address registers where the extended descriptors of spills start: a0.7.
const stateAt = 28

// follow returns the values at the start of a block, where none is known. It returns nil if no message of the block has its
// extended descriptor in a0.7. long says which form the state has.
func follow(f *mir.Func, b int, long bool) *values {
	for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
		if in := f.At(i); isSend(in) && isState(&in.Src[2]) {
			return &values{f: f, long: long, at: make([]knownByte, fileBytes)}
		}
	}
	return nil
}

// isState reports whether an operand is a0.7.
func isState(o *mir.Operand) bool {
	k, ok := o.Arch()
	return ok && k == mir.ArchA0 && o.Off == stateAt && o.Type == isa.TypeUD
}

// reachesState reports whether an operand of n lanes contains a part of a0.7.
func reachesState(o *mir.Operand, n uint8) bool {
	k, ok := o.Arch()
	return ok && k == mir.ArchA0 && o.Off+o.Extent(int(n)) > stateAt
}

// run executes an instruction.
func (v *values) run(in *mir.Inst) {
	if v == nil {
		return
	}
	v.f.Work.Spend(stepSteps)
	result, ok := v.result(in)
	for _, d := range destination(v.f.GRF, nil, in) {
		if in.Dst.File != mir.GRF {
			break
		}
		at := v.f.GRF.Start(in.Dst.Num) + d.off
		for k := at; k < min(at+d.n, fileBytes); k++ {
			v.at[k] = knownByte{}
		}
	}
	if ok {
		v.runs = elements(v.runs[:0], &in.Dst, in.Exec, 0)
		for i, d := range v.runs {
			at := v.f.GRF.Start(in.Dst.Num) + d.off
			for k := range d.n {
				v.at[at+k] = knownByte{true, byte(result[i] >> (8 * k))}
			}
		}
	}
	switch {
	case v.makesState(in):
		v.state = v.newState(in)
	case reachesState(&in.Dst, in.Exec):
		v.state = extended{}
	}
}

// plain reports whether an instruction writes its result for all lanes, and nothing else.
func plain(in *mir.Inst) bool {
	return in.NoMask && in.Pred == isa.PredNone && in.CMod == 0 && !in.Sat && !in.AccWrEn && !in.EOT && in.Dst.Mask == 0 &&
		in.Src[2].File == mir.None
}

// makesState reports whether an instruction computes a0.7 from the bits of a register, or adds constant bits to it or moves it.
func (v *values) makesState(in *mir.Inst) bool {
	s, by := &in.Src[0], &in.Src[1]
	if !plain(in) || in.Exec != 1 || !isState(&in.Dst) || s.Type != isa.TypeUD || s.HasMods() ||
		by.File != mir.Imm || by.Type != isa.TypeUD {
		return false
	}
	return in.Op == isa.OpAnd && s.File == mir.GRF || (in.Op == isa.OpOr || in.Op == isa.OpShr) && isState(s) && v.state.known
}

// newState returns the result of an instruction that makes a state.
func (v *values) newState(in *mir.Inst) extended {
	by := in.Src[1].Num
	if in.Op == isa.OpAnd {
		return extended{known: true, from: in.Src[0], mask: by}
	}
	x := v.state
	if in.Op == isa.OpShr {
		n := by % (8 * dwordBytes)
		x.mask, x.bits, x.right = x.mask>>n, x.bits>>n, x.right+n
		return x
	}
	x.mask, x.bits = x.mask&^by, x.bits|by
	return x
}

// result returns the elements that an instruction writes, if they are known.
func (v *values) result(in *mir.Inst) ([]uint32, bool) {
	if !plain(in) || in.Dst.File != mir.GRF || !isUnsigned(in.Dst.Type) || in.Exec > 1 && in.Dst.Stride == 0 {
		return nil, false
	}
	switch in.Op {
	case isa.OpMov, isa.OpAdd, isa.OpShl, isa.OpAnd, isa.OpOr:
	default:
		return nil, false
	}
	if v.f.GRF.Place(&in.Dst)+v.f.DstBytes(in) > fileBytes {
		return nil, false
	}
	x, size, ok := v.source(&in.Src[0], in.Exec)
	if !ok || in.Op == isa.OpMov {
		return x, ok
	}
	y, other, ok := v.source(&in.Src[1], in.Exec)
	if !ok || in.Dst.Type.Size() > max(size, other) { // the sum of words may be a word or not
		return nil, false
	}
	for i := range x {
		switch in.Op {
		case isa.OpAdd:
			x[i] += y[i]
		case isa.OpAnd:
			x[i] &= y[i]
		case isa.OpOr:
			x[i] |= y[i]
		case isa.OpShl:
			if y[i] >= 16 { // more than any word is shifted
				return nil, false
			}
			x[i] <<= y[i]
		}
	}
	return x, true
}

func isUnsigned(t isa.Type) bool { return t == isa.TypeUD || t == isa.TypeUW }

// source returns the elements of a source for each lane and their size, if they are known.
func (v *values) source(o *mir.Operand, exec uint8) (x []uint32, size int, ok bool) {
	x = make([]uint32, exec)
	switch {
	case o.HasMods():
		return nil, 0, false
	case o.File == mir.Imm && o.Type == isa.TypeV:
		for i := range x {
			x[i] = uint32(int32(o.Num<<(28-4*(i&7))) >> 28)
		}
		return x, o.Type.Elem().Size(), exec <= 8
	case !isUnsigned(o.Type):
		return nil, 0, false
	case o.File == mir.Imm:
		for i := range x {
			x[i] = o.Num & (1<<(8*o.Type.Size()) - 1)
		}
		return x, o.Type.Size(), true
	case o.File != mir.GRF:
		return nil, 0, false
	}
	v.runs = elements(v.runs[:0], o, exec, 0)
	for i := range x {
		d := v.runs[min(i, len(v.runs)-1)]
		if x[i], ok = v.number(v.f.GRF.Start(o.Num)+d.off, d.n); !ok {
			return nil, 0, false
		}
	}
	return x, o.Type.Size(), true
}

// number returns the number in n bytes of the register file, if it is known.
func (v *values) number(at, n uint32) (x uint32, ok bool) {
	if at+n > fileBytes || slices.ContainsFunc(v.at[at:at+n], func(b knownByte) bool { return !b.known }) {
		return 0, false
	}
	for k := range n {
		x |= uint32(v.at[at+k].value) << (8 * k)
	}
	return x, true
}
