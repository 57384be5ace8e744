package spirv

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// funcRec is a function of the module.
type funcRec struct {
	id, word uint32
	params   uint32 // the first OpFunctionParameter
	nparams  uint32
	first, n uint32 // blocks
	order    uint32 // start of its blocks in postorder
	calls    []call
	size     uint64 // number of instructions with all calls expanded
	state    uint8  // state of the search for recursion
	ir       ir.Func
	result   ir.Value // deref that receives the result
}

// call is an OpFunctionCall.
type call struct{ word, callee uint32 }

// block is a basic block of the module.
type block struct {
	label uint32 // id
	start uint32 // the first instruction
	line  uint32 // the OpLine or DebugLine that locates its first instruction, or 0
	term  uint32 // the instruction that ends it
	merge uint32 // its OpLoopMerge or OpSelectionMerge, or 0
	preds uint32 // number of edges from reachable blocks
	con   int32  // innermost construct, valid for the function being read
	reach bool
	done  bool // planned
	// merges: the block is the merge block of a header
	merges bool
	// ends: a construct begins or ends at the block
	ends bool
	// join: 1 + the first block that paths from here have in common; nextJoin: 1 + the next block in the list of the
	// same dominator.
	join, nextJoin uint32
	// a case label: 1 + the action of its switch, and its row of cases
	caseOf, caseIdx int32
	// Dominance: the parent in the dominator tree, and the times at which a walk over the tree enters and leaves the
	// block.
	idom    uint32
	in, out int32
}

const (
	// maxExpanded bounds the number of instructions of the entry point with all calls expanded.
	maxExpanded = 1 << 20
	maxCallNest = 1024
)

func (r *reader) beginFunction(in []uint32) {
	ft := r.typeAt(in[4])
	if ft.op != spirvtab.OpTypeFunction || ft.elem != in[1] {
		r.fail("the function type has a different result type")
	}
	r.funcs = append(r.funcs, funcRec{id: in[2], word: r.at, first: uint32(len(r.blocks))})
	r.fn = &r.funcs[len(r.funcs)-1]
	rec := &r.ids[in[2]]
	rec.kind, rec.aux = idFunc, uint32(len(r.funcs)-1)
	r.block = 0 // 1: inside a block
}

// structural has a bit for each category with instructions that are not inside blocks, or that delimit blocks.
// OpVariable is the only other such instruction.
const structural = 1<<spirvtab.CategoryNone | 1<<spirvtab.CategoryMisc | 1<<spirvtab.CategoryDebug | 1<<spirvtab.CategoryExtension |
	1<<spirvtab.CategoryMode | 1<<spirvtab.CategoryType | 1<<spirvtab.CategoryConstant | 1<<spirvtab.CategoryFunction |
	1<<spirvtab.CategoryAnnotation | 1<<spirvtab.CategoryControl

