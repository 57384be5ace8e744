package spirv

import (
	"jacquard.example/core/spirv/structure"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// A function is emitted in two steps. First, the plan walks its blocks along the merge instructions and turns them into
// a tree of actions: emit a block, take an edge, an if, a loop, a switch, a jump. The plan identifies the destination
// of a jump by the construct that the jump leaves. Before anything is emitted, it is thus known which selections must
// be loops with one iteration (since something breaks out of them from inside), which jumps have to cross such a loop
// (they set a flag and break, and the code after the loop tests the flag), and which continue constructs cannot be
// emitted where they are reached.

// flow is the plan of one function.
type flow struct {
	acts      []action
	cons      []construct
	cases     []caseRec
	own       freedom // of the instruction being read
	irreg     bool    // whether some construct is irregular
	depth     int
	stack     []uint32
	arena     structure.Arena
	postorder []int32 // the reachable blocks of each function in postorder, numbered from its first block
}

type actKind uint8

const (
	actBlock  actKind = iota // emit block a
	actEdge                  // store the phis of block b for the edge from block a
	actIf                    // on the condition that ends block a: actions up to mid, else up to end; con: selection or -1
	actLoop                  // construct con: body up to mid, continue construct up to end
	actJoin                  // construct con, a selection: actions up to end
	actSwitch                // on block a: cases con.cases; actions up to end
	actExit                  // leave to construct target, by the edge to block b
	actReturn                // block a returns
	actHalt
)

type action struct {
	op       actKind
	tail     bool // exit, return: nothing follows, and control falls through to the destination
	exit     exitKind
	a, b     uint32
	con      int32 // the construct that contains the action, or that the action emits
	target   int32
	mid, end uint32
}

type exitKind uint8

const (
	exitNone  exitKind = iota
	exitMerge          // after a selection, a case or a loop
	exitNext           // to a loop's next iteration
	exitFall           // into another case
)

type conKind uint8

const (
	conFunc conKind = iota
	conSel
	conCase
	conLoop
)

// contMode is the place where the continue construct of a loop is emitted.
type contMode uint8

const (
	contNone   contMode = iota // the header is the continue target, or nothing reaches it
	contInline                 // at the only edge to it
	contCopy                   // at each edge: one short block
	contGuard                  // at the start of the body, except in the first iteration
)

// construct is a region of the program with a fixed set of destinations that control may leave it for.
type construct struct {
	kind   conKind
	cont   contMode
	wrap   bool // a selection or case that must be a loop of one iteration
	irreg  bool // the IR's control flow inside has paths that SPIR-V's does not have
	parent int32
	header uint32
	merge  uint32
	next   uint32 // loop: continue target; case: its own label
	sw     int32  // case: row of the switch's action
	// the exits from inside that cross this construct's loop
	crossed  []crossing
	flagVars [4]uint32 // by exitKind: ir.Var of the flag for exits that cross other loops; 0: none
	caseIdx  int32     // case: row of cases
}

type crossing struct {
	con  int32
	exit exitKind
}

// caseRec is a target of a switch.
type caseRec struct {
	con        int32
	label      uint32 // block
	lo, hi     uint32 // its actions
	isDefault  bool
	fallsTo    int32 // 1 + the case that it falls through to
	fallenInto bool
}

const maxNesting = 1023 // SPIR-V specification 2.17: nesting of control flow

// blockOf returns the block of this function with the given label.
func (r *reader) blockOf(id uint32) uint32 {
	if id >= r.bound {
		r.fail("id %d exceeds the bound %d", id, r.bound)
	}
	rec := &r.ids[id]
	if rec.kind != idLabel || rec.aux < r.fn.first || rec.aux >= r.fn.first+r.fn.n {
		r.fail("id %d is not a label of this function", id)
	}
	return rec.aux
}

// targets returns the ids of a block's successors, with repetitions.
func (r *reader) targets(b *block, out []uint32) []uint32 {
	in := r.ins(b.term)
	r.at = b.term
	switch r.op(b.term) {
	case spirvtab.OpBranch:
		out = append(out, in[1])
	case spirvtab.OpBranchConditional:
		out = append(out, in[2], in[3])
	case spirvtab.OpSwitch:
		out = append(out, in[2])
		w := r.switchWords(in)
		for i := 3 + w; i < len(in); i += w + 1 {
			out = append(out, in[i])
		}
	}
	return out
}

// switchWords returns the number of words of a literal of a switch. It checks the instruction's length.
func (r *reader) switchWords(in []uint32) int {
	t := r.typeOf(in[1])
	if t.comps != 1 || t.bits == 1 {
		r.fail("the selector is not an integer")
	}
	w := 1
	if t.bits == 64 {
		w = 2
	}
	if (len(in)-3)%(w+1) != 0 {
		r.fail("the targets are not pairs of literal and label")
	}
	return w
}

func (r *reader) planFunction(f *funcRec) {
	r.acts, r.cons, r.cases = r.acts[:0], r.cons[:0], r.cases[:0]
	r.irreg, r.depth = false, 0
	r.findJoins(f)
	r.cons = append(r.cons, construct{kind: conFunc, parent: -1, header: ^uint32(0), merge: ^uint32(0), next: ^uint32(0)})
	r.region(f.first, 0, after{0, exitMerge}, false)
	for i := f.first; i < f.first+f.n; i++ {
		if b := &r.blocks[i]; b.reach && !b.done {
			r.failAt(b.start, "control flow is not structured: block %d is not inside any construct that leads to it", b.label)
		}
	}
	r.crossings()
	if r.irreg {
		r.findDemoted(f)
	}
}

// after is the place where control continues at the end of a region.
type after struct {
	con  int32
	exit exitKind
}

// exitTo returns the construct that a branch from construct con to block t leaves, and how, or exitNone if the branch
// leaves none.
func (r *reader) exitTo(t uint32, con int32) (int32, exitKind) {
	for k := con; k >= 0; k = r.cons[k].parent {
		c := &r.cons[k]
		switch c.kind {
		case conSel:
			if t == c.merge {
				return k, exitMerge
			}
		case conCase:
			if t == c.merge {
				return k, exitMerge
			}
			if t != c.next && r.caseOf(c.sw, t) >= 0 {
				return k, exitFall
			}
		case conLoop:
			switch {
			case t == c.merge:
				return k, exitMerge
			case t == c.header, t == c.next && c.cont == contGuard:
				return k, exitNext
			}
		}
	}
	return -1, exitNone
}

// caseOf returns the case of a switch that starts with block t, or -1.
func (r *reader) caseOf(sw int32, t uint32) int32 {
	if b := &r.blocks[t]; b.caseOf == sw+1 {
		return b.caseIdx
	}
	return -1
}

func (r *reader) act(a action) int32 {
	r.acts = append(r.acts, a)
	return int32(len(r.acts) - 1)
}

// edge plans the edge from block from to block t in construct con, and everything after it up to the end of the region.
func (r *reader) edge(from, t uint32, con int32, aft after) {
	if k, e := r.exitTo(t, con); e != exitNone {
		r.exit(from, t, con, k, e, aft)
		return
	}
	r.act(action{op: actEdge, a: from, b: t})
	r.region(t, con, aft, false)
}

// isTail reports whether the end of a region leads to an exit's destination anyway.
func (r *reader) isTail(k int32, e exitKind, aft after) bool {
	return aft.con == k && (aft.exit == e || r.cons[k].kind == conCase)
}

func (r *reader) exit(from, t uint32, con, k int32, e exitKind, aft after) {
	r.act(action{op: actEdge, a: from, b: t})
	r.leave(t, con, k, e, aft)
}

// leave plans the jump to block t that leaves or continues construct k.
func (r *reader) leave(t uint32, con, k int32, e exitKind, aft after) {
	tail := r.isTail(k, e, aft)
	c := &r.cons[k]
	if e == exitFall {
		to := r.caseOf(c.sw, t)
		self := &r.cases[c.caseIdx]
		if self.fallsTo != 0 && self.fallsTo != to+1 {
			r.fail("a case falls through to two other cases")
		}
		if self.fallsTo == 0 {
			if r.cases[to].fallenInto {
				r.fail("two cases fall through to the same case")
			}
			self.fallsTo = to + 1
			r.cases[to].fallenInto = true
		}
	}
	if !tail && c.kind != conLoop {
		c.wrap = true
	}
	if tail && e != exitFall {
		return
	}
	r.act(action{op: actExit, tail: tail, exit: e, con: con, target: k})
}

// deeper counts a level of nested constructs.
func (r *reader) deeper() {
	if r.depth++; r.depth > maxNesting {
		r.fail("control flow nests deeper than %d", maxNesting)
	}
}

// region plans block b and the blocks after it up to the end of a region of construct con. inLoop tells that b is the
// header of con.
func (r *reader) region(bi uint32, con int32, aft after, inLoop bool) {
	r.deeper()
	defer func() { r.depth-- }()
	for {
		b := &r.blocks[bi]
		r.at = b.term
		if b.merge != 0 && r.op(b.merge) == spirvtab.OpLoopMerge && !inLoop {
			next, ok := r.loop(bi, con)
			if !ok {
				return
			}
			bi = next
			if !r.follows(bi, con, aft) {
				return
			}
			continue
		}
		if b.done && !r.isCopy(bi, con) {
			r.fail("control flow is not structured: block %d is reached in two ways without a merge", b.label)
		}
		b.done, b.con = true, con
		r.act(action{op: actBlock, a: bi, con: con})
		sel := b.merge != 0 && !inLoop
		inLoop = false
		next, more := r.terminator(bi, con, aft, sel)
		if !more {
			return
		}
		bi = next
		if !r.follows(bi, con, aft) {
			return
		}
	}
}

// terminator plans the instruction that ends block b and the code up to the next block of this region. sel tells that b
// is the header of a selection.
func (r *reader) terminator(bi uint32, con int32, aft after, sel bool) (next uint32, more bool) {
	b := &r.blocks[bi]
	in := r.ins(b.term)
	r.at = b.term
	switch r.op(b.term) {
	case spirvtab.OpBranch:
		next = r.blockOf(in[1])
		if k, e := r.exitTo(next, con); e != exitNone {
			r.exit(bi, next, con, k, e, aft)
			return 0, false
		}
		r.act(action{op: actEdge, a: bi, b: next})
		return next, true
	case spirvtab.OpBranchConditional:
		if len(in) != 4 && len(in) != 6 {
			r.fail("must have either no weights or two")
		}
		if !sel {
			if b.join != 0 {
				r.fail("control flow is not structured: block %d is reached in two ways without a merge", r.blocks[b.join-1].label)
			}
			return r.exitOrBranch(bi, con, aft)
		}
	case spirvtab.OpSwitch:
	case spirvtab.OpReturn, spirvtab.OpReturnValue:
		r.act(action{op: actReturn, a: bi, con: con, tail: aft.con == 0})
		return 0, false
	case spirvtab.OpKill, spirvtab.OpTerminateInvocation:
		if r.opt.Stage != kind.StageFragment {
			r.fail("is not allowed in a %s shader, only in fragment shaders", r.opt.Stage)
		}
		r.act(action{op: actHalt, a: bi, con: con})
		return 0, false
	default: // OpUnreachable
		return 0, false
	}
	merge := r.blockOf(r.words[b.merge+1])
	r.joined(bi, con, merge, b.join)
	return merge, r.blocks[merge].reach
}

// joined plans the selection that begins at block b and ends at block merge. Blocks where its paths join earlier (the
// list join) end selections nested in it; the earliest block in control flow ends the innermost.
func (r *reader) joined(bi uint32, con int32, merge, join uint32) {
	if join == 0 {
		if r.op(r.blocks[bi].term) == spirvtab.OpSwitch {
			r.switchPlan(bi, con, merge)
		} else {
			r.selection(bi, con, merge)
		}
		return
	}
	r.deeper()
	k := int32(len(r.cons))
	r.cons = append(r.cons, construct{kind: conSel, parent: con, header: bi, merge: merge, next: ^uint32(0)})
	i := r.act(action{op: actJoin, con: k})
	inner := join - 1
	r.joined(bi, k, inner, r.blocks[inner].nextJoin)
	if aft := (after{k, exitMerge}); r.follows(inner, k, aft) {
		r.region(inner, k, aft, false)
	}
	r.acts[i].end = uint32(len(r.acts))
	r.depth--
}

// findJoins lists, for each block that ends in a branch, the blocks at which several paths from it join without ending
// a construct: SPIR-V lets the arms of a selection join before its merge block. The last block in reverse postorder
// comes first.
func (r *reader) findJoins(f *funcRec) {
	for i := f.first; i < f.first+f.n; i++ {
		b := &r.blocks[i]
		if !b.reach {
			continue
		}
		r.at = b.term
		if b.merge != 0 {
			r.at = b.merge
			r.blocks[r.blockOf(r.words[b.merge+1])].ends = true
			if r.op(b.merge) == spirvtab.OpLoopMerge {
				r.blocks[r.blockOf(r.words[b.merge+2])].ends = true
				b.ends = true
			}
		}
		if r.op(b.term) == spirvtab.OpSwitch {
			var buf [8]uint32
			for _, id := range r.targets(b, buf[:0]) {
				r.blocks[r.blockOf(id)].ends = true
			}
		}
	}
	order := r.postorder[f.order:]
	for n := range order {
		if order[n] == 0 { // the function's first block is last in postorder
			order = order[:n]
			break
		}
	}
	for i := len(order) - 1; i >= 0; i-- { // in control-flow order
		bi := uint32(order[i])
		if b := &r.blocks[f.first+bi]; b.preds > 1 && !b.ends {
			d := &r.blocks[f.first+b.idom]
			b.nextJoin, d.join = d.join, f.first+bi+1
		}
	}
}

// follows reports whether the merge block of a construct that just ended is in this region. If the block is also where
// an enclosing construct ends or continues (such as the continue target of a loop around it), follows plans that exit;
// the edges to the block have been planned then.
func (r *reader) follows(bi uint32, con int32, aft after) bool {
	k, e := r.exitTo(bi, con)
	if e == exitNone {
		return true
	}
	r.leave(bi, con, k, e, aft)
	return false
}

// isCopy reports whether a block is the continue construct of the innermost loop and may be emitted more than once.
func (r *reader) isCopy(bi uint32, con int32) bool {
	for k := con; k >= 0; k = r.cons[k].parent {
		if c := &r.cons[k]; c.kind == conLoop {
			return c.cont == contCopy && c.next == bi
		}
	}
	return false
}

// exitOrBranch plans a conditional branch without a merge instruction: at most one of its targets continues in this
// region, or each is private to its arm.
func (r *reader) exitOrBranch(bi uint32, con int32, aft after) (next uint32, more bool) {
	in := r.ins(r.blocks[bi].term)
	t, f := r.blockOf(in[2]), r.blockOf(in[3])
	tk, te := r.exitTo(t, con)
	fk, fe := r.exitTo(f, con)
	if t == f {
		if te != exitNone {
			r.exit(bi, t, con, tk, te, aft)
			return 0, false
		}
		r.act(action{op: actEdge, a: bi, b: t})
		return t, true
	}
	tJump := te != exitNone && !r.isTail(tk, te, aft)
	fJump := fe != exitNone && !r.isTail(fk, fe, aft)
	i := r.act(action{op: actIf, a: bi, con: -1})
	switch {
	case tJump:
		r.exit(bi, t, con, tk, te, aft)
		r.acts[i].mid = uint32(len(r.acts))
		r.acts[i].end = r.acts[i].mid
		next = f
	case fJump:
		r.acts[i].mid = uint32(len(r.acts))
		r.exit(bi, f, con, fk, fe, aft)
		r.acts[i].end = uint32(len(r.acts))
		next = t
	default:
		r.edge(bi, t, con, aft)
		r.acts[i].mid = uint32(len(r.acts))
		r.edge(bi, f, con, aft)
		r.acts[i].end = uint32(len(r.acts))
		return 0, false
	}
	if k, e := r.exitTo(next, con); e != exitNone {
		r.exit(bi, next, con, k, e, aft)
		return 0, false
	}
	r.act(action{op: actEdge, a: bi, b: next})
	return next, true
}

// selection plans an if that ends at block merge.
func (r *reader) selection(bi uint32, con int32, merge uint32) {
	b := &r.blocks[bi]
	in := r.ins(b.term)
	r.at = b.term
	k := int32(len(r.cons))
	r.cons = append(r.cons, construct{kind: conSel, parent: con, header: bi, merge: merge, next: ^uint32(0)})
	aft := after{k, exitMerge}
	t, f := r.blockOf(in[2]), r.blockOf(in[3])
	if t == f { // the condition is irrelevant
		i := r.act(action{op: actJoin, con: k})
		r.edge(bi, t, k, aft)
		r.acts[i].end = uint32(len(r.acts))
		return
	}
	i := r.act(action{op: actIf, a: bi, con: k})
	r.edge(bi, t, k, aft)
	r.acts[i].mid = uint32(len(r.acts))
	r.edge(bi, f, k, aft)
	r.acts[i].end = uint32(len(r.acts))
}

// loop plans a loop.
func (r *reader) loop(bi uint32, con int32) (merge uint32, more bool) {
	b := &r.blocks[bi]
	r.at = b.merge
	merge = r.blockOf(r.words[b.merge+1])
	cont := r.blockOf(r.words[b.merge+2])
	k := int32(len(r.cons))
	c := construct{kind: conLoop, parent: con, header: bi, merge: merge, next: cont}
	switch cb := &r.blocks[cont]; {
	case cont == bi || !cb.reach:
	case cb.preds == 1:
		c.cont = contInline
	case r.shortBlock(cb, bi):
		c.cont = contCopy
	default:
		c.cont = contGuard
	}
	r.cons = append(r.cons, c)
	i := r.act(action{op: actLoop, con: k, a: bi})
	r.region(bi, k, after{k, exitNext}, true)
	r.acts[i].mid = uint32(len(r.acts))
	if c.cont == contGuard {
		r.cons[k].irreg, r.irreg = true, true
		g := int32(len(r.cons))
		r.cons = append(r.cons, construct{kind: conSel, parent: k, header: cont, merge: bi, next: ^uint32(0)})
		r.acts[i].target = g
		r.region(cont, g, after{g, exitMerge}, false)
	}
	r.acts[i].end = uint32(len(r.acts))
	return merge, r.blocks[merge].reach
}

// shortBlock reports whether a block is short and ends in a branch to the header, so that it may be duplicated at each
// edge. If invocations that arrive by different edges have to reconverge in it, there must be only one copy.
func (r *reader) shortBlock(b *block, header uint32) bool {
	if r.op(b.term) != spirvtab.OpBranch || b.merge != 0 || r.blockOf(r.words[b.term+1]) != header {
		return false
	}
	n := 0
	for at := b.start; at < b.term; at += r.words[at] >> 16 {
		o := r.op(at)
		if meets[spirvtab.Lookup(o).Category] {
			return false
		}
		if o != spirvtab.OpLine && o != spirvtab.OpNoLine {
			n++
		}
	}
	return n*int(b.preds) <= 24
}

// meets are the categories of instructions whose result or effect depends on which invocations execute them together:
// subgroup operations, barriers, derivatives (including the implicit ones of image coordinates), and calls of functions
// that may contain any of them.
var meets = [256]bool{
	spirvtab.CategorySubgroup: true, spirvtab.CategoryBarrier: true, spirvtab.CategoryDerivative: true,
	spirvtab.CategoryImage: true, spirvtab.CategoryFunction: true,
}

// switchPlan plans a switch that ends at block merge: a list of cases, each with its own region.
func (r *reader) switchPlan(bi uint32, con int32, merge uint32) {
	b := &r.blocks[bi]
	sw := r.act(action{op: actSwitch, a: bi, con: con})
	first := uint32(len(r.cases))
	r.acts[sw].mid = first
	for i, id := range r.targets(b, nil) {
		t := r.blockOf(id)
		if r.caseOf(sw, t) >= 0 {
			continue
		}
		r.blocks[t].caseOf, r.blocks[t].caseIdx = sw+1, int32(len(r.cases))
		r.cases = append(r.cases, caseRec{label: t, isDefault: i == 0})
	}
	n := uint32(len(r.cases)) - first
	r.acts[sw].b = n
	falls := false
	for i := first; i < first+n; i++ {
		t := r.cases[i].label
		k := int32(len(r.cons))
		r.cons = append(r.cons, construct{kind: conCase, parent: con, header: bi, merge: merge, next: t, sw: sw, caseIdx: int32(i)})
		r.cases[i].con = k
		r.cases[i].lo = uint32(len(r.acts))
		r.edge(bi, t, k, after{k, exitMerge})
		r.cases[i].hi = uint32(len(r.acts))
		falls = falls || r.cases[i].fallsTo != 0
	}
	// A case that others fall into runs under a condition. In the IR there is thus a path around it to the merge block,
	// where values of any other case may be used.
	for i := first; falls && i < first+n; i++ {
		r.cons[r.cases[i].con].irreg, r.irreg = true, true
	}
	r.acts[sw].end = uint32(len(r.acts))
}

// crossings determines the exits that have to cross a loop of the IR.
func (r *reader) crossings() {
	for i := range r.acts {
		a := &r.acts[i]
		if a.op != actExit || a.tail {
			continue
		}
		for k := a.con; k != a.target; k = r.cons[k].parent {
			c := &r.cons[k]
			if c.kind != conLoop && !c.wrap {
				continue
			}
			c.irreg, r.irreg = true, true
			x := crossing{a.target, a.exit}
			found := false
			for _, y := range c.crossed {
				found = found || x == y
			}
			if !found {
				c.crossed = append(c.crossed, x)
			}
		}
	}
}

// findDemoted marks the values and pointers that are defined inside an irregular construct and used in another block.
// The IR's control flow may reach the use without the definition, so they are passed through variables.
func (r *reader) findDemoted(f *funcRec) {
	irregular := make([]bool, len(r.cons))
	for i := range r.cons {
		p := r.cons[i].parent
		irregular[i] = r.cons[i].irreg || p >= 0 && irregular[p]
	}
	for bi := f.first; bi < f.first+f.n; bi++ {
		b := &r.blocks[bi]
		if !b.reach || !irregular[b.con] {
			continue
		}
		for at := b.start; at < b.term; at += r.words[at] >> 16 {
			if info := spirvtab.Lookup(r.op(at)); info.HasResult {
				r.ids[r.words[at+2]].epoch = bi + 1
			}
		}
	}
	for bi := f.first; bi < f.first+f.n; bi++ {
		b := &r.blocks[bi]
		if !b.reach {
			continue
		}
		for at := b.start; at <= b.term; at += r.words[at] >> 16 {
			phi := r.op(at) == spirvtab.OpPhi
			for _, w := range r.ins(at)[1:] { // literals that look like ids are harmless
				if w < r.bound {
					rec := &r.ids[w]
					if rec.kind == idNone && rec.epoch != 0 && (rec.epoch != bi+1 || phi) {
						r.markDemoted(rec)
					}
				}
			}
		}
	}
}

// markDemoted marks an id. If the value is recomputed at its use, instead of being read from a variable, its operands
// are needed there too, and are marked.
func (r *reader) markDemoted(rec *idRec) {
	if rec.flags&flagDemoted != 0 {
		return
	}
	rec.flags |= flagDemoted
	if !r.madeAgain(rec) {
		return
	}
	for _, w := range r.ins(rec.word)[3:] {
		if w < r.bound {
			if x := &r.ids[w]; x.kind == idNone && x.epoch != 0 {
				r.markDemoted(x)
			}
		}
	}
}

// madeAgain reports whether rematerialize handles the instruction of an id: pointers, images and samplers cannot be
// stored in variables.
func (r *reader) madeAgain(rec *idRec) bool {
	switch r.op(rec.word) {
	case spirvtab.OpAccessChain, spirvtab.OpInBoundsAccessChain, spirvtab.OpPtrAccessChain,
		spirvtab.OpUntypedAccessChainKHR, spirvtab.OpUntypedInBoundsAccessChainKHR, spirvtab.OpUntypedPtrAccessChainKHR,
		spirvtab.OpUntypedInBoundsPtrAccessChainKHR,
		spirvtab.OpCopyObject, spirvtab.OpSampledImage, spirvtab.OpImage,
		spirvtab.OpImageTexelPointer:
		return true
	case spirvtab.OpLoad, spirvtab.OpCompositeExtract:
		return r.descriptors(&r.types[r.ids[rec.typ].aux]) != nil
	}
	return false
}
