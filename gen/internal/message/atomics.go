// SPDX-License-Identifier: MIT

package message

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/table"
)

// loadAtomics reads the atomics and the values of their message codes.
func (t *tables) loadAtomics(ctx *domain.Context) error {
	ir, err := irtab.Load(ctx)
	if err != nil {
		return err
	}
	t.atomics = ir.Atomics
	for _, r := range t.atomics {
		if !slices.Contains(t.files, r.Pos.File) {
			t.files = append(t.files, r.Pos.File)
		}
	}
	if t.ints, err = descriptors.Codes(ctx, "atomic_op"); err != nil {
		return err
	}
	if t.floats, err = descriptors.Codes(ctx, "float_atomic_op"); err != nil {
		return err
	}
	t.units, err = descriptors.Codes(ctx, unitOp)
	return err
}

// unitOp is the field of the operation of an atomic of the load/store unit, which has fewer of them.
const unitOp = "lsc_atomic_op"

// checkAtomics checks the codes of atomics.
func (t *tables) checkAtomics(errs *diag.List) {
	for _, r := range t.atomics {
		seen := map[irtab.AtomicCode]bool{}
		for _, c := range r.Val.Codes {
			_, float := t.floats[c.Code]
			_, known := t.ints[c.Code]
			key := irtab.AtomicCode{Family: c.Family}
			if c.Data != nil {
				key.Code = strconv.Itoa(*c.Data)
			}
			switch {
			case t.family(c.Family) == nil:
				errs.Unknown(r.At("codes"), r.Full, "family", c.Family, table.Names(t.families))
			case !known && !float:
				errs.Unknown(r.At("codes"), r.Full, "operation of atomics", c.Code, diag.Join(maps.Keys(t.ints), maps.Keys(t.floats)))
			case float && c.Data != nil:
				errs.Addf(r.At("codes"), r.Full, "codes: %s has no form without data", c.Code)
			case float != (r.Val.Data == "float"):
				errs.Addf(r.At("codes"), r.Full, "codes: %s is not for numbers of type %s", c.Code, r.Val.Data)
			case seen[key]:
				errs.Addf(r.At("codes"), r.Full, "codes: %s has two codes", c.Family)
			}
			seen[key] = true
		}
	}
}

// codesOf returns the codes of an atomic in the messages of a family: its own, or the codes of the
// nearest family that it inherits from, or of the one whose codes it uses. Codes that its messages cannot encode are left out.
func (t *tables) codesOf(f *table.Row[family], r *table.Row[irtab.AtomicDef]) (out []irtab.AtomicCode) {
	byUnit := false
	if m := t.send(f, "atomic"); m != nil {
		_, byUnit = m.Val.Fields[unitOp]
	}
	for _, f := range append(t.line(f), t.line(t.family(f.Val.Atomics))...) {
		for _, c := range r.Val.Codes {
			if _, ok := t.units[c.Code]; c.Family == f.Name && (ok || !byUnit) {
				out = append(out, c)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// emitAtomics emits the message codes of atomics for a family.
func (t *tables) emitAtomics(r *emit.Rows, f *table.Row[family]) {
	for _, a := range t.atomics {
		codes := t.codesOf(f, a)
		if len(codes) == 0 {
			continue
		}
		r.F("kind.Atomic%s: {", irtab.Camel(a.Name))
		var short []string
		for _, c := range codes {
			switch x, float := t.floats[c.Code]; {
			case float:
				r.F("Float: %d, ", x)
			case c.Data == nil:
				r.F("Int: %d, ", t.ints[c.Code])
			default:
				short = append(short, fmt.Sprintf("{%#x, %d}", uint32(*c.Data), t.ints[c.Code]))
			}
		}
		if len(short) > 0 {
			r.F("Short: []ShortCode{%s}", strings.Join(short, ", "))
		}
		r.F("},\n")
	}
}
