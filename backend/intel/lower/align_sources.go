// SPDX-License-Identifier: MIT

package lower

import (
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// AlignSources puts the lanes of all operands of an instruction on floats or 64-bit numbers at the same places of their
// registers, for machines whose pipes for these cannot move bits from one place to another, except for the broadcast of
// a scalar (Alchemist PRM vol. 2a, "Register Region Restrictions"). Integer moves, which can, copy other sources to new
// registers, and results from them. Conversions of scalar bytes are split too. Other scalars are accepted, except for halves
// as operands of math functions (Wa_22016140776), and so is an instruction with one lane.
func AlignSources(f *mir.Func) {
	changed := false
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			a := aligner{f: f, at: i, last: i, in: *f.At(i)}
			if a.lower() {
				changed, i = true, a.last
			}
		}
	}
	if changed {
		f.MarkSingle() // moves have become the definitions of registers
	}
}

// aligner lowers one instruction.
type aligner struct {
	f        *mir.Func
	at, last mir.ID // the instruction, and the last one that it became
	in       mir.Inst
	made     bool // moves were inserted
}

// lanes are the places of an operand's lanes in its registers: the first is at byte off, each step bytes after the
// one before.
type lanes struct{ off, step uint32 }

// lower returns whether the function was changed.
func (a *aligner) lower() bool {
	in := &a.in
	switch {
	case in.Op == mir.OpIndirect:
		return a.indirect()
	case !a.concerned():
		return false
	}
	a.scalarBytes()
	if in.Exec > 1 {
		if a.onlyMoves() {
			return a.asIntegers()
		}
		a.scalarHalves()
		a.align()
	}
	if !a.made {
		return false
	}
	a.f.Replace(a.at, *in)
	return true
}

// stays reports whether numbers of a type stay where they are in a register.
func stays(t isa.Type) bool { return t.IsFloat() || t.Size() == 8 }

// concerned reports whether an instruction computes with floats or 64-bit numbers.
func (a *aligner) concerned() bool {
	info := infoOf(a.in.Op)
	if info == nil || !a.in.ReadsElements(0) {
		return false
	}
	switch info.Format {
	case isa.FormatBasic, isa.FormatTernary, isa.FormatMath:
	default:
		return false
	}
	found := stays(a.in.Dst.Type)
	for k := range a.in.Src {
		found = found || a.vector(k) && stays(a.in.Src[k].Type)
	}
	return found
}

// vector reports whether the lanes read different elements of source k.
func (a *aligner) vector(k int) bool {
	o := &a.in.Src[k]
	return o.IsReg() && !o.IsScalar() && !a.f.IsAccumulator(o)
}

// indirect makes a read at computed positions copy integers. It reports whether it read something else.
func (a *aligner) indirect() bool {
	in := &a.in
	d, s := &in.Dst, &in.Src[0]
	if !stays(d.Type) && !stays(s.Type) || d.Type.Size() != s.Type.Size() || d.Type.Size() == 8 {
		return false
	}
	d.Type, s.Type = bitsOf(d.Type), bitsOf(s.Type)
	a.f.Replace(a.at, *in)
	return true
}

// bitsOf returns an integer type of the same size.
func bitsOf(t isa.Type) isa.Type {
	return [...]isa.Type{1: isa.TypeUB, 2: isa.TypeUW, 4: isa.TypeUD, 8: isa.TypeUQ}[t.Size()]
}

// scalarBytes widens bytes that all lanes read, which cannot be converted to floats.
func (a *aligner) scalarBytes() {
	for k := range a.in.Src {
		o := &a.in.Src[k]
		if !a.in.Dst.Type.IsFloat() || !o.IsReg() || o.Type.Size() != 1 || a.in.Exec > 1 && !o.IsScalar() {
			continue
		}
		to := mir.V(a.f.NewScalar(4), isa.TypeW)
		from := plain(*o)
		from.Stride = 0
		a.before(mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: to.WithStride(2), Src: [3]mir.Operand{from}})
		a.read(k, to.WithStride(0))
	}
}

// scalarHalves copies halves that all lanes of a math function read to a register with one for each lane.
func (a *aligner) scalarHalves() {
	if infoOf(a.in.Op).Format != isa.FormatMath {
		return
	}
	for k := range a.in.Src {
		if o := &a.in.Src[k]; o.IsReg() && o.IsScalar() && o.Type == isa.TypeHF {
			a.source(k, lanes{step: a.widest().step})
		}
	}
}

