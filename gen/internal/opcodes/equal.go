package opcodes

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
)

// vectors is the number of vectors of sources that decide whether two opcodes are equal, at
// each size; the first few distinguish most opcodes.
const vectors, first = 4000, 8

// mostEqual is the maximum number of equal opcodes reported; the rest are not compared.
const mostEqual = 100

// equal rejects an opcode that computes the same as an earlier one, unless the row
// explains why both exist.
func (t *Table) equal(errs *diag.List) {
	like := map[string][]*Op{}
	found := 0
	for _, o := range t.Ops {
		if o.Meaning == nil {
			continue
		}
		key := o.signature() + o.fingerprint()
		var twin *Op
		for _, e := range like[key] {
			if agree(e, o) {
				twin = e
				break
			}
		}
		switch {
		case twin != nil && o.Apart == "":
			errs.Addf(o.Pos, "op."+o.Name, "computes the same as [op.%s] at %s: use that, or explain with apart why both exist", twin.Name, twin.Pos)
			if found++; found == mostEqual {
				return
			}
		case twin == nil && o.Apart != "":
			errs.Addf(o.Pos, "op."+o.Name, "apart explains why an equal opcode exists, but no opcode before it is equal")
		}
		if twin == nil { // opcodes equal to this one are equal to its twin
			like[key] = append(like[key], o)
		}
	}
}

// signature returns what equal opcodes must have in common: types, execution sizes and
// properties.
func (o *Op) signature() string {
	var b strings.Builder
	for _, s := range append(slices.Clone(o.Srcs), o.Out) {
		fmt.Fprintf(&b, "%v %d %d, ", s.Base, s.Bits, s.Comps)
	}
	props := slices.Sorted(slices.Values(o.Props))
	fmt.Fprint(&b, o.Sizes, props)
	return b.String()
}

// fingerprint returns the results for the first vectors at all sizes, as bytes.
func (o *Op) fingerprint() string {
	var b []byte
	for _, size := range o.execSizes() {
		for args := range o.samples(size, first) {
			for _, v := range o.run(size, args...) {
				b = binary.LittleEndian.AppendUint64(b, v)
			}
		}
	}
	return string(b)
}

// agree reports whether two opcodes of the same signature have the same results for all
// vectors, at all sizes.
func agree(a, b *Op) bool {
	for _, size := range a.execSizes() {
		for args := range a.samples(size, vectors) {
			if !slices.Equal(a.run(size, args...), b.run(size, args...)) {
				return false
			}
		}
	}
	return true
}

// samples yields n vectors of sources, the same for all opcodes of a signature. The
// yielded slice is valid until the next vector.
func (o *Op) samples(size, n int) iter.Seq[[][]uint64] {
	return func(yield func([][]uint64) bool) {
		r := rand.New(rand.NewPCG(2, uint64(size)))
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
