// SPDX-License-Identifier: MIT

package lower_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// TestDescriptors compares lowered logical messages with the descriptors that follow from the instruction set's
// own rows.
func TestDescriptors(t *testing.T) {
	buffer := mir.Message{Address: mir.Fixed(2, ud), Surface: mir.UD(7)}
	buffer.Space = message.Buffer
	shared, private := buffer, buffer
	shared.Space, shared.Surface = message.Shared, mir.Operand{}
	private.Space, private.Surface = message.Private, mir.Operand{}
	with := func(m mir.Message, name message.Name, comps, bytes, op uint8) mir.Message {
		m.Name, m.Comps = name, comps
		m.Bytes, m.Op = bytes, op
		return m
	}
	for _, c := range []struct {
		name         string
		m            mir.Message
		data, result int // GRFs for eight lanes
		want         func(lanes int) (desc, exdesc uint32)
		sfid         isa.SFID
	}{
		{"a read of a doubleword", with(buffer, message.UntypedRead, 1, 0, 0), 0, 1, func(n int) (uint32, uint32) { return isa.DescUntypedRead(isa.TGL, 7, n, 1) }, isa.SFIDDC1},
		{"a read of four", with(shared, message.UntypedRead, 4, 0, 0), 0, 4, func(n int) (uint32, uint32) { return isa.DescUntypedRead(isa.TGL, 254, n, 4) }, isa.SFIDDC1},
		{"a write of three", with(private, message.UntypedWrite, 3, 0, 0), 3, 0, func(n int) (uint32, uint32) { return isa.DescUntypedWrite(isa.TGL, 255, n, 3) }, isa.SFIDDC1},
		{"a read of bytes", with(buffer, message.ByteRead, 0, 1, 0), 0, 1, func(n int) (uint32, uint32) { return isa.DescByteScatteredRead(isa.TGL, 7, n, 0) }, isa.SFIDDC0},
		{"a write of words", with(shared, message.ByteWrite, 0, 2, 0), 1, 0, func(n int) (uint32, uint32) { return isa.DescByteScatteredWrite(isa.TGL, 254, n, 1) }, isa.SFIDDC0},
		{"an atomic without data", with(buffer, message.Atomic, 0, 0, uint8(isa.AtomicInc)), 0, 1, func(n int) (uint32, uint32) { return isa.DescUntypedAtomic(isa.TGL, 7, n, isa.AtomicInc, true) }, isa.SFIDDC1},
		{"compare and exchange", with(shared, message.Atomic, 0, 0, uint8(isa.AtomicCmpWr)), 2, 1, func(n int) (uint32, uint32) { return isa.DescUntypedAtomic(isa.TGL, 254, n, isa.AtomicCmpWr, true) }, isa.SFIDDC1},
		{"an atomic nobody reads", with(buffer, message.Atomic, 0, 0, uint8(isa.AtomicAdd)), 1, 0, func(n int) (uint32, uint32) { return isa.DescUntypedAtomic(isa.TGL, 7, n, isa.AtomicAdd, false) }, isa.SFIDDC1},
		{"a float atomic", with(buffer, message.AtomicFloat, 0, 0, uint8(isa.FloatAtomicFMax)), 1, 0, func(n int) (uint32, uint32) {
			return isa.DescUntypedAtomicFloat(isa.TGL, 7, n, isa.FloatAtomicFMax, false)
		}, isa.SFIDDC1},
	} {
		for _, width := range []int{8, 16, 32} {
			f := mir.New(width, isa.TGL.Registers())
			f.Name = c.name
			b := mir.Builder{F: f}
			b.Vector()
			m := c.m
			m.AddressLen = width / 8
			if c.data > 0 {
				m.Data, m.DataLen = mir.Fixed(20, ud), c.data*width/8
			}
			if c.result > 0 {
				m.Dst, m.DstLen = mir.V(f.NewReg(c.result, 4), ud), c.result*width/8
			}
			b.Message(m)
			if err := validate.Func(f); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			lower.Messages(f, message.HDC, isa.TGL)
			lower.SplitSIMD32(f)
			for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
				in := f.At(i)
				desc, exdesc := c.want(min(width, 16))
				got := isa.Inst{Desc: in.Desc, ExDesc: in.ExDesc}
				got.SetLengths(int(in.Len[0]), int(in.Len[1]), int(in.Len[2]))
				if in.Op != isa.OpSend || got.Desc != desc || got.ExDesc != exdesc || in.SFID != c.sfid || in.Msg != c.m.Msg {
					t.Errorf("%s at %d lanes: %s is %#x %#x, want %#x %#x", c.name, width, f.Text(i), got.Desc, got.ExDesc, desc, exdesc)
				}
			}
		}
	}
}

