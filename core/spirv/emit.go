package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// moveTo moves the cursor to the end of an IR block.
func (r *reader) moveTo(n ir.Node) {
	r.cur = n
	r.b.AtEnd(n)
}

// emit executes the actions from lo up to hi.
func (r *reader) emit(lo, hi uint32) {
	for i := lo; i < hi; {
		a := &r.acts[i]
		i++
		switch a.op {
		case actBlock:
			r.emitBlock(a.a)
		case actEdge:
			r.emitEdge(a.a, a.b)
		case actIf:
			r.emitIf(i-1, a)
			i = a.end
		case actLoop:
			r.emitLoop(i-1, a)
			i = a.end
		case actJoin:
			r.emitJoin(i-1, a)
			i = a.end
		case actSwitch:
			r.emitSwitch(a)
			i = a.end
		case actExit:
			r.emitExit(a)
		case actReturn:
			r.emitReturn(a)
		case actHalt:
			how := kind.JumpHalt
			if r.op(r.blocks[a.a].term) == spirvtab.OpTerminateInvocation {
				how = kind.JumpTerminate
			}
			r.b.Jump(how)
		}
	}
}

func (r *reader) emitBlock(bi uint32) {
	b := &r.blocks[bi]
	r.block = bi
	r.at = b.start
	r.locateBlock(b)
	end := b.term
	if b.merge != 0 {
		end = b.merge
	}
	for at := b.start; at < end; {
		r.at = at
		r.tick()
		in := r.ins(at)
		r.instr(spirvtab.Lookup(uint16(in[0])), in)
		at += uint32(len(in))
	}
	r.at = b.term
}

// condition returns the condition of the conditional branch that ends a block.
func (r *reader) condition(bi uint32) ir.Src {
	r.block = bi
	r.at = r.blocks[bi].term
	return r.scalar(r.words[r.at+1], 1)
}

// oneTrip begins a loop with one iteration around construct k, if k needs one, and returns the loop.
func (r *reader) oneTrip(k int32) ir.Node {
	if k < 0 || !r.cons[k].wrap {
		return 0
	}
	r.resetFlags(k)
	n := r.s.InsertLoop(r.cur)
	r.moveTo(r.s.Body(n))
	return n
}

// endTrip ends the loop that oneTrip began.
func (r *reader) endTrip(k int32, n ir.Node) {
	if n == 0 {
		return
	}
	if r.s.Jump(r.cur) == 0 {
		r.b.Jump(kind.JumpBreak)
	}
	r.moveTo(r.s.NextNode(n))
	r.testFlags(k)
}

func (r *reader) emitIf(i uint32, a *action) {
	c := r.condition(a.a)
	trip := r.oneTrip(a.con)
	n := r.s.InsertIf(r.cur, c)
	if m := r.blocks[a.a].merge; a.con >= 0 && m != 0 && r.op(m) == spirvtab.OpSelectionMerge {
		switch r.words[m+2] & 3 {
		case 1:
			r.s.Node(n).Hints = ir.HintFlatten
		case 2:
			r.s.Node(n).Hints = ir.HintDontFlatten
		}
	}
	mid, end, con := a.mid, a.end, a.con
	r.moveTo(r.s.Then(n))
	r.emit(i+1, mid)
	r.moveTo(r.s.Else(n))
	r.emit(mid, end)
	r.moveTo(r.s.NextNode(n))
	r.endTrip(con, trip)
}

// emitJoin emits a selection that contains more than one branch.
func (r *reader) emitJoin(i uint32, a *action) {
	end, con := a.end, a.con
	trip := r.oneTrip(con)
	r.emit(i+1, end)
	r.endTrip(con, trip)
}

// boolVar creates a flag variable.
func (r *reader) boolVar(name string) ir.Var {
	return r.s.NewVar(ir.VarInfo{
		Name: r.s.Strs.Intern(name), Mode: kind.ModeFunctionTemp, Func: r.fn.ir, Location: -1,
		Type: r.s.Types.Scalar(ir.TypeBool, 1),
	})
}

