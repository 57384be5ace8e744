package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// awaitMessages waits until all earlier messages have written their results. With a hardware scoreboard this is
// unnecessary: the data cache processes the messages of a thread in order, and a fence follows them.
func (c *Ctx) awaitMessages() {
	if c.Target.Can(target.SoftwareScoreboard) {
		c.sync(isa.SyncAllWr, mir.Null(isa.TypeUD))
	}
}

// await waits until a register has been written, by reading it. Accesses to the ordered memory stay after it.
func (c *Ctx) await(o mir.Operand, orders mir.Spaces) {
	if c.Target.Can(target.SoftwareScoreboard) {
		c.F.At(c.sync(isa.SyncNop, o)).Orders = orders
		return
	}
	c.B.Insert(mir.Inst{Op: isa.OpMov, Exec: 1, Orders: orders, NoMask: true, SideEff: true, Dst: mir.Null(o.Type), Src: [3]mir.Operand{o.WithStride(0)}})
}

// awaitBarrier waits until all threads of the workgroup have reached its barrier.
func (c *Ctx) awaitBarrier() {
	if c.Target.Can(target.SoftwareScoreboard) {
		c.sync(isa.SyncBar, mir.Null(isa.TypeUD))
		return
	}
	// The gateway counts completed barriers in the notification register.
	n0 := mir.Arch(isa.ARFN0, 0, isa.TypeUD).WithStride(0)
	c.B.Insert(mir.Inst{Op: isa.OpWait, Exec: 1, NoMask: true, SideEff: true, Src: [3]mir.Operand{n0}})
}

func (c *Ctx) sync(fn isa.SyncFn, o mir.Operand) mir.ID {
	return c.B.Insert(mir.Inst{Op: isa.OpSync, Sync: fn, Exec: 1, NoMask: true, SideEff: true, Src: [3]mir.Operand{o}})
}
