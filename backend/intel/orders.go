package intel

import (
	"math"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/sched"
	"jacquard.example/generated/target"
)

// order is a way to order the instructions of a function.
type order uint8

// By latency, up to a number of live registers: each of the first orders keeps pressureStep fewer live than the one
// before.
const (
	scheduleAttempts = 4
	pressureStep     = 16
)

const (
	lastByLatency order = iota + scheduleAttempts - 1
	crowded             // like lastByLatency, but blocks in which more registers are live are in source order
	asSource
	byChain // by latency, and lean (see package sched) while more than leanPressure registers are live
	byNeed
	numOrders
)

const leanPressure = 88

// maxCompared is the maximum number of instructions of a function whose orders are compared.
const maxCompared = 2000

// schedule takes the first order in which all values fit into the register file. If there is none, the estimate decides
// between the orders that lack the fewest registers, each with its spills: which of them is best depends on the
// latencies that they expose. For long functions, it tries two orders and takes crowded if neither fits.
func (j *job) schedule() error {
	if j.u.Func.NumInsts() > maxCompared {
		if !j.inOrder(0) && !j.inOrder(lastByLatency) {
			j.inOrder(crowded)
		}
		j.c.sched = sched.Scheduler{} // its memory is worth more than the time to get it again
		return nil
	}
	var lacks [numOrders]float32
	least := float32(math.MaxFloat32)
	for o := range numOrders {
		if j.inOrder(o) {
			return nil
		}
		lacks[o] = j.c.ra.Lack()
		if o != asSource && !j.c.sched.Restore(0) {
			lacks[o] = math.MaxFloat32 // it is the order of the source
		}
		least = min(least, lacks[o])
	}
	compared := 0
	for _, x := range lacks[lastByLatency:] {
		if x <= least*comparable {
			compared++
		}
	}
	if least*negligible <= float32(j.u.Func.NumInsts()) {
		compared = 1 // some spills in much code cost little
	}
	var start *mir.Unit
	best, cycles := crowded, -1
	for o := lastByLatency; o < numOrders; o++ {
		if lacks[o] > least*comparable {
			continue
		}
		if compared == 1 {
			best = o
			break
		}
		if start == nil {
			start = j.u.Clone()
		}
		j.inOrder(o)
		if n, err := j.cost(); err == nil && (cycles < 0 || n < cycles) {
			best, cycles = o, n
		}
		j.restore(start)
	}
	j.inOrder(best)
	return nil
}

// The estimate compares orders whose lacks differ by at most this ratio, unless the least is a negligible part of the
// instructions.
const comparable, negligible = 1.3, 16

// inOrder orders the instructions, and reports whether they fit into the register file.
func (j *job) inOrder(o order) bool {
	f, s := j.u.Func, &j.c.sched
	j.stage = schedulePass // for error messages
	j.o.Work.Spend(f.NumInsts())
	limit := j.o.Target.Registers.SchedulePressure - pressureStep*int(min(o, lastByLatency))
	switch o {
	case asSource:
	case byChain:
		s.Run(f, sched.Options{Costs: j.o.Target.Costs, Limit: leanPressure, Lean: sched.ByChain})
	case byNeed:
		s.Run(f, sched.Options{Costs: j.o.Target.Costs, Limit: leanPressure, Lean: sched.ByNeed})
	default:
		s.Run(f, sched.Options{Costs: j.o.Target.Costs, Limit: limit})
		if o == crowded {
			s.Restore(limit)
		}
	}
	j.stage = allocatePass
	j.fits = j.c.ra.Fits(f, j.registers())
	return j.fits
}

// cost runs the rest of the passes on scheduled code, and returns the estimated cycles.
func (j *job) cost() (cycles int, err error) {
	verify := j.o.Verify
	j.o.Verify = false
	defer func() { j.o.Verify = verify }()
	if err := j.allocate(); err != nil {
		return 0, err
	}
	if err := j.scratchBase(); err != nil {
		return 0, err
	}
	if j.o.Target.Can(target.Fused) {
		if err := j.guard(); err != nil {
			return 0, err
		}
	}
	if j.o.Target.Can(target.SoftwareScoreboard) {
		if err := j.scoreboard(); err != nil {
			return 0, err
		}
	}
	if err := j.encode(); err != nil {
		return 0, err
	}
	return j.c.perf.Cycles(), nil
}

// restore makes the unit a copy of another one.
func (j *job) restore(u *mir.Unit) {
	f := j.u.Func
	f.CopyFrom(u.Func)
	*j.u = *u
	j.u.Func = f
}
