// SPDX-License-Identifier: MIT

package target

import (
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
)

// rows returns the rows of targets, with the keys that they inherit (like), and the capabilities.
func rows(ctx *domain.Context) (targets []*table.Row[row], capabilities []*table.Row[capability], err error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, nil, err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, nil, err
	}
	if capabilities, err = table.Rows[capability](set, "capability"); err != nil {
		return nil, nil, err
	}
	if targets, err = table.Rows[row](set, "target"); err != nil {
		return nil, nil, err
	}
	options, err := rules.OptionList(ctx)
	if err != nil {
		return nil, nil, err
	}
	l := likeness{targets, slices.Collect(table.Names(capabilities)), options, map[*table.Row[row]]bool{}}
	var errs diag.List
	if l.check(&errs); errs.Err() == nil {
		for _, r := range targets {
			l.complete(r, &errs)
		}
	}
	return targets, capabilities, errs.Err()
}

// likeness completes targets that are like others.
type likeness struct {
	targets []*table.Row[row]
	has     []string // all capabilities, in the order of their table
	rewrite []string // all options, likewise
	done    map[*table.Row[row]]bool
}

// other returns the target that a row is like, or nil.
func (l *likeness) other(r *table.Row[row]) *table.Row[row] {
	for _, o := range l.targets {
		if o.Name == r.Val.Like {
			return o
		}
	}
	return nil
}

// check rejects unknown targets and cycles of targets that are like each other.
func (l *likeness) check(errs *diag.List) {
	for _, r := range l.targets {
		at := r
		for range l.targets {
			if at != nil {
				at = l.other(at)
			}
		}
		switch {
		case r.Val.Like != "" && r.Val.Codec:
			errs.Addf(r.At("like"), r.Full, "like: nothing is compiled for the machine, so it takes nothing from another")
		case r.Val.Like != "" && l.other(r) != nil && l.other(r).Val.Codec:
			errs.Addf(r.At("like"), r.Full, "like: nothing is compiled for [target.%s], so there is nothing to take from it", r.Val.Like)
		case r.Val.Like != "" && l.other(r) == nil:
			others := slices.DeleteFunc(slices.Clone(l.targets), func(o *table.Row[row]) bool { return o == r || o.Val.Codec })
			errs.Unknown(r.At("like"), r.Full, "target", r.Val.Like, table.Names(others))
		case l.other(r) == r:
			errs.Addf(r.At("like"), r.Full, "like: a target cannot be like itself")
			return
		case at != nil:
			errs.Addf(r.At("like"), r.Full, "like: the targets are like each other in a cycle")
			return
		}
	}
}

// complete copies the keys that a row lacks from the target that it is like, and applies + and - in its lists.
func (l *likeness) complete(r *table.Row[row], errs *diag.List) {
	v, other := &r.Val, l.other(r)
	if l.done[r] || other == nil {
		return
	}
	l.done[r] = true
	l.complete(other, errs)
	from := other.Val
	from.Doc, from.Default = v.Doc, v.Default
	from.TypedReads, from.Like = v.TypedReads, v.Like
	from.Aliases, from.Products = v.Aliases, v.Products
	own := *v
	*v = from
	for _, k := range []struct {
		key  string
		copy func()
	}{
		{"platform", func() { v.Platform = own.Platform }},
		{"abi", func() { v.ABI = own.ABI }},
		{"zebin", func() { v.Zebin = own.Zebin }},
		{"core_family", func() { v.CoreFamily = own.CoreFamily }},
		{"vertex", func() { v.Vertex = own.Vertex }},
		{"fragment", func() { v.Fragment = own.Fragment }},
		{"messages", func() { v.Messages = own.Messages }},
		{"widths", func() { v.Widths = own.Widths }},
		{"bindings", func() { v.Bindings = own.Bindings }},
		{"push_bytes", func() { v.PushBytes = own.PushBytes }},
		{"invocations", func() { v.Invocations = own.Invocations }},
		{"formats", func() { v.Formats = own.Formats }},
		{"has", func() { v.Has = changed(r, "has", from.Has, own.Has, l.has, errs) }},
		{"rewrite", func() { v.Rewrite = changed(r, "rewrite", from.Rewrite, own.Rewrite, l.rewrite, errs) }},
	} {
		if r.Has(k.key) {
			k.copy()
		}
	}
}

// changed returns own or, if its names have + and -, list with these names added and removed. Added names are placed by
// the order of all.
func changed(r *table.Row[row], key string, list, own, all []string, errs *diag.List) []string {
	signed := func(s string) bool { return strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") }
	if !slices.ContainsFunc(own, signed) {
		return own
	}
	out := slices.Clone(list)
	for i, s := range own {
		if !signed(s) {
			errs.Addf(r.At(key), r.Full, "%s: %q needs + or -, like the other names", key, s)
			return out
		}
		name := s[1:]
		if slices.ContainsFunc(own[:i], func(o string) bool { return o[1:] == name }) {
			errs.Addf(r.At(key), r.Full, "%s: %s is listed twice", key, name)
			return out
		}
		at := slices.Index(out, name)
		switch {
		case s[0] == '+' && at >= 0:
			errs.Addf(r.At(key), r.Full, "%s: [target.%s] has %s already", key, r.Val.Like, name)
		case s[0] == '-' && at >= 0:
			out = slices.Delete(out, at, at+1)
		case s[0] == '-':
			errs.Unknown(r.At(key), r.Full, key+" of [target."+r.Val.Like+"]", name, slices.Values(list))
		default: // checkTarget reports unknown names
			before := all[:max(slices.Index(all, name), 0)]
			for at = len(before); at > 0 && !slices.Contains(out, before[at-1]); at-- {
			}
			if at > 0 {
				at = slices.Index(out, before[at-1]) + 1
			}
			out = slices.Insert(out, at, name)
		}
	}
	return out
}
