// SPDX-License-Identifier: MIT

package module

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// FuncRec is a function of the module.
type FuncRec struct {
	id, Word uint32
	Params   uint32 // the first OpFunctionParameter
	Nparams  uint32
	First, N uint32 // blocks
	Order    uint32 // start of its blocks in postorder
	calls    []call
	size     uint64 // number of instructions with all calls expanded
	state    uint8  // state of the search for recursion
	Ir       ir.Func
	Result   ir.Value // deref that receives the result
}

// call is an OpFunctionCall.
type call struct{ word, callee uint32 }

// Block is a basic block of the module.
type Block struct {
	Label uint32 // id
	Start uint32 // the first instruction
	line  uint32 // the OpLine or DebugLine that locates its first instruction, or 0
	Term  uint32 // the instruction that ends it
	Merge uint32 // its OpLoopMerge or OpSelectionMerge, or 0
	Preds uint32 // number of edges from reachable blocks
	Con   int32  // innermost construct, valid for the function being read
	Reach bool
	Done  bool // planned
	// Merges: the block is the merge block of a header
	Merges bool
	// Ends: a construct begins or ends at the block
	Ends bool
	// Join: 1 + the first block that all paths from here have in common; NextJoin: 1 + the next block in the list of the
	// same dominator.
	Join, NextJoin uint32
	// for a case label: 1 + the action of its switch, and the row of its case
	CaseOf, CaseIdx int32
	// Dominance: the parent in the dominator tree, and the times at which a walk over the tree enters and leaves the
	// block.
	Idom    uint32
	In, Out int32
}

const (
	// maxExpanded bounds the number of instructions of the entry point with all calls expanded.
	maxExpanded = 1 << 20
	maxCallNest = 1024
)

func (r *Reader) beginFunction(in []uint32) {
	ft := r.TypeAt(in[4])
	if ft.Op != spirvtab.OpTypeFunction || ft.Elem != in[1] {
		r.Fail("the function type has a different result type")
	}
	r.Funcs = append(r.Funcs, FuncRec{id: in[2], Word: r.At, First: uint32(len(r.Blocks))})
	r.Fn = &r.Funcs[len(r.Funcs)-1]
	rec := &r.Ids[in[2]]
	rec.Kind, rec.Aux = idFunc, uint32(len(r.Funcs)-1)
	r.Block = 0 // 1: inside a block
}

// structural has a bit for each category whose instructions bodyInstr examines inside blocks. Of the instructions of other
// categories it examines only OpVariable there.
const structural = 1<<spirvtab.CategoryNone | 1<<spirvtab.CategoryMisc | 1<<spirvtab.CategoryDebug | 1<<spirvtab.CategoryExtension |
	1<<spirvtab.CategoryMode | 1<<spirvtab.CategoryType | 1<<spirvtab.CategoryConstant | 1<<spirvtab.CategoryFunction |
	1<<spirvtab.CategoryAnnotation | 1<<spirvtab.CategoryControl

// bodyInstr records the structure of a function.
func (r *Reader) bodyInstr(info *spirvtab.Op, in []uint32) {
	f := r.Fn
	inside := r.Block != 0
	if inside && structural>>info.Category&1 == 0 && info.Num != spirvtab.OpVariable {
		f.size++
		return
	}
	switch info.Num {
	case spirvtab.OpFunctionParameter:
		if f.Nparams++; f.Nparams == 1 {
			f.Params = r.At
		}
		if inside || len(r.Blocks) != int(f.First) {
			r.Fail("is not allowed inside the body")
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
			r.Fail("the preceding block is not terminated")
		}
		rec := &r.Ids[in[1]]
		rec.Kind, rec.Aux = IdLabel, uint32(len(r.Blocks))
		r.Blocks = append(r.Blocks, Block{Label: in[1], Start: r.At + uint32(len(in)), line: r.lineWord})
		r.Block, r.lineWord = 1, 0
		return
	}
	if !inside {
		if info.Category == spirvtab.CategoryExtension && info.HasType && r.NonSemantic(in) {
			r.Ids[in[2]].Kind = IdOther // scopes of debug information
			r.noteLine(in)
			return
		}
		r.Fail("is not allowed outside a block")
	}
	b := &r.Blocks[len(r.Blocks)-1]
	switch info.Num {
	case spirvtab.OpLoopMerge, spirvtab.OpSelectionMerge:
		if b.Merge != 0 {
			r.Fail("is the second merge instruction of its block")
		}
		b.Merge = r.At
	case spirvtab.OpBranch, spirvtab.OpBranchConditional, spirvtab.OpSwitch, spirvtab.OpKill, spirvtab.OpReturn, spirvtab.OpReturnValue,
		spirvtab.OpUnreachable, spirvtab.OpTerminateInvocation:
		if b.Merge != 0 && b.Merge+uint32(r.Words[b.Merge]>>16) != r.At {
			r.FailAt(b.Merge, "is not second-to-last in its block")
		}
		b.Term = r.At
		r.Block = 0
	case spirvtab.OpFunctionCall:
		f.calls = append(f.calls, call{r.At, in[3]})
		f.size++
	case spirvtab.OpFunction:
		r.Fail("a function inside a function")
	case spirvtab.OpVariable:
		if in[3] != spirvtab.StorageFunction {
			r.Fail("a variable in a function must be of class Function")
		}
		f.size++
	default:
		f.size++
		switch info.Category {
		case spirvtab.CategoryType, spirvtab.CategoryConstant, spirvtab.CategoryMode, spirvtab.CategoryAnnotation:
			r.Fail("is not allowed inside a function")
		}
		if info.HasResult && !info.HasType {
			r.Fail("is not allowed inside a function")
		}
	}
}