// bodyInstr records the structure of a function.
func (r *reader) bodyInstr(info *spirvtab.Op, in []uint32) {
	f := r.fn
	inside := r.block != 0
	if inside && structural>>info.Category&1 == 0 && info.Num != spirvtab.OpVariable {
		f.size++
		return
	}
	switch info.Num {
	case spirvtab.OpFunctionParameter:
		if f.nparams++; f.nparams == 1 {
			f.params = r.at
		}
		if inside || len(r.blocks) != int(f.first) {
			r.fail("is not allowed inside the body")
		}
		return
	case spirvtab.OpFunctionEnd:
		r.endFunction(f, inside)
		return
	case spirvtab.OpLine, spirvtab.OpNoLine:
		if !inside {
			r.noteLine(in)
		}
		return
	case spirvtab.OpNop:
		return
	case spirvtab.OpLabel:
		if inside {
			r.fail("the preceding block is not terminated")
		}
		rec := &r.ids[in[1]]
		rec.kind, rec.aux = idLabel, uint32(len(r.blocks))
		r.blocks = append(r.blocks, block{label: in[1], start: r.at + uint32(len(in)), line: r.lineWord})
		r.block, r.lineWord = 1, 0
		return
	}
	if !inside {
		if info.Category == spirvtab.CategoryExtension && info.HasType && r.nonSemantic(in) {
			r.ids[in[2]].kind = idOther // scopes of debug information
			r.noteLine(in)
			return
		}
		r.fail("is not allowed outside a block")
	}
	b := &r.blocks[len(r.blocks)-1]
	switch info.Num {
	case spirvtab.OpLoopMerge, spirvtab.OpSelectionMerge:
		if b.merge != 0 {
			r.fail("is the second merge instruction of its block")
		}
		b.merge = r.at
	case spirvtab.OpBranch, spirvtab.OpBranchConditional, spirvtab.OpSwitch, spirvtab.OpKill, spirvtab.OpReturn, spirvtab.OpReturnValue,
		spirvtab.OpUnreachable, spirvtab.OpTerminateInvocation:
		if b.merge != 0 && b.merge+uint32(r.words[b.merge]>>16) != r.at {
			r.failAt(b.merge, "is not second-to-last in its block")
		}
		b.term = r.at
		r.block = 0
	case spirvtab.OpFunctionCall:
		f.calls = append(f.calls, call{r.at, in[3]})
		f.size++
	case spirvtab.OpFunction:
		r.fail("a function inside a function")
	case spirvtab.OpVariable:
		if in[3] != spirvtab.StorageFunction {
			r.fail("a variable in a function must be of class Function")
		}
		f.size++
	default:
		f.size++
		switch info.Category {
		case spirvtab.CategoryType, spirvtab.CategoryConstant, spirvtab.CategoryMode, spirvtab.CategoryAnnotation:
			r.fail("is not allowed inside a function")
		}
		if info.HasResult && !info.HasType {
			r.fail("is not allowed inside a function")
		}
	}
}

func (r *reader) endFunction(f *funcRec, inside bool) {
	if inside {
		r.fail("the last block is not terminated")
	}
	f.n = uint32(len(r.blocks)) - f.first
	types := r.ins(r.ids[r.words[f.word+4]].word)[3:]
	if int(f.nparams) != len(types) {
		r.fail("has %d parameters, the function type %d", f.nparams, len(types))
	}
	r.fn = nil
}

// checkCalls rejects recursion, calls of ids that are not functions, and calls whose expansion would be too large.
func (r *reader) checkCalls(root uint32) {
	var visit func(f uint32, depth int)
	visit = func(i uint32, depth int) {
		f := &r.funcs[i]
		f.state = 1
		for _, c := range f.calls {
			r.at = c.word
			if depth > maxCallNest {
				r.fail("calls nest deeper than %d", maxCallNest)
			}
			rec := &r.ids[c.callee]
			if rec.kind != idFunc {
				r.fail("id %d is not a function", c.callee)
			}
			g := &r.funcs[rec.aux]
			switch g.state {
			case 0:
				visit(rec.aux, depth+1)
			case 1:
				r.fail("recursion: function %d calls itself", c.callee)
			}
			if f.size += g.size; f.size > maxExpanded {
				r.fail("calls expand to more than %d instructions", maxExpanded)
			}
		}
		f.state = 2
	}
	visit(root, 1)
}

// declare creates the IR function for a function of the module, once.
func (r *reader) declare(i uint32) ir.Func {
	f := &r.funcs[i]
	if f.ir != 0 {
		return f.ir
	}
	if f.n == 0 {
		r.refuseAt(f.word, "a function without a body (linkage) is not supported")
	}
	var params []ir.Param
	if r.typeAt(r.words[f.word+1]).op != spirvtab.OpTypeVoid {
		params = append(params, ir.Param{Comps: 1, Bits: 32})
	}
	for _, p := range r.paramIDs(f) {
		params = r.paramShape(params, r.ids[p].typ)
	}
	name := r.nameOf(f.id)
	text := r.s.Strs.Text(name)
	if text == "" {
		text = "f" + utoa(f.id)
	}
	f.ir = r.s.NewFunc(text, params...)
	r.queue = append(r.queue, i)
	return f.ir
}

