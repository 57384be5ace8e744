// SPDX-License-Identifier: MIT

package opcodes

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/eval"
)

// vectors is the number of vectors of sources that decide whether two opcodes are equal, at
// each size; the first few distinguish most opcodes.
const vectors, first = 4000, 3

// mostEqual is the maximum number of equal opcodes reported; the rest are not compared.
const mostEqual = 100

// form is an opcode at one of its execution sizes.
type form struct {
	op    *Op
	size  int
	sizes int // how many sizes the opcode has
}

// equal rejects an opcode that computes the same as an earlier one at all sizes of one of the two, unless the row explains
// why both exist. Names, docs and properties make no difference.
func (t *Table) equal(errs *diag.List) {
	like := map[string][]form{}
	found := 0
	for _, o := range t.Ops {
		if o.Meaning == nil {
			continue
		}
		twin := o.twin(like)
		switch {
		case twin != nil && o.Apart == "":
			errs.Addf(o.Pos, "op."+o.Name, "computes the same as [op.%s] at %s: use that, or explain with apart why both exist", twin.Name,
				twin.Pos)
			if found++; found == mostEqual {
				return
			}
		case twin == nil && o.Apart != "":
			errs.Addf(o.Pos, "op."+o.Name, "apart explains why an equal opcode exists, but no opcode before it is equal")
		}
		if twin == nil { // opcodes equal to this one are equal to its twin
			for _, f := range o.forms() {
				key := f.key()
				like[key] = append(like[key], f)
			}
		}
	}
}

func (o *Op) forms() []form {
	var list []form
	sizes := o.execSizes()
	for _, size := range sizes {
		list = append(list, form{o, size, len(sizes)})
	}
	return list
}

// twin returns the first opcode in like, a table of forms by key, that is equal to o. At narrow sizes many opcodes have
// equal keys, so it executes only opcodes with equal keys at every size.
func (o *Op) twin(like map[string][]form) *Op {
	forms := o.forms()
	keys := make([]string, len(forms))
	same := map[*Op]int{} // number of sizes with equal keys
	var order []*Op
	for i, f := range forms {
		keys[i] = f.key()
		for _, e := range like[keys[i]] {
			if same[e.op]++; same[e.op] == min(e.sizes, len(forms)) {
				order = append(order, e.op)
			}
		}
	}
	for _, op := range order {
		equal := true
		for i, f := range forms {
			for _, e := range like[keys[i]] {
				equal = equal && (e.op != op || agree(e, f))
			}
		}
		if equal {
			return op
		}
	}
	return nil
}

// key returns the common properties of equal forms: the types of operands, except for the sign of integers, and the
// results for the first vectors.
func (f form) key() string {
	var b []byte
	for _, s := range append(slices.Clone(f.op.Srcs), f.op.Out) {
		t := s.Type(f.size)
		if t.Base == eval.Int || t.Base == eval.Bits {
			t.Base = eval.Uint
		}
		b = fmt.Appendf(b, "%v %d %d, ", t.Base, t.Bits, s.Comps)
	}
	for args := range f.op.samples(f.size, first) {
		for _, v := range f.op.run(f.size, args...) {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	return string(b)
}

// agree reports whether two forms with the same key have the same results for all vectors.
func agree(a, b form) bool {
	for args := range a.op.samples(a.size, vectors) {
		if !slices.Equal(a.op.run(a.size, args...), b.op.run(b.size, args...)) {
			return false
		}
	}
	return true
}

// samples yields n vectors of sources, the same for all opcodes whose operands have the same widths. The
// yielded slice is valid until the next vector.
func (o *Op) samples(size, n int) iter.Seq[[][]uint64] {
	return func(yield func([][]uint64) bool) {
		r := rand.New(rand.NewPCG(2, 7))
		args := make([][]uint64, len(o.Srcs))
		for range n {
			for i, s := range o.Srcs {
				args[i] = args[i][:0]
				for range max(s.Comps, 1) {
					args[i] = append(args[i], Sample(r, s.Type(size)))
				}
			}
			if !yield(args) {
				return
			}
		}
	}
}
