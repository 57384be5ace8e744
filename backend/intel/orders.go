// SPDX-License-Identifier: MIT

package intel

import (
	"math"

	"jacquard.example/backend/intel/opt"
	"jacquard.example/backend/intel/sched"
)

// order is a way to order the instructions of a function.
type order uint8

const (
	fast    order = iota // by latency while at most schedule_pressure registers are live
	tight                // the same with pressureStep fewer registers
	crowded              // like tight, but blocks in which more registers are live are in source order
	lean                 // by latency while at most leanPressure registers are live, else by demand
	numOrders
)

const pressureStep, leanPressure = 24, 88

// maxKept is the number of instructions up to which a compiler keeps the memory of package opt for the next shader. For a
// longer function it is released, so that the passes that follow can use it.
const maxKept = 1 << 17

// schedule takes the first order in which all values fit into the register file, or else the order other than fast that
// lacks the fewest registers.
func (j *job) schedule() error {
	if j.u.Func.NumInsts() > maxKept {
		j.c.opt = opt.Workspace{} // its passes have run
	}
	least, best := float32(math.MaxFloat32), crowded
	for o := range numOrders {
		j.order(o)
		if j.fits = j.c.ra.Fits(j.u.Func, j.registers()); j.fits {
			return nil
		}
		if lack := j.c.ra.Lack(); o != fast && lack < least {
			least, best = lack, o
		}
	}
	for o := tight; best != lean && o <= best; o++ {
		j.order(o)
	}
	return nil
}

// order orders the instructions. For crowded, they must be in the order tight.
func (j *job) order(o order) {
	f, s := j.u.Func, &j.c.sched
	limit := j.o.Target.Registers.SchedulePressure - pressureStep
	switch o {
	case fast:
		limit += pressureStep
	case crowded:
		s.Restore(limit)
		return
	case lean:
		limit = leanPressure
	}
	if o != fast {
		s.Restore(0)
	}
	j.stage = schedulePass // for error messages
	f.Work.Spend(f.NumInsts())
	s.Run(f, sched.Options{Costs: j.o.Target.Costs, Limit: limit, Lean: o == lean})
	j.stage = allocatePass
}
