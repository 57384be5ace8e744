// SPDX-License-Identifier: MIT

package reductions

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/meaning"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/table"
)

// multiply is the form of scans that a function of instruction selection emits, because the machine
// needs several instructions for a product of doublewords.
const multiply = "multiply"

// vectors is the number of random operands at each size on which try checks a row.
const vectors = 400

// sizesOf lists the sizes of each kind of number.
var sizesOf = map[string][]int{"int": {8, 16, 32, 64}, "uint": {8, 16, 32, 64}, "float": {16, 32, 64}}

// machineTypes holds the operand types of scan instructions by kind of number and size.
var machineTypes = map[string]map[int]string{"int": {32: "d"}, "uint": {32: "ud"}, "float": {16: "hf", 32: "f"}}

// reduction is a row with its names resolved.
type reduction struct {
	*table.Row[irtab.ReductionDef]
	op       *opcodes.Op
	identity map[int]uint64 // by size
	inst     string         // the machine instruction of scans; "" if none
	cmod     string
}

type tables struct {
	list    []*reduction
	files   []string
	ops     *opcodes.Table
	machine *isa.Machine
	means   *meaning.Table
	errs    diag.List
}

func load(ctx *domain.Context) (*tables, error) {
	ir, err := irtab.Load(ctx)
	if err != nil {
		return nil, err
	}
	ops, err := opcodes.Load(ctx)
	if err != nil {
		return nil, err
	}
	t := &tables{ops: ops}
	if t.machine, err = isa.LoadMachine(ctx); err != nil {
		return nil, err
	}
	if t.means, err = meaning.Load(ctx, t.machine); err != nil {
		return nil, err
	}
	t.files = slices.Concat(ir.Files, ops.Files)
	for _, r := range ir.Reductions {
		x := &reduction{Row: r, op: ops.ByName(r.Val.Op), identity: map[int]uint64{}}
		t.list = append(t.list, x)
		if t.words(x) && t.constant(x) {
			t.try(x)
		}
	}
	return t, t.errs.Err()
}

// fail reports an error at a key of a row. It returns false.
func (t *tables) fail(x *reduction, key, format string, args ...any) bool {
	t.errs.Addf(x.At(key), x.Full, key+": "+format, args...)
	return false
}

// combining yields the opcodes that may combine values.
func (t *tables) combining() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, o := range t.ops.Ops {
			if o.Has("associative") && len(o.Srcs) == 2 && !yield(o.Name) {
				return
			}
		}
	}
}

// words checks the names in a row.
func (t *tables) words(x *reduction) bool {
	v := &x.Val
	switch {
	case x.op == nil:
		return t.fail(x, "op", "%s", diag.Unknown("opcode", v.Op, t.combining()))
	case !x.op.Has("associative") || len(x.op.Srcs) != 2:
		return t.fail(x, "op", "%s is not an associative opcode of two operands", v.Op)
	case (x.op.Out.Base == eval.Float) != (v.Data == "float"):
		return t.fail(x, "op", "%s is not for numbers of type %s", v.Op, v.Data)
	case v.Equal == "times" && v.Data == "float":
		return t.fail(x, "equal", "a float times a number is rounded differently than the sum")
	case v.Scan == "" || v.Scan == multiply:
		return true
	}
	x.inst, x.cmod, _ = strings.Cut(v.Scan, ".")
	o, ok := t.machine.Ops[x.inst]
	switch {
	case !ok || o.Src != 2:
		return t.fail(x, "scan", "the machine has no two-source opcode %q", x.inst)
	case x.cmod != "" && (t.machine.CMods[x.cmod] == "" || !t.means.KeepsFlag(x.inst)):
		return t.fail(x, "scan", "%s has no condition %q to select by", x.inst, x.cmod)
	}
	return true
}

