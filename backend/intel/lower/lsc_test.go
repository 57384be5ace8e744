// SPDX-License-Identifier: MIT

package lower_test

import (
	"fmt"
	"testing"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// TestLoadStoreUnit compares lowered messages of 16 lanes with descriptors of Mesa's driver for dg2, and with words that
// iga64 assembles (GENS.md 6.2, 6.4 and 6.6; XE_lsc.txt).
func TestLoadStoreUnit(t *testing.T) {
	buffer := func(name message.Name) mir.Message {
		return mir.Message{Msg: mir.Msg{Name: name, Space: message.Buffer}, Address: mir.Fixed(2, ud), AddressLen: 2, Surface: mir.UD(3)}
	}
	shared := func(name message.Name) mir.Message {
		return mir.Message{Msg: mir.Msg{Name: name, Space: message.Shared}, Address: mir.Fixed(2, ud), AddressLen: 2}
	}
	wide := func(name message.Name) mir.Message {
		return mir.Message{Msg: mir.Msg{Name: name, Space: message.Buffer}, Address: mir.Fixed(2, ud), AddressLen: 4}
	}
	set := func(m mir.Message, comps, bytes, op uint8) mir.Message {
		m.Comps, m.Bytes, m.Op = comps, bytes, op
		return m
	}
	fence := func(space message.Space) mir.Message {
		return mir.Message{Msg: mir.Msg{Name: message.Fence, Space: space}, Orders: mir.SpacesOf(space)}
	}
	for _, c := range []struct {
		name             string
		m                mir.Message
		data, result     int // GRFs
		sfid             isa.SFID
		desc, index, len uint32
	}{
		{"load a doubleword of a buffer", set(buffer(message.UntypedRead), 1, 0, 0), 0, 2, isa.SFIDUGM, 0x64200500, 3, 0},
		{"store one", set(buffer(message.UntypedWrite), 1, 0, 0), 2, 0, isa.SFIDUGM, 0x64000504, 3, 2},
		{"load a doubleword of workgroup memory", set(shared(message.UntypedRead), 1, 0, 0), 0, 2, isa.SFIDSLM, 0x04200500, 0, 0},
		{"store one there", set(shared(message.UntypedWrite), 1, 0, 0), 2, 0, isa.SFIDSLM, 0x04000504, 0, 2},
		{"load a byte", set(buffer(message.ByteRead), 0, 1, 0), 0, 2, isa.SFIDUGM, 0x64200900, 3, 0},
		{"load four doublewords at an address", set(wide(message.A64Read), 4, 0, 0), 0, 8, isa.SFIDUGM, 0x08803580, 0, 0},
		{"store four", set(wide(message.A64Write), 4, 0, 0), 8, 0, isa.SFIDUGM, 0x08003584, 0, 8},
		{"load a word at an address", set(wide(message.A64ByteRead), 0, 2, 0), 0, 2, isa.SFIDUGM, 0x08200B80, 0, 0},
		{"increment workgroup memory", set(shared(message.Atomic), 0, 0, uint8(isa.AtomicInc)), 0, 0, isa.SFIDSLM, 0x04040508, 0, 0},
		{"compare and exchange", set(buffer(message.Atomic), 0, 0, uint8(isa.AtomicCmpWr)), 4, 2, isa.SFIDUGM, 0x64240512, 3, 4},
		{"add a float", set(buffer(message.AtomicFloat), 0, 0, uint8(isa.FloatAtomicFAdd)), 2, 2, isa.SFIDUGM, 0x64240513, 3, 2},
		{"fence workgroup memory", fence(message.Shared), 0, 1, isa.SFIDSLM, 0x0210011F, 0, 0},
		{"fence buffers", fence(message.Buffer), 0, 1, isa.SFIDUGM, 0x0210151F, 0, 0},
		{"signal the barrier", mir.Message{Msg: mir.Msg{Name: message.Barrier}, Header: mir.Fixed(2, ud)}, 0, 0, isa.SFIDGateway, 0x02000004, 0, 0},
		{"read push data", mir.Message{Msg: mir.Msg{Name: message.PushRead}, Header: mir.Fixed(2, ud)}, 0, 8, isa.SFIDUGM, 0x0280F500, 0, 0},
		{"read less", mir.Message{Msg: mir.Msg{Name: message.PushRead}, Header: mir.Fixed(2, ud)}, 0, 1, isa.SFIDUGM, 0x0210C500, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mir.New(16, isa.DG2.Registers())
			b := mir.Builder{F: f}
			b.Vector()
			m := c.m
			if c.data > 0 {
				m.Data, m.DataLen = mir.Fixed(40, ud), c.data
			}
			if c.result > 0 {
				m.Dst, m.DstLen = mir.Fixed(60, ud), c.result
			}
			b.Message(m)
			lower.Messages(f, message.LSCDG2, isa.DG2)
			in := f.At(f.Blocks[0].Last)
			got := isa.Inst{Desc: in.Desc, ExDesc: in.ExDesc}
			got.SetLengths(int(in.Len[0]), int(in.Len[1]), int(in.Len[2]))
			if want := c.index<<24 | isa.ExDescLength(int(c.len)); in.SFID != c.sfid || got.Desc != c.desc || got.ExDesc != want {
				t.Errorf("%s is %s %#x %#x, want %s %#x %#x", f.Text(f.Blocks[0].Last), in.SFID, got.Desc, got.ExDesc, c.sfid, c.desc, want)
			}
		})
	}
}

// TestScratchSurface checks the code of messages to private memory, whose surface the thread's header names, and of a buffer
// at a computed index.
func TestScratchSurface(t *testing.T) {
	for _, c := range []struct {
		m    mir.Message
		want []string
	}{
		{mir.Message{Msg: mir.Msg{Name: message.UntypedWrite, Space: message.Private, Comps: 1}, Address: mir.Fixed(2, ud), AddressLen: 2,
			Data: mir.Fixed(4, ud), DataLen: 2},
			[]string{"(W) and(1) v1<1>:ud r0+20<0>:ud 0xfffff800:ud", "(W) or(1) v2<1>:ud v1<0>:ud 0x80:ud"}},
		{mir.Message{Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}, Address: mir.Fixed(2, ud), AddressLen: 2,
			Surface: mir.FixedScalar(4, 0, ud), Dst: mir.Fixed(60, ud), DstLen: 2},
			[]string{"(W) shl(1) v1<1>:ud r4<0>:ud 0x18:ud"}},
	} {
		f := mir.New(16, isa.DG2.Registers())
		b := mir.Builder{F: f}
		b.Vector()
		b.Message(c.m)
		lower.Messages(f, message.LSCDG2, isa.DG2)
		if err := validate.Func(f); err != nil {
			t.Error(err)
		}
		var got []string
		for i, in := f.FirstOf(0); i != 0; i, in = f.NextOf(in) {
			if !in.IsSend() {
				got = append(got, f.Text(i))
			} else if in.Src[2].VReg() == 0 || !in.Msg.Bindless {
				t.Errorf("%s: the extended descriptor is not in a register", f.Text(i))
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("got %q\nwant %q", got, c.want)
		}
	}
}
