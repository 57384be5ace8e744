// SPDX-License-Identifier: MIT

package legal

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/table"
)

type loweringRow struct {
	When   string   `toml:"when" doc:"The [option] of targets on which the pass does it; default: on all."`
	Once   bool     `toml:"once" doc:"The pass precedes the last run of the rules: they may make such an opcode only from an opcode that the pass takes."`
	Takes  []string `toml:"takes" doc:"The opcodes that are gone after the pass, with their sizes: udiv@64." required:"true"`
	Leaves []string `toml:"leaves" doc:"The opcodes that the pass may make of them, with their sizes." required:"true"`
}

// lowering is a row with its names resolved.
type lowering struct {
	*table.Row[loweringRow]
	takes, leaves []form
}

// form is an opcode at a size of its unsized operands, or 0 if it has none.
type form struct {
	op   *opcodes.Op
	size int
}

func (f form) String() string {
	if f.size == 0 {
		return f.op.Name
	}
	return fmt.Sprintf("%s@%d", f.op.Name, f.size)
}

// lowering resolves the names in a row.
func (t *tables) lowering(r *table.Row[loweringRow], options map[string]string, errs *diag.List) *lowering {
	l := &lowering{Row: r}
	if n := r.Val.When; n != "" && options[n] == "" {
		errs.Unknown(r.At("when"), r.Full, "option", n, maps.Keys(options))
	}
	for _, list := range []struct {
		key   string
		texts []string
		to    *[]form
	}{{"takes", r.Val.Takes, &l.takes}, {"leaves", r.Val.Leaves, &l.leaves}} {
		if len(list.texts) == 0 {
			errs.Addf(r.At(list.key), r.Full, "%s: missing", list.key)
		}
		for _, text := range list.texts {
			forms, err := t.forms(text)
			if err == nil && slices.ContainsFunc(forms, func(f form) bool { return slices.Contains(*list.to, f) }) {
				err = fmt.Errorf("%q is listed twice", text)
			}
			if err != nil {
				errs.Addf(r.At(list.key), r.Full, "%s: %v", list.key, err)
				continue
			}
			*list.to = append(*list.to, forms...)
		}
	}
	return l
}

// forms reads an opcode and its sizes: "iadd@32|64".
func (t *tables) forms(text string) ([]form, error) {
	name, list, sized := strings.Cut(text, "@")
	o := t.ops.ByName(name)
	switch {
	case o == nil:
		return nil, errors.New(diag.Unknown("opcode", name, t.ops.Names()))
	case !sized && !o.Unsized():
		return []form{{o, 0}}, nil
	case !o.Unsized():
		return nil, fmt.Errorf("every operand of %s has a width already; it takes no @", name)
	}
	var out []form
	for s := range strings.SplitSeq(list, "|") {
		n, _ := strconv.Atoi(s)
		if !slices.Contains(o.Sizes, n) {
			return nil, fmt.Errorf("%q: sizes of %s are %v, written %s@32|64", text, name, o.Sizes, name)
		}
		out = append(out, form{o, n})
	}
	return out, nil
}