// paramIDs lists the parameters of a function.
func (r *reader) paramIDs(f *funcRec) []uint32 {
	if f.nparams == 0 {
		return nil
	}
	ids := make([]uint32, 0, f.nparams)
	types := r.ins(r.ids[r.words[f.word+4]].word)[3:]
	for at := f.params; len(ids) < int(f.nparams); at += r.words[at] >> 16 {
		if r.op(at) == spirvtab.OpFunctionParameter {
			if r.words[at+1] != types[len(ids)] {
				r.failAt(at, "the function type has another type here")
			}
			ids = append(ids, r.words[at+2])
		}
	}
	return ids
}

// paramShape appends the IR parameters for a parameter of a type: a deref for a pointer, one parameter for each vector
// of an aggregate.
func (r *reader) paramShape(params []ir.Param, typ uint32) []ir.Param {
	t := r.typeAt(typ)
	if t.op == spirvtab.OpTypePointer && t.ir == 0 || r.descriptors(t) != nil {
		return append(params, ir.Param{Comps: 1, Bits: 32})
	}
	r.needValue(t)
	return r.leafShapes(params, t.ir)
}

func (r *reader) leafShapes(params []ir.Param, t ir.Type) []ir.Param {
	if r.isLeaf(t) {
		_, bits, n := r.s.Types.ScalarOf(t)
		return append(params, ir.Param{Comps: uint8(n), Bits: bits})
	}
	if r.large(t) {
		return append(params, ir.Param{Comps: 1, Bits: 32})
	}
	n := r.numKids(t)
	r.count(n)
	for i := range n {
		params = r.leafShapes(params, r.kidType(t, int(i)))
	}
	return params
}

// function emits the body of a function.
func (r *reader) function(i uint32) {
	f := &r.funcs[i]
	r.fn = f
	r.at = f.word
	r.fnSeq++
	r.zeros = [5][5]ir.Src{}
	r.tree, r.places = r.tree[:1], r.places[:0]
	first := r.s.FirstBlock(f.ir)
	r.cur, r.block = first, f.first
	r.b.AtEnd(first)
	r.b.Loc = 0
	r.parameters(f)
	if f.ir == r.s.Entry() {
		r.initGlobals()
	}
	r.planFunction(f)
	r.emit(0, uint32(len(r.acts)))
	r.fn = nil
}

// parameters reads the parameters of a function.
func (r *reader) parameters(f *funcRec) {
	next := uint32(0)
	param := func(comps, bits uint8) ir.Src {
		v := r.b.Intrinsic(intrinsic.LoadParam, comps, bits)
		r.s.SetIndex(v, intrinsic.IxParam, next)
		next++
		return r.s.All(v)
	}
	if rt := r.typeAt(r.words[f.word+1]); rt.op != spirvtab.OpTypeVoid {
		r.needValue(rt)
		f.result = r.b.DerefCast(param(1, 32), kind.ModeFunctionTemp, rt.ir, 0)
	}
	for _, id := range r.paramIDs(f) {
		t := r.typeOf(id)
		if t.op == spirvtab.OpTypePointer && t.ir == 0 {
			mode := r.pointerMode(t)
			if !t.untyped {
				r.needValue(r.typeAt(t.elem))
			}
			r.setPointer(id, r.b.DerefCast(param(1, 32), mode, r.pointedTo(t), 0), r.access(id, noMember))
			r.ids[id].epoch = f.first + 1
			continue
		}
		if e := r.descriptors(t); e != nil {
			d := r.b.DerefCast(param(1, 32), r.opaqueMode(e), t.ir, 0)
			r.setOpaque(id, r.handle(e, d, r.access(id, noMember)))
			r.ids[id].epoch = f.first + 1
			continue
		}
		r.set(id, r.paramValue(t.ir, param))
	}
}

