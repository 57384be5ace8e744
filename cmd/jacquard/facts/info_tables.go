// SPDX-License-Identifier: MIT

package facts

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// InfoOpcodes lists the ALU opcodes, or shows one.
func InfoOpcodes(a *cli.App, name string) error {
	if name == "" {
		w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
		for o := range op.Count {
			fmt.Fprintf(w, "%s\t%s\n", o.Info().Name, o.Info().Doc)
		}
		return w.Flush()
	}
	o, ok := op.ByName(name)
	if !ok {
		return fmt.Errorf("jacquard: error: unknown opcode %q%s", name, cli.Guess(name, func(yield func(string) bool) {
			for o := range op.Count {
				if !yield(o.Info().Name) {
					return
				}
			}
		}))
	}
	info := o.Info()
	var src []string
	for _, s := range info.Src[:info.NumSrc] {
		src = append(src, operandName(s))
	}
	fmt.Fprintf(a.Stdout, "%s(%s) -> %s\n  %s\n", info.Name, strings.Join(src, ", "), operandName(info.Out), info.Doc)
	if sizes := names(info.Sizes, sizeNames); sizes != "" {
		fmt.Fprintf(a.Stdout, "  bits: %s\n", sizes)
	}
	if props := names(info.Props, propNames); props != "" {
		fmt.Fprintf(a.Stdout, "  properties: %s\n", props)
	}
	return nil
}

// operandName formats a type as the tables do; a fixed vector size precedes
// it.
func operandName(o op.Operand) string {
	name := o.Base.String()
	if o.Bits != 0 && o.Base != op.Bool {
		name += fmt.Sprint(o.Bits)
	}
	if o.Comps > 1 {
		name = fmt.Sprintf("%dx%s", o.Comps, name)
	}
	return name
}

// named is one bit of a set with its name.
type named[S any] struct {
	bit  S
	name string
}

var sizeNames = []named[op.Sizes]{{op.Size1, "1"}, {op.Size8, "8"}, {op.Size16, "16"}, {op.Size32, "32"}, {op.Size64, "64"}}

var propNames = []named[op.Props]{
	{op.Commutative, "commutative"}, {op.Associative, "associative"}, {op.Idempotent, "idempotent"},
	{op.Selection, "selection"}, {op.Comparison, "comparison"}, {op.Conversion, "conversion"},
	{op.Derivative, "derivative"}, {op.Approximate, "approximate"},
}

var flagNames = []named[intrinsic.Flag]{
	{intrinsic.CanEliminate, "can_eliminate"}, {intrinsic.CanReorder, "can_reorder"}, {intrinsic.Convergent, "convergent"},
}

// names lists the members of a set.
func names[S ~uint8 | ~uint16](set S, of []named[S]) string {
	var list []string
	for _, n := range of {
		if set&n.bit != 0 {
			list = append(list, n.name)
		}
	}
	return strings.Join(list, " ")
}

// InfoIntrinsics lists the intrinsics, or shows one.
func InfoIntrinsics(a *cli.App, name string) error {
	if name == "" {
		for id := range intrinsic.Count {
			if id.Info().Name != "" { // the zero value is not an intrinsic
				fmt.Fprintln(a.Stdout, signature(id.Info()))
			}
		}
		return nil
	}
	id, ok := intrinsic.ByName(name)
	if !ok {
		return fmt.Errorf("jacquard: error: unknown intrinsic %q%s", name, cli.Guess(name, func(yield func(string) bool) {
			for id := range intrinsic.Count {
				if !yield(id.String()) {
					return
				}
			}
		}))
	}
	info := id.Info()
	fmt.Fprintf(a.Stdout, "%s\n  %s\n", signature(info), info.Doc)
	for _, ix := range info.Ix[:info.NumIx] {
		fmt.Fprintf(a.Stdout, "  index %s: %s\n", intrinsic.Indices[ix].Name, intrinsic.Indices[ix].Class)
	}
	if stages := stageNames(info); stages != "" {
		fmt.Fprintf(a.Stdout, "  stages: %s\n", stages)
	}
	if flags := names(info.Flags, flagNames); flags != "" {
		fmt.Fprintf(a.Stdout, "  flags: %s\n", flags)
	}
	fmt.Fprintf(a.Stdout, "  result over a subgroup: %s\n", uniformNames[info.Uniform])
	return nil
}

// stageNames lists the stages in which an intrinsic is valid, or returns "" if
// it is valid in all.
func stageNames(info *intrinsic.Info) string {
	var list []string
	for i, n := range kind.EnumStage.Names {
		if info.Stages.Has(uint32(i)) {
			list = append(list, n)
		}
	}
	if len(list) == len(kind.EnumStage.Names) {
		return ""
	}
	return strings.Join(list, " ")
}

var targetNames = [...]string{intrinsic.TargetNone: "", intrinsic.TargetImage: "image", intrinsic.TargetTexture: "texture"}

var uniformNames = [...]string{
	intrinsic.UniformAsSources: "uniform if the sources are",
	intrinsic.UniformAlways:    "uniform, also over a workgroup",
	intrinsic.UniformSubgroup:  "uniform",
	intrinsic.UniformCluster:   "uniform in a cluster",
	intrinsic.UniformNever:     "not uniform",
}

// signature formats an intrinsic's operands and result; *n denotes as many
// components as the instruction has.
func signature(info *intrinsic.Info) string {
	comps := func(n uint8) string {
		if n == 0 {
			return "*n"
		}
		return fmt.Sprintf("*%d", n)
	}
	var operands []string
	for _, s := range info.Src[:info.NumSrc] {
		operands = append(operands, s.Name+comps(s.Comps))
	}
	if target := targetNames[info.Target]; target != "" {
		operands = slices.Concat(operands, []string{target})
	}
	s := info.Name + "(" + strings.Join(operands, ", ") + ")"
	if info.HasDest {
		s += " -> " + comps(info.DestComps)[1:]
	}
	return s
}
