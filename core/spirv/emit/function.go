// SPDX-License-Identifier: MIT

package emit

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/image"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/plan"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Function emits the body of a function.
func Function(r *module.Reader, p *plan.Plan, i uint32) {
	f := &r.Funcs[i]
	r.Fn = f
	r.At = f.Word
	r.FnSeq++
	r.Zeros = [5][5]ir.Src{}
	r.Tree, r.Places = r.Tree[:1], r.Places[:0]
	first := r.S.FirstBlock(f.Ir)
	r.Cur, r.Block = first, f.First
	r.B.AtEnd(first)
	r.B.Loc = 0
	parameters(r, f)
	if f.Ir == r.S.Entry() {
		initGlobals(r)
	}
	plan.Function(r, p, f)
	emit(r, p, 0, uint32(len(p.Acts)))
	r.Fn = nil
}

// parameters reads the parameters of a function.
func parameters(r *module.Reader, f *module.FuncRec) {
	next := uint32(0)
	param := func(comps, bits uint8) ir.Src {
		v := r.B.Intrinsic(intrinsic.LoadParam, comps, bits)
		r.S.SetIndex(v, intrinsic.IxParam, next)
		next++
		return r.S.All(v)
	}
	if rt := r.TypeAt(r.Words[f.Word+1]); rt.Op != spirvtab.OpTypeVoid {
		r.NeedValue(rt)
		f.Result = r.B.DerefCast(param(1, 32), kind.ModeFunctionTemp, rt.Ir, 0)
	}
	for _, id := range r.ParamIDs(f) {
		t := r.TypeOf(id)
		if t.Op == spirvtab.OpTypePointer && t.Ir == 0 {
			mode := value.PointerMode(r, t)
			if !t.Untyped {
				r.NeedValue(r.TypeAt(t.Elem))
			}
			value.SetPointer(r, id, r.B.DerefCast(param(1, 32), mode, value.PointedTo(r, t), 0), r.Access(id, module.NoMember))
			r.Ids[id].Epoch = f.First + 1
			continue
		}
		if e := r.Descriptors(t); e != nil {
			d := r.B.DerefCast(param(1, 32), r.OpaqueMode(e), t.Ir, 0)
			value.SetOpaque(r, id, value.Handle(r, e, d, r.Access(id, module.NoMember)))
			r.Ids[id].Epoch = f.First + 1
			continue
		}
		value.Set(r, id, paramValue(r, t.Ir, param))
	}
}

func paramValue(r *module.Reader, t ir.Type, param func(comps, bits uint8) ir.Src) module.Value {
	if r.IsLeaf(t) {
		_, bits, n := r.S.Types.ScalarOf(t)
		return value.Leaf(param(uint8(n), bits))
	}
	if r.Large(t) { // a pointer to a value that the caller has stored
		return value.Placed(r, module.Place{Pointer: r.B.DerefCast(param(1, 32), kind.ModeFunctionTemp, t, 0)})
	}
	n := r.NumKids(t)
	if n == 0 {
		return module.Value{Kids: value.KidsUndef}
	}
	kids := value.NewKids(r, n)
	for i := range n {
		v := paramValue(r, r.KidType(t, int(i)), param)
		r.Tree[kids+i] = v
	}
	return module.Value{Kids: kids}
}

// initGlobals stores the initializers of private variables and outputs.
func initGlobals(r *module.Reader) {
	slices.Sort(r.Initialized)
	for _, id := range r.Initialized {
		rec := &r.Ids[id]
		if rec.Kind != module.IdVar || r.S.Var(ir.Var(rec.Aux)).Mode&(kind.ModeShaderTemp|kind.ModeShaderOut) == 0 {
			continue
		}
		r.At = rec.Word
		d, _ := value.Pointer(r, id)
		value.Store(r, d, value.Value(r, r.Words[rec.Word+4]), 0)
	}
}

// callInstr reads OpFunctionCall. The result is returned through a variable of the caller whose deref is the first
// argument.
func callInstr(r *module.Reader, in []uint32) {
	id := in[2]
	fi := r.Ids[in[3]].Aux
	callee := r.Declare(fi)
	g := &r.Funcs[fi]
	params := r.ParamIDs(g)
	if len(params) != len(in)-4 {
		r.Fail("passes %d arguments, but the function has %d parameters", len(in)-4, len(params))
	}
	if r.Words[g.Word+1] != in[1] {
		r.Fail("the function has another result type")
	}
	args := r.Scratch[:0]
	var result ir.Value
	rt := r.TypeAt(in[1])
	if rt.Op != spirvtab.OpTypeVoid {
		if r.Descriptors(rt) != nil {
			r.Refuse("a function that returns images or samplers is not supported")
		}
		r.NeedValue(rt)
		v := r.S.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Type: rt.Ir, Func: r.Fn.Ir, Location: -1})
		result = r.B.DerefVar(v)
		args = append(args, r.S.All(result))
	}
	for i, a := range in[4:] {
		if r.Ids[a].Typ != r.Ids[params[i]].Typ {
			r.Fail("argument %d, id %d, has a different type than the parameter", i, a)
		}
		if t := r.TypeOf(a); t.Op == spirvtab.OpTypePointer && t.Ir == 0 {
			d, _ := value.Pointer(r, a)
			args = append(args, r.S.All(d))
		} else if r.Descriptors(t) != nil {
			args = append(args, r.S.All(image.Passed(r, a)))
		} else {
			args = flatten(r, args, value.Value(r, a), t.Ir)
		}
	}
	r.B.Call(callee, args...)
	r.Scratch = args[:0]
	if result != 0 {
		value.Set(r, id, value.Load(r, result, 0))
	} else {
		rec := &r.Ids[id]
		rec.Kind, rec.Epoch = module.IdOther, r.Block+1
	}
}

// flatten appends the arguments for a value: its vectors, or for a large aggregate a pointer to where it is stored.
func flatten(r *module.Reader, args []ir.Src, v module.Value, t ir.Type) []ir.Src {
	if r.IsLeaf(t) {
		return append(args, r.S.All(value.Whole(r, v.Src)))
	}
	if r.Large(t) {
		return append(args, r.S.All(value.StoredAt(r, value.Stored(r, v, t))))
	}
	n := r.NumKids(t)
	r.Count(n)
	for i := range n {
		args = flatten(r, args, value.Kid(r, v, t, int(i)), r.KidType(t, int(i)))
	}
	return args
}