// constant evaluates the identity at every size.
func (t *tables) constant(x *reduction) bool {
	for _, size := range sizesOf[x.Val.Data] {
		fn, err := eval.Compile(x.Val.Identity, nil, eval.Param{Type: x.typ(size)}, size)
		if err != nil {
			msg, pos := err.Error(), x.At("identity")
			var e *eval.Error
			if errors.As(err, &e) {
				msg, pos = e.Msg, x.In("identity", e.Col)
			}
			t.errs.Addf(pos, x.Full, "identity: %s", msg)
			return false
		}
		dst := make([]uint64, 1)
		fn.Run(nil, dst)
		x.identity[size] = dst[0]
	}
	return true
}

func (x *reduction) typ(size int) eval.Type {
	return eval.Type{Base: eval.BaseByName(x.Val.Data), Bits: size}
}

// try checks identity, equal and scan against the opcode.
func (t *tables) try(x *reduction) bool {
	for _, size := range sizesOf[x.Val.Data] {
		typ := x.typ(size)
		inst, err := t.instruction(x, size)
		if err != nil {
			return t.fail(x, "scan", "%v", err)
		}
		rng := rand.New(rand.NewPCG(5, uint64(size)))
		show := func(v uint64) string { return opcodes.FormatValue(v, typ) }
		for range vectors {
			a, b := opcodes.Sample(rng, typ), opcodes.Sample(rng, typ)
			combine := func(a, b uint64) uint64 {
				out, runErr := x.op.Run(size, [][]uint64{{a}, {b}})
				if runErr != nil {
					err = runErr
					return 0
				}
				return out[0]
			}
			id, both, ab := x.identity[size], combine(a, a), combine(a, b)
			nan := typ.Base == eval.Float && math.IsNaN(eval.FloatValue(a, size))
			switch {
			case err != nil:
				return t.fail(x, "op", "%v", err)
			case !nan && (combine(a, id) != a || combine(id, a) != a):
				return t.fail(x, "identity", "%s is %s at %d bits, but %s of it and %s is %s",
					x.Val.Identity, show(id), size, x.Val.Op, show(a), show(combine(a, id)))
			case x.Val.Equal == "same" && both != a, x.Val.Equal == "once" && !eval.Same(combine(both, a), both, typ),
				x.Val.Equal == "times" && both != 2*a&(^uint64(0)>>(64-size)):
				return t.fail(x, "equal", "%s of two values %s is %s", x.Val.Op, show(a), show(both))
			case inst == nil:
			case !eval.Same(inst(a, b), ab, typ):
				return t.fail(x, "scan", "of %s and %s at %d bits, %s is %s, but %s %s",
					show(a), show(b), size, x.Val.Scan, show(inst(a, b)), x.Val.Op, show(ab))
			}
		}
	}
	return true
}

// instruction returns the function that the scan instruction computes at a size, or nil if there is none.
func (t *tables) instruction(x *reduction, size int) (func(a, b uint64) uint64, error) {
	typ := machineTypes[x.Val.Data][size]
	switch {
	case typ == "" || x.Val.Scan == "":
		return nil, nil
	case x.Val.Scan == multiply && typ != "ud":
		return nil, fmt.Errorf("%s is for unsigned numbers", multiply)
	case x.Val.Scan == multiply:
		return func(a, b uint64) uint64 { return uint64(uint32(a) * uint32(b)) }, nil
	}
	source := func(name string) meaning.Source {
		return meaning.Source{Value: &pattern.Node{Kind: pattern.Var, Name: name}, Type: typ}
	}
	n, err := t.means.Value(&meaning.Inst{Op: x.inst, Dst: typ, CMod: x.cmod, Src: []meaning.Source{source("a"), source("b")}})
	if err != nil {
		return nil, err
	}
	return func(a, b uint64) uint64 { return run(n, a, b) }, nil
}

// run evaluates the meaning of an instruction. All operations in it have fixed sizes.
func run(n *pattern.Node, a, b uint64) uint64 {
	if n.Kind == pattern.Var {
		if n.Name == "a" {
			return a
		}
		return b
	}
	var args [][]uint64
	for _, arg := range n.Args {
		args = append(args, []uint64{run(arg, a, b)})
	}
	out, err := n.Code.Run(0, args)
	if err != nil {
		panic(err) // built by package meaning
	}
	return out[0]
}