func (r *Reader) endFunction(f *FuncRec, inside bool) {
	if inside {
		r.Fail("the last block is not terminated")
	}
	f.N = uint32(len(r.Blocks)) - f.First
	types := r.Ins(r.Ids[r.Words[f.Word+4]].Word)[3:]
	if int(f.Nparams) != len(types) {
		r.Fail("has %d parameters, but the function type has %d", f.Nparams, len(types))
	}
	r.Fn = nil
}

// checkCalls rejects recursion, calls of ids that are not functions, and calls that nest too deep or expand to too many
// instructions.
func (r *Reader) checkCalls(root uint32) {
	var visit func(f uint32, depth int)
	visit = func(i uint32, depth int) {
		f := &r.Funcs[i]
		f.state = 1
		for _, c := range f.calls {
			r.At = c.word
			if depth > maxCallNest {
				r.Fail("calls nest deeper than %d", maxCallNest)
			}
			rec := &r.Ids[c.callee]
			if rec.Kind != idFunc {
				r.Fail("id %d is not a function", c.callee)
			}
			g := &r.Funcs[rec.Aux]
			switch g.state {
			case 0:
				visit(rec.Aux, depth+1)
			case 1:
				r.Fail("recursion: function %d calls itself", c.callee)
			}
			if f.size += g.size; f.size > maxExpanded {
				r.Fail("calls expand to more than %d instructions", maxExpanded)
			}
		}
		f.state = 2
	}
	visit(root, 1)
}

// Declare returns the IR function for a function of the module. The first call creates it and adds i to the queue.
func (r *Reader) Declare(i uint32) ir.Func {
	f := &r.Funcs[i]
	if f.Ir != 0 {
		return f.Ir
	}
	if f.N == 0 {
		r.refuseAt(f.Word, "a function without a body (linkage) is not supported")
	}
	var params []ir.Param
	if r.TypeAt(r.Words[f.Word+1]).Op != spirvtab.OpTypeVoid {
		params = append(params, ir.Param{Comps: 1, Bits: 32})
	}
	for _, p := range r.ParamIDs(f) {
		params = r.paramShape(params, r.Ids[p].Typ)
	}
	name := r.NameOf(f.id)
	text := r.S.Strs.Text(name)
	if text == "" {
		text = "f" + utoa(f.id)
	}
	f.Ir = r.S.NewFunc(text, params...)
	r.Queue = append(r.Queue, i)
	return f.Ir
}

// ParamIDs lists the parameters of a function. It fails if their types differ from those in the function's type.
func (r *Reader) ParamIDs(f *FuncRec) []uint32 {
	if f.Nparams == 0 {
		return nil
	}
	ids := make([]uint32, 0, f.Nparams)
	types := r.Ins(r.Ids[r.Words[f.Word+4]].Word)[3:]
	for at := f.Params; len(ids) < int(f.Nparams); at += r.Words[at] >> 16 {
		if r.Op(at) == spirvtab.OpFunctionParameter {
			if r.Words[at+1] != types[len(ids)] {
				r.FailAt(at, "the function type has another type here")
			}
			ids = append(ids, r.Words[at+2])
		}
	}
	return ids
}

// paramShape appends the IR parameters for a parameter of a type: a deref for a pointer, an image, a sampler or a large
// aggregate, otherwise one parameter for each vector.
func (r *Reader) paramShape(params []ir.Param, typ uint32) []ir.Param {
	t := r.TypeAt(typ)
	if t.Op == spirvtab.OpTypePointer && t.Ir == 0 || r.Descriptors(t) != nil {
		return append(params, ir.Param{Comps: 1, Bits: 32})
	}
	r.NeedValue(t)
	return r.leafShapes(params, t.Ir)
}

func (r *Reader) leafShapes(params []ir.Param, t ir.Type) []ir.Param {
	if r.IsLeaf(t) {
		_, bits, n := r.S.Types.ScalarOf(t)
		return append(params, ir.Param{Comps: uint8(n), Bits: bits})
	}
	if r.Large(t) {
		return append(params, ir.Param{Comps: 1, Bits: 32})
	}
	n := r.NumKids(t)
	r.Count(n)
	for i := range n {
		params = r.leafShapes(params, r.KidType(t, int(i)))
	}
	return params
}
