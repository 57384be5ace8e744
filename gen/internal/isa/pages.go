// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"
	"strings"

	"jacquard.example/gen/internal/isa/isatab"
)

// Pages holds the manual's data about the machine's instructions.
type Pages struct {
	Ops, Maths []OpPage
	Messages   []MessagePage
}

// OpPage describes an opcode or a function of math.
type OpPage struct {
	Name, Doc string
	Codes     []string // "tgl 0x5b", by platform
	Format    string
	Sources   int
	May       []string // the modifiers that it allows
	Acc       string   // its use of the accumulator
	Types     []string
}

// MessagePage describes a message.
type MessagePage struct {
	Name, Doc, Unit string
	Fields          []string
}

// pages gathers them.
func pages(t *isatab.Tables) (out Pages) {
	for _, r := range t.Ops {
		v := &r.Val
		p := OpPage{Name: r.Name, Doc: v.Doc, Codes: codesOf(t, v.Code), Format: v.Format, Sources: v.Src, Acc: v.Acc, Types: v.Types}
		for _, m := range []struct {
			has  bool
			name string
		}{
			{v.Pred, "a predicate"}, {v.CMod, "a condition modifier"},
			{v.Sat, "saturation"}, {len(v.SatOn) > 0, "saturation on " + strings.Join(v.SatOn, " and ")},
			{v.Mods == "arith", "negated sources and magnitudes"}, {v.Mods == "logic", "complemented sources"},
			{v.BCtrl, "branch control"},
			{v.Table, "function of three bits"},
		} {
			if m.has {
				p.May = append(p.May, m.name)
			}
		}
		out.Ops = append(out.Ops, p)
	}
	for _, r := range t.Maths {
		out.Maths = append(out.Maths, OpPage{Name: r.Name, Doc: r.Val.Doc, Codes: codesOf(t, r.Val.Code), Format: "math",
			Sources: r.Val.Src})
	}
	for _, r := range t.Messages {
		doc := r.Val.Doc
		switch {
		case r.Val.Only != nil:
			doc += " Only on " + strings.Join(r.Val.Only, " and ") + "."
		case r.Val.Not != nil:
			doc += " Not on " + strings.Join(r.Val.Not, " or ") + "."
		}
		out.Messages = append(out.Messages, MessagePage{r.Name, doc, r.Val.SFID, r.Val.Fields})
	}
	return out
}

// codesOf returns the codes of the platforms that have one.
func codesOf(t *isatab.Tables, c isatab.Codes) (out []string) {
	for _, p := range t.Platforms {
		if n, ok := c.At(p); ok {
			out = append(out, fmt.Sprintf("%s %#02x", p.Name, n))
		}
	}
	return out
}
