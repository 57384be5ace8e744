// SPDX-License-Identifier: MIT

package sched

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/message"
)

// cost is the timing of an instruction, in cycles from its start.
type cost struct {
	front  int32 // cycles until the next instruction can start
	read   int32 // cycles until its sources have been read
	result int32 // cycles until its result is available
	flag   int32 // cycles until its flag is available
	busy   int32 // cycles until the next instruction on its unit can start
	unit   latency.Unit
}

// atomics are the messages of the atomic class. A fence is a separate class; the class of other messages depends on the
// shared function.
var atomics = [message.NumNames]bool{
	message.Atomic: true, message.AtomicFloat: true, message.A64Atomic: true, message.A64AtomicFloat: true, message.TypedAtomic: true,
}

// classOf returns the class of an instruction in the latency table.
func classOf(in *mir.Inst) latency.Class {
	switch {
	case in.IsSend():
		switch {
		case atomics[in.Msg.Name]:
			return latency.Atomic
		case in.Msg.Name == message.Fence:
			return latency.Fence
		}
		return perf.ClassOfFunction(in.SFID)
	case in.Op == isa.OpMath && in.Math.IsInt():
		return latency.Divide
	case in.Op == isa.OpMath:
		return latency.Math
	case in.Op == isa.OpSync || in.Op == isa.OpWait:
		return latency.Sync
	case in.Steers():
		return latency.Branch
	case in.Op == isa.OpPln:
		return latency.Plane
	}
	return latency.ALU
}

// find fills in the timing of an instruction on a machine with GRFs of a size.
func (t *cost) find(costs *latency.Costs, grf mir.RegSize, in *mir.Inst) {
	c := &costs[classOf(in)]
	dst, src, exec := 0, 0, 0
	if in.IsSend() {
		dst, src = int(in.Len[2]), int(in.Len[0])+int(in.Len[1])
		exec = int(in.Exec) / 8
	} else {
		exec = grf.Count(uint32(in.Exec) * uint32(in.Dst.Type.Size()))
		dst = grf.Count(uint32(in.Exec) * uint32(in.Dst.Type.Size()) * uint32(max(in.Dst.Stride, 1)))
	}
	dst = max(dst, 1)
	t.front = int32(c.Front + c.FrontDst*dst)
	t.read = int32(c.Read + c.ReadSrc*src)
	t.result = int32(c.Result + c.ResultDst*dst + c.ResultSrc*src)
	t.flag = int32(c.Flag)
	t.busy = int32(c.Busy + c.BusyExec*max(exec, 1))
	t.unit = c.Unit
}
