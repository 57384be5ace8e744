// SPDX-License-Identifier: MIT

package lower_test

import (
	"testing"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// TestAddressDescriptors compares messages at 64-bit addresses with the descriptors that Intel's drivers send,
// on all machines. Atomics have eight lanes.
func TestAddressDescriptors(t *testing.T) {
	for _, c := range []struct {
		m                   mir.Msg
		addr, data, results int // sizes in GRFs
		lanes               uint8
		want                uint32
	}{
		{mir.Msg{Name: message.A64Read, Comps: 1}, 2, 0, 1, 8, 0x04146EFD},
		{mir.Msg{Name: message.A64Read, Comps: 2}, 2, 0, 2, 8, 0x04246CFD},
		{mir.Msg{Name: message.A64Read, Comps: 4}, 4, 0, 8, 16, 0x088450FD},
		{mir.Msg{Name: message.A64Write, Comps: 1}, 2, 1, 0, 8, 0x04066EFD},
		{mir.Msg{Name: message.A64Write, Comps: 4}, 4, 8, 0, 16, 0x080650FD},
		{mir.Msg{Name: message.A64ByteRead, Bytes: 1}, 2, 0, 1, 8, 0x041400FD},
		{mir.Msg{Name: message.A64ByteRead, Bytes: 2}, 4, 0, 2, 16, 0x082414FD},
		{mir.Msg{Name: message.A64ByteWrite, Bytes: 1}, 4, 2, 0, 16, 0x080690FD},
		{mir.Msg{Name: message.A64ByteWrite, Bytes: 2}, 2, 1, 0, 8, 0x040684FD},
		{mir.Msg{Name: message.A64Atomic, Bytes: 4, Op: uint8(isa.AtomicAdd)}, 2, 1, 1, 8, 0x0414A7FD},
		{mir.Msg{Name: message.A64Atomic, Bytes: 8, Op: uint8(isa.AtomicAdd)}, 2, 2, 2, 8, 0x0424B7FD},
		{mir.Msg{Name: message.A64Atomic, Bytes: 8, Op: uint8(isa.AtomicCmpWr)}, 2, 4, 0, 8, 0x04049EFD},
		{mir.Msg{Name: message.A64AtomicFloat, Op: uint8(isa.FloatAtomicFMin)}, 2, 1, 1, 8, 0x041762FD},
	} {
		for _, family := range []*message.Family{message.HDC, message.HDC9} {
			f := mir.New(int(c.lanes), isa.TGL.Registers())
			b := mir.Builder{F: f}
			b.Vector()
			m := mir.Message{Msg: c.m, Address: mir.Fixed(2, ud), AddressLen: c.addr}
			m.Space = message.Buffer
			if c.data > 0 {
				m.Data, m.DataLen = mir.Fixed(20, ud), c.data
			}
			if c.results > 0 {
				m.Dst, m.DstLen = mir.V(f.NewGRFs(c.results), ud), c.results
			}
			b.Message(m)
			lower.Messages(f, family, isa.TGL)
			in := f.At(f.Blocks[0].First)
			if got := in.Desc | isa.DescLengths(int(in.Len[0]), int(in.Len[2])); got != c.want || in.SFID != isa.SFIDDC1 {
				t.Errorf("%s: %v of %d lanes: %08x, want %08x", family.Name, c.m, c.lanes, got, c.want)
			}
		}
	}
}

// TestAddressLengths checks that 64-bit addresses fill two registers for eight lanes.
func TestAddressLengths(t *testing.T) {
	for n, ok := range map[int]bool{1: false, 2: true, 4: false} {
		f := mir.New(8, isa.TGL.Registers())
		f.Name = "test"
		b := mir.Builder{F: f}
		b.Vector()
		m := mir.Message{Msg: mir.Msg{Name: message.A64Read, Space: message.Buffer, Comps: 1}, Address: mir.Fixed(2, ud),
			AddressLen: n, Dst: mir.V(f.NewReg(1, 4), ud), DstLen: 1}
		b.Message(m)
		if err := validate.Func(f); (err == nil) != ok {
			t.Errorf("%d registers: %v", n, err)
		}
	}
}
