package opcodes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
)

// vectors is how many vectors of sources decide whether two opcodes are equal.
const vectors = 4000

// equal refuses an opcode that computes what an earlier one computes, unless the row
// says why both are there.
func (t *Table) equal(errs *diag.List) {
	like := map[string][]*Op{}
	for _, o := range t.Ops {
		if o.Meaning == nil {
			continue
		}
		var twin *Op
		for _, e := range like[o.signature()] {
			if agree(e, o) {
				twin = e
				break
			}
		}
		switch {
		case twin != nil && o.Apart == "":
			errs.Addf(o.Pos, "op."+o.Name, "computes what [op.%s] at %s computes: use that, or say with apart why both are there", twin.Name, twin.Pos)
		case twin == nil && o.Apart != "":
			errs.Addf(o.Pos, "op."+o.Name, "apart says why an equal opcode is there, and no opcode before it is equal")
		}
		like[o.signature()] = append(like[o.signature()], o)
	}
}

// signature is what two equal opcodes have in common: types, execution sizes and
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

// agree reports whether two opcodes of one signature have the same result for all
// vectors that are tried, at all sizes.
func agree(a, b *Op) bool {
	for _, size := range a.execSizes() {
		r := rand.New(rand.NewPCG(2, uint64(size)))
		args := make([][]uint64, len(a.Srcs))
		for range vectors {
			for i, s := range a.Srcs {
				args[i] = args[i][:0]
				for range max(s.Comps, 1) {
					args[i] = append(args[i], Sample(r, s.Type(size)))
				}
			}
			if !slices.Equal(a.run(size, args...), b.run(size, args...)) {
				return false
			}
		}
	}
	return true
}
