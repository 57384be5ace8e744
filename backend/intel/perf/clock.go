package perf

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

// action is what an instruction does to the clock.
type action struct {
	at     int32 // in the code, in bytes
	issue  int32 // until the next instruction can be issued
	busy   int32 // until its unit is free
	result int32
	flag   int32
	read   int32 // until it has read its sources

	unit    latency.Unit
	dist    uint8 // waits for the result of that many in-order instructions before
	token   uint8
	use     fields.TokenUse
	pred    bool   // reads flags
	cond    bool   // writes flags
	inOrder bool   // distances count it
	send    bool   // reads its sources late
	wr, rd  uint16 // a sync: the tokens that it waits for

	dst [2]run // with a hardware scoreboard
	src [4]run
}

// lineRegs is how many registers of data are taken to come from one line of memory: all lanes
// access neighbouring elements.
const lineRegs = 2

// init describes an instruction.
func (a *action) init(machine *target.Target, in *isa.Inst, at int) {
	exec, dst, src, data := does(machine.Platform, in)
	class := exec.class
	c := &machine.Costs[class]
	lines := 0
	if c.BusyLine != 0 {
		lines = max(1, (data+lineRegs-1)/lineRegs)
	}
	*a = action{
		at: int32(at), unit: c.Unit,
		issue: int32(c.Front + c.FrontDst*dst), busy: int32(c.Busy + c.BusyExec*exec.size + c.BusyLine*lines),
		result: int32(c.Result + c.ResultDst*dst + c.ResultSrc*src + c.ResultLine*lines), flag: int32(c.Flag), read: int32(c.Read + c.ReadSrc*src),
		dist: uint8(in.SWSB.Dist()), pred: in.Pred != isa.PredNone, send: exec.send,
		cond: class == latency.ALU && in.CMod != isa.CModNone && in.Op != isa.OpSel && in.Op != isa.OpCsel,
	}
	late := in.Op.IsOutOfOrder()
	token, use := in.SWSB.Token(late)
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
		a.dst, a.src = runs(in)
	}
}

// executed is how an instruction is executed.
type executed struct {
	class latency.Class
	size  int // of its execution, in the unit of the table
	send  bool
}

// does returns how an instruction is executed, and the registers of its destination, of a
// message's payload and of the data that it moves.
func does(p isa.Platform, in *isa.Inst) (x executed, dst, src, data int) {
	switch isa.Ops[in.Op].Format {
	case isa.FormatBranch:
		x.class = latency.Branch
	case isa.FormatSend, isa.FormatSends:
		info, ok := in.Message(p)
		if !ok {
			info.Rlen = 0
		}
		x = executed{ofMessage(&info), max(int(in.ExecSize)/8, 1), true}
		return x, max(info.Rlen, 1), info.Mlen + info.Xlen, max(info.Rlen, info.Xlen)
	case isa.FormatMath:
		if x.class = latency.Math; in.Math.IsInt() {
			x.class = latency.Divide
		}
	default:
		if in.Op == isa.OpSync || in.Op == isa.OpWait {
			x.class = latency.Sync
		}
	}
	size := max(in.Dst.Type.Size(), 1)
	bytes := int(in.ExecSize) * in.Dst.Type.Size() * max(int(in.Dst.HStride), 1)
	x.size = max(int(in.ExecSize)*size/isa.GRFBytes, 1)
	return x, max((bytes+isa.GRFBytes-1)/isa.GRFBytes, 1), 0, 0
}

// clock is the time of a thread that has an execution unit to itself, as far as the code shows it.
type clock struct {
	tracks bool // the hardware tracks registers
	board  board
	now    int64
	free   [latency.NumUnits]int64
	flags  int64          // when the last flag is available
	done   [history]int64 // when the last in-order results are available
	n      int
	dst    [tokens]int64
	src    [tokens]int64
}

// begin begins a program.
func (c *clock) begin(tracks bool) {
	*c = clock{tracks: tracks, board: c.board}
	if tracks {
		c.board = board{}
	}
}

// step lets an instruction run when its operands and its unit are there, and returns how long it
// waits, and occupies the thread.
func (c *clock) step(a *action) (wait, issue int32) {
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
	return wait, a.issue
}
