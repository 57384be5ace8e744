// SPDX-License-Identifier: MIT

package vectors

import (
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
)

// Unfused returns the rule with every ffma of both sides split into a separately rounded product and sum. The
// difference from the rule is the effect of fusing alone, bit for bit.
func Unfused(t *rules.Table, r *rules.Rule) *rules.Rule {
	mul, add, fused := t.Ops.ByName("fmul"), t.Ops.ByName("fadd"), t.Ops.ByName("ffma")
	if mul == nil || add == nil || fused == nil {
		return r
	}
	x := *r
	x.Find, x.Replace = unfuse(r.Find, nil, fused, mul, add), unfuse(r.Replace, nil, fused, mul, add)
	return &x
}

// unfuse copies a pattern without fused operations, keeping the inferred
// sizes.
func unfuse(n, parent *pattern.Node, fused, mul, add *opcodes.Op) *pattern.Node {
	c := *n
	c.Parent = parent
	c.Args = nil
	if n.Code != fused || n.Kind != pattern.Op {
		for _, a := range n.Args {
			c.Args = append(c.Args, unfuse(a, &c, fused, mul, add))
		}
		return &c
	}
	p := c
	c.Name, c.Code = add.Name, add
	p.Name, p.Code = mul.Name, mul
	p.Parent, p.Preds = &c, nil
	for _, a := range n.Args[:2] {
		p.Args = append(p.Args, unfuse(a, &p, fused, mul, add))
	}
	c.Args = []*pattern.Node{&p, unfuse(n.Args[2], &c, fused, mul, add)}
	return &c
}