// plain returns an operand without source modifiers.
func plain(o mir.Operand) mir.Operand {
	o.Neg, o.Abs = false, false
	return o
}

// read makes the instruction read source k at another place. Modifiers stay.
func (a *aligner) read(k int, o mir.Operand) {
	s := &a.in.Src[k]
	o.Neg, o.Abs = s.Neg, s.Abs
	*s = o
}

// onlyMoves reports whether the instruction copies bits, to the same lanes.
func (a *aligner) onlyMoves() bool {
	in := &a.in
	d, s := in.Dst.Type, in.Src[0].Type
	return in.Op == isa.OpMov && in.CMod == 0 && !in.Sat && !in.Src[0].HasMods() && in.Dst.IsReg() && a.vector(0) &&
		d.Size() == s.Size() && d.IsFloat() == s.IsFloat()
}

// asIntegers makes a copy of bits that changes their places an integer move.
func (a *aligner) asIntegers() bool {
	in := &a.in
	d, dst := a.lanes(&in.Dst)
	s, src := a.lanes(&in.Src[0])
	if dst && src && d == s {
		return false
	}
	moves := copies(*in)
	a.f.Replace(a.at, moves[0])
	for _, m := range moves[1:] {
		a.last = a.f.After(a.last, m)
	}
	return true
}

// copies returns the integer moves that copy the bits of source 0 to the destination: one, or two of doublewords.
func copies(in mir.Inst) []mir.Inst {
	d, s := &in.Dst, &in.Src[0]
	*s = plain(*s)
	if d.Type.Size() < 8 {
		d.Type, s.Type = bitsOf(d.Type), bitsOf(s.Type)
		return []mir.Inst{in}
	}
	*d, *s = halves(*d), halves(*s)
	high := in
	high.Dst, high.Src[0] = d.At(4), s.At(4)
	return []mir.Inst{in, high}
}

// halves returns the low doublewords of an operand of quadwords.
func halves(o mir.Operand) mir.Operand {
	o = o.LowWords()
	o.Type = isa.TypeUD
	return o
}

// lanes returns the places of an operand's lanes. ok is false if they are not equidistant. It makes registers that
// could be anywhere start at a whole register.
func (a *aligner) lanes(o *mir.Operand) (l lanes, ok bool) {
	if o.File == mir.VReg {
		if r := a.f.Reg(mir.Reg(o.Num)); r.Class == mir.General && r.Align < a.f.GRF.Align() {
			r.Align = a.f.GRF.Align()
		}
	}
	return lanes{a.f.GRF.In(o.Off), uint32(o.Stride) * uint32(o.Type.Size())}, o.Rows == 0
}

// align copies sources, or the result, until all lanes are at the same places.
func (a *aligner) align() {
	d, _ := a.lanes(&a.in.Dst)
	common, ok := a.common()
	ok = ok && a.writes(common)
	switch {
	case a.in.Dst.IsNull():
		d = a.nowhere(d)
	case a.fits(d) && !(ok && a.vectors() > 1):
	case ok:
		d = common
	default:
		d = a.widest()
	}
	if l, _ := a.lanes(&a.in.Dst); l != d {
		a.result(d)
	}
	was := a.in.Src
	for k := range was {
		if !a.vector(k) {
			continue
		}
		if l, ok := a.lanes(&was[k]); ok && l == d {
			continue
		}
		if j := slices.IndexFunc(was[:k], func(o mir.Operand) bool { return plain(o) == plain(was[k]) }); j >= 0 {
			a.read(k, a.in.Src[j])
		} else {
			a.source(k, d)
		}
	}
}

// nowhere returns places for a null destination: the places of a vector source if possible, else l.
func (a *aligner) nowhere(l lanes) lanes {
	for k := range a.in.Src {
		if !a.vector(k) {
			continue
		}
		if s, ok := a.lanes(&a.in.Src[k]); ok && s.off == 0 && a.writes(s) && a.fits(s) {
			return s
		}
	}
	if !a.fits(l) {
		return a.widest()
	}
	return l
}

// vectors counts the sources that are vectors.
func (a *aligner) vectors() (n int) {
	for k := range a.in.Src {
		if a.vector(k) && (k == 0 || plain(a.in.Src[k]) != plain(a.in.Src[k-1])) {
			n++
		}
	}
	return n
}

