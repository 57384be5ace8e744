// SPDX-License-Identifier: MIT

package legal

import (
	"path"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/schema"
	"jacquard.example/gen/internal/selectgen"
	"jacquard.example/gen/internal/table"
	"jacquard.example/gen/internal/target"
)

// Dir is the folder of the tables, below each root.
const Dir = "intel/legal"

// Schema describes the tables of stages and bans.
var Schema = schema.Folder{Dir: Dir, File: "legal", Title: "Features that a shader may still contain at each stage", Families: []schema.Family{
	schema.Of[stageRow]("stage", schema.Snake, "A point in the pipeline of passes."),
	schema.Of[banRow]("ban", schema.Snake, "Features that must be gone at a stage and after it."),
	schema.Of[loweringRow]("lowering", schema.Snake, "The opcodes that the pass of this name lowers others to; rewrite rules may rely on it."),
}}

type stageRow struct {
	Doc      string `toml:"doc" doc:"The form of a shader at this stage." required:"true"`
	Selected bool   `toml:"selected" doc:"Opcodes and intrinsics that no instruction selection row matches must be gone."`
}

type banRow struct {
	What       string   `toml:"what" doc:"The feature that the target lacks, for the message: tgl has no …" required:"true"`
	From       string   `toml:"from" doc:"The first [stage] at which it must be gone." required:"true"`
	Unless     string   `toml:"unless" doc:"The [capability] of targets on which it may remain; default: on none."`
	Kinds      []string `toml:"kinds" doc:"Kinds of instructions."`
	Ops        []string `toml:"ops" doc:"Opcodes; * stands for any letters."`
	Except     []string `toml:"except" doc:"Opcodes excluded from ops."`
	Float      bool     `toml:"float" doc:"Of the opcodes, only operands that are floats."`
	Vectors    bool     `toml:"vectors" doc:"Of the opcodes, only results of several components."`
	Intrinsics []string `toml:"intrinsics" doc:"Intrinsics; * stands for any letters."`
	Sizes      []int    `toml:"sizes" doc:"Of opcodes and intrinsics, only operands of these bits; default: all." itemsEnum:"1,8,16,32,64"`
	Index      string   `toml:"index" doc:"Restricts the intrinsics to some values of this index, an enumeration."`
	Values     []string `toml:"values" doc:"The values."`
}

// ban is a row with its names resolved.
type ban struct {
	*table.Row[banRow]
	from       int // number of the stage
	kinds      []*irtab.Kind
	ops        []*opcodes.Op
	intrinsics []*irtab.Intrinsic
	values     []int // values of the index
}

type tables struct {
	files        []string
	stages       []*table.Row[stageRow]
	bans         []*ban
	lowerings    []*lowering
	made         []madeOn
	ir           *irtab.Tables
	ops          *opcodes.Table
	selected     []*selectgen.Coverage
	capabilities []string
}