// TestMessages compares the code of lowered messages with lines of text.
func TestMessages(t *testing.T) {
	read := mir.Message{Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1}, Address: mir.Fixed(2, ud),
		AddressLen: 2, DstLen: 2}
	for _, c := range []struct {
		name  string
		build func(f *mir.Func, b *mir.Builder)
		want  []string
	}{
		{"a surface in a register, 32 lanes", func(f *mir.Func, b *mir.Builder) {
			f.Width, b.Exec = 32, 32
			m := read
			m.Surface, m.Dst = mir.FixedScalar(9, 4, ud), mir.V(f.NewReg(1, 4), ud)
			m.AddressLen, m.DstLen = 4, 4
			b.Message(m)
		}, []string{"(W) and(1) v2<1>:ud r9+4<0>:ud 0xff:ud", "(W) or(1) v3<1>:ud v2<0>:ud 0x4205e00:ud", "send.dc1(32) v1<1>:ud r2:ud null:ud v3<0>:ud msg=untyped_read space=buffer comps=1 desc=0x5e00 len=4 rlen=4"}},
		{"payloads of one register are parted", func(f *mir.Func, b *mir.Builder) {
			r := mir.V(f.NewReg(1, 4), ud)
			b.Message(mir.Message{
				Msg:     mir.Msg{Name: message.UntypedWrite, Space: message.Shared, Comps: 1},
				Address: r, AddressLen: 2, Data: r, DataLen: 2,
			})
		}, []string{"mov(16) v2<1>:ud v1:ud", "send.dc1(16) null:ud v2:ud v1:ud msg=untyped_write space=shared comps=1 desc=0x25efe len=2 xlen=2"}},
		{"a surface in a register", func(f *mir.Func, b *mir.Builder) {
			m := read
			m.Surface, m.Dst = mir.FixedScalar(9, 4, ud), mir.V(f.NewReg(1, 4), ud)
			b.Message(m)
		}, []string{"(W) and(1) v2<1>:ud r9+4<0>:ud 0xff:ud", "(W) or(1) v3<1>:ud v2<0>:ud 0x4205e00:ud", "send.dc1(16) v1<1>:ud r2:ud null:ud v3<0>:ud msg=untyped_read space=buffer comps=1 desc=0x5e00 len=2 rlen=2"}},
		{"a surface beyond its field", func(f *mir.Func, b *mir.Builder) {
			m := read
			m.Surface, m.Dst = mir.UD(0x1203), mir.V(f.NewReg(1, 4), ud)
			b.Message(m)
		}, []string{"send.dc1(16) v1<1>:ud r2:ud null:ud msg=untyped_read space=buffer comps=1 desc=0x5e03 len=2 rlen=2"}},
		{"fences", func(f *mir.Func, b *mir.Builder) {
			b.ScalarMode()
			for _, s := range []message.Space{message.Buffer, message.Shared} {
				done := mir.V(f.NewGRFs(1), ud)
				b.Message(mir.Message{Msg: mir.Msg{Name: message.Fence, Space: s}, Orders: mir.SpacesOf(s), Dst: done, DstLen: 1})
				b.Mov(mir.Null(ud), done.WithStride(0)).Orders = mir.SpacesOf(s)
			}
		}, []string{
			"(W) send.dc0(1) v1<1>:ud r0:ud null:ud msg=fence space=buffer orders=buffer desc=0x9e000 len=1 rlen=1", "(W) mov(1) null:ud v1<0>:ud orders=buffer",
			"(W) send.dc0(1) v2<1>:ud r0:ud null:ud msg=fence space=shared orders=shared desc=0x9e0fe len=1 rlen=1", "(W) mov(1) null:ud v2<0>:ud orders=shared",
		}},
		{"the barrier and the end", func(f *mir.Func, b *mir.Builder) {
			b.Exec, b.NoMask = 8, true
			b.Message(mir.Message{Msg: mir.Msg{Name: message.Barrier}, Header: mir.V(f.NewGRFs(1), ud)})
			b.Emit(isa.OpSync, mir.Operand{}, mir.Null(ud)).Sync = isa.SyncBar
			b.Message(mir.Message{Msg: mir.Msg{Name: message.EndThread}})
		}, []string{"(W) send.gtwy(8) null:ud v1:ud null:ud msg=barrier desc=0x4 len=1", "(W) sync.bar(8) null:ud", "(W) mov(8) v2<1>:ud r0:ud", "(W) send.ts(8) null:ud v2:ud null:ud msg=end_thread len=1 {EOT}"}},
		{"scratch", func(f *mir.Func, b *mir.Builder) {
			b.Message(mir.Message{Msg: mir.Msg{Name: message.ScratchWrite}, Data: mir.V(f.NewReg(1, 4), ud), DataLen: 2,
				Offset: mir.UD(0x120)})
			b.NoMask = true
			b.Message(mir.Message{Msg: mir.Msg{Name: message.ScratchRead}, Dst: mir.V(f.NewReg(4, 4), ud), DstLen: 8,
				Offset: mir.UD(0x1FFE0)})
		}, []string{"send.dc0(16) null:ud r0:ud v1:ud msg=scratch_write desc=0xf1009 len=1 xlen=2", "(W) send.dc0(16) v2<1>:ud r0:ud null:ud msg=scratch_read desc=0xc3fff len=1 rlen=8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mir.New(16, isa.TGL.Registers())
			b := mir.Builder{F: f}
			b.Vector()
			c.build(f, &b)
			if err := validate.Func(f); err != nil {
				t.Error(err)
			}
			lower.Messages(f, message.HDC, isa.TGL)
			if err := validate.Func(f); err != nil {
				t.Error(err)
			}
			if got := lines(f); got != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestPiecesAreNotHalved checks that the copied payload of a message for some of the lanes stays whole when the
// surrounding code is split into halves. A composed parameter takes as many registers as the message's lanes
// need.
func TestPiecesAreNotHalved(t *testing.T) {
	f := mir.New(32, isa.TGL.Registers())
	b := mir.Builder{F: f}
	b.Vector()
	r := mir.V(f.NewReg(1, 4), ud)
	for _, lanes := range []uint8{8, 16} {
		for at := uint8(0); at < 32; at += lanes {
			b.Exec, b.Chan = lanes, at
			part := r
			part.Slice(uint32(at), int(lanes))
			grfs := int(lanes) / 8
			m := mir.Message{Msg: mir.Msg{Name: message.UntypedWrite, Space: message.Shared, Comps: 1}, AddressLen: grfs, DataLen: grfs}
			m.Address, m.Data = part, part
			b.Message(m)
			m.Address = mir.UD(64)
			b.Message(m)
		}
	}
	lower.Payloads(f, message.HDC)
	lower.Messages(f, message.HDC, isa.TGL)
	lower.SplitSIMD32(f)
	if err := validate.Func(f); err != nil {
		t.Fatalf("%v\n%s", err, f)
	}
	moves, sends := 0, 0
	for i, in := f.FirstOf(0); i != 0; i, in = f.NextOf(in) {
		switch {
		case in.Op == isa.OpMov:
			moves++
			if size := f.Reg(mir.Reg(in.Dst.Num)).Bytes; in.Dst.Off != 0 || size != 4*uint32(in.Exec) {
				t.Errorf("%s writes a register of %d bytes", f.Text(i), size)
			}
		case in.IsSend():
			sends++
		}
	}
	if moves != 12 || sends != 12 {
		t.Errorf("%d moves for %d messages:\n%s", moves, sends, f)
	}
}

// TestImpossibleMessages checks that a message that no descriptor can encode is an error.
func TestImpossibleMessages(t *testing.T) {
	for name, m := range map[string]mir.Message{
		"five components": {Msg: mir.Msg{Name: message.UntypedRead, Space: message.Shared, Comps: 5}, Address: mir.Fixed(2, ud), AddressLen: 2},
		"no component":    {Msg: mir.Msg{Name: message.UntypedRead, Space: message.Shared}, Address: mir.Fixed(2, ud), AddressLen: 2},
		"a far place":     {Msg: mir.Msg{Name: message.ScratchRead}, Offset: mir.UD(0x20000), Dst: mir.Fixed(2, ud), DstLen: 1},
	} {
		family := *message.HDC
		family.Sends[message.ScratchRead].Base = 0 // its header cannot be moved
		f := mir.New(16, isa.TGL.Registers())
		b := mir.Builder{F: f}
		b.Vector()
		b.Message(m)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: %s", name, f)
				}
			}()
			lower.Messages(f, &family, isa.TGL)
		}()
	}
}

