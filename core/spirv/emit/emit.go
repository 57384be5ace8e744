// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/plan"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// moveTo moves the cursor to the end of an IR block.
func moveTo(r *module.Reader, n ir.Node) {
	r.Cur = n
	r.B.AtEnd(n)
}

// emit emits the actions from lo up to, but not including, hi.
func emit(r *module.Reader, p *plan.Plan, lo, hi uint32) {
	for i := lo; i < hi; {
		a := &p.Acts[i]
		i++
		switch a.Op {
		case plan.ActBlock:
			emitBlock(r, a.A)
		case plan.ActEdge:
			emitEdge(r, a.A, a.B)
		case plan.ActIf:
			emitIf(r, p, i-1, a)
			i = a.End
		case plan.ActLoop:
			emitLoop(r, p, i-1, a)
			i = a.End
		case plan.ActJoin:
			emitJoin(r, p, i-1, a)
			i = a.End
		case plan.ActSwitch:
			emitSwitch(r, p, a)
			i = a.End
		case plan.ActExit:
			emitExit(r, p, a)
		case plan.ActReturn:
			emitReturn(r, a)
		case plan.ActHalt:
			how := kind.JumpHalt
			if r.Op(r.Blocks[a.A].Term) == spirvtab.OpTerminateInvocation {
				how = kind.JumpTerminate
			}
			r.B.Jump(how)
		}
	}
}

func emitBlock(r *module.Reader, bi uint32) {
	b := &r.Blocks[bi]
	r.Block = bi
	r.At = b.Start
	r.LocateBlock(b)
	end := b.Term
	if b.Merge != 0 {
		end = b.Merge
	}
	for at := b.Start; at < end; {
		r.At = at
		r.Tick()
		in := r.Ins(at)
		instr(r, spirvtab.Lookup(uint16(in[0])), in)
		at += uint32(len(in))
	}
	r.At = b.Term
}

// condition returns the condition of the conditional branch that ends a block. The branch becomes the current
// instruction.
func condition(r *module.Reader, bi uint32) ir.Src {
	r.Block = bi
	r.At = r.Blocks[bi].Term
	return value.Scalar(r, r.Words[r.At+1], 1)
}

// oneTrip begins a loop with one iteration around construct k, if k needs one, and returns the loop, otherwise 0.
func oneTrip(r *module.Reader, p *plan.Plan, k int32) ir.Node {
	if k < 0 || !p.Cons[k].Wrap {
		return 0
	}
	resetFlags(r, p, k)
	n := r.S.InsertLoop(r.Cur)
	moveTo(r, r.S.Body(n))
	return n
}

// endTrip ends the loop that oneTrip began, if any, and tests the flags of exits that cross it.
func endTrip(r *module.Reader, p *plan.Plan, k int32, n ir.Node) {
	if n == 0 {
		return
	}
	if r.S.Jump(r.Cur) == 0 {
		r.B.Jump(kind.JumpBreak)
	}
	moveTo(r, r.S.NextNode(n))
	testFlags(r, p, k)
}

func emitIf(r *module.Reader, p *plan.Plan, i uint32, a *plan.Action) {
	c := condition(r, a.A)
	trip := oneTrip(r, p, a.Con)
	n := r.S.InsertIf(r.Cur, c)
	if m := r.Blocks[a.A].Merge; a.Con >= 0 && m != 0 && r.Op(m) == spirvtab.OpSelectionMerge {
		switch r.Words[m+2] & 3 {
		case 1:
			r.S.Node(n).Hints = ir.HintFlatten
		case 2:
			r.S.Node(n).Hints = ir.HintDontFlatten
		}
	}
	mid, end, con := a.Mid, a.End, a.Con
	moveTo(r, r.S.Then(n))
	emit(r, p, i+1, mid)
	moveTo(r, r.S.Else(n))
	emit(r, p, mid, end)
	moveTo(r, r.S.NextNode(n))
	endTrip(r, p, con, trip)
}

// emitJoin emits a selection that contains more than one branch.
func emitJoin(r *module.Reader, p *plan.Plan, i uint32, a *plan.Action) {
	end, con := a.End, a.Con
	trip := oneTrip(r, p, con)
	emit(r, p, i+1, end)
	endTrip(r, p, con, trip)
}