func load(ctx *domain.Context) (*tables, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	t := &tables{files: set.Files}
	if t.stages, err = table.Rows[stageRow](set, "stage"); err != nil {
		return nil, err
	}
	rows, err := table.Rows[banRow](set, "ban")
	if err != nil {
		return nil, err
	}
	lowerings, err := table.Rows[loweringRow](set, "lowering")
	if err != nil {
		return nil, err
	}
	options, err := rules.OptionNames(ctx)
	if err != nil {
		return nil, err
	}
	if t.ir, err = irtab.Load(ctx); err != nil {
		return nil, err
	}
	if t.ops, err = opcodes.Load(ctx); err != nil {
		return nil, err
	}
	if t.capabilities, err = target.Capabilities(ctx); err != nil {
		return nil, err
	}
	var errs diag.List
	for _, r := range rows {
		t.bans = append(t.bans, t.ban(r, &errs))
	}
	for _, r := range lowerings {
		t.lowerings = append(t.lowerings, t.lowering(r, options, &errs))
		if r.Val.When != "" {
			ctx.Use("option." + r.Val.When)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	covers, files, err := selectgen.Covers(ctx)
	t.selected, t.files = covers, append(t.files, files...)
	return t, err
}

// ban resolves the names in a row.
func (t *tables) ban(r *table.Row[banRow], errs *diag.List) *ban {
	v := &r.Val
	b := &ban{Row: r, from: slices.IndexFunc(t.stages, func(s *table.Row[stageRow]) bool { return s.Name == v.From })}
	fail := func(key, format string, args ...any) { errs.Addf(r.At(key), r.Full, format, args...) }
	if b.from < 0 {
		fail("from", "%s", diag.Unknown("stage", v.From, table.Names(t.stages)))
	}
	if v.Unless != "" && !slices.Contains(t.capabilities, v.Unless) {
		fail("unless", "%s", diag.Unknown("capability", v.Unless, slices.Values(t.capabilities)))
	}
	for _, n := range v.Kinds {
		i := slices.IndexFunc(t.ir.Kinds, func(k *irtab.Kind) bool { return k.Row.Name == n })
		if i < 0 {
			fail("kinds", "%s", diag.Unknown("kind", n, t.ir.KindNames()))
			continue
		}
		b.kinds = append(b.kinds, t.ir.Kinds[i])
	}
	for _, n := range v.Except {
		if !slices.ContainsFunc(t.ops.Ops, func(o *opcodes.Op) bool { return like(n, o.Name) }) {
			fail("except", "%s", diag.Unknown("opcode", n, t.ops.Names()))
		}
	}
	for _, n := range v.Ops {
		found := false
		for _, o := range t.ops.Ops {
			if like(n, o.Name) && !slices.ContainsFunc(v.Except, func(x string) bool { return like(x, o.Name) }) {
				b.ops, found = append(b.ops, o), true
			}
		}
		if !found {
			fail("ops", "%s", diag.Unknown("opcode", n, t.ops.Names()))
		}
	}
	for _, n := range v.Intrinsics {
		found := false
		for _, i := range t.ir.Intrinsics {
			if like(n, i.Row.Name) {
				b.intrinsics, found = append(b.intrinsics, i), true
			}
		}
		if !found {
			fail("intrinsics", "%s", diag.Unknown("intrinsic", n, t.ir.Named()))
		}
	}
	if len(b.kinds)+len(b.ops)+len(b.intrinsics) == 0 {
		errs.Addf(r.Pos, r.Full, "bans nothing: kinds, ops and intrinsics are missing")
	}
	if (v.Index == "") != (len(v.Values) == 0) {
		fail("values", "index and values must be given together")
	}
	t.values(b, fail)
	return b
}

// values resolves the values of the index that a ban covers.
func (t *tables) values(b *ban, fail func(key, format string, args ...any)) {
	v := &b.Val
	if v.Index == "" {
		return
	}
	for _, i := range b.intrinsics {
		at := slices.IndexFunc(i.Indices, func(x *irtab.Index) bool { return x.Row.Name == v.Index })
		if at < 0 || i.Indices[at].Field.Enum == nil || i.Indices[at].Field.Class != irtab.Enum {
			fail("index", "intrinsic %s has no index %q with named values", i.Row.Name, v.Index)
			return
		}
	}
	if len(b.intrinsics) == 0 {
		fail("index", "index without intrinsics")
		return
	}
	at := slices.IndexFunc(b.intrinsics[0].Indices, func(x *irtab.Index) bool { return x.Row.Name == v.Index })
	e := b.intrinsics[0].Indices[at].Field.Enum
	for _, n := range v.Values {
		k := slices.IndexFunc(e.Val.Values, func(x irtab.EnumValue) bool { return x.Name == n })
		if k < 0 || k > 31 {
			fail("values", "%s", diag.Unknown("value of ["+e.Full+"]", n, e.Val.Names()))
			continue
		}
		b.values = append(b.values, k)
	}
}

// like reports whether a name matches a pattern with *.
func like(pat, name string) bool {
	ok, err := path.Match(pat, name)
	return ok && err == nil
}

// banned returns the sizes of an operand that a ban covers.
func (b *ban) banned(o opcodes.Operand, sizes pattern.Sizes) pattern.Sizes {
	if b.Val.Vectors || b.Val.Float && o.Base != eval.Float {
		return 0
	}
	if len(b.Val.Sizes) == 0 {
		return sizes
	}
	return sizes & pattern.SizeSet(b.Val.Sizes...)
}
