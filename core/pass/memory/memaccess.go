package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
)

// memForm says where an access by offset has its sources.
type memForm struct {
	offset int8 // operand of the offset
	value  int8 // operand of the value stored, -1 for loads
}

func memFormOf(id intrinsic.ID) (memForm, bool) {
	switch id {
	case intrinsic.LoadUBO, intrinsic.LoadSSBO:
		return memForm{1, -1}, true
	case intrinsic.LoadShared, intrinsic.LoadScratch, intrinsic.LoadPushConstant, intrinsic.LoadGlobal:
		return memForm{0, -1}, true
	case intrinsic.StoreSSBO:
		return memForm{2, 0}, true
	case intrinsic.StoreShared, intrinsic.StoreScratch, intrinsic.StoreGlobal:
		return memForm{1, 0}, true
	}
	return memForm{}, false
}

// LowerMemAccess brings accesses to the sizes that the machine's messages have:
// vectors of up to four dwords, or a single byte or word. 64-bit components
// become pairs of dwords, smaller ones are accessed one by one; where memory can
// only be read in dwords (push constants), they are extracted.
func LowerMemAccess(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := range s.Blocks(c.F) {
		for v := range s.Instrs(b) {
			f, ok := memFormOf(s.At(v).Intrinsic())
			if !ok {
				continue
			}
			in := s.At(v)
			bits := in.Bits
			if f.value >= 0 {
				bits = s.At(s.SrcVal(v, int(f.value))).Bits
			}
			c.B.Before(v)
			switch {
			case bits == 64:
				c.split64(v, f)
			case bits < 32 && in.Intrinsic() == intrinsic.LoadPushConstant:
				c.smallFromDwords(v, f)
			case bits < 32 && in.Comps > 1:
				c.splitSmall(v, f)
			default:
				continue
			}
			changed = true
		}
	}
	return changed
}

// piece makes a copy of access v for comps components of bits bits at more
// bytes behind its offset; val is what a store writes.
func (c context) piece(v ir.Value, f memForm, comps, bits uint8, more uint32, val ir.Src) ir.Src {
	s := c.S
	in := *s.At(v)
	id := in.Intrinsic()
	var src [3]ir.Src
	for i := range int(in.NSrc) {
		src[i] = s.Operand(v, i)
	}
	if more != 0 {
		src[f.offset] = c.B.IAdd(src[f.offset], c.B.Const(s.At(src[f.offset].Val).Bits, uint64(more)))
	}
	if f.value >= 0 {
		src[f.value] = val
		bits = 0
	}
	n := c.B.Intrinsic(id, comps, bits, src[:in.NSrc]...)
	for i := range int(in.NAux) {
		s.SetWord(n, i, s.Word(v, i))
	}
	if id.Slot(intrinsic.IxAlignOffset) >= 0 {
		mul := s.Index(v, intrinsic.IxAlignMul)
		s.SetIndex(n, intrinsic.IxAlignOffset, (s.Index(v, intrinsic.IxAlignOffset)+more)%max(mul, 1))
	}
	if f.value >= 0 {
		s.SetIndex(n, intrinsic.IxWriteMask, 1<<comps-1)
		return ir.Src{}
	}
	return s.All(n)
}

func (c context) split64(v ir.Value, f memForm) {
	s, b := c.S, c.B
	in := *s.At(v)
	var parts [4]ir.Src
	for i := 0; i < int(in.Comps); i += 2 {
		n := min(2, int(in.Comps)-i)
		if f.value < 0 {
			r := c.piece(v, f, uint8(2*n), 32, uint32(8*i), ir.Src{})
			for k := range n {
				parts[i+k] = b.Pack64_2x32Split(r.Comp(2*k), r.Comp(2*k+1))
			}
			continue
		}
		val := s.Operand(v, int(f.value))
		var d [4]ir.Src
		for k := range n {
			d[2*k], d[2*k+1] = b.Unpack64_2x32SplitX(val.Comp(i+k)), b.Unpack64_2x32SplitY(val.Comp(i+k))
		}
		c.piece(v, f, uint8(2*n), 0, uint32(8*i), pass.Vec(b, d[:2*n]))
	}
	if f.value < 0 {
		s.ReplaceUses(v, pass.Vec(b, parts[:in.Comps]))
	}
	s.Remove(v)
}

func (c context) splitSmall(v ir.Value, f memForm) {
	s := c.S
	in := *s.At(v)
	var parts [4]ir.Src
	for i := range int(in.Comps) {
		var val ir.Src
		bits := in.Bits
		if f.value >= 0 {
			val = s.Operand(v, int(f.value)).Comp(i)
			bits = s.At(val.Val).Bits
		}
		parts[i] = c.piece(v, f, 1, bits, uint32(i)*uint32(bits)/8, val)
	}
	if f.value < 0 {
		s.ReplaceUses(v, pass.Vec(c.B, parts[:in.Comps]))
	}
	s.Remove(v)
}

// smallFromDwords reads the dwords around small components and shifts these out
// of them.
func (c context) smallFromDwords(v ir.Value, f memForm) {
	s, b := c.S, c.B
	in := *s.At(v)
	var parts [4]ir.Src
	for i := range int(in.Comps) {
		off := s.Operand(v, int(f.offset))
		if i > 0 {
			off = b.IAdd(off, b.Imm(uint32(i)*uint32(in.Bits)/8))
		}
		base := s.Index(v, intrinsic.IxBase)
		if base != 0 {
			off = b.IAdd(off, b.Imm(base))
		}
		d := b.LoadPushConstant(1, 32, b.IAnd(off, b.Imm(^uint32(3))), 0, 0, 4, 0)
		x := b.UShr(d, b.IShl(b.IAnd(off, b.Imm(3)), b.Imm(3)))
		if in.Bits == 8 {
			parts[i] = b.U2U8(x)
		} else {
			parts[i] = b.U2U16(x)
		}
	}
	s.ReplaceUses(v, pass.Vec(b, parts[:in.Comps]))
	s.Remove(v)
}
