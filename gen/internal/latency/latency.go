// SPDX-License-Identifier: MIT

package latency

import (
	"iter"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/table"
)

// figures are the costs of a class.
type figures struct {
	Front     int `toml:"front" doc:"Cycles until the next instruction may start."`
	FrontDst  int `toml:"front_dst" doc:"Additional cycles per register of the destination."`
	Busy      int `toml:"busy" doc:"Cycles until the unit takes the next instruction." minimum:"0"`
	BusyExec  int `toml:"busy_exec" doc:"Additional cycles per register of the execution size." minimum:"0"`
	Result    int `toml:"result" doc:"Cycles until the result may be read." minimum:"0"`
	ResultDst int `toml:"result_dst" doc:"Additional cycles per register of the destination." minimum:"0"`
	ResultSrc int `toml:"result_src" doc:"Additional cycles per register of the payload." minimum:"0"`
	Flag      int `toml:"flag" doc:"Cycles until the flag may be read." minimum:"0"`
	Read      int `toml:"read" doc:"Cycles until the sources have been read." minimum:"0"`
	ReadSrc   int `toml:"read_src" doc:"Additional cycles per register of the payload." minimum:"0"`

	BusyLine   int `toml:"busy_line" doc:"Additional cycles of busy per step of memory: a cache line, or a dword of the fullest bank." minimum:"0"`
	ResultLine int `toml:"result_line" doc:"Additional cycles of result per step of memory." minimum:"0"`
}

// keys are the costs of a row, in the order of generated code.
var keys = []struct {
	name string
	of   func(*figures) *int
}{
	{"front", func(f *figures) *int { return &f.Front }},
	{"front_dst", func(f *figures) *int { return &f.FrontDst }},
	{"busy", func(f *figures) *int { return &f.Busy }},
	{"busy_exec", func(f *figures) *int { return &f.BusyExec }},
	{"result", func(f *figures) *int { return &f.Result }},
	{"result_dst", func(f *figures) *int { return &f.ResultDst }},
	{"result_src", func(f *figures) *int { return &f.ResultSrc }},
	{"flag", func(f *figures) *int { return &f.Flag }},
	{"read", func(f *figures) *int { return &f.Read }},
	{"read_src", func(f *figures) *int { return &f.ReadSrc }},
	{"busy_line", func(f *figures) *int { return &f.BusyLine }},
	{"result_line", func(f *figures) *int { return &f.ResultLine }},
}

type row struct {
	Doc  string `toml:"doc" doc:"The instructions of the class." required:"true"`
	Unit string `toml:"unit" doc:"The unit they occupy." enum:"fpu,math,sampler,data,constant,render,urb,interpolator,gateway" required:"true"`
	figures
}

type on struct {
	Class string `toml:"class" doc:"The [latency] class." required:"true"`
	On    string `toml:"on" doc:"The platform or family that differs." required:"true"`
	figures
}

// units are the units that instructions occupy.
var units = []string{"fpu", "math", "sampler", "data", "constant", "render", "urb", "interpolator", "gateway"}

// tables are the rows, and the platforms to write costs for.
type tables struct {
	files     []string
	classes   []*table.Row[row]
	ons       []*table.Row[on]
	platforms []isa.PlatformName
}

// Generate reads defs/intel/latency and adds the package.
func Generate(c *domain.Context) error {
	t, err := load(c)
	if err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	return c.Out.Code("latency/latency.go", t.files, t.source())
}

