// SPDX-License-Identifier: MIT

package mir_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// ordered builds functions of reads, fences and barriers.
type ordered struct {
	*mir.Func
	b        mir.Builder
	vec, hdr mir.Operand
}

func newOrdered() *ordered {
	o := &ordered{Func: mir.New(8, isa.TGL.Registers())}
	o.b = mir.Builder{F: o.Func}
	o.b.Vector()
	o.vec, o.hdr = mir.V(o.NewReg(1, 4), ud), mir.V(o.NewGRFs(1), ud)
	return o
}

func (o *ordered) read(s message.Space) {
	o.b.Message(mir.Message{Msg: mir.Msg{Name: message.UntypedRead, Space: s, Comps: 1}, Address: o.vec, AddressLen: 1,
		Surface: mir.UD(0), Dst: o.vec, DstLen: 1})
}

func (o *ordered) fence(s message.Space, orders mir.Spaces) mir.Operand {
	done := mir.V(o.NewGRFs(1), ud)
	in := mir.MakeMessage(&mir.Message{Msg: mir.Msg{Name: message.Fence, Space: s}, Orders: orders, Dst: done, DstLen: 1})
	in.Exec, in.NoMask = 1, true
	o.b.Insert(in)
	return done
}

func (o *ordered) await(done mir.Operand, orders mir.Spaces) {
	o.b.Insert(mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, SideEff: true, Orders: orders, Dst: mir.Null(ud),
		Src: [3]mir.Operand{done.WithStride(0)}})
}

// sentFence emits a fence for buffers that is a send and allocates a token.
func (o *ordered) sentFence(token int) {
	o.fence(message.Buffer, mir.SpacesOf(message.Buffer))
	in := o.At(o.Blocks[0].Last)
	in.SWSB = fields.SWSBSet(token)
	in.Op, in.SFID, in.Src[0] = isa.OpSend, isa.SFIDDC0, mir.Fixed(0, ud)
	in.Src[1], in.Len[0] = mir.Null(ud), 1
}

// wait emits a sync.nop with a scoreboard field.
func (o *ordered) wait(s fields.SWSB) {
	o.b.Insert(mir.Inst{Op: isa.OpSync, Sync: isa.SyncNop, Exec: 1, NoMask: true, SideEff: true, SWSB: s,
		Src: [3]mir.Operand{mir.Null(ud)}})
}

func (o *ordered) barrier() {
	in := mir.MakeMessage(&mir.Message{Msg: mir.Msg{Name: message.Barrier}, Header: o.hdr})
	in.Exec, in.NoMask = 8, true
	o.b.Insert(in)
}

func (o *ordered) arrive() {
	o.b.Insert(mir.Inst{Op: isa.OpSync, Sync: isa.SyncBar, Exec: 1, NoMask: true, SideEff: true, Src: [3]mir.Operand{mir.Null(ud)}})
}

// TestOrder checks that fences and barriers must be awaited in their block before the next access to the memory
// that they order.
func TestOrder(t *testing.T) {
	buffer, shared := mir.SpacesOf(message.Buffer), mir.SpacesOf(message.Shared)
	for _, c := range []struct {
		name, want string
		build      func(o *ordered)
	}{
		{"a fence that is awaited", "", func(o *ordered) {
			o.read(message.Buffer)
			o.await(o.fence(message.Buffer, buffer), buffer)
			o.read(message.Buffer)
		}},
		{"other memory before it is", "", func(o *ordered) {
			x := o.fence(message.Buffer, buffer)
			o.read(message.Shared)
			o.await(x, buffer)
		}},
		{"two that are awaited together", "", func(o *ordered) {
			x, y := o.fence(message.Buffer, buffer), o.fence(message.Shared, shared)
			o.await(x, buffer)
			o.await(y, shared)
			o.read(message.Shared)
		}},
		{"awaited by its token", "", func(o *ordered) {
			o.sentFence(3)
			o.wait(fields.SWSBDst(3))
		}},
		{"its token is allocated again", "", func(o *ordered) {
			o.sentFence(3)
			o.sentFence(3)
			o.sentFence(4)
			o.wait(fields.SWSBDst(3))
			o.wait(fields.SWSBDst(4))
		}},
		{"its token is allocated by an instruction that may be skipped", "is not awaited in its block", func(o *ordered) {
			o.sentFence(3)
			o.wait(fields.SWSBSet(3))
			o.At(o.Blocks[0].Last).NoMask = false
		}},
		{"its sources are awaited", "is not awaited in its block", func(o *ordered) {
			o.sentFence(3)
			o.wait(fields.SWSBSrc(3))
		}},
		{"a barrier", "", func(o *ordered) { o.barrier(); o.arrive(); o.read(message.Shared) }},
		{"nothing awaits it", "msg.fence(1) v3<1>:ud space=buffer orders=buffer rlen=1: is not awaited in its block", func(o *ordered) { o.fence(message.Buffer, buffer) }},
		{"awaited too late", "comes before a wait for (W) msg.fence(1) v3<1>:ud space=buffer orders=buffer rlen=1", func(o *ordered) {
			x := o.fence(message.Buffer, buffer)
			o.read(message.Buffer)
			o.await(x, buffer)
		}},
		{"for all spaces", "comes before a wait for (W) msg.fence(1) v3<1>:ud space=buffer orders=buffer.shared rlen=1", func(o *ordered) {
			x := o.fence(message.Buffer, buffer|shared)
			o.read(message.Shared)
			o.await(x, buffer|shared)
		}},
		{"awaited for other memory", "space=shared orders=shared rlen=1: is not awaited in its block", func(o *ordered) {
			o.await(o.fence(message.Shared, shared), buffer)
		}},
		{"another register is read", "is not awaited in its block", func(o *ordered) {
			o.fence(message.Shared, shared)
			o.await(o.hdr, shared)
		}},
		{"it orders other memory", "does not order accesses to buffer", func(o *ordered) { o.await(o.fence(message.Buffer, shared), shared) }},
		{"no answer", "has no response to wait for", func(o *ordered) {
			o.fence(message.Buffer, buffer)
			in := o.At(o.Blocks[0].Last)
			in.Dst, in.Len[2] = mir.Null(ud), 0
		}},
		{"in the next block", "is not awaited in its block", func(o *ordered) {
			x := o.fence(message.Buffer, buffer)
			o.b.AtEnd(o.NewBlock())
			o.await(x, buffer)
		}},
		{"a barrier that is not awaited", "msg.barrier(8) null:ud header=v2:ud len=1: is not awaited in its block", func(o *ordered) { o.barrier() }},
		{"an access before all have come", "comes before a wait for (W) msg.barrier(8) null:ud header=v2:ud len=1", func(o *ordered) {
			o.barrier()
			o.read(message.Buffer)
			o.arrive()
		}},
		{"a barrier before the fence is done", "comes before a wait for (W) msg.fence(1)", func(o *ordered) {
			x := o.fence(message.Shared, shared)
			o.barrier()
			o.await(x, shared)
			o.arrive()
		}},
		{"nowhere", "orders accesses in no space", func(o *ordered) { o.await(o.hdr, 1) }},
	} {
		o := newOrdered()
		c.build(o)
		o.BuildCFG()
		switch err := validate.Func(o.Func); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got  %v\nwant %s", c.name, err, c.want)
		}
	}
}