// boolVar creates a flag variable.
func boolVar(r *module.Reader, name string) ir.Var {
	return r.S.NewVar(ir.VarInfo{
		Name: r.S.Strs.Intern(name), Mode: kind.ModeFunctionTemp, Func: r.Fn.Ir, Location: -1,
		Type: r.S.Types.Scalar(ir.TypeBool, 1),
	})
}

func setBool(r *module.Reader, v ir.Var, x bool) {
	c := value.Zero(r, 1, 1)
	if x {
		c = value.AtEntry(r).True()
	}
	value.StoreLeaf(r, r.B.DerefVar(v), c, 0)
}

func loadBool(r *module.Reader, v ir.Var) ir.Src { return value.LoadLeaf(r, r.B.DerefVar(v), 1, 1, 0) }

// emitLoop emits a loop. A continue construct with mode plan.ContGuard is placed at the start of the body, guarded so
// that it does not run in the first iteration.
func emitLoop(r *module.Reader, p *plan.Plan, i uint32, a *plan.Action) {
	k, mid := a.Con, a.Mid
	end, guardCon := a.End, a.Target
	merge := r.Blocks[a.A].Merge
	r.B.Loc = 0
	guarded := p.Cons[k].Cont == plan.ContGuard
	var again ir.Var
	if guarded {
		again = boolVar(r, "again")
		setBool(r, again, false)
	}
	resetFlags(r, p, k)
	n := r.S.InsertLoop(r.Cur)
	switch r.Words[merge+3] & 3 {
	case 1:
		r.S.Node(n).Hints = ir.HintUnroll
	case 2:
		r.S.Node(n).Hints = ir.HintDontUnroll
	}
	moveTo(r, r.S.Body(n))
	var guard ir.Node
	if guarded {
		guard = r.S.InsertIf(r.Cur, loadBool(r, again))
		moveTo(r, r.S.NextNode(guard))
		setBool(r, again, true)
	}
	emit(r, p, i+1, mid)
	if guarded {
		moveTo(r, r.S.Then(guard))
		trip := oneTrip(r, p, guardCon)
		emit(r, p, mid, end)
		endTrip(r, p, guardCon, trip)
	}
	moveTo(r, r.S.NextNode(n))
	testFlags(r, p, k)
}

// flag returns the flag variable that records a pending exit. It creates the variable if there is none yet.
func flag(r *module.Reader, p *plan.Plan, x plan.Crossing) ir.Var {
	c := &p.Cons[x.Con]
	if c.FlagVars[x.Exit] == 0 {
		c.FlagVars[x.Exit] = uint32(boolVar(r, "leave"))
	}
	return ir.Var(c.FlagVars[x.Exit])
}

// resetFlags clears, before construct k's loop, the flags of exits that cross the loop.
func resetFlags(r *module.Reader, p *plan.Plan, k int32) {
	for _, x := range p.Cons[k].Crossed {
		setBool(r, flag(r, p, x), false)
	}
}

// testFlags tests, after construct k's loop, the flags of exits that cross the loop, and jumps on toward their
// destinations.
func testFlags(r *module.Reader, p *plan.Plan, k int32) {
	for _, x := range p.Cons[k].Crossed {
		n := r.S.InsertIf(r.Cur, loadBool(r, flag(r, p, x)))
		moveTo(r, r.S.Then(n))
		jumpOut(r, p, p.Cons[k].Parent, x)
		moveTo(r, r.S.NextNode(n))
	}
}

// jumpOut jumps from inside construct con toward the destination of an exit: it leaves (or continues) the innermost IR
// loop, which is the exit's target or a loop that the exit crosses.
func jumpOut(r *module.Reader, p *plan.Plan, con int32, x plan.Crossing) {
	for k := con; k != x.Con; k = p.Cons[k].Parent {
		if c := &p.Cons[k]; c.Kind == plan.ConLoop || c.Wrap {
			r.B.Jump(kind.JumpBreak)
			return
		}
	}
	if x.Exit == plan.ExitNext {
		r.B.Jump(kind.JumpContinue)
	} else {
		r.B.Jump(kind.JumpBreak)
	}
}

