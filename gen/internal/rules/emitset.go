package rules

import (
	"bytes"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/domain"
)

// The packages that the code of a set names.
const (
	matchPath  = "jacquard.example/core/match"
	patPath    = "jacquard.example/core/match/pat"
	optionPath = "jacquard.example/generated/rules/option"
)

// setCode is what the Go code of a rule set says.
type setCode struct {
	rules, words, states int
	sizes                []int // of the automaton's tables
	is                   []test
	conds                []*condition
}

// emitGo writes the Go code of a rule set.
func (t *Table) emitGo(ctx *domain.Context, set int, c setCode) error {
	pkg := sets[set].pkg
	f := jen.NewFile(pkg)
	f.PackageComment("// " + sets[set].doc)
	f.ImportNames(map[string]string{matchPath: "match", patPath: "pat", optionPath: "option"})
	f.Anon("embed")
	for _, e := range [][2]string{{"automaton.bin", "automaton"}, {"programs.bin", "programs"}, {"rules.txt", "about"}} {
		f.Comment("//go:embed " + e[0])
		f.Var().Id(e[1]).String()
		f.Line()
	}
	var is, sizes []jen.Code
	for _, p := range c.is {
		if p.emitted {
			is = append(is, jen.Line().Id(p.name))
		} else {
			is = append(is, jen.Line().Qual(patPath, p.name))
		}
	}
	if len(is) > 0 {
		is = append(is, jen.Line())
	}
	for _, n := range c.sizes {
		sizes = append(sizes, jen.Lit(n))
	}
	f.Commentf("Set is the rule set %q.", sets[set].name)
	f.Var().Id("Set").Op("=").Qual(matchPath, "Set").Values(
		field("Name", jen.Lit(sets[set].name)),
		field("Rules", jen.Qual(matchPath, "NewRules").Call(jen.Id("programs"), jen.Lit(c.rules), jen.Lit(c.words))),
		field("Is", jen.Index().Qual(matchPath, "Predicate").Values(is...)),
		field("About", jen.Id("about")),
		field("Conds", jen.Id("conds")),
		field("NumConds", jen.Lit(len(c.conds))),
		field("Auto", jen.Qual(matchPath, "NewAutomaton").Call(jen.Id("automaton"), jen.Lit(c.states), jen.Index(jen.Lit(len(sizes))).Int().Values(sizes...))),
		jen.Line(),
	)
	f.Line()
	f.Comment("conds writes the value of each condition.")
	f.Func().Id("conds").Params(jen.Id("o").Op("*").Qual(optionPath, "Set"), jen.Id("out").Index().Bool()).BlockFunc(func(g *jen.Group) {
		for i, x := range c.conds {
			g.Id("out").Index(jen.Lit(i)).Op("=").Add(x.code())
		}
	})
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return err
	}
	return ctx.Out.Go("rules/"+pkg+"/set.go", t.Files, b.Bytes())
}

// field writes a field of a composite literal, on a line of its own.
func field(name string, value jen.Code) jen.Code {
	return jen.Line().Id(name).Op(":").Add(value)
}

// conditions are the conditions of a rule set, each once.
type conditions struct {
	list []*condition
	seen map[string]int
}

// number returns the place of a condition, +1; 0 for none.
func (c *conditions) number(x *condition) int {
	if x == nil {
		return 0
	}
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	key := strings.Join(strings.Fields(x.code().GoString()), " ")
	if c.seen[key] == 0 {
		c.list = append(c.list, x)
		c.seen[key] = len(c.list)
	}
	return c.seen[key]
}
