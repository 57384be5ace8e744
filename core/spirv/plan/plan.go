// SPDX-License-Identifier: MIT

package plan

import (
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

const maxNesting = 1023 // SPIR-V specification 2.17: nesting of control flow

// BlockOf returns the block of this function with the given label.
func BlockOf(r *module.Reader, id uint32) uint32 {
	if id >= r.Bound {
		r.Fail("id %d exceeds the bound %d", id, r.Bound)
	}
	rec := &r.Ids[id]
	if rec.Kind != module.IdLabel || rec.Aux < r.Fn.First || rec.Aux >= r.Fn.First+r.Fn.N {
		r.Fail("id %d is not a label of this function", id)
	}
	return rec.Aux
}

// targets returns the ids of a block's successors, with repetitions.
func targets(r *module.Reader, b *module.Block, out []uint32) []uint32 {
	in := r.Ins(b.Term)
	r.At = b.Term
	switch r.Op(b.Term) {
	case spirvtab.OpBranch:
		out = append(out, in[1])
	case spirvtab.OpBranchConditional:
		out = append(out, in[2], in[3])
	case spirvtab.OpSwitch:
		out = append(out, in[2])
		w := SwitchWords(r, in)
		for i := 3 + w; i < len(in); i += w + 1 {
			out = append(out, in[i])
		}
	}
	return out
}

// SwitchWords returns the number of words of a literal of a switch. It checks the instruction's length.
func SwitchWords(r *module.Reader, in []uint32) int {
	t := r.TypeOf(in[1])
	if t.Comps != 1 || t.Bits == 1 {
		r.Fail("the selector is not an integer")
	}
	w := 1
	if t.Bits == 64 {
		w = 2
	}
	if (len(in)-3)%(w+1) != 0 {
		r.Fail("the targets are not pairs of a literal and a label")
	}
	return w
}

// Function plans the actions of a function: it walks the blocks along the merge instructions and turns them into a tree.
func Function(r *module.Reader, p *Plan, f *module.FuncRec) {
	p.Acts, p.Cons, p.Cases = p.Acts[:0], p.Cons[:0], p.Cases[:0]
	p.irregular, p.depth = false, 0
	findJoins(r, p, f)
	p.Cons = append(p.Cons, Construct{Kind: conFunc, Parent: -1, Header: ^uint32(0), Merge: ^uint32(0), Next: ^uint32(0)})
	region(r, p, f.First, 0, after{0, exitMerge}, false)
	for i := f.First; i < f.First+f.N; i++ {
		if b := &r.Blocks[i]; b.Reach && !b.Done {
			r.FailAt(b.Start, "control flow is not structured: block %d is not inside any construct that leads to it", b.Label)
		}
	}
	crossings(p)
	if p.irregular {
		findDemoted(r, p, f)
	}
}

// after is the place where control continues at the end of a region.
type after struct {
	con  int32
	exit ExitKind
}

// exitTo returns the construct that a branch from construct con to block t leaves or continues, and the kind of exit. It
// returns -1 and ExitNone if there is none.
func exitTo(r *module.Reader, p *Plan, t uint32, con int32) (int32, ExitKind) {
	for k := con; k >= 0; k = p.Cons[k].Parent {
		c := &p.Cons[k]
		switch c.Kind {
		case conSel:
			if t == c.Merge {
				return k, exitMerge
			}
		case conCase:
			if t == c.Merge {
				return k, exitMerge
			}
			if t != c.Next && caseOf(r, c.Sw, t) >= 0 {
				return k, ExitFall
			}
		case ConLoop:
			switch {
			case t == c.Merge:
				return k, exitMerge
			case t == c.Header, t == c.Next && c.Cont == ContGuard:
				return k, ExitNext
			}
		}
	}
	return -1, ExitNone
}

// caseOf returns the case of a switch that starts with block t, or -1.
func caseOf(r *module.Reader, sw int32, t uint32) int32 {
	if b := &r.Blocks[t]; b.CaseOf == sw+1 {
		return b.CaseIdx
	}
	return -1
}

func act(p *Plan, a Action) int32 {
	p.Acts = append(p.Acts, a)
	return int32(len(p.Acts) - 1)
}

// edge plans the edge from block from to block t in construct con, and everything after it up to the end of the region.
func edge(r *module.Reader, p *Plan, from, t uint32, con int32, aft after) {
	if k, e := exitTo(r, p, t, con); e != ExitNone {
		exit(r, p, from, t, con, k, e, aft)
		return
	}
	act(p, Action{Op: ActEdge, A: from, B: t})
	region(r, p, t, con, aft, false)
}

// isTail reports whether the end of a region leads to an exit's destination anyway.
func isTail(p *Plan, k int32, e ExitKind, aft after) bool {
	return aft.con == k && (aft.exit == e || p.Cons[k].Kind == conCase)
}

func exit(r *module.Reader, p *Plan, from, t uint32, con, k int32, e ExitKind, aft after) {
	act(p, Action{Op: ActEdge, A: from, B: t})
	leave(r, p, t, con, k, e, aft)
}

// leave plans the jump to block t that leaves or continues construct k.
func leave(r *module.Reader, p *Plan, t uint32, con, k int32, e ExitKind, aft after) {
	tail := isTail(p, k, e, aft)
	c := &p.Cons[k]
	if e == ExitFall {
		to := caseOf(r, c.Sw, t)
		self := &p.Cases[c.CaseIdx]
		if self.FallsTo != 0 && self.FallsTo != to+1 {
			r.Fail("a case falls through to two other cases")
		}
		if self.FallsTo == 0 {
			if p.Cases[to].FallenInto {
				r.Fail("two cases fall through to the same case")
			}
			self.FallsTo = to + 1
			p.Cases[to].FallenInto = true
		}
	}
	if !tail && c.Kind != ConLoop {
		c.Wrap = true
	}
	if tail && e != ExitFall {
		return
	}
	act(p, Action{Op: ActExit, Tail: tail, Exit: e, Con: con, Target: k})
}

// deeper counts a level of nested constructs.
func deeper(r *module.Reader, p *Plan) {
	if p.depth++; p.depth > maxNesting {
		r.Fail("control flow nests deeper than %d", maxNesting)
	}
}

// region plans block b and the blocks after it up to the end of a region of construct con. inLoop is set if b is the
// header of con.
func region(r *module.Reader, p *Plan, bi uint32, con int32, aft after, inLoop bool) {
	deeper(r, p)
	defer func() { p.depth-- }()
	for {
		b := &r.Blocks[bi]
		r.At = b.Term
		if b.Merge != 0 && r.Op(b.Merge) == spirvtab.OpLoopMerge && !inLoop {
			next, ok := loop(r, p, bi, con)
			if !ok {
				return
			}
			bi = next
			if !follows(r, p, bi, con, aft) {
				return
			}
			continue
		}
		if b.Done && !isCopy(p, bi, con) {
			r.Fail("control flow is not structured: block %d is reached in two ways without a merge", b.Label)
		}
		b.Done, b.Con = true, con
		act(p, Action{Op: ActBlock, A: bi, Con: con})
		sel := b.Merge != 0 && !inLoop
		inLoop = false
		next, more := terminator(r, p, bi, con, aft, sel)
		if !more {
			return
		}
		bi = next
		if !follows(r, p, bi, con, aft) {
			return
		}
	}
}

// terminator plans the instruction that ends block b and the code up to the next block of this region. It returns that
// block, and false if there is none. sel is set if b is the header of a selection.
func terminator(r *module.Reader, p *Plan, bi uint32, con int32, aft after, sel bool) (next uint32, more bool) {
	b := &r.Blocks[bi]
	in := r.Ins(b.Term)
	r.At = b.Term
	switch r.Op(b.Term) {
	case spirvtab.OpBranch:
		next = BlockOf(r, in[1])
		if k, e := exitTo(r, p, next, con); e != ExitNone {
			exit(r, p, bi, next, con, k, e, aft)
			return 0, false
		}
		act(p, Action{Op: ActEdge, A: bi, B: next})
		return next, true
	case spirvtab.OpBranchConditional:
		if len(in) != 4 && len(in) != 6 {
			r.Fail("must have either no weights or two")
		}
		if !sel {
			if b.Join != 0 {
				r.Fail("control flow is not structured: block %d is reached in two ways without a merge", r.Blocks[b.Join-1].Label)
			}
			return exitOrBranch(r, p, bi, con, aft)
		}
	case spirvtab.OpSwitch:
	case spirvtab.OpReturn, spirvtab.OpReturnValue:
		act(p, Action{Op: ActReturn, A: bi, Con: con, Tail: aft.con == 0})
		return 0, false
	case spirvtab.OpKill, spirvtab.OpTerminateInvocation:
		if r.Opt.Stage != kind.StageFragment {
			r.Fail("is not allowed in a %s shader, only in fragment shaders", r.Opt.Stage)
		}
		act(p, Action{Op: ActHalt, A: bi, Con: con})
		return 0, false
	default: // OpUnreachable
		return 0, false
	}
	merge := BlockOf(r, r.Words[b.Merge+1])
	joined(r, p, bi, con, merge, b.Join)
	return merge, r.Blocks[merge].Reach
}

// joined plans the selection that begins at block b and ends at block merge. Blocks where its paths join earlier (the
// list join) end selections nested in it; the earliest block in control flow ends the innermost.
func joined(r *module.Reader, p *Plan, bi uint32, con int32, merge, join uint32) {
	if join == 0 {
		if r.Op(r.Blocks[bi].Term) == spirvtab.OpSwitch {
			switchPlan(r, p, bi, con, merge)
		} else {
			selection(r, p, bi, con, merge)
		}
		return
	}
	deeper(r, p)
	k := int32(len(p.Cons))
	p.Cons = append(p.Cons, Construct{Kind: conSel, Parent: con, Header: bi, Merge: merge, Next: ^uint32(0)})
	i := act(p, Action{Op: ActJoin, Con: k})
	inner := join - 1
	joined(r, p, bi, k, inner, r.Blocks[inner].NextJoin)
	if aft := (after{k, exitMerge}); follows(r, p, inner, k, aft) {
		region(r, p, inner, k, aft, false)
	}
	p.Acts[i].End = uint32(len(p.Acts))
	p.depth--
}

// findJoins lists, for each block that ends in a branch, the blocks at which several paths from it join without ending
// a construct: SPIR-V lets the arms of a selection join before its merge block. The last block in reverse postorder
// comes first.
func findJoins(r *module.Reader, p *Plan, f *module.FuncRec) {
	for i := f.First; i < f.First+f.N; i++ {
		b := &r.Blocks[i]
		if !b.Reach {
			continue
		}
		r.At = b.Term
		if b.Merge != 0 {
			r.At = b.Merge
			r.Blocks[BlockOf(r, r.Words[b.Merge+1])].Ends = true
			if r.Op(b.Merge) == spirvtab.OpLoopMerge {
				r.Blocks[BlockOf(r, r.Words[b.Merge+2])].Ends = true
				b.Ends = true
			}
		}
		if r.Op(b.Term) == spirvtab.OpSwitch {
			var buf [8]uint32
			for _, id := range targets(r, b, buf[:0]) {
				r.Blocks[BlockOf(r, id)].Ends = true
			}
		}
	}
	order := p.postorder[f.Order:]
	for n := range order {
		if order[n] == 0 { // the function's first block is last in postorder
			order = order[:n]
			break
		}
	}
	for i := len(order) - 1; i >= 0; i-- { // in control-flow order
		bi := uint32(order[i])
		if b := &r.Blocks[f.First+bi]; b.Preds > 1 && !b.Ends {
			d := &r.Blocks[f.First+b.Idom]
			b.NextJoin, d.Join = d.Join, f.First+bi+1
		}
	}
}

// follows reports whether the merge block of a construct that just ended is in this region. If the block is also where
// an enclosing construct ends or continues (such as the continue target of a loop around it), follows plans that exit;
// the edges to the block have been planned then.
func follows(r *module.Reader, p *Plan, bi uint32, con int32, aft after) bool {
	k, e := exitTo(r, p, bi, con)
	if e == ExitNone {
		return true
	}
	leave(r, p, bi, con, k, e, aft)
	return false
}

// isCopy reports whether a block is the continue construct of the innermost loop and may be emitted more than once.
func isCopy(p *Plan, bi uint32, con int32) bool {
	for k := con; k >= 0; k = p.Cons[k].Parent {
		if c := &p.Cons[k]; c.Kind == ConLoop {
			return c.Cont == contCopy && c.Next == bi
		}
	}
	return false
}

// exitOrBranch plans a conditional branch without a merge instruction: at most one of its targets continues in this
// region, or each is private to its arm.
func exitOrBranch(r *module.Reader, p *Plan, bi uint32, con int32, aft after) (next uint32, more bool) {
	in := r.Ins(r.Blocks[bi].Term)
	t, f := BlockOf(r, in[2]), BlockOf(r, in[3])
	tk, te := exitTo(r, p, t, con)
	fk, fe := exitTo(r, p, f, con)
	if t == f {
		if te != ExitNone {
			exit(r, p, bi, t, con, tk, te, aft)
			return 0, false
		}
		act(p, Action{Op: ActEdge, A: bi, B: t})
		return t, true
	}
	tJump := te != ExitNone && !isTail(p, tk, te, aft)
	fJump := fe != ExitNone && !isTail(p, fk, fe, aft)
	i := act(p, Action{Op: ActIf, A: bi, Con: -1})
	switch {
	case tJump:
		exit(r, p, bi, t, con, tk, te, aft)
		p.Acts[i].Mid = uint32(len(p.Acts))
		p.Acts[i].End = p.Acts[i].Mid
		next = f
	case fJump:
		p.Acts[i].Mid = uint32(len(p.Acts))
		exit(r, p, bi, f, con, fk, fe, aft)
		p.Acts[i].End = uint32(len(p.Acts))
		next = t
	default:
		edge(r, p, bi, t, con, aft)
		p.Acts[i].Mid = uint32(len(p.Acts))
		edge(r, p, bi, f, con, aft)
		p.Acts[i].End = uint32(len(p.Acts))
		return 0, false
	}
	if k, e := exitTo(r, p, next, con); e != ExitNone {
		exit(r, p, bi, next, con, k, e, aft)
		return 0, false
	}
	act(p, Action{Op: ActEdge, A: bi, B: next})
	return next, true
}

// selection plans an if that ends at block merge.
func selection(r *module.Reader, p *Plan, bi uint32, con int32, merge uint32) {
	b := &r.Blocks[bi]
	in := r.Ins(b.Term)
	r.At = b.Term
	k := int32(len(p.Cons))
	p.Cons = append(p.Cons, Construct{Kind: conSel, Parent: con, Header: bi, Merge: merge, Next: ^uint32(0)})
	aft := after{k, exitMerge}
	t, f := BlockOf(r, in[2]), BlockOf(r, in[3])
	if t == f { // the condition is irrelevant
		i := act(p, Action{Op: ActJoin, Con: k})
		edge(r, p, bi, t, k, aft)
		p.Acts[i].End = uint32(len(p.Acts))
		return
	}
	i := act(p, Action{Op: ActIf, A: bi, Con: k})
	edge(r, p, bi, t, k, aft)
	p.Acts[i].Mid = uint32(len(p.Acts))
	edge(r, p, bi, f, k, aft)
	p.Acts[i].End = uint32(len(p.Acts))
}

// loop plans the loop with header bi. It returns the loop's merge block and whether that block is reachable.
func loop(r *module.Reader, p *Plan, bi uint32, con int32) (merge uint32, more bool) {
	b := &r.Blocks[bi]
	r.At = b.Merge
	merge = BlockOf(r, r.Words[b.Merge+1])
	cont := BlockOf(r, r.Words[b.Merge+2])
	k := int32(len(p.Cons))
	c := Construct{Kind: ConLoop, Parent: con, Header: bi, Merge: merge, Next: cont}
	switch cb := &r.Blocks[cont]; {
	case cont == bi || !cb.Reach:
	case cb.Preds == 1:
		c.Cont = contInline
	case shortBlock(r, cb, bi):
		c.Cont = contCopy
	default:
		c.Cont = ContGuard
	}
	p.Cons = append(p.Cons, c)
	i := act(p, Action{Op: ActLoop, Con: k, A: bi})
	region(r, p, bi, k, after{k, ExitNext}, true)
	p.Acts[i].Mid = uint32(len(p.Acts))
	if c.Cont == ContGuard {
		p.Cons[k].Irreg, p.irregular = true, true
		g := int32(len(p.Cons))
		p.Cons = append(p.Cons, Construct{Kind: conSel, Parent: k, Header: cont, Merge: bi, Next: ^uint32(0)})
		p.Acts[i].Target = g
		region(r, p, cont, g, after{g, exitMerge}, false)
	}
	p.Acts[i].End = uint32(len(p.Acts))
	return merge, r.Blocks[merge].Reach
}

// shortBlock reports whether a block is short and ends in a branch to the header, so that it may be duplicated at each
// edge. If invocations that arrive by different edges have to reconverge in it, there must be only one copy.
func shortBlock(r *module.Reader, b *module.Block, header uint32) bool {
	if r.Op(b.Term) != spirvtab.OpBranch || b.Merge != 0 || BlockOf(r, r.Words[b.Term+1]) != header {
		return false
	}
	n := 0
	for at := b.Start; at < b.Term; at += r.Words[at] >> 16 {
		o := r.Op(at)
		if meets[spirvtab.Lookup(o).Category] {
			return false
		}
		if o != spirvtab.OpLine && o != spirvtab.OpNoLine {
			n++
		}
	}
	return n*int(b.Preds) <= 24
}

// meets has the categories with instructions whose result or effect depends on which invocations execute them together:
// subgroup operations, barriers, derivatives (including the implicit ones of image coordinates), and calls of functions
// that may contain any of these.
var meets = [256]bool{
	spirvtab.CategorySubgroup: true, spirvtab.CategoryBarrier: true, spirvtab.CategoryDerivative: true,
	spirvtab.CategoryImage: true, spirvtab.CategoryFunction: true,
}

// switchPlan plans a switch that ends at block merge: a list of cases, each with its own region.
func switchPlan(r *module.Reader, p *Plan, bi uint32, con int32, merge uint32) {
	b := &r.Blocks[bi]
	sw := act(p, Action{Op: ActSwitch, A: bi, Con: con})
	first := uint32(len(p.Cases))
	p.Acts[sw].Mid = first
	for i, id := range targets(r, b, nil) {
		t := BlockOf(r, id)
		if caseOf(r, sw, t) >= 0 {
			continue
		}
		r.Blocks[t].CaseOf, r.Blocks[t].CaseIdx = sw+1, int32(len(p.Cases))
		p.Cases = append(p.Cases, Case{Label: t, IsDefault: i == 0})
	}
	n := uint32(len(p.Cases)) - first
	p.Acts[sw].B = n
	falls := false
	for i := first; i < first+n; i++ {
		t := p.Cases[i].Label
		k := int32(len(p.Cons))
		p.Cons = append(p.Cons, Construct{Kind: conCase, Parent: con, Header: bi, Merge: merge, Next: t, Sw: sw, CaseIdx: int32(i)})
		p.Cases[i].Con = k
		p.Cases[i].Lo = uint32(len(p.Acts))
		edge(r, p, bi, t, k, after{k, exitMerge})
		p.Cases[i].Hi = uint32(len(p.Acts))
		falls = falls || p.Cases[i].FallsTo != 0
	}
	// A case that others fall into runs under a condition. In the IR there is thus a path around it to the merge block,
	// where values of any other case may be used.
	for i := first; falls && i < first+n; i++ {
		p.Cons[p.Cases[i].Con].Irreg, p.irregular = true, true
	}
	p.Acts[sw].End = uint32(len(p.Acts))
}

// crossings determines the exits that have to cross a loop of the IR.
func crossings(p *Plan) {
	for i := range p.Acts {
		a := &p.Acts[i]
		if a.Op != ActExit || a.Tail {
			continue
		}
		for k := a.Con; k != a.Target; k = p.Cons[k].Parent {
			c := &p.Cons[k]
			if c.Kind != ConLoop && !c.Wrap {
				continue
			}
			c.Irreg, p.irregular = true, true
			x := Crossing{Con: a.Target, Exit: a.Exit}
			found := false
			for _, y := range c.Crossed {
				found = found || x == y
			}
			if !found {
				c.Crossed = append(c.Crossed, x)
			}
		}
	}
}

// findDemoted marks the values and pointers that are defined inside an irregular construct and used in another block.
// The IR's control flow may reach the use without the definition, so they are passed through variables.
func findDemoted(r *module.Reader, p *Plan, f *module.FuncRec) {
	irregular := make([]bool, len(p.Cons))
	for i := range p.Cons {
		parent := p.Cons[i].Parent
		irregular[i] = p.Cons[i].Irreg || parent >= 0 && irregular[parent]
	}
	for bi := f.First; bi < f.First+f.N; bi++ {
		b := &r.Blocks[bi]
		if !b.Reach || !irregular[b.Con] {
			continue
		}
		for at := b.Start; at < b.Term; at += r.Words[at] >> 16 {
			if info := spirvtab.Lookup(r.Op(at)); info.HasResult {
				r.Ids[r.Words[at+2]].Epoch = bi + 1
			}
		}
	}
	for bi := f.First; bi < f.First+f.N; bi++ {
		b := &r.Blocks[bi]
		if !b.Reach {
			continue
		}
		for at := b.Start; at <= b.Term; at += r.Words[at] >> 16 {
			phi := r.Op(at) == spirvtab.OpPhi
			for _, w := range r.Ins(at)[1:] { // literals that look like ids are harmless
				if w < r.Bound {
					rec := &r.Ids[w]
					if rec.Kind == module.IdNone && rec.Epoch != 0 && (rec.Epoch != bi+1 || phi) {
						markDemoted(r, rec)
					}
				}
			}
		}
	}
}

// markDemoted marks an id. If the value is recomputed at its use, instead of being read from a variable, its operands
// are needed there too, and are marked.
func markDemoted(r *module.Reader, rec *module.IdRec) {
	if rec.Flags&module.FlagDemoted != 0 {
		return
	}
	rec.Flags |= module.FlagDemoted
	if !MadeAgain(r, rec) {
		return
	}
	for _, w := range r.Ins(rec.Word)[3:] {
		if w < r.Bound {
			if x := &r.Ids[w]; x.Kind == module.IdNone && x.Epoch != 0 {
				markDemoted(r, x)
			}
		}
	}
}

// MadeAgain reports whether the instruction of a demoted id is emitted again where another block uses the id: pointers,
// images and samplers cannot be stored in variables.
func MadeAgain(r *module.Reader, rec *module.IdRec) bool {
	switch r.Op(rec.Word) {
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain,
		spirvtab.OpUntypedAccessChainKHR, spirvtab.OpUntypedInBoundsAccessChainKHR, spirvtab.OpUntypedPtrAccessChainKHR,
		spirvtab.OpUntypedInBoundsPtrAccessChainKHR,
		spirvtab.OpCopyObject, spirvtab.OpSampledImage, spirvtab.OpImage,
		spirvtab.OpImageTexelPointer:
		return true
	case spirvtab.OpLoad, spirvtab.OpCompositeExtract:
		return r.Descriptors(&r.Types[r.Ids[rec.Typ].Aux]) != nil
	}
	return false
}