func (r *reader) setBool(v ir.Var, x bool) {
	c := r.zero(1, 1)
	if x {
		c = r.atEntry().True()
	}
	r.storeLeaf(r.b.DerefVar(v), c, 0)
}

func (r *reader) loadBool(v ir.Var) ir.Src { return r.loadLeaf(r.b.DerefVar(v), 1, 1, 0) }

// emitLoop emits a loop. A continue construct with mode contGuard is placed at the start of the body, guarded so that
// it does not run in the first iteration.
func (r *reader) emitLoop(i uint32, a *action) {
	k, mid, end, guardCon := a.con, a.mid, a.end, a.target
	merge := r.blocks[a.a].merge
	r.b.Loc = 0
	guarded := r.cons[k].cont == contGuard
	var again ir.Var
	if guarded {
		again = r.boolVar("again")
		r.setBool(again, false)
	}
	r.resetFlags(k)
	n := r.s.InsertLoop(r.cur)
	switch r.words[merge+3] & 3 {
	case 1:
		r.s.Node(n).Hints = ir.HintUnroll
	case 2:
		r.s.Node(n).Hints = ir.HintDontUnroll
	}
	r.moveTo(r.s.Body(n))
	var guard ir.Node
	if guarded {
		guard = r.s.InsertIf(r.cur, r.loadBool(again))
		r.moveTo(r.s.NextNode(guard))
		r.setBool(again, true)
	}
	r.emit(i+1, mid)
	if guarded {
		r.moveTo(r.s.Then(guard))
		trip := r.oneTrip(guardCon)
		r.emit(mid, end)
		r.endTrip(guardCon, trip)
	}
	r.moveTo(r.s.NextNode(n))
	r.testFlags(k)
}

// flag returns the flag variable that records a pending exit.
func (r *reader) flag(x crossing) ir.Var {
	c := &r.cons[x.con]
	if c.flagVars[x.exit] == 0 {
		c.flagVars[x.exit] = uint32(r.boolVar("leave"))
	}
	return ir.Var(c.flagVars[x.exit])
}

// resetFlags clears, before construct k's loop, the flags of exits that cross the loop.
func (r *reader) resetFlags(k int32) {
	for _, x := range r.cons[k].crossed {
		r.setBool(r.flag(x), false)
	}
}

// testFlags tests, after construct k's loop, the flags of exits that cross the loop, and jumps on toward their
// destinations.
func (r *reader) testFlags(k int32) {
	for _, x := range r.cons[k].crossed {
		n := r.s.InsertIf(r.cur, r.loadBool(r.flag(x)))
		r.moveTo(r.s.Then(n))
		r.jumpOut(r.cons[k].parent, x)
		r.moveTo(r.s.NextNode(n))
	}
}

// jumpOut jumps from inside construct con toward the destination of an exit: it leaves (or continues) the innermost IR
// loop, which is the exit's target or a loop that the exit crosses.
func (r *reader) jumpOut(con int32, x crossing) {
	for k := con; k != x.con; k = r.cons[k].parent {
		if c := &r.cons[k]; c.kind == conLoop || c.wrap {
			r.b.Jump(kind.JumpBreak)
			return
		}
	}
	if x.exit == exitNext {
		r.b.Jump(kind.JumpContinue)
	} else {
		r.b.Jump(kind.JumpBreak)
	}
}

func (r *reader) emitExit(a *action) {
	x := crossing{a.target, a.exit}
	con, tail := a.con, a.tail
	if a.exit == exitFall {
		to := r.cases[r.cons[a.target].caseIdx].fallsTo - 1
		r.setBool(r.fallFlag(to), true)
	}
	if tail {
		return
	}
	for k := con; k != x.con; k = r.cons[k].parent {
		if c := &r.cons[k]; c.kind == conLoop || c.wrap {
			r.setBool(r.flag(x), true)
			break
		}
	}
	r.jumpOut(con, x)
}