func load(c *domain.Context) (*tables, error) {
	set, err := c.Load("intel/latency")
	if err != nil {
		return nil, err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	t := &tables{files: set.Files}
	if t.classes, err = table.Rows[row](set, "latency"); err != nil {
		return nil, err
	}
	if t.ons, err = table.Rows[on](set, "cost"); err != nil {
		return nil, err
	}
	t.platforms, err = isa.PlatformNames(c)
	return t, err
}

func (t *tables) check() error {
	var errs diag.List
	for _, r := range t.classes {
		checkFront(&errs, r.Pos, r.Full, &r.Val.figures)
	}
	seen := map[string]string{}
	for _, r := range t.ons {
		v := &r.Val
		if !slices.ContainsFunc(t.classes, func(c *table.Row[row]) bool { return c.Name == v.Class }) {
			errs.Unknown(r.At("class"), r.Full, "class", v.Class, table.Names(t.classes))
		}
		if !slices.ContainsFunc(t.platforms, func(p isa.PlatformName) bool { return p.Name == v.On || p.Family == v.On }) {
			errs.Unknown(r.At("on"), r.Full, "platform or family", v.On, t.places())
		}
		key := v.Class + " " + v.On
		if seen[key] != "" {
			errs.Addf(r.At("on"), r.Full, "[%s] already has this override", seen[key])
		}
		seen[key] = r.Full
		if !slices.ContainsFunc(keys, func(k struct {
			name string
			of   func(*figures) *int
		}) bool {
			return r.Has(k.name)
		}) {
			errs.Addf(r.Pos, r.Full, "it has no cost")
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	for _, r := range t.ons {
		for _, c := range t.classes {
			if c.Name == r.Val.Class {
				for _, p := range t.platforms {
					if p.Name == r.Val.On || p.Family == r.Val.On {
						f := t.costs(c, p)
						checkFront(&errs, r.Pos, r.Full, &f)
					}
				}
			}
		}
	}
	return errs.Err()
}

// places yields the names of platforms and families.
func (t *tables) places() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range t.platforms {
			if !yield(p.Name) || !yield(p.Family) {
				return
			}
		}
	}
}

func checkFront(errs *diag.List, pos diag.Pos, full string, f *figures) {
	if n := f.Front + f.FrontDst; n < 0 {
		errs.Addf(pos, full, "front and front_dst are %d together, less than 0", n)
	}
}

// costs returns the costs of a class on a platform: the platform's own take precedence over
// its family's, and these over the class's.
func (t *tables) costs(c *table.Row[row], p isa.PlatformName) figures {
	f := c.Val.figures
	for _, name := range []string{p.Family, p.Name} {
		for _, r := range t.ons {
			if r.Val.Class != c.Name || r.Val.On != name {
				continue
			}
			for _, k := range keys {
				if r.Has(k.name) {
					*k.of(&f) = *k.of(&r.Val.figures)
				}
			}
		}
	}
	return f
}

func (t *tables) source() *emit.File {
	f := emit.NewFile("latency", `Package latency holds the costs of classes of instructions, in cycles, on each platform:
[Of] returns a platform's costs, with the unit that a [Class] keeps busy, the time until
its result can be read, and the costs per register. The figures are used for
estimates and for the cycles that the model counts. The rows are in defs/intel/latency.`)
	var classes, list []emit.Name
	var names []string
	for _, r := range t.classes {
		names = append(names, r.Name)
		classes = append(classes, emit.Name{Name: irtab.Camel(r.Name), Doc: r.Val.Doc})
	}
	for _, u := range units {
		list = append(list, emit.Name{Name: "Unit" + irtab.Camel(u)})
	}
	f.Counted("Class is a class of instructions with the same costs.", "Class", "The classes.", classes, "NumClasses")
	f.List("", "classNames", "[NumClasses]string", emit.Quoted(names...))
	f.Returns("String returns the name of the class's row.", "(c Class) String() string", "classNames[c]")
	f.Counted("Unit is a unit that an instruction occupies.", "Unit", "The units.", list, "NumUnits")
	f.Struct("Cost is the cost of an instruction of a class, in cycles. Dst, Exec and Src are\nthe registers of its destination, of its execution size times its type, and of a\nmessage's first payload.", "Cost", `
		Unit Unit
		Front, FrontDst int // cycles until the next instruction: Front + FrontDst·Dst
		Busy, BusyExec int // cycles until the unit is free: Busy + BusyExec·Exec
		Result, ResultDst, ResultSrc int // cycles until the result: Result + ResultDst·Dst + ResultSrc·Src
		Flag int // until the flag
		Read, ReadSrc int // cycles until the sources have been read: Read + ReadSrc·Src
		BusyLine, ResultLine int // additions to Busy and Result per cache line, or per dword of the fullest bank of shared memory`)
	f.Type("Costs are the costs of a platform's instructions, by class.", "Costs", "[NumClasses]Cost")
	f.Returns("Of returns the costs of a platform.", "Of(p isa.Platform) *Costs", "&costs[p]")
	var rows emit.Rows
	for _, p := range t.platforms {
		rows.F("isa.%s: {\n", p.Go)
		for _, r := range t.classes {
			c := t.costs(r, p)
			rows.F("%s: {Unit%s", irtab.Camel(r.Name), irtab.Camel(r.Val.Unit))
			for _, k := range keys {
				rows.F(", %d", *k.of(&c))
			}
			rows.F("},\n")
		}
		rows.F("},\n")
	}
	f.Table("", "costs", "[isa.NumPlatforms]Costs", &rows)
	return f
}
