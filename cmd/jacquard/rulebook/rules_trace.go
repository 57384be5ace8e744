// SPDX-License-Identifier: MIT

package rulebook

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/num"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// traceRules runs the passes that opt runs by default, and prints every rewrite as it happens.
func traceRules(a *cli.App, x *cli.Selection, args []string) error {
	file, err := cli.OneFile(args)
	if err != nil {
		return err
	}
	s, name, _, err := a.Shader(file, x)
	if err != nil {
		return err
	}
	c := a.NewContext(s, "")
	c.Options.RuleStats = &match.Stats{Trace: func(set *match.Set, rule *match.Rule, old ir.Value, with ir.Src) {
		where := ""
		if at := s.Locs.At(s.At(old).Loc); at.Line != 0 {
			where = fmt.Sprintf(" at %s:%d", s.Strs.Text(at.File), at.Line)
			if at.Column != 0 {
				where += fmt.Sprintf(":%d", at.Column)
			}
		}
		find, replace, _ := strings.Cut(rule.Text, " => ")
		fmt.Fprintf(a.Stdout, "%s %s (%s)%s\n  - %%%d = %s\n  + %s\n", set.Name, rule.Name, rule.Place, where,
			old, expression(s, s.All(old), op.NoBase, depth(find)), expression(s, with, s.At(old).ALUOp().Info().Out.Base, depth(replace)))
	}}
	if err := c.Run(cli.DefaultPasses(s.Info.Stage), nil); err != nil {
		return cli.PassError(name, err)
	}
	return nil
}

// depth returns the nesting depth of a rule's expression.
func depth(text string) int {
	deepest, now := 0, 0
	text, _, _ = strings.Cut(text, " where ")
	for _, c := range text {
		switch c {
		case '(':
			now++
			deepest = max(deepest, now)
		case ')':
			now--
		}
	}
	return deepest
}

// expression formats an operand in the syntax of rules: arithmetic down to a
// depth, constants by value, everything else by number.
func expression(s *ir.Shader, x ir.Src, base op.Base, depth int) string {
	in := s.At(x.Val)
	switch {
	case in.Kind == kind.LoadConst:
		var parts []string
		for i := range int(x.N) {
			parts = append(parts, constant(s.Const(x.Val, int(x.Swz.Comp(i))), in.Bits, base))
		}
		if same(parts) {
			return parts[0]
		}
		return "[" + strings.Join(parts, " ") + "]"
	case in.Kind == kind.ALU && depth > 0:
		info := in.ALUOp().Info()
		text := "(" + info.Name
		if info.Out.Bits == 0 {
			text += fmt.Sprintf("@%d", in.Bits)
		}
		for i := range int(in.NSrc) {
			text += " " + expression(s, s.Src(x.Val, i), info.Src[i].Base, depth-1)
		}
		return text + ")" + components(s, x)
	}
	return fmt.Sprintf("%%%d", x.Val) + components(s, x)
}

// components lists the components read, unless they are all read in order.
func components(s *ir.Shader, x ir.Src) string {
	text, whole := "", x.N == s.At(x.Val).Comps
	for i := range int(x.N) {
		c := int(x.Swz.Comp(i))
		whole = whole && c == i
		if c < 4 {
			text += "xyzw"[c : c+1]
		} else {
			text += fmt.Sprintf("[%d]", c)
		}
	}
	if whole {
		return ""
	}
	return "." + text
}

func same(parts []string) bool {
	for _, p := range parts {
		if p != parts[0] {
			return false
		}
	}
	return true
}

// constant formats a component in the type its reader expects.
func constant(x uint64, bits uint8, base op.Base) string {
	if bits == 1 {
		return strconv.FormatBool(x != 0)
	}
	if base == op.Float {
		f := math.Float64frombits(x)
		switch bits {
		case 16:
			f = float64(num.F16ToF32(uint16(x)))
		case 32:
			f = float64(math.Float32frombits(uint32(x)))
		}
		if text := strconv.FormatFloat(f, 'g', -1, int(max(bits, 32))); strings.ContainsAny(text, ".eIN") {
			return text
		}
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	if signed := int64(x) << (64 - bits) >> (64 - bits); signed >= -64 && signed < 0 {
		return strconv.FormatInt(signed, 10)
	}
	if x < 1024 {
		return strconv.FormatUint(x, 10)
	}
	return fmt.Sprintf("%#x", x)
}
