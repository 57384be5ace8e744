// SPDX-License-Identifier: MIT

package explicitio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass/flow"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// byAddress replaces the buffer access v with an access by address. If bounded is set, the access is inside an if that
// checks its bounds.
func (c context) byAddress(v, d ir.Value, a address, bounded bool) ir.Src {
	s, b := c.S, c.B
	desc := b.LoadBufferDescriptor(a.block)
	size := desc.Comp(2)
	if s.At(v).Intrinsic() == intrinsic.DerefBufferArrayLength {
		return c.arrayLength(d, a, size)
	}
	n := c.accessBytes(v, a)
	off := c.offsetOf(a, 0)
	to := a
	to.mode, to.offset, to.dyn = kind.ModeGlobal, 0, ir.Src{}
	at := func() {
		to.base = b.IAdd(b.Pack64_2x32Split(desc.Comp(0), desc.Comp(1)), b.U2U64(off))
	}
	to.align = min(a.align, bufferAlign)
	if p := a.offset & -a.offset; p != 0 { // the offset is now part of the address
		to.align = min(to.align, p)
	}
	if !bounded {
		at()
		return c.accessAt(v, d, to)
	}
	c.Bounded++
	inside := b.IAnd(b.UGe(size, b.Imm(n)), b.UGe(b.ISub(size, b.Imm(n)), off))
	at()
	in := *s.At(v)
	node := flow.IfBefore(c.Context, v, inside)
	b.AtEnd(s.Then(node))
	then := c.accessAt(v, d, to)
	var els ir.Src
	ends := [2]ir.Node{b.Block(), s.Else(node)}
	if then.Val != 0 {
		b.AtEnd(ends[1])
		els = c.zero(in.Comps, in.Bits)
	}
	b.AtStart(s.NextNode(node))
	r := flow.Join(c.Context, then, els, ends)
	b.Before(v)
	return r
}

// bufferAlign is the minimum alignment of buffers. Devices may require up to 256 bytes and must require at least 4
// (Vulkan limits minUniformBufferOffsetAlignment, minStorageBufferOffsetAlignment).
const bufferAlign = 4

func (c context) zero(comps, bits uint8) ir.Src {
	return c.B.Const(bits, make([]uint64, comps)...)
}

// accessBytes returns the number of bytes that access v spans.
func (c context) accessBytes(v ir.Value, a address) uint32 {
	s := c.S
	in := s.At(v)
	comps, bits := uint32(in.Comps), in.Bits
	if in.Intrinsic() == intrinsic.StoreDeref {
		val := s.Src(v, 1)
		comps, bits = uint32(val.N), s.At(val.Val).Bits
		for comps > 1 && s.Index(v, intrinsic.IxWriteMask)>>(comps-1)&1 == 0 {
			comps--
		}
	}
	size := uint32(memBits(a.mode, bits)) / 8
	if a.comp != 0 {
		return (comps-1)*a.comp + size
	}
	return comps * size
}
