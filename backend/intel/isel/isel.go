package isel

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// Result is the result of a selection besides the code.
type Result struct {
	UsesBarrier  bool
	ScratchBytes uint32 // private memory per lane
	Origins      []mir.Origin
}

// Workspace holds memory that consecutive selections reuse.
type Workspace struct {
	rows   sel.Selector
	ctx    Ctx
	blocks []ir.Node
}

// Select fills f with machine instructions for the shader's entry point.
func (m *Workspace) Select(s *ir.Shader, f *mir.Func, o Options) (Result, error) {
	entry := s.Entry()
	if entry == 0 {
		return Result{}, fmt.Errorf("the shader has no entry point")
	}
	f.Reset(o.Width)
	f.Payload = o.Layout.Regs()
	c := &m.ctx
	*c = Ctx{
		S: s, F: f, B: mir.Builder{F: f}, Options: o, sel: &m.rows,
		needed: reuse.Zeroed(c.needed, s.NumValues()),
		reg:    reuse.Zeroed(c.reg, s.NumValues()),
		irReg:  reuse.Zeroed(c.irReg, int(s.Regs.Num())),
		block:  reuse.Zeroed(c.block, s.NumNodes()),
		ends:   reuse.Zeroed(c.ends, s.NumNodes()),
		branch: reuse.Zeroed(c.branch, s.NumNodes()),
		arms:   reuse.Zeroed(c.arms, s.NumNodes()),
		params: c.params, outputs: c.outputs,
	}
	if o.Origins {
		c.origins = []mir.Origin{{}}
	}
	f.Name = s.Strs.Text(s.Func(entry).Name)
	m.rows.T = c
	if err := m.rows.Prepare(&sel.Rows, s, entry, c.Target); err != nil {
		return Result{}, err
	}
	root := s.Func(entry).Node
	c.skeleton(s.Body(root))
	if c.Err() == nil {
		c.endOfThread(s.BodyEnd(root))
	}

	blocks := m.blocks[:0]
	for b := s.FirstBlock(entry); b != 0; b = s.NextBlock(b) {
		blocks = append(blocks, b)
	}
	m.blocks = blocks
	for i := len(blocks) - 1; i >= 0; i-- {
		c.selectBlock(blocks[i])
	}
	if c.Err() != nil {
		return Result{}, c.Err()
	}
	c.prologue()
	f.BuildCFG()
	f.MarkSingle()
	return Result{UsesBarrier: c.usedBarrier, ScratchBytes: c.usedScratch, Origins: c.origins}, c.Err()
}

// prologue computes values that are used in several places, at the start.
func (c *Ctx) prologue() {
	first := c.F.Blocks[0].First
	c.B.Before(first)
	c.B.Loc = 0
	c.floatMode()
	if c.scratch != 0 {
		c.laneID()
	}
	c.emitLive()
	c.emitKilled()
	c.emitPixels()
	if c.laneIDs != 0 {
		c.emitLaneIDs()
	}
	if c.rowSteps != 0 {
		c.emitRowSteps()
	}
	if c.subgroupID != 0 {
		c.emitSubgroupID()
	}
	if c.barrierMsg != 0 {
		c.header(c.barrierMsg, message.Barrier)
	}
	if c.scratch != 0 {
		c.emitScratchBase()
	}
}

// endOfThread emits the end of the thread. last is the IR's last block.
func (c *Ctx) endOfThread(last ir.Node) {
	if c.halts {
		// Lanes that ended early resume here.
		c.F.NewBlock()
		c.F.Append(len(c.F.Blocks)-1, mir.Inst{Op: mir.OpHaltTarget, Exec: uint8(c.Width), SideEff: true})
	}
	c.B.AtEnd(len(c.F.Blocks) - 1)
	// The code of the IR's last block goes before the first instruction of the end.
	end, first := len(c.F.Blocks)-1, c.F.Blocks[len(c.F.Blocks)-1].Last
	switch {
	case c.isVertex():
		c.endOfVertex()
	case c.isFragment():
		c.endOfFragment()
	default:
		c.B.Exec, c.B.NoMask = 8, true
		c.B.Message(mir.Message{Msg: mir.Msg{Name: message.EndThread}})
	}
	if c.Err() != nil {
		return
	}
	if first != 0 {
		first = c.F.Next(first)
	} else {
		first = c.F.Blocks[end].First
	}
	if !c.halts && c.ends[last] == 0 {
		c.ends[last] = first
	}
}

