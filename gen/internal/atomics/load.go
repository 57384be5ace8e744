// SPDX-License-Identifier: MIT

package atomics

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/table"
)

// operands are the names in eval and value.
var operands = []string{"old", "data", "compare"}

// vectors is the number of random operands at each size on which try compares value with eval.
const vectors = 600

// atomic is a row with its expressions parsed.
type atomic struct {
	*table.Row[irtab.AtomicDef]
	value  *pattern.Node
	typing *pattern.Typing
	uses   []string           // the operands in value
	means  map[int]*eval.Func // eval by size
	reads  []string           // the operands in eval, in the order of their parameters
}

type tables struct {
	ir    *irtab.Tables
	ops   *opcodes.Table
	list  []*atomic
	files []string
	errs  diag.List
}

func load(ctx *domain.Context) (*tables, error) {
	t := &tables{}
	var err error
	if t.ir, err = irtab.Load(ctx); err != nil {
		return nil, err
	}
	if t.ops, err = opcodes.Load(ctx); err != nil {
		return nil, err
	}
	t.files = slices.Concat(t.ir.Files, t.ops.Files)
	for _, r := range t.ir.Atomics {
		a := &atomic{Row: r}
		t.list = append(t.list, a)
		if t.mean(a) && t.parse(a) {
			t.try(a)
		}
	}
	return t, t.errs.Err()
}

// mean compiles eval at every size, and reports whether it is valid.
func (t *tables) mean(a *atomic) bool {
	v := &a.Val
	base := eval.BaseByName(v.Data)
	a.means, a.reads = map[int]*eval.Func{}, eval.Names(v.Eval, operands)
	for _, size := range v.Sizes() {
		typ := eval.Type{Base: base, Bits: size}
		var params []eval.Param
		for _, name := range a.reads {
			params = append(params, eval.Param{Name: name, Type: typ})
		}
		fn, err := eval.Compile(v.Eval, params, eval.Param{Type: typ}, size)
		if err != nil {
			t.fail(a, "eval", err)
			return false
		}
		a.means[size] = fn
	}
	return true
}

// parse parses and checks value, and reports whether it is valid.
func (t *tables) parse(a *atomic) bool {
	n, err := pattern.Parse(a.Val.Value, pattern.Opcodes{Table: t.ops})
	if err == nil {
		a.value = n
		a.typing, err = pattern.Infer(n, nil)
	}
	if err != nil {
		t.fail(a, "value", err)
		return false
	}
	good := true
	fail := func(n *pattern.Node, format string, args ...any) {
		t.errs.Addf(a.In("value", n.Col), a.Full, "value: "+format, args...)
		good = false
	}
	n.Walk(func(x *pattern.Node) {
		switch {
		case !good:
		case x.Kind == pattern.Var && !slices.Contains(operands, x.Name):
			fail(x, "unknown operand %q; operands are old, data and compare", x.Name)
		case x.Kind == pattern.Var && (x.Const || x.Swz != "" || len(x.Preds) > 0):
			fail(x, "an operand is written without # and without a suffix that follows a . or a :")
		case x.Kind == pattern.Var && a.typing.Root(x.Class) != a.typing.Root(n.Class):
			fail(x, "%s has a different size than the result", x.Name)
		case x.Kind == pattern.Lit && x.LitKind == pattern.LitFloat:
			fail(x, "a float cannot be written here")
		case x.Kind == pattern.Lit && a.typing.Root(x.Class) != a.typing.Root(n.Class) && a.typing.Set(x.Class).One() == 0:
			fail(x, "the size of %s is ambiguous", x.Name)
		case x.Kind == pattern.Op && slices.ContainsFunc(append(x.Code.Srcs[:len(x.Code.Srcs):len(x.Code.Srcs)], x.Code.Out), isVector):
			fail(x, "%s works on vectors", x.Name)
		}
	})
	for _, name := range operands {
		if a.typing.Var(name) != nil {
			a.uses = append(a.uses, name)
		}
	}
	return good
}

func isVector(o opcodes.Operand) bool { return o.Comps != 0 }

// fail reports an error in an expression at its column.
func (t *tables) fail(a *atomic, key string, err error) {
	pos, msg := a.At(key), err.Error()
	var e *eval.Error
	var p *pattern.Error
	switch {
	case errors.As(err, &e):
		pos, msg = a.In(key, e.Col), e.Msg
	case errors.As(err, &p):
		pos, msg = a.In(key, p.Col), p.Msg
	}
	t.errs.Addf(pos, a.Full, "%s: %s", key, msg)
}

// try compares value with eval on random operands.
func (t *tables) try(a *atomic) {
	base := eval.BaseByName(a.Val.Data)
	tried := map[int]bool{}
	for _, sizes := range a.typing.Assignments(64) {
		size := sizes[a.typing.Root(a.value.Class)]
		fn := a.means[size]
		if fn == nil || tried[size] {
			continue
		}
		tried[size] = true
		typ := eval.Type{Base: base, Bits: size}
		rng := rand.New(rand.NewPCG(3, uint64(size)))
		for range vectors {
			env := map[string]uint64{}
			for i, name := range operands {
				env[name] = opcodes.Sample(rng, typ)
				if i > 0 && rng.IntN(4) == 0 { // equal operands, and neighbors
					env[name] = (env["old"] + rng.Uint64N(3) - 1) & (^uint64(0) >> (64 - size))
				}
			}
			want := run(fn, a.reads, env)
			got, err := a.run(a.value, sizes, env)
			if err != nil {
				t.errs.Addf(a.At("value"), a.Full, "value: %v", err)
				return
			}
			if !eval.Same(want, got, typ) {
				text := ""
				for _, name := range operands {
					if slices.Contains(a.reads, name) || slices.Contains(a.uses, name) {
						text += fmt.Sprintf("%s = %s, ", name, opcodes.FormatValue(env[name], typ))
					}
				}
				t.errs.Addf(a.At("value"), a.Full, "value and eval differ at %d bits: for %seval is %s, value %s", size, text,
					opcodes.FormatValue(want, typ), opcodes.FormatValue(got, typ))
				return
			}
		}
	}
	for _, size := range a.Val.Sizes() {
		if !tried[size] {
			t.errs.Addf(a.At("value"), a.Full, "value cannot be computed at %d bits", size)
			return
		}
	}
}

// run evaluates a meaning.
func run(fn *eval.Func, reads []string, env map[string]uint64) uint64 {
	var src [][]uint64
	for _, name := range reads {
		src = append(src, []uint64{env[name]})
	}
	dst := make([]uint64, 1)
	fn.Run(src, dst)
	return dst[0]
}

// run evaluates an expression of opcodes.
func (a *atomic) run(n *pattern.Node, sizes map[int]int, env map[string]uint64) (uint64, error) {
	size := sizes[a.typing.Root(n.Class)]
	switch n.Kind {
	case pattern.Var:
		return env[n.Name], nil
	case pattern.Lit:
		x, ok := n.Bits(size)
		if !ok {
			return 0, fmt.Errorf("%s does not fit in %d bits", n.Name, size)
		}
		return x, nil
	}
	var args [][]uint64
	for _, arg := range n.Args {
		x, err := a.run(arg, sizes, env)
		if err != nil {
			return 0, err
		}
		args = append(args, []uint64{x})
	}
	if n.Exec >= 0 {
		size = sizes[a.typing.Root(n.Exec)]
	}
	out, err := n.Code.Run(size, args)
	if err != nil {
		return 0, err
	}
	return out[0], nil
}
