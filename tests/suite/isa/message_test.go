// SPDX-License-Identifier: MIT

package isa

import (
	"testing"

	"jacquard.example/generated/isa"
)

// descriptors returns messages of Mesa's Vulkan driver for this platform as iga64
// -Xdsd reads them.
func descriptors() []struct {
	name         string
	desc, exdesc uint32
	sfid         isa.SFID
	want         isa.MsgInfo
	build        func() (uint32, uint32)
} {
	type row = struct {
		name         string
		desc, exdesc uint32
		sfid         isa.SFID
		want         isa.MsgInfo
		build        func() (uint32, uint32)
	}
	return []row{
		{"untyped read", 0x04205E01, 0, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgUntypedRead, Mlen: 2, Rlen: 2, BTI: 1, Lanes: 16, Comps: 1, Mask: 1},
			func() (uint32, uint32) { return isa.DescUntypedRead(isa.TGL, 1, 16, 1) }},
		{"untyped read, 8 lanes", 0x02106E00, 0, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgUntypedRead, Mlen: 1, Rlen: 1, Lanes: 8, Comps: 1, Mask: 1},
			func() (uint32, uint32) { return isa.DescUntypedRead(isa.TGL, 0, 8, 1) }},
		{"untyped write", 0x04025E02, 0x80, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgUntypedWrite, Mlen: 2, Xlen: 2, BTI: 2, Lanes: 16, Comps: 1, Mask: 1},
			func() (uint32, uint32) { return isa.DescUntypedWrite(isa.TGL, 2, 16, 1) }},
		{"atomic add", 0x0210B700, 0x40, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgUntypedAtomic, Mlen: 1, Rlen: 1, Xlen: 1, Lanes: 8, AtomicOp: isa.AtomicAdd, Return: true},
			func() (uint32, uint32) { return isa.DescUntypedAtomic(isa.TGL, 0, 8, isa.AtomicAdd, true) }},
		{"atomic cmpwr", 0x0210BEFE, 0x80, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgUntypedAtomic, Mlen: 1, Rlen: 1, Xlen: 2, BTI: 254, Lanes: 8, AtomicOp: isa.AtomicCmpWr, Return: true},
			func() (uint32, uint32) { return isa.DescUntypedAtomic(isa.TGL, 254, 8, isa.AtomicCmpWr, true) }},
		{"A64 untyped read", 0x08245EFD, 0, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgA64UntypedRead, Mlen: 4, Rlen: 2, BTI: 253, Lanes: 16, Comps: 1, Mask: 1},
			func() (uint32, uint32) { return isa.DescA64UntypedRead(isa.TGL, 253, 16, 1) }},
		{"A64 untyped write", 0x08065EFD, 0x80, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgA64UntypedWrite, Mlen: 4, Xlen: 2, BTI: 253, Lanes: 16, Comps: 1, Mask: 1},
			func() (uint32, uint32) { return isa.DescA64UntypedWrite(isa.TGL, 253, 16, 1) }},
		{"A64 atomic add", 0x040487FD, 0x40, isa.SFIDDC1,
			isa.MsgInfo{Kind: isa.MsgA64Atomic, Mlen: 2, Xlen: 1, BTI: 253, AtomicOp: isa.AtomicAdd},
			func() (uint32, uint32) { return isa.DescA64Atomic(isa.TGL, 253, false, isa.AtomicAdd, false, 2, 1, 0) }},
		{"byte scattered read", 0x02110400, 0, isa.SFIDDC0,
			isa.MsgInfo{Kind: isa.MsgByteScatteredRead, Mlen: 1, Rlen: 1, Lanes: 8, DataSize: 1},
			func() (uint32, uint32) { return isa.DescByteScatteredRead(isa.TGL, 0, 8, 1) }},
		{"byte scattered write", 0x04030502, 0x80, isa.SFIDDC0,
			isa.MsgInfo{Kind: isa.MsgByteScatteredWrite, Mlen: 2, Xlen: 2, BTI: 2, Lanes: 16, DataSize: 1},
			func() (uint32, uint32) { return isa.DescByteScatteredWrite(isa.TGL, 2, 16, 1) }},
		{"dword scattered read", 0x0228C3FD, 0x80, isa.SFIDDC0,
			isa.MsgInfo{Kind: isa.MsgDWordScatteredRead, Mlen: 1, Rlen: 2, Xlen: 2, Header: true, BTI: 253, Lanes: 16}, nil},
		{"fence", 0x0219E0FE, 0, isa.SFIDDC0,
			isa.MsgInfo{Kind: isa.MsgFence, Mlen: 1, Rlen: 1, Header: true, BTI: 254, Commit: true},
			func() (uint32, uint32) { return isa.DescFence(isa.TGL, 254, true, 0, 1, 0, 1) }},
		{"block read", 0x02280302, 0, isa.SFIDDC0,
			isa.MsgInfo{Kind: isa.MsgOWordBlockRead, Mlen: 1, Rlen: 2, Header: true, BTI: 2, Block: 3},
			func() (uint32, uint32) { return isa.DescOWordBlockRead(isa.TGL, 2, 3, 1, 0, 2) }},
		{"constant block read", 0x02184203, 0, isa.SFIDDCRO,
			isa.MsgInfo{Kind: isa.MsgConstDWordBlockRead, Mlen: 1, Rlen: 1, Header: true, BTI: 3, Block: 2},
			func() (uint32, uint32) { return isa.DescConstDWordBlockRead(isa.TGL, 3, 2, 1, 0, 1) }},
		{"URB write", 0x02080027, 0x100, isa.SFIDURB,
			isa.MsgInfo{Kind: isa.MsgURBWrite, Mlen: 1, Xlen: 4, Header: true, URBOffset: 2},
			func() (uint32, uint32) { return isa.DescURBWrite(isa.TGL, 2, false, false, 1, 4, 0) }},
		{"URB read", 0x02480008, 0, isa.SFIDURB,
			isa.MsgInfo{Kind: isa.MsgURBRead, Mlen: 1, Rlen: 4, Header: true},
			func() (uint32, uint32) { return isa.DescURBRead(isa.TGL, 0, false, false, 1, 0, 4) }},
		{"render target write", 0x08031400, 0, isa.SFIDRC,
			isa.MsgInfo{Kind: isa.MsgRTWrite, Mlen: 4, RTMode: isa.RTModeSimd8, LastRT: true},
			func() (uint32, uint32) {
				return isa.DescRTWrite(isa.TGL, 0, isa.RTModeSimd8, false, true, false, false, false, 4, 0, 0)
			}},
		{"sample", 0x02420001, 0x40, isa.SFIDSampler,
			isa.MsgInfo{Kind: isa.MsgSample, Mlen: 1, Rlen: 4, Xlen: 1, BTI: 1, Lanes: 8},
			func() (uint32, uint32) {
				return isa.DescSample(isa.TGL, 1, 0, isa.SamplerSample, 8, false, false, 1, 1, 4)
			}},
		{"sample ld, 16 lanes", 0x08847203, 0, isa.SFIDSampler,
			isa.MsgInfo{Kind: isa.MsgSample, Mlen: 4, Rlen: 8, BTI: 3, Sampler: 2, SamplerOp: isa.SamplerLd, Lanes: 16}, nil},
		{"pixel interpolator", 0x02203000, 0x40, isa.SFIDPixInterp,
			isa.MsgInfo{Kind: isa.MsgPIEval, Mlen: 1, Rlen: 2, Xlen: 1, PIMode: isa.PIModePerSlotOffset, Lanes: 8}, nil},
		{"barrier", 0x02000004, 0, isa.SFIDGateway, isa.MsgInfo{Kind: isa.MsgBarrier, Mlen: 1},
			func() (uint32, uint32) { return isa.DescBarrier(isa.TGL) }},
		{"thread end", 0x02000000, 0, isa.SFIDTS, isa.MsgInfo{Kind: isa.MsgThreadEnd, Mlen: 1},
			func() (uint32, uint32) { return isa.DescThreadEnd(isa.TGL, false) }},
		{"thread end that keeps the URB handle", 0x02000010, 0, isa.SFIDTS, isa.MsgInfo{Kind: isa.MsgThreadEnd, Mlen: 1, KeepHandle: true},
			func() (uint32, uint32) { return isa.DescThreadEnd(isa.TGL, true) }},
	}
}

func TestDecodeMessage(t *testing.T) {
	for _, d := range descriptors() {
		got, ok := isa.DecodeMessage(isa.TGL, d.sfid, d.desc, d.exdesc)
		d.want.SFID = d.sfid
		if !ok || got != d.want {
			t.Errorf("%s: got  %+v\nwant %+v", d.name, got, d.want)
		}
		if d.build == nil {
			continue
		}
		if desc, ex := d.build(); desc != d.desc || ex != d.exdesc {
			t.Errorf("%s: built %#08x %#x, want %#08x %#x", d.name, desc, ex, d.desc, d.exdesc)
		}
	}
	if m, ok := isa.DecodeMessage(isa.TGL, isa.SFIDVME, 0x02000000, 0); ok || m.Mlen != 1 {
		t.Errorf("a message without a row: %+v, %v", m, ok)
	}
}