// selectBlock emits a block from its end to its start.
func (c *Ctx) selectBlock(b ir.Node) {
	blk := int(c.block[b])
	if blk < 0 {
		return // unreachable after a jump
	}
	head := c.ends[b]
	if endsInvocation(c.S, b) && c.isFragment() {
		j := c.S.Jump(b)
		c.B.Loc = c.locOf(j, c.S.At(j))
		at := c.moveTo(blk, head)
		lanes := c.scalarTemp()
		c.active(lanes)
		c.kill(lanes)
		head = c.instAfter(blk, at)
	}
	if next := c.S.NextNode(b); next != 0 && c.S.NodeKind(next) == ir.NodeIf && c.branch[next] != 0 {
		cond := c.S.Cond(next).Val
		c.B.Loc = c.locOf(cond, c.S.At(cond))
		if c.origins != nil {
			c.origins[c.B.Loc].Row = c.sel.ChosenIf(next)
		}
		at := c.moveTo(blk, head)
		c.B.Vector()
		flag, inv := c.Flag(c.S.Cond(next))
		br := c.F.At(c.branch[next])
		br.Pred, br.Flag, br.PredInv, br.Loc = isa.PredNormal, flag, inv != c.arms[next], c.B.Loc
		head = c.instAfter(blk, at)
	}
	for v := c.S.Last(b); v != 0 && c.Err() == nil; {
		in := c.S.At(v)
		if c.needed[v] || in.Kind == kind.Intrinsic && !c.S.CanEliminate(v) {
			c.B.Loc = c.locOf(v, in)
			at := c.moveTo(blk, head)
			c.selectValue(v, in)
			head = c.instAfter(blk, at)
		}
		v = in.Prev()
	}
}

// locOf returns the Loc of the instructions selected for v: its source location, or the index of its origin.
func (c *Ctx) locOf(v ir.Value, in *ir.Instr) uint32 {
	if c.origins == nil {
		return uint32(in.Loc)
	}
	c.origins = append(c.origins, mir.Origin{Value: uint32(v), Row: c.sel.Chosen(v)})
	return uint32(len(c.origins) - 1)
}

// moveTo moves the cursor to before head (or, if it is 0, to the end of the block) and returns the instruction
// before the cursor.
func (c *Ctx) moveTo(blk int, head mir.ID) mir.ID {
	if head != 0 {
		c.B.Before(head)
		return c.F.Prev(head)
	}
	c.B.AtEnd(blk)
	return c.F.Blocks[blk].Last
}

// instAfter returns the instruction after i in a block or, if i is 0, the block's first instruction.
func (c *Ctx) instAfter(blk int, i mir.ID) mir.ID {
	if i != 0 {
		return c.F.Next(i)
	}
	return c.F.Blocks[blk].First
}

func (c *Ctx) selectValue(v ir.Value, in *ir.Instr) {
	c.rowFlags = [mir.NumFlags]mir.Flag{}
	if in.HasResult() && c.IsUniform(v) {
		c.B.ScalarMode()
	} else {
		c.B.Vector()
	}
	if in.Kind == kind.ALU && (in.Bits == 64 || c.S.At(c.S.Src(v, 0).Val).Bits == 64) {
		c.Fail(v, "%s: 64-bit values must be lowered before selection", in.ALUOp())
		return
	}
	c.sel.Emit(v)
}

// isEmpty reports whether an arm is a single block without instructions, except for the given jump if withJump
// is set.
func (c *Ctx) isEmpty(first ir.Node, jump kind.JumpKind, withJump bool) bool {
	if c.S.NextNode(first) != 0 || c.S.NodeKind(first) != ir.NodeBlock {
		return false
	}
	v := c.S.First(first)
	if !withJump {
		return v == 0
	}
	return v != 0 && v == c.S.Last(first) && c.S.At(v).IsJump() && kind.JumpKind(c.S.At(v).Op) == jump
}

