// SPDX-License-Identifier: MIT

package rules

import (
	"slices"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/table"
)

// optionWords are the names that the package of options itself declares.
var optionWords = []string{"Option", "Set", "Of", "Count", "Names"}

// EmitOptions writes the package of options.
func (t *Table) EmitOptions(ctx *domain.Context) error {
	f := emit.NewFile("option", `Package option names the properties of targets and compilations that rewrite rules
depend on: an [Option] is a word in a rule's condition, a [Set] holds the options of a
target. Most mean that the target has no instruction for an operation, so that a rule
lowers it. The rows are in defs/algebraic/options.toml. It depends on nothing.`)
	f.Type("Option is a property of the target or of the compilation that rules depend on.", "Option", "uint16")
	f.Type("Set is a set of options.", "Set", "[(Count + 63) / 64]uint64")
	f.Func("Of returns a set.", "Of(list ...Option) *Set",
		emit.Go("s := &Set{}"),
		emit.For("_, x := range list", emit.Go("s.Set(x, true)")),
		emit.Return("s"))
	f.Returns("Has reports whether an option is in the set; a nil set is empty.", "(s *Set) Has(x Option) bool",
		"s != nil && s[x>>6]>>(x&63)&1 != 0")
	f.Func("Set adds or removes an option.", "(s *Set) Set(x Option, on bool)",
		emit.Go("s[x>>6] &^= 1 << (x & 63)"),
		emit.If("on", emit.Go("s[x>>6] |= 1 << (x & 63)")))
	var list []emit.Name
	var names emit.Rows
	for _, o := range t.Options {
		list = append(list, emit.Name{Name: irtab.Camel(o.Name), Doc: o.Val.Doc})
		names.F("%q,\n", o.Name)
	}
	f.Values("The options.", "Option", append(list, emit.Name{Name: "Count", Above: "Count is the number of options."}))
	f.Table("Names are the options' names in the tables.", "Names", "[Count]string", &names)
	return ctx.Out.Code("rules/option/option.go", t.Files, f)
}

// OptionList returns the names of the options of the tables, in their order.
func OptionList(ctx *domain.Context) ([]string, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[OptionDef](set, "option")
	return slices.Collect(table.Names(rows)), err
}

// OptionNames returns the names in Go of the options of the tables, by name.
func OptionNames(ctx *domain.Context) (map[string]string, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[OptionDef](set, "option")
	out := map[string]string{}
	for _, r := range rows {
		out[r.Name] = irtab.Camel(r.Name)
	}
	return out, err
}
