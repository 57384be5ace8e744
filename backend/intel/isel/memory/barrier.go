// SPDX-License-Identifier: MIT

package memory

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// Barrier orders memory with fences and then makes the threads of the workgroup wait for each other, as far as its scopes
// and modes require.
func Barrier(c *value.Context, v ir.Value) {
	modes := kind.Mode(c.S.Index(v, intrinsic.IxMemoryModes))
	execution := kind.Scope(c.S.Index(v, intrinsic.IxExecutionScope))
	memory := kind.Scope(c.S.Index(v, intrinsic.IxMemoryScope))
	wide := memory != kind.ScopeSubgroup && memory != kind.ScopeInvocation && memory != kind.ScopeNone
	threads := execution == kind.ScopeWorkgroup && !singleThread(c)
	global := wide && modes&(kind.ModeSSBO|kind.ModeGlobal|kind.ModeImage) != 0
	local := modes&kind.ModeShared != 0 && wide && !singleThread(c)
	if !global && !local && !threads {
		return
	}
	if global || local {
		c.AwaitMessages()
	}
	if global {
		fences(c, modes)
	}
	if local && !(global && c.Target.Messages.Sends[message.Fence].AllSpaces) {
		fence(c, message.Shared, 0)
	}
	if !threads {
		return
	}
	c.UsedBarrier = true
	if c.BarrierMsg == 0 {
		c.BarrierMsg = c.F.NewGRFs(1)
	}
	c.B.Exec, c.B.NoMask = 8, true
	c.B.Message(mir.Message{Msg: mir.Msg{Name: message.Barrier}, Header: mir.V(c.BarrierMsg, isa.TypeUD)})
	c.AwaitBarrier()
}

// fences emits the fences for buffers and images.
func fences(c *value.Context, modes kind.Mode) {
	family := c.Target.Messages
	if family.Send(message.Fence, message.Image) == family.Send(message.Fence, message.Buffer) {
		fence(c, message.Buffer, imageToo(modes))
		return
	}
	if modes&(kind.ModeSSBO|kind.ModeGlobal) != 0 {
		fence(c, message.Buffer, 0)
	}
	if modes&kind.ModeImage != 0 {
		fence(c, message.Image, 0)
	}
}

// imageToo returns the space of images if it is among the modes: the fence for buffers covers all memory of the
// data cache.
func imageToo(modes kind.Mode) mir.Spaces {
	if modes&kind.ModeImage == 0 {
		return 0
	}
	return mir.SpacesOf(message.Image)
}

// Header copies a message header from the thread's own header. Doublewords that the message does not read are
// arbitrary: all are set to the first value.
func Header(c *value.Context, to mir.Reg, name message.Name) {
	c.B.Exec, c.B.NoMask = 8, true
	for i, d := range c.Target.Messages.Sends[name].Header {
		value, mask := c.Field(d.Value)
		dst := mir.V(to, isa.TypeUD)
		if i > 0 {
			dst, c.B.Exec = dst.At(4*uint32(d.Dword)), 1
		}
		c.B.Emit(isa.OpAnd, dst, value, mir.UD(mask))
		if d.Also != 0 {
			c.B.Exec = 1
			lower := mir.V(c.F.NewScalar(4), isa.TypeUD)
			at := mir.Scalar(to, 4*uint32(d.Dword), isa.TypeUD)
			c.B.Emit(isa.OpShr, lower, at, mir.UD(uint32(d.Also)))
			c.B.Emit(isa.OpOr, mir.V(to, isa.TypeUD).At(4*uint32(d.Dword)), at, c.Source(lower))
		}
	}
}

// singleThread reports whether a workgroup fits into one thread.
func singleThread(c *value.Context) bool {
	n := uint64(1)
	for _, x := range c.S.Info.WorkgroupSize {
		n *= uint64(x)
	}
	return n != 0 && n <= uint64(c.Width)
}

// fence waits until earlier writes of the thread are visible to all users of the memory.
func fence(c *value.Context, space message.Space, more mir.Spaces) {
	c.B.Exec, c.B.NoMask = 1, true
	done := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	orders := mir.SpacesOf(space) | more
	if c.Target.Messages.Sends[message.Fence].AllSpaces {
		orders |= mir.SpacesOf(message.Buffer, message.Shared)
	}
	c.B.Message(mir.Message{Msg: mir.Msg{Name: message.Fence, Space: space}, Orders: orders, Dst: done, DstLen: 1})
	c.Await(done, orders)
}
