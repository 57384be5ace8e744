// SPDX-License-Identifier: MIT

package irtab

import (
	"iter"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// AtomicEnum is the enumeration of the names of atomics.
const AtomicEnum = "atomic_op"

// AtomicDef is an [atomic.x] row.
type AtomicDef struct {
	Doc    string       `toml:"doc" doc:"Its effect on memory." required:"true"`
	Data   string       `toml:"data" doc:"The kind of numbers in memory and of the operands." enum:"int,uint,float,bits" required:"true"`
	Bits   []int        `toml:"bits" doc:"Sizes of the numbers; default: 16, 32 and 64." itemsEnum:"16,32,64"`
	Eval   string       `toml:"eval" doc:"The new value, in the language of defs/opcodes: computed from old, the previous value, data and compare. The result of an atomic is old." required:"true"`
	Value  string       `toml:"value" doc:"The same as an expression of opcodes, for lowering where there is no message. The generator compares it with eval, floats as numbers." required:"true"`
	Texel  string       `toml:"texel" doc:"The [intrinsic] that does it to a texel; default: by the atomic_op of intrinsics." pattern:"^[a-z_][a-z0-9_]*$"`
	Texels []string     `toml:"texels" doc:"The kinds of texels for which texel means this operation: image_atomic_min means imin, umin or fmin." itemsEnum:"int,uint,float"`
	Codes  []AtomicCode `toml:"codes" doc:"The codes of the operation in the messages of families; if absent, no machine has one. A code with data is for that value of data only, which the message then omits."`
}

// AtomicCode is the code of an atomic in the messages of a family.
type AtomicCode struct {
	Family string `toml:"family" doc:"The family of [messages]." required:"true"`
	Code   string `toml:"code" doc:"A value of the [msgenum] atomic_op or float_atomic_op." required:"true"`
	Data   *int   `toml:"data" doc:"The code is for this data only, which the message then omits."`
}

// MaxAtomics is the largest number of atomics: sets of them have 32 bits.
const MaxAtomics = 32

// Sizes returns the sizes of the numbers of an atomic.
func (d *AtomicDef) Sizes() []int {
	if len(d.Bits) > 0 {
		return d.Bits
	}
	return []int{16, 32, 64}
}

// addNames appends the names of rows to an enumeration.
func addNames[T any](t *Tables, enum string, rows []*table.Row[T], doc func(*T) string, errs *diag.List) {
	e := t.enum[enum]
	for _, r := range rows {
		if e == nil {
			errs.Addf(r.Pos, r.Full, "there is no [enum.%s] for it", enum)
			return
		}
		if !rowName.MatchString(r.Name) {
			errs.Addf(r.Pos, r.Full, "%s", rowNameRule)
		}
		e.Val.Values = append(e.Val.Values, EnumValue{Name: r.Name, Doc: doc(&r.Val)})
	}
}

// checkAtomics checks the sizes of atomics and their intrinsics on texels.
func (t *Tables) checkAtomics(errs *diag.List) {
	for i, r := range t.Atomics {
		v := &r.Val
		if i == MaxAtomics {
			errs.Addf(r.Pos, r.Full, "there are more than %d atomics", MaxAtomics)
		}
		if v.Texel == "" {
			if len(v.Texels) > 0 {
				errs.Addf(r.At("texels"), r.Full, "texels requires texel")
			}
			continue
		}
		in := t.named[v.Texel]
		switch {
		case in == nil:
			errs.Unknown(r.At("texel"), r.Full, "intrinsic", v.Texel, t.texelAtomics())
		case in.Row.Val.AtomicOp == "" || in.Row.Val.Target != "image":
			errs.Addf(r.At("texel"), r.Full, "texel: [%s] is not an atomic on an image", in.Row.Full)
		case len(v.Texels) == 0:
			errs.Addf(r.Pos, r.Full, "texels is missing: the kinds of texels for which %s means it", v.Texel)
		}
		for _, base := range v.Texels {
			for _, o := range t.Atomics[:i] {
				if o.Val.Texel == v.Texel && slices.Contains(o.Val.Texels, base) {
					errs.Addf(r.At("texels"), r.Full, "%s on %s texels is [%s] already", v.Texel, base, o.Full)
				}
			}
		}
	}
}

// texelAtomics yields the names of the atomics on images.
func (t *Tables) texelAtomics() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name, in := range t.named {
			if in.Row.Val.AtomicOp != "" && in.Row.Val.Target == "image" && !yield(name) {
				return
			}
		}
	}
}

// TexelAtomic returns the number of the atomic that an intrinsic performs on texels of a kind, or -1.
func (t *Tables) TexelAtomic(in *Intrinsic, base string) int {
	named := false
	for i, r := range t.Atomics {
		if r.Val.Texel != in.Row.Name {
			continue
		}
		named = true
		if slices.Contains(r.Val.Texels, base) {
			return i
		}
	}
	if named || base == "float" {
		return -1
	}
	for i, r := range t.Atomics {
		if r.Name == in.Row.Val.AtomicOp {
			return i
		}
	}
	return -1
}
