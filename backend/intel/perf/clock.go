// SPDX-License-Identifier: MIT

package perf

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// action describes the timing of an instruction. Times are in cycles after it is issued.
type action struct {
	at     int32 // offset in the code, in bytes
	issue  int32 // cycles until the thread can issue the next instruction
	busy   int32 // cycles until its unit is free
	result int32 // cycles until its result is available
	flag   int32 // cycles until its flag is available
	read   int32 // cycles until it has read its sources

	unit    latency.Unit
	dist    uint8 // distance back to the in-order instruction whose result it waits for; 0 if none
	token   uint8
	use     fields.TokenUse
	pred    bool   // reads a flag
	cond    bool   // writes a flag
	inOrder bool   // counts toward distances
	send    bool   // reads its sources late
	wr, rd  uint16 // sync: masks of the tokens to wait for, for results and for reads of sources

	dst [2]run // registers, if hardware tracks them
	src [4]run
}

// lineRegs is the number of data registers per line of memory, assuming that lanes access neighboring
// elements.
const lineRegs = 2

// init fills in the timing of the instruction at an offset in the code.
func (a *action) init(machine *target.Target, in *isa.Inst, at int) {
	s := shapeOf(machine, in)
	c := &machine.Costs[s.class]
	lines := 0
	if c.BusyLine != 0 {
		lines = max(1, (s.data+lineRegs-1)/lineRegs)
	}
	*a = action{
		at:     int32(at),
		unit:   c.Unit,
		issue:  int32(c.Front + c.FrontDst*s.dst),
		busy:   int32(c.Busy + c.BusyExec*s.size + c.BusyLine*lines),
		result: int32(c.Result + c.ResultDst*s.dst + c.ResultSrc*s.src + c.ResultLine*lines),
		flag:   int32(c.Flag),
		read:   int32(c.Read + c.ReadSrc*s.src),
		dist:   uint8(in.SWSB.Dist()),
		pred:   in.Pred != isa.PredNone,
		cond:   s.computes() && in.CMod != isa.CModNone && in.Op != isa.OpSel && in.Op != isa.OpCsel,
		send:   s.send,
	}
	late := in.Op.IsOutOfOrder()
	token, use := in.SWSB.Token()
	a.token, a.use = uint8(token), use
	a.inOrder = !late && in.Op != isa.OpSync && in.Op != isa.OpWait && in.Op != isa.OpNop && in.Op != isa.OpHalt
	if in.Op == isa.OpSync {
		mask := uint16(0xFFFF)
		if in.Src[0].File == isa.FileImm {
			mask = uint16(in.Src[0].Imm)
		}
		switch in.Sync {
		case isa.SyncAllWr:
			a.wr = mask
		case isa.SyncAllRd:
			a.rd = mask
		}
	}
	if !machine.Can(target.SoftwareScoreboard) {
		a.dst, a.src = runs(in, machine.Registers.Bytes)
	}
}

// shape holds the properties of an instruction that its costs depend on.
type shape struct {
	class latency.Class
	send  bool
	size  int // execution size, in units of Costs.BusyExec
	dst   int // number of registers written
	src   int // message: number of payload registers
	data  int // message: number of data registers
}

// computes reports whether an instruction is neither a message nor a function of the math unit.
func (s *shape) computes() bool { return s.class == latency.ALU || s.class == latency.Plane }

// shapeOf returns the shape of an instruction of a machine.
func shapeOf(machine *target.Target, in *isa.Inst) (s shape) {
	switch isa.Ops[in.Op].Format {
	case isa.FormatBranch:
		s.class = latency.Branch
	case isa.FormatSend, isa.FormatSends:
		info, ok := in.Message(machine.Platform)
		if !ok {
			info.Rlen = 0
		}
		return shape{
			class: ofMessage(&info), send: true, size: max(int(in.ExecSize)/8, 1),
			dst: max(info.Rlen, 1), src: info.Mlen + info.Xlen, data: max(info.Rlen, info.Xlen),
		}
	case isa.FormatMath:
		if s.class = latency.Math; in.Math.IsInt() {
			s.class = latency.Divide
		}
	default:
		switch in.Op {
		case isa.OpSync, isa.OpWait:
			s.class = latency.Sync
		case isa.OpPln:
			s.class = latency.Plane
		}
	}
	size := max(in.Dst.Type.Size(), 1)
	bytes := int(in.ExecSize) * in.Dst.Type.Size() * max(int(in.Dst.HStride), 1)
	grf := machine.Registers.Bytes
	s.size = max(int(in.ExecSize)*size/grf, 1)
	s.dst = max((bytes+grf-1)/grf, 1)
	return s
}

// clock simulates a thread that has an execution unit to itself. Times are in cycles from the start of the
// program.
type clock struct {
	tracks bool // hardware tracks registers
	board  board
	now    int64
	free   [latency.NumUnits]int64 // times when the units are free
	flags  int64                   // time when the last flag is available
	done   [history]int64          // times when the results of the last in-order instructions are available
	n      int                     // number of in-order instructions so far
	dst    [tokens]int64           // time when the result of a token's message is available
	src    [tokens]int64           // time when a token's message has read its sources
}

// begin resets the clock for a program.
func (c *clock) begin(tracks bool) {
	*c = clock{tracks: tracks, board: c.board}
	if tracks {
		c.board = board{}
	}
}

// step issues an instruction as soon as its operands and its unit are available, and returns the time that it
// has to wait.
func (c *clock) step(a *action) (wait int32) {
	start := max(c.now, c.free[a.unit])
	if a.pred {
		start = max(start, c.flags)
	}
	if c.tracks {
		start = max(start, c.board.wait(a))
	}
	if d := int(a.dist); d > 0 && d <= c.n {
		start = max(start, c.done[(c.n-d)%history])
	}
	switch a.use {
	case fields.TokenDst, fields.TokenSet:
		start = max(start, c.dst[a.token])
	case fields.TokenSrc:
		start = max(start, c.src[a.token])
	}
	for t := 0; a.wr|a.rd != 0 && t < tokens; t++ {
		if a.wr>>t&1 != 0 {
			start = max(start, c.dst[t])
		}
		if a.rd>>t&1 != 0 {
			start = max(start, c.src[t])
		}
	}
	wait = int32(start - c.now)
	c.now = start + int64(a.issue)
	c.free[a.unit] = start + int64(a.busy)
	if a.cond {
		c.flags = start + int64(a.flag)
	}
	if c.tracks {
		c.board.note(a, start+int64(a.read), start+int64(a.result))
	}
	if a.use == fields.TokenSet {
		c.src[a.token] = start + int64(a.read)
		c.dst[a.token] = start + int64(a.result)
	}
	if a.inOrder {
		c.done[c.n%history] = start + int64(a.result)
		c.n++
	}
	return wait
}
