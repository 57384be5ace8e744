// SPDX-License-Identifier: MIT

package mir

import (
	"strconv"
	"strings"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// String returns the code of the function as text: one instruction per line, with labels for blocks. Package
// mirtext prints and parses whole units.
func (f *Func) String() string {
	var w []byte
	for b := range f.Blocks {
		w = append(strconv.AppendInt(append(w, 'b'), int64(b), 10), ":\n"...)
		for i := f.Blocks[b].First; i != 0; i = f.Insts[i].Next {
			w = append(f.AppendText(append(w, "  "...), i), '\n')
		}
	}
	return string(w)
}

// Text returns one instruction as text.
func (f *Func) Text(i ID) string { return string(f.AppendText(nil, i)) }

// AppendText appends one instruction as text.
func (f *Func) AppendText(w []byte, i ID) []byte {
	in := &f.Insts[i]
	w = in.appendPrefix(w)
	first := 0
	if !HasDst(in.Op) && in.Dst.File == None {
		first = 1
	}
	ops := [...]*Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]}
	last := len(ops) - 1
	for last >= first && ops[last].File == None {
		last--
	}
	for k := first; k <= last; k++ {
		w = append(w, ' ')
		if in.Op == OpMessage && k > 0 {
			s, named := in.SourceAt(k - 1)
			switch {
			case ops[k].File == None:
				w = w[:len(w)-1]
				continue
			case named:
				w = append(append(w, s.String()...), '=')
			}
		}
		w = ops[k].appendText(w, k == 0)
	}
	for k := range Attrs {
		a := &Attrs[k]
		v := a.Get(in)
		if v == 0 || a.Form == Word {
			continue
		}
		w = append(append(append(w, ' '), a.Name...), '=')
		switch {
		case a.Form == Hex:
			w = strconv.AppendUint(append(w, "0x"...), uint64(v), 16)
		case a.Form == Choice && v <= a.Max:
			w = append(w, a.Words(v)...)
		default:
			w = strconv.AppendUint(w, uint64(v), 10)
		}
	}
	return f.appendBraces(w, i)
}

// appendPrefix appends the part before the operands.
func (in *Inst) appendPrefix(w []byte) []byte {
	if in.NoMask {
		w = append(w, "(W) "...)
	}
	if in.Pred != 0 {
		w = append(w, '(')
		if in.PredInv {
			w = append(w, '~')
		}
		w = append(w, in.Flag.String()...)
		if in.Pred != isa.PredNormal {
			w = append(append(w, '.'), in.Pred.String()...)
		}
		w = append(w, ") "...)
	}
	w = append(w, OpName(in.Op)...)
	if fn := FunctionOf(in.Op); fn != nil {
		w = append(append(w, '.'), fn.String(fn.Get(in))...)
	}
	w = strconv.AppendInt(append(w, '('), int64(in.Exec), 10)
	if in.Chan != 0 {
		w = strconv.AppendInt(append(w, "|M"...), int64(in.Chan), 10)
	}
	w = append(w, ')')
	if in.CMod != 0 {
		w = append(append(append(w, " ("...), in.CMod.String()...), ')')
		w = append(w, in.Flag.String()...)
	}
	if in.Sat {
		w = append(w, " (sat)"...)
	}
	return w
}

// appendBraces appends the attributes of an instruction in braces and its scoreboard
// field.
func (f *Func) appendBraces(w []byte, i ID) []byte {
	in := &f.Insts[i]
	open := " {"
	put := func(s string) {
		w = append(append(w, open...), s...)
		open = ","
	}
	for k := range Attrs {
		if a := &Attrs[k]; a.Form == Word && a.Get(in) != 0 {
			put(a.Name)
		}
	}
	if f.ScratchBase == i {
		put(ScratchBaseName)
	}
	if d := in.SWSB.Dist(); d != 0 {
		put(in.SWSB.Pipe().String() + "@" + strconv.Itoa(d))
	}
	if t, use := in.SWSB.Token(); use != fields.TokenNone {
		put("$" + strconv.Itoa(t) + tokenUses[use])
	}
	if open == "," {
		w = append(w, '}')
	}
	return w
}

// ScratchBaseName is the attribute of the instruction Func.ScratchBase.
const ScratchBaseName = "scratch_base"

var tokenUses = [...]string{fields.TokenDst: ".dst", fields.TokenSrc: ".src", fields.TokenSet: ""}

func (o *Operand) appendText(w []byte, dst bool) []byte {
	if o.Neg {
		w = append(w, '-')
	}
	if o.Abs {
		w = append(w, "(abs)"...)
	}
	switch o.File {
	case None:
		return append(w, '_')
	case VReg:
		w = strconv.AppendUint(append(w, 'v'), uint64(o.Num), 10)
	case GRF:
		w = strconv.AppendUint(append(w, 'r'), uint64(o.Num), 10)
	case ARF:
		w = append(w, arfName(o.Num)...)
	case Imm:
		w = strconv.AppendUint(append(w, "0x"...), o.Bits(), 16)
	}
	if o.File != Imm {
		if o.Off != 0 {
			w = strconv.AppendUint(append(w, '+'), uint64(o.Off), 10)
		}
		switch {
		case o.Rows != 0:
			w = strconv.AppendUint(append(w, '<'), uint64(o.Rows.VStride()), 10)
			w = strconv.AppendUint(append(w, ';'), uint64(o.Rows.Width()), 10)
			w = strconv.AppendUint(append(w, ','), uint64(o.Stride), 10)
			w = append(w, '>')
		case o.Stride != 1 || dst && !o.IsNull() || o.Swizzle != 0 || o.Mask != 0:
			w = append(strconv.AppendUint(append(w, '<'), uint64(o.Stride), 10), '>')
		}
		if o.Swizzle != 0 {
			w = append(append(w, '.'), o.Swizzle.String()...)
		}
		if o.Mask != 0 {
			w = append(append(w, '.'), o.Mask.String()...)
		}
	}
	if o.Type != isa.TypeNone {
		w = append(append(w, ':'), o.Type.String()...)
	}
	return w
}

// ParseToken parses the part of a scoreboard field after the '$': 3, 3.dst or 3.src.
func ParseToken(s string) (t int, use fields.TokenUse, ok bool) {
	num, behind, dot := strings.Cut(s, ".")
	n, err := strconv.ParseUint(num, 10, 8)
	if err != nil || n >= fields.NumTokens {
		return 0, fields.TokenNone, false
	}
	for u := fields.TokenDst; u <= fields.TokenSet; u++ {
		if tokenUses[u] == "" && !dot || dot && tokenUses[u] == "."+behind {
			return int(n), u, true
		}
	}
	return 0, fields.TokenNone, false
}