// common returns the places of the lanes of all vectors that are sources. ok is false if they differ.
func (a *aligner) common() (out lanes, ok bool) {
	for k := range a.in.Src {
		if !a.vector(k) {
			continue
		}
		l, equidistant := a.lanes(&a.in.Src[k])
		if !equidistant || ok && l != out {
			return lanes{}, false
		}
		out, ok = l, true
	}
	return out, ok
}

// writes reports whether the lanes of the destination can be at places.
func (a *aligner) writes(l lanes) bool {
	return reaches(l, uint32(a.in.Dst.Type.Size()), mir.MaxHStride)
}

// reaches reports whether elements of a size can be at places, with a stride up to a limit.
func reaches(l lanes, size, most uint32) bool {
	return l.off%size == 0 && l.step%size == 0 && l.step >= size && l.step/size <= most
}

// slot returns the size of the elements of source k when it is copied: bytes are widened.
func (a *aligner) slot(k int) uint32 { return max(2, uint32(a.in.Src[k].Type.Size())) }

// fits reports whether all sources can be copied to places.
func (a *aligner) fits(l lanes) bool {
	for k := range a.in.Src {
		if !a.vector(k) {
			continue
		}
		if s, ok := a.lanes(&a.in.Src[k]); (!ok || s != l) && !reaches(l, a.slot(k), mir.MaxHStride) {
			return false
		}
	}
	return true
}

// widest returns places that all operands can be at.
func (a *aligner) widest() lanes {
	l := lanes{step: uint32(a.in.Dst.Type.Size())}
	for k := range a.in.Src {
		if a.vector(k) {
			l.step = max(l.step, a.slot(k))
		}
	}
	return l
}

// temp returns a new register with elements of a type at places.
func (a *aligner) temp(t isa.Type, l lanes) mir.Operand {
	bytes := a.f.GRF.Round(l.off + uint32(a.in.Exec-1)*l.step + uint32(t.Size()))
	r := a.f.AddReg(mir.RegInfo{Bytes: bytes, Lane: uint8(l.step), Align: a.f.GRF.Align(), Uniform: a.in.NoMask, NoSpill: true})
	return mir.V(r, t).At(l.off).WithStride(uint8(l.step / uint32(t.Size())))
}

// move returns a move for the lanes of the instruction.
func (a *aligner) move(dst, src mir.Operand) mir.Inst {
	in := &a.in
	return mir.Inst{Op: isa.OpMov, Exec: in.Exec, Chan: in.Chan, NoMask: in.NoMask, Dst: dst, Src: [3]mir.Operand{src}}
}

// before inserts a move before the instruction.
func (a *aligner) before(m mir.Inst) {
	m.Loc, a.made = a.in.Loc, true
	a.f.Before(a.at, m)
}

// after inserts a move after the last instruction emitted so far.
func (a *aligner) after(m mir.Inst) {
	m.Loc, a.made = a.in.Loc, true
	a.last = a.f.After(a.last, m)
}

// source copies source k to places.
func (a *aligner) source(k int, l lanes) {
	o := plain(a.in.Src[k])
	if o.Type.Size() == 1 { // a word holds bytes of both kinds
		to := a.temp(isa.TypeW, l)
		a.before(a.move(to, o))
		a.read(k, to)
		return
	}
	to := a.temp(o.Type, l)
	for _, m := range copies(a.move(to, o)) {
		a.before(m)
	}
	a.read(k, to)
}

// result makes the instruction write its result to places in a new register, from where it is copied to the
// destination. The instruction keeps its predicate, which may be its choice and is read before the flag is written, so
// the copy has it only if it is unchanged. Else lanes without it keep the old contents in the new register.
func (a *aligner) result(l lanes) {
	in := &a.in
	a.made = true
	if in.Dst.IsNull() {
		in.Dst.Stride = uint8(l.step / uint32(in.Dst.Type.Size()))
		return
	}
	was := in.Dst
	in.Dst = a.temp(was.Type, l)
	back := copies(a.move(was, in.Dst))
	for _, m := range back {
		m.SideEff = in.SideEff
		if in.Pred != 0 && in.Op != isa.OpSel {
			if in.WritesFlag() {
				old := m
				old.Dst, old.Src[0], old.SideEff = m.Src[0], m.Dst, false
				a.before(old)
			} else {
				m.Pred, m.PredInv, m.Flag = in.Pred, in.PredInv, in.Flag
			}
		}
		a.after(m)
	}
}
