// SPDX-License-Identifier: MIT

package isel

import (
	"fmt"

	"jacquard.example/backend/intel/isel/stage"
	"jacquard.example/backend/intel/isel/subgroup"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/isel/vec4"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Result is the result of a selection besides the code.
type Result struct {
	UsesBarrier  bool
	ScratchBytes uint32 // private memory per lane
	Origins      []mir.Origin
}

// Workspace holds memory that consecutive selections reuse.
type Workspace struct {
	rows    sel.Selector
	ctx     value.Context
	vectors *vec4.Context
	blocks  []ir.Node
}

// form is the form of the code: a lane for each invocation, or a lane for each component of a vertex.
type form interface {
	// Begin prepares the selection of a value.
	Begin(v ir.Value, in *ir.Instr)
	// Flag computes a condition into a new flag; inv reports whether the flag has the inverse.
	Flag(cond ir.Src) (flag mir.Flag, inv bool)
	// End emits the end of the thread.
	End()
	// Prologue loads constants and addresses that several instructions read, at the start of the program.
	Prologue()
}

// Select fills f with machine instructions for the shader's entry point.
func (m *Workspace) Select(s *ir.Shader, f *mir.Func, o value.Options) (Result, error) {
	entry := s.Entry()
	if entry == 0 {
		return Result{}, fmt.Errorf("the shader has no entry point")
	}
	f.Insts = reuse.Slice(f.Insts, s.NumValues()) // about as many instructions are selected
	f.Reset(o.Width, o.Target.Registers)
	f.Payload = o.Layout.Regs()
	c := &m.ctx
	*c = value.Context{
		S: s, F: f, B: mir.Builder{F: f}, Options: o, Sel: &m.rows,
		Needed:    reuse.Zeroed(c.Needed, s.NumValues()),
		Registers: reuse.Zeroed(c.Registers, s.NumValues()),
		IrReg:     reuse.Zeroed(c.IrReg, int(s.Regs.Num())),
		Block:     reuse.Zeroed(c.Block, s.NumNodes()),
		Ends:      reuse.Zeroed(c.Ends, s.NumNodes()),
		Branch:    reuse.Zeroed(c.Branch, s.NumNodes()),
		Arms:      reuse.Zeroed(c.Arms, s.NumNodes()),
		Params:    c.Params, Outputs: c.Outputs,
	}
	if o.Origins {
		c.Origins = []mir.Origin{{}}
	}
	f.Name = s.Strs.Text(s.Func(entry).Name)
	var as form = lanes{c}
	m.rows.T = rows{c}
	if o.Target.Can(target.Vectors) {
		m.vectors = vec4.New(m.vectors, c)
		as = m.vectors
		m.rows.T = vec4.Rows{Context: m.vectors}
	}
	if err := m.rows.Prepare(&sel.Rows, s, entry, c.Target); err != nil {
		return Result{}, err
	}
	root := s.Func(entry).Node
	skeleton(c, s.Body(root))
	if c.Err() == nil {
		endOfThread(c, as, s.BodyEnd(root))
	}

	blocks := m.blocks[:0]
	for b := s.FirstBlock(entry); b != 0; b = s.NextBlock(b) {
		blocks = append(blocks, b)
	}
	m.blocks = blocks
	for i := len(blocks) - 1; i >= 0; i-- {
		selectBlock(c, as, blocks[i])
	}
	if c.Err() != nil {
		return Result{}, c.Err()
	}
	c.B.Before(c.F.Blocks[0].First)
	c.B.Loc = 0
	as.Prologue()
	f.BuildCFG()
	f.MarkSingle()
	return Result{UsesBarrier: c.UsedBarrier, ScratchBytes: c.UsedScratch, Origins: c.Origins}, c.Err()
}

// endOfThread emits the end of the thread. last is the IR's last block.
func endOfThread(c *value.Context, as form, last ir.Node) {
	if c.Halts {
		// Lanes that ended early resume here.
		c.F.NewBlock()
		c.F.Append(len(c.F.Blocks)-1, mir.Inst{Op: mir.OpHaltTarget, Exec: uint8(c.Width), SideEff: true})
	}
	c.B.AtEnd(len(c.F.Blocks) - 1)
	// The code of the IR's last block goes before the first instruction of the end.
	end, first := len(c.F.Blocks)-1, c.F.Blocks[len(c.F.Blocks)-1].Last
	as.End()
	if c.Err() != nil {
		return
	}
	if first != 0 {
		first = c.F.Next(first)
	} else {
		first = c.F.Blocks[end].First
	}
	if !c.Halts && c.Ends[last] == 0 {
		c.Ends[last] = first
	}
}

// selectBlock emits a block from its end to its start.
func selectBlock(c *value.Context, as form, b ir.Node) {
	blk := int(c.Block[b])
	if blk < 0 {
		return // unreachable after a jump
	}
	head := c.Ends[b]
	if value.EndsInvocation(c.S, b) && c.IsFragment() {
		j := c.S.Jump(b)
		c.B.Loc = locOf(c, j, c.S.At(j))
		at := moveTo(c, blk, head)
		lanes := c.ScalarTemp()
		subgroup.Active(c, lanes)
		stage.KillLanes(c, lanes)
		head = instAfter(c, blk, at)
	}
	if next := c.S.NextNode(b); next != 0 && c.S.NodeKind(next) == ir.NodeIf && c.Branch[next] != 0 {
		cond := c.S.Cond(next).Val
		c.B.Loc = locOf(c, cond, c.S.At(cond))
		if c.Origins != nil {
			c.Origins[c.B.Loc].Row = c.Sel.ChosenIf(next)
		}
		at := moveTo(c, blk, head)
		c.B.Vector()
		flag, inv := as.Flag(c.S.Cond(next))
		br := c.F.At(c.Branch[next])
		br.Pred, br.Flag = isa.PredNormal, flag
		br.PredInv, br.Loc = inv != c.Arms[next], c.B.Loc
		head = instAfter(c, blk, at)
	}
	for v := c.S.Last(b); v != 0 && c.Err() == nil; {
		in := c.S.At(v)
		if c.Needed[v] || in.Kind == kind.Intrinsic && !c.S.CanEliminate(v) {
			c.B.Loc = locOf(c, v, in)
			at := moveTo(c, blk, head)
			if in.Kind == kind.ALU && (in.Bits == 64 || c.S.At(c.S.Src(v, 0).Val).Bits == 64) {
				c.Fail(v, "%s: 64-bit values must be lowered before selection", in.ALUOp())
				return
			}
			as.Begin(v, in)
			c.Sel.Emit(v)
			head = instAfter(c, blk, at)
		}
		v = in.Prev()
	}
}

// locOf returns the Loc of the instructions selected for v: its source location, or the index of its origin.
func locOf(c *value.Context, v ir.Value, in *ir.Instr) uint32 {
	if c.Origins == nil {
		return uint32(in.Loc)
	}
	c.Origins = append(c.Origins, mir.Origin{Value: uint32(v), Row: c.Sel.Chosen(v)})
	return uint32(len(c.Origins) - 1)
}

// moveTo moves the cursor to before head (or, if it is 0, to the end of the block) and returns the instruction
// before the cursor.
func moveTo(c *value.Context, blk int, head mir.ID) mir.ID {
	if head != 0 {
		c.B.Before(head)
		return c.F.Prev(head)
	}
	c.B.AtEnd(blk)
	return c.F.Blocks[blk].Last
}

// instAfter returns the instruction after i in a block or, if i is 0, the block's first instruction.
func instAfter(c *value.Context, blk int, i mir.ID) mir.ID {
	if i != 0 {
		return c.F.Next(i)
	}
	return c.F.Blocks[blk].First
}

// isEmpty reports whether an arm is a single block without instructions, except for the given jump if withJump
// is set.
func isEmpty(c *value.Context, first ir.Node, jump kind.JumpKind, withJump bool) bool {
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
func skeleton(c *value.Context, first ir.Node) {
	f := c.F
	width := uint8(c.Width)
	cur := func() int { return len(f.Blocks) - 1 }
	var open ir.Node // IR block whose code goes to the end of the current block
	put := func(o isa.Op) mir.ID {
		id := f.Append(cur(), mir.Inst{Op: o, Exec: width, SideEff: true})
		if open != 0 && c.Ends[open] == 0 && int(c.Block[open]) == cur() {
			c.Ends[open] = id
		}
		return id
	}
	var walk func(ir.Node)
	walk = func(n ir.Node) {
		for ; n != 0; n = c.S.NextNode(n) {
			switch c.S.NodeKind(n) {
			case ir.NodeBlock:
				c.Block[n], open = int32(cur()), n
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
						c.F.At(put(isa.OpHalt)).Uniform = together(c, n)
						c.Halts = true
					}
					f.NewBlock()
				}
			case ir.NodeIf:
				ifSkeleton(c, n, put, walk)
				open = 0
			case ir.NodeLoop:
				f.NewBlock()
				open = 0
				loop := c.F.At(put(mir.OpLoop))
				loop.Uniform, loop.Trips = together(c, c.S.Body(n)), c.S.Node(n).Trips
				walk(c.S.Body(n))
				if endsInBreak(c, n) {
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

func together(c *value.Context, block ir.Node) bool { return c.Together != nil && c.Together(block) }

func ifSkeleton(c *value.Context, n ir.Node, put func(isa.Op) mir.ID, walk func(ir.Node)) {
	f, s := c.F, c.S
	then, els := s.Then(n), s.Else(n)
	noThen, noElse := isEmpty(c, then, 0, false), isEmpty(c, els, 0, false)
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
		case isEmpty(c, jump, kind.JumpBreak, true):
			if endsLoop(c, n) {
				o, arm = isa.OpWhile, 1-arm // the branch is for the lanes that continue
			}
		case isEmpty(c, jump, kind.JumpContinue, true):
			o = isa.OpCont
		default:
			continue
		}
		if o == isa.OpWhile {
			f.NewBlock() // the thread jumps here when no lane is left
		}
		c.Branch[n], c.Arms[n] = put(o), arm == 1
		c.Block[then], c.Block[els] = -1, -1
		f.NewBlock()
		return
	}
	if noThen && noElse {
		// Selection proceeds backwards. The code after the if needs a separate block: the code before the if has no
		// branch at which to end, and would be appended to it.
		c.Block[then], c.Block[els] = -1, -1
		f.NewBlock()
		return
	}
	c.Branch[n] = put(isa.OpIf)
	c.F.At(c.Branch[n]).Uniform = together(c, then)
	f.NewBlock()
	if noThen {
		c.Arms[n] = true
		c.Block[then] = -1
		walk(els)
	} else {
		walk(then)
		if noElse {
			c.Block[els] = -1
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

// endsLoop reports whether the if n is the last node of a loop without continue, so that its break can become
// the while of the loop.
func endsLoop(c *value.Context, n ir.Node) bool {
	loop := c.S.Parent(n)
	if c.S.NodeKind(loop) != ir.NodeLoop {
		return false
	}
	last := c.S.NextNode(n)
	return c.S.NextNode(last) == 0 && c.S.First(last) == 0 && !hasContinue(c, c.S.Body(loop))
}

// endsInBreak reports whether the last if of loop n became its while.
func endsInBreak(c *value.Context, n ir.Node) bool {
	p := c.S.PrevNode(c.S.BodyEnd(n))
	return p != 0 && c.S.NodeKind(p) == ir.NodeIf && c.Branch[p] != 0 && c.F.At(c.Branch[p]).Op == isa.OpWhile
}

// hasContinue reports whether the loop whose body starts at n has a continue.
func hasContinue(c *value.Context, n ir.Node) bool {
	for ; n != 0; n = c.S.NextNode(n) {
		switch c.S.NodeKind(n) {
		case ir.NodeBlock:
			if j := c.S.Jump(n); j != 0 && kind.JumpKind(c.S.At(j).Op) == kind.JumpContinue {
				return true
			}
		case ir.NodeIf:
			if hasContinue(c, c.S.Then(n)) || hasContinue(c, c.S.Else(n)) {
				return true
			}
		}
	}
	return false
}
