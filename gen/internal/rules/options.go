package rules

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/table"
)

// emitOptions writes the package of options.
func (t *Table) emitOptions(ctx *domain.Context) error {
	var b bytes.Buffer
	b.WriteString(optionTypes + "// The options.\nconst (\n")
	for i, o := range t.Options {
		typ := ""
		if i == 0 {
			typ = " Option = iota"
		}
		fmt.Fprintf(&b, "%s%s // %s\n", irtab.Camel(o.Name), typ, strings.TrimSpace(o.Val.Doc))
	}
	if len(t.Options) == 0 {
		b.WriteString("// Count is the number of options.\nCount Option = 0\n)")
	} else {
		b.WriteString("// Count is the number of options.\nCount\n)")
	}
	b.WriteString("\n\n// Names are the options' names in the tables.\nvar Names = [Count]string{\n")
	for _, o := range t.Options {
		fmt.Fprintf(&b, "%q,\n", o.Name)
	}
	b.WriteString("}\n")
	return ctx.Out.Go("rules/option/option.go", t.Files, b.Bytes())
}

// optionWords are what the package of options needs for itself.
var optionWords = []string{"Option", "Set", "Of", "Count", "Names"}

// optionTypes are what the package of options holds besides their names.
const optionTypes = `// Package option names the properties of targets and compilations that rules
// depend on. It depends on nothing.
package option

// Option is a property of the target or of the compilation that rules depend on.
type Option uint16

// Set is a set of options.
type Set [(Count + 63) / 64]uint64

// Of returns a set.
func Of(list ...Option) *Set {
	s := &Set{}
	for _, x := range list {
		s.Set(x, true)
	}
	return s
}

// Has says whether an option is in the set; a nil set is empty.
func (s *Set) Has(x Option) bool { return s != nil && s[x>>6]>>(x&63)&1 != 0 }

// Set puts an option in or takes it out.
func (s *Set) Set(x Option, on bool) {
	s[x>>6] &^= 1 << (x & 63)
	if on {
		s[x>>6] |= 1 << (x & 63)
	}
}

`

// OptionNames are the options of the tables: what Go calls them, by name.
func OptionNames(ctx *domain.Context) (map[string]string, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[optionDef](set, "option")
	out := map[string]string{}
	for _, r := range rows {
		out[r.Name] = irtab.Camel(r.Name)
	}
	return out, err
}