// fallFlag returns the flag variable that is true if another case fell through into case i.
func (r *reader) fallFlag(i int32) ir.Var {
	c := &r.cons[r.cases[i].con]
	if c.flagVars[exitNone] == 0 {
		c.flagVars[exitNone] = uint32(r.boolVar("fall"))
	}
	return ir.Var(c.flagVars[exitNone])
}

func (r *reader) emitReturn(a *action) {
	bi, tail := a.a, a.tail
	r.block, r.at = bi, r.blocks[bi].term
	rt := r.words[r.fn.word+1]
	if r.op(r.at) == spirvtab.OpReturnValue {
		id := r.words[r.at+1]
		if r.fn.result == 0 || r.ids[id].typ != rt {
			r.fail("id %d has another type than the function's result", id)
		}
		r.store(r.fn.result, r.value(id), 0)
	} else if r.fn.result != 0 {
		r.fail("the function has a result")
	}
	if !tail {
		r.b.Jump(kind.JumpReturn)
	}
}

// emitEdge stores the values that the phis of block to receive from block from. The sources are SSA values, not
// variables, so that phis may swap values.
func (r *reader) emitEdge(from, to uint32) {
	b := &r.blocks[to]
	label := r.blocks[from].label
	for at := b.start; at < b.term; at += r.words[at] >> 16 {
		switch r.op(at) {
		case spirvtab.OpLine, spirvtab.OpNoLine:
			continue
		case spirvtab.OpExtInst:
			if r.nonSemantic(r.ins(at)) { // debug information may be where OpLine may be
				continue
			}
			return
		case spirvtab.OpPhi:
		default:
			return
		}
		r.block, r.at = from, at
		in := r.ins(at)
		pairs := (len(in) - 3) / 2
		if len(in)%2 == 0 {
			r.fail("the operands are not pairs of value and label")
		}
		rec := &r.ids[in[2]]
		v := r.phiVar(in[2])
		found := false
		for k := range pairs {
			i := (k + int(rec.access)) % pairs
			if in[4+2*i] != label {
				continue
			}
			rec.access = uint16((i + 1) % pairs)
			src := in[3+2*i]
			if r.ids[src].typ != in[1] {
				r.fail("id %d has another type than the result", src)
			}
			if r.ids[src].kind != idUndef {
				r.store(r.b.DerefVar(v), r.value(src), 0)
			}
			found = true
			break
		}
		if !found {
			r.fail("has no value for the edge from block %d", label)
		}
	}
}

// phiVar returns the variable that carries a phi's value.
func (r *reader) phiVar(id uint32) ir.Var {
	rec := &r.ids[id]
	if rec.phi == 0 {
		t := r.typeOf(id)
		if r.descriptors(t) != nil {
			r.refuse("a phi of images or samplers is not supported")
		}
		r.needValue(t)
		rec.phi = uint32(r.s.NewVar(ir.VarInfo{Name: r.nameOf(id), Mode: kind.ModeFunctionTemp, Type: t.ir, Func: r.fn.ir, Location: -1}))
	}
	return ir.Var(rec.phi)
}

// demote stores a value that other blocks read through a variable.
func (r *reader) demote(rec *idRec, t *typeRec, v value) {
	if rec.aux == 0 {
		if t.ir == 0 {
			return
		}
		rec.aux = uint32(r.s.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Type: t.ir, Func: r.fn.ir, Location: -1}))
	}
	r.store(r.b.DerefVar(ir.Var(rec.aux)), v, 0)
}

// rematerialize recomputes a pointer at the cursor.
func (r *reader) rematerialize(id uint32) (ir.Value, kind.Access) {
	r.count(1)
	rec := &r.ids[id]
	in := r.ins(rec.word)
	switch r.op(rec.word) {
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain,
		spirvtab.OpUntypedAccessChainKHR, spirvtab.OpUntypedInBoundsAccessChainKHR, spirvtab.OpUntypedPtrAccessChainKHR,
		spirvtab.OpUntypedInBoundsPtrAccessChainKHR:
		return r.chain(in)
	case spirvtab.OpCopyObject:
		return r.pointer(in[3])
	}
	return rec.val.src.Val, kind.Access(rec.access) // a parameter: its definition dominates all uses
}
