// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// LowerMemAccess gives accesses the sizes that the machine's messages support: vectors of up to four dwords, or a
// single byte or word. 64-bit components become pairs of dwords. Smaller components are packed into dwords and words as
// far as their alignment is known; where memory can be read only as dwords (push constants), they are extracted from
// them.
func LowerMemAccess(pc *pass.Context) bool {
	c := in(pc)
	s := c.S
	changed := false
	for b := s.FirstBlock(c.F); b != 0; b = s.NextBlock(b) {
		for next := s.First(b); next != 0; {
			v, in := next, s.At(next)
			next = in.Next()
			if in.Kind != kind.Intrinsic {
				continue
			}
			f, ok := memFormOf(in.Intrinsic())
			if !ok {
				continue
			}
			bits := in.Bits
			if f.value >= 0 {
				bits = s.At(s.Src(v, int(f.value)).Val).Bits
			}
			c.B.Before(v)
			switch {
			case bits == 64:
				c.split(v, f, bits, 2)
			case bits < 32 && in.Intrinsic() == intrinsic.LoadPushConstant:
				c.smallFromDwords(v, f)
			case bits < 32 && in.Comps > 1:
				c.small(v, f, bits, int(in.Comps))
			// a store to addresses that leaves out components is split: the addresses of the parts differ by constants
			case in.Comps > 4, in.Intrinsic() == intrinsic.StoreGlobal && s.Index(v, intrinsic.IxWriteMask) != 1<<in.Comps-1:
				c.split(v, f, bits, 4)
			default:
				continue
			}
			changed = true
		}
	}
	return changed
}

// piece inserts a copy of access v with comps components of bits bits, more bytes after v's offset; val is the value to
// store. It returns the loaded value, if any.
func (c context) piece(v ir.Value, f memForm, comps, bits uint8, more uint32, val ir.Src) ir.Src {
	s := c.S
	in := *s.At(v)
	id := in.Intrinsic()
	var src [3]ir.Src
	for i := range int(in.NSrc) {
		src[i] = s.Src(v, i)
	}
	if more != 0 {
		width := s.At(src[f.offset].Val).Bits
		src[f.offset] = c.B.IAdd(src[f.offset], c.B.Const(width, uint64(int32(more))&(1<<(width-1)<<1-1)))
	}
	if f.value >= 0 {
		src[f.value] = val
		bits = 0
	}
	n := c.B.Intrinsic(id, comps, bits, src[:in.NSrc]...)
	copy(s.Words(n), s.Words(v))
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

// split splits an access into accesses with at most the given number of components. 64-bit components are pairs of
// dwords. Components that a store does not write are omitted.
func (c context) split(v ir.Value, f memForm, bits uint8, most int) {
	s, b := c.S, c.B
	in := *s.At(v)
	mask := uint32(1)<<in.Comps - 1
	if f.value >= 0 {
		mask &= s.Index(v, intrinsic.IxWriteMask)
	}
	wide := bits == 64
	var parts [fold.MaxComps]ir.Src
	for i := 0; i < int(in.Comps); {
		n := 0
		for n < most && mask>>(i+n)&1 != 0 {
			n++
		}
		if n == 0 {
			i++
			continue
		}
		more := uint32(i) * uint32(bits) / 8
		switch {
		case f.value < 0 && wide:
			r := c.piece(v, f, uint8(2*n), 32, more, ir.Src{})
			for k := range n {
				parts[i+k] = b.Pack64_2x32Split(r.Comp(2*k), r.Comp(2*k+1))
			}
		case f.value < 0:
			r := c.piece(v, f, uint8(n), bits, more, ir.Src{})
			for k := range n {
				parts[i+k] = r.Comp(k)
			}
		default:
			val := s.Src(v, int(f.value))
			var d [4]ir.Src
			for k := range n {
				if x := val.Comp(i + k); wide {
					d[2*k], d[2*k+1] = b.Unpack64_2x32SplitX(x), b.Unpack64_2x32SplitY(x)
				} else {
					d[k] = x
				}
			}
			size := n
			if wide {
				size *= 2
			}
			c.piece(v, f, uint8(size), 0, more, pass.VecOrOne(b, d[:size]))
		}
		i += n
	}
	if f.value < 0 {
		s.ReplaceUses(v, pass.Vec(b, parts[:in.Comps]))
	}
	s.Remove(v)
}

// smallFromDwords loads the dwords that contain small components and extracts the
// components with shifts.
func (c context) smallFromDwords(v ir.Value, f memForm) {
	s, b := c.S, c.B
	in := *s.At(v)
	var parts [fold.MaxComps]ir.Src
	for i := range int(in.Comps) {
		off := s.Src(v, int(f.offset))
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