func emitExit(r *module.Reader, p *plan.Plan, a *plan.Action) {
	x := plan.Crossing{Con: a.Target, Exit: a.Exit}
	con, tail := a.Con, a.Tail
	if a.Exit == plan.ExitFall {
		to := p.Cases[p.Cons[a.Target].CaseIdx].FallsTo - 1
		setBool(r, fallFlag(r, p, to), true)
	}
	if tail {
		return
	}
	for k := con; k != x.Con; k = p.Cons[k].Parent {
		if c := &p.Cons[k]; c.Kind == plan.ConLoop || c.Wrap {
			setBool(r, flag(r, p, x), true)
			break
		}
	}
	jumpOut(r, p, con, x)
}

// fallFlag returns the flag variable that is true if another case fell through into case i. It creates the variable if
// there is none yet.
func fallFlag(r *module.Reader, p *plan.Plan, i int32) ir.Var {
	c := &p.Cons[p.Cases[i].Con]
	if c.FlagVars[plan.ExitNone] == 0 {
		c.FlagVars[plan.ExitNone] = uint32(boolVar(r, "fall"))
	}
	return ir.Var(c.FlagVars[plan.ExitNone])
}

func emitReturn(r *module.Reader, a *plan.Action) {
	bi, tail := a.A, a.Tail
	r.Block, r.At = bi, r.Blocks[bi].Term
	rt := r.Words[r.Fn.Word+1]
	if r.Op(r.At) == spirvtab.OpReturnValue {
		id := r.Words[r.At+1]
		if r.Fn.Result == 0 || r.Ids[id].Typ != rt {
			r.Fail("id %d has a different type than the function's result", id)
		}
		value.Store(r, r.Fn.Result, value.Value(r, id), 0)
	} else if r.Fn.Result != 0 {
		r.Fail("the function has a result")
	}
	if !tail {
		r.B.Jump(kind.JumpReturn)
	}
}

// emitEdge stores to the variables of a block's phis their values for the edge from another block, except undefined ones.
// The values are SSA values, not variables, so that phis may swap values.
func emitEdge(r *module.Reader, from, to uint32) {
	b := &r.Blocks[to]
	label := r.Blocks[from].Label
	for at := b.Start; at < b.Term; at += r.Words[at] >> 16 {
		switch r.Op(at) {
		case spirvtab.OpLine, spirvtab.OpNoLine:
			continue
		case spirvtab.OpExtInst:
			if r.NonSemantic(r.Ins(at)) { // debug information may be where OpLine may be
				continue
			}
			return
		case spirvtab.OpPhi:
		default:
			return
		}
		r.Block, r.At = from, at
		in := r.Ins(at)
		pairs := (len(in) - 3) / 2
		if len(in)%2 == 0 {
			r.Fail("the operands are not pairs of a value and a label")
		}
		rec := &r.Ids[in[2]]
		v := phiVar(r, in[2])
		found := false
		for k := range pairs {
			i := (k + int(rec.Access)) % pairs
			if in[4+2*i] != label {
				continue
			}
			rec.Access = uint16((i + 1) % pairs)
			src := in[3+2*i]
			if r.Ids[src].Typ != in[1] {
				r.Fail("id %d has a different type than the result", src)
			}
			if r.Ids[src].Kind != module.IdUndef {
				value.Store(r, r.B.DerefVar(v), value.Value(r, src), 0)
			}
			found = true
			break
		}
		if !found {
			r.Fail("has no value for the edge from block %d", label)
		}
	}
}

// phiVar returns the variable that carries a phi's value.
func phiVar(r *module.Reader, id uint32) ir.Var {
	rec := &r.Ids[id]
	if rec.Phi == 0 {
		t := r.TypeOf(id)
		if r.Descriptors(t) != nil {
			r.Refuse("a phi of images or samplers is not supported")
		}
		r.NeedValue(t)
		rec.Phi = uint32(r.S.NewVar(ir.VarInfo{Name: r.NameOf(id), Mode: kind.ModeFunctionTemp, Type: t.Ir, Func: r.Fn.Ir, Location: -1}))
	}
	return ir.Var(rec.Phi)
}