// pointerMode returns the mode of the memory that a pointer type points to.
func (r *reader) pointerMode(t *typeRec) kind.Mode {
	switch t.n {
	case spirvtab.StorageUniformConstant:
		return r.opaqueMode(r.typeAt(r.elements(t.elem)))
	case spirvtab.StorageUniform:
		if t.untyped {
			return kind.ModeSSBO | kind.ModeUBO
		}
		e := r.elements(t.elem)
		if r.has(e, spirvtab.DecorationBufferBlock) {
			return kind.ModeSSBO
		}
		if !r.has(e, spirvtab.DecorationBlock) {
			return kind.ModeSSBO | kind.ModeUBO
		}
	}
	c := spirvtab.StorageClasses.Lookup(t.n)
	if !c.Read {
		r.refuse("storage class %s is not supported", c.Name)
	}
	return kind.Mode(c.To)
}

func (r *reader) paramValue(t ir.Type, param func(comps, bits uint8) ir.Src) value {
	if r.isLeaf(t) {
		_, bits, n := r.s.Types.ScalarOf(t)
		return leaf(param(uint8(n), bits))
	}
	if r.large(t) { // a pointer to a value that the caller has stored
		return r.placed(place{pointer: r.b.DerefCast(param(1, 32), kind.ModeFunctionTemp, t, 0)})
	}
	n := r.numKids(t)
	if n == 0 {
		return value{kids: kidsUndef}
	}
	kids := r.newKids(n)
	for i := range n {
		v := r.paramValue(r.kidType(t, int(i)), param)
		r.tree[kids+i] = v
	}
	return value{kids: kids}
}

// initGlobals stores the initializers of private variables.
func (r *reader) initGlobals() {
	slices.Sort(r.initialized)
	for _, id := range r.initialized {
		rec := &r.ids[id]
		if rec.kind != idVar || r.s.Var(ir.Var(rec.aux)).Mode&(kind.ModeShaderTemp|kind.ModeShaderOut) == 0 {
			continue
		}
		r.at = rec.word
		d, _ := r.pointer(id)
		r.store(d, r.value(r.words[rec.word+4]), 0)
	}
}

// callInstr reads OpFunctionCall. The result is returned through a variable of the caller whose deref is the first
// argument.
func (r *reader) callInstr(in []uint32) {
	id := in[2]
	fi := r.ids[in[3]].aux
	callee := r.declare(fi)
	g := &r.funcs[fi]
	params := r.paramIDs(g)
	if len(params) != len(in)-4 {
		r.fail("passes %d arguments, the function has %d parameters", len(in)-4, len(params))
	}
	if r.words[g.word+1] != in[1] {
		r.fail("the function has another result type")
	}
	args := r.scratch[:0]
	var result ir.Value
	rt := r.typeAt(in[1])
	if rt.op != spirvtab.OpTypeVoid {
		if r.descriptors(rt) != nil {
			r.refuse("a function that returns images or samplers is not supported")
		}
		r.needValue(rt)
		v := r.s.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Type: rt.ir, Func: r.fn.ir, Location: -1})
		result = r.b.DerefVar(v)
		args = append(args, r.s.All(result))
	}
	for i, a := range in[4:] {
		if r.ids[a].typ != r.ids[params[i]].typ {
			r.fail("argument %d, id %d, has another type than the parameter", i, a)
		}
		if t := r.typeOf(a); t.op == spirvtab.OpTypePointer && t.ir == 0 {
			d, _ := r.pointer(a)
			args = append(args, r.s.All(d))
		} else if r.descriptors(t) != nil {
			args = append(args, r.s.All(r.passed(a)))
		} else {
			args = r.flatten(args, r.value(a), t.ir)
		}
	}
	r.b.Call(callee, args...)
	r.scratch = args[:0]
	if result != 0 {
		r.set(id, r.load(result, 0))
	} else {
		rec := &r.ids[id]
		rec.kind, rec.epoch = idOther, r.block+1
	}
}

// flatten appends the vectors of a value.
func (r *reader) flatten(args []ir.Src, v value, t ir.Type) []ir.Src {
	if r.isLeaf(t) {
		return append(args, r.s.All(r.whole(v.src)))
	}
	if r.large(t) {
		return append(args, r.s.All(r.storedAt(r.stored(v, t))))
	}
	n := r.numKids(t)
	r.count(n)
	for i := range n {
		args = r.flatten(args, r.kid(v, t, int(i)), r.kidType(t, int(i)))
	}
	return args
}