// TestFarScratch checks that the part of a scratch offset that does not fit into the descriptor is added to the
// base in a copy of the thread's header.
func TestFarScratch(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	b := mir.Builder{F: f}
	b.Vector()
	b.Message(mir.Message{Msg: mir.Msg{Name: message.ScratchWrite}, Data: mir.V(f.NewReg(1, 4), ud), DataLen: 2, Offset: mir.UD(0x5FFE0)})
	lower.Messages(f, message.HDC, isa.TGL)
	want := "(W) mov(8) v2<1>:ud r0:ud\n(W) add(1) v2+20<1>:ud r0+20<0>:ud 0x40000:ud\n" +
		"send.dc0(16) null:ud v2:ud v1:ud msg=scratch_write desc=0xf1fff len=1 xlen=2"
	if got := lines(f); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if reach := (lower.Scratch{Messages: message.HDC, Bytes: 2 << 20}).Reach(f); reach != 2<<20 {
		t.Errorf("spilled registers may take %d bytes", reach)
	}
	near := *message.HDC
	near.Sends[message.ScratchWrite].Base = 0
	if reach := (lower.Scratch{Messages: &near, Bytes: 2 << 20}).Reach(f); reach != 128<<10 {
		t.Errorf("spilled registers may take %d bytes where no header can be moved", reach)
	}
}
