// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// AwaitMessages waits until all earlier messages have written their results. With a hardware scoreboard this is
// unnecessary: the data cache processes the messages of a thread in order, and a fence follows them.
func (c *Context) AwaitMessages() {
	if c.Target.Can(target.SoftwareScoreboard) {
		c.sync(isa.SyncAllWr, mir.Null(isa.TypeUD))
	}
}

// Await waits until a register has been written, by reading it. Accesses to the ordered memory stay after it.
func (c *Context) Await(o mir.Operand, orders mir.Spaces) {
	if c.Target.Can(target.SoftwareScoreboard) {
		c.F.At(c.sync(isa.SyncNop, o)).Orders = orders
		return
	}
	c.B.Insert(mir.Inst{Op: isa.OpMov, Exec: 1, Orders: orders, NoMask: true, SideEff: true, Dst: mir.Null(o.Type),
		Src: [3]mir.Operand{o.WithStride(0)}})
}

// AwaitBarrier waits until all threads of the workgroup have reached its barrier.
func (c *Context) AwaitBarrier() {
	if c.Target.Can(target.SoftwareScoreboard) {
		c.sync(isa.SyncBar, mir.Null(isa.TypeUD))
		return
	}
	// The gateway counts completed barriers in the notification register.
	n0 := mir.Arch(isa.ARFN0, 0, isa.TypeUD).WithStride(0)
	c.B.Insert(mir.Inst{Op: isa.OpWait, Exec: 1, NoMask: true, SideEff: true, Src: [3]mir.Operand{n0}})
}

func (c *Context) sync(fn isa.SyncFn, o mir.Operand) mir.ID {
	return c.B.Insert(mir.Inst{Op: isa.OpSync, Sync: fn, Exec: 1, NoMask: true, SideEff: true, Src: [3]mir.Operand{o}})
}