// skeleton creates the blocks and control flow instructions for a list of nodes. On return, the function's last
// block is still open.
func (c *Ctx) skeleton(first ir.Node) {
	f := c.F
	width := uint8(c.Width)
	cur := func() int { return len(f.Blocks) - 1 }
	var open ir.Node // IR block whose code goes to the end of the current block
	put := func(o isa.Op) mir.ID {
		id := f.Append(cur(), mir.Inst{Op: o, Exec: width, SideEff: true})
		if open != 0 && c.ends[open] == 0 && int(c.block[open]) == cur() {
			c.ends[open] = id
		}
		return id
	}
	var walk func(ir.Node)
	walk = func(n ir.Node) {
		for ; n != 0; n = c.S.NextNode(n) {
			switch c.S.NodeKind(n) {
			case ir.NodeBlock:
				c.block[n], open = int32(cur()), n
				if j := c.S.Jump(n); j != 0 {
					switch kind.JumpKind(c.S.At(j).Op) {
					case kind.JumpBreak:
						put(isa.OpBreak)
					case kind.JumpContinue:
						put(isa.OpCont)
					default: // return from the entry point, or end of the invocation
						if c.S.NodeKind(c.S.Parent(n)) == ir.NodeFunc {
							continue
						}
						c.F.At(put(isa.OpHalt)).Uniform = c.together(n)
						c.halts = true
					}
					f.NewBlock()
				}
			case ir.NodeIf:
				c.ifSkeleton(n, put, walk)
				open = 0
			case ir.NodeLoop:
				f.NewBlock()
				open = 0
				loop := c.F.At(put(mir.OpLoop))
				loop.Uniform, loop.Trips = c.together(c.S.Body(n)), c.S.Node(n).Trips
				walk(c.S.Body(n))
				if c.endsInBreak(n) {
					open = 0
					continue
				}
				f.NewBlock()
				open = 0
				put(isa.OpWhile)
				f.NewBlock()
			}
		}
	}
	walk(first)
}

func (c *Ctx) together(block ir.Node) bool { return c.Together != nil && c.Together(block) }

func (c *Ctx) ifSkeleton(n ir.Node, put func(isa.Op) mir.ID, walk func(ir.Node)) {
	f, s := c.F, c.S
	then, els := s.Then(n), s.Else(n)
	noThen, noElse := c.isEmpty(then, 0, false), c.isEmpty(els, 0, false)
	for arm := range 2 {
		jump, other := then, noElse
		if arm == 1 {
			jump, other = els, noThen
		}
		if !other {
			continue
		}
		o := isa.OpBreak
		switch {
		case c.isEmpty(jump, kind.JumpBreak, true):
			if c.endsLoop(n) {
				o, arm = isa.OpWhile, 1-arm // the branch is for the lanes that continue
			}
		case c.isEmpty(jump, kind.JumpContinue, true):
			o = isa.OpCont
		default:
			continue
		}
		if o == isa.OpWhile {
			f.NewBlock() // the thread jumps here when no lane is left
		}
		c.branch[n], c.arms[n] = put(o), arm == 1
		c.block[then], c.block[els] = -1, -1
		f.NewBlock()
		return
	}
	if noThen && noElse {
		// Selection proceeds backwards. The code after the if needs a block of its own: the code before the if
		// has no branch at which to end, and would be appended to it.
		c.block[then], c.block[els] = -1, -1
		f.NewBlock()
		return
	}
	c.branch[n] = put(isa.OpIf)
	c.F.At(c.branch[n]).Uniform = c.together(then)
	f.NewBlock()
	if noThen {
		c.arms[n] = true
		c.block[then] = -1
		walk(els)
	} else {
		walk(then)
		if noElse {
			c.block[els] = -1
		} else {
			f.NewBlock()
			put(isa.OpElse)
			f.NewBlock()
			walk(els)
		}
	}
	f.NewBlock()
	put(isa.OpEndif)
	f.NewBlock()
}

// endsLoop reports whether if n is the last node of a loop without continue, so that its break can become the
// while of the loop.
func (c *Ctx) endsLoop(n ir.Node) bool {
	loop := c.S.Parent(n)
	if c.S.NodeKind(loop) != ir.NodeLoop {
		return false
	}
	last := c.S.NextNode(n)
	return c.S.NextNode(last) == 0 && c.S.First(last) == 0 && !c.hasContinue(c.S.Body(loop))
}

// endsInBreak reports whether the last if of loop n became its while.
func (c *Ctx) endsInBreak(n ir.Node) bool {
	p := c.S.PrevNode(c.S.BodyEnd(n))
	return p != 0 && c.S.NodeKind(p) == ir.NodeIf && c.branch[p] != 0 && c.F.At(c.branch[p]).Op == isa.OpWhile
}

// hasContinue reports whether the loop whose body starts at n has a continue.
func (c *Ctx) hasContinue(n ir.Node) bool {
	for ; n != 0; n = c.S.NextNode(n) {
		switch c.S.NodeKind(n) {
		case ir.NodeBlock:
			if j := c.S.Jump(n); j != 0 && kind.JumpKind(c.S.At(j).Op) == kind.JumpContinue {
				return true
			}
		case ir.NodeIf:
			if c.hasContinue(c.S.Then(n)) || c.hasContinue(c.S.Else(n)) {
				return true
			}
		}
	}
	return false
}
