// SPDX-License-Identifier: MIT

package target

import (
	"iter"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/gen/internal/abi"
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/message"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/schema"
	"jacquard.example/gen/internal/table"
)

// Dir is the folder of the tables, below each root.
const Dir = "intel/target"

// Schema describes the tables of targets.
var Schema = schema.Folder{Dir: Dir, File: "target", Title: "Machines that can be compiled for", Families: []schema.Family{
	schema.Of[capability]("capability", schema.Snake, "A feature that machines have or lack."),
	schema.Of[row]("target", schema.Snake, "A machine that can be compiled for."),
}}

type capability struct {
	Doc string `toml:"doc" doc:"The feature of machines that have the capability." required:"true"`
}

type row struct {
	Doc         string   `toml:"doc" doc:"The machine." required:"true"`
	Aliases     []string `toml:"aliases" doc:"Other names of the target: machines that run the same code, and names that other projects use." items:"^[a-z][a-z0-9_.-]*$"`
	Products    []string `toml:"products" doc:"The names of the products that have the machine."`
	Like        string   `toml:"like" doc:"Another target, from which the row takes the keys that it lacks, except doc, aliases, products, default and typed_reads." pattern:"^[a-z][a-z0-9_]*$"`
	Platform    string   `toml:"platform" doc:"Its [platform], which defines the encoding of instructions."`
	Codec       bool     `toml:"codec" doc:"The machine can only be assembled and disassembled for, not compiled for; such a row has doc, aliases, products and platform only."`
	Default     bool     `toml:"default" doc:"The target used if none is named; exactly one row has it."`
	ABI         string   `toml:"abi" doc:"The [abi] of compute shaders; absent if they cannot be compiled."`
	Zebin       string   `toml:"zebin" doc:"The [abi] of compute shaders written as a zebin; absent if they cannot be."`
	CoreFamily  int      `toml:"core_family" doc:"The family of graphics cores for which .note.intelgt.compat of a zebin says that it is." minimum:"0"`
	Vertex      string   `toml:"vertex" doc:"The [abi] of vertex shaders; absent if they cannot be compiled."`
	Fragment    string   `toml:"fragment" doc:"The [abi] of fragment shaders; absent if they cannot be compiled."`
	Messages    string   `toml:"messages" doc:"Its family of [messages]."`
	Widths      []int    `toml:"widths" doc:"The numbers of lanes that a thread can have."`
	Has         []string `toml:"has" doc:"Each [capability] of the machine. With like, +name adds a capability to the other target's, and -name removes one."`
	Bindings    int      `toml:"bindings" doc:"Entries of a binding table."`
	PushBytes   int      `toml:"push_bytes" doc:"Bytes of push constants."`
	Invocations int      `toml:"invocations" doc:"Invocations of a workgroup."`
	TypedReads  string   `toml:"typed_reads" doc:"The target with the same typed reads, whose name raw in [format] uses; default: the row's own name."`
	Formats     []format `toml:"formats" doc:"How memory is addressed: a row for each memory, and for atomics that are addressed otherwise."`
	Rewrite     []string `toml:"rewrite" doc:"Each [option] of the rewrite rules that holds for the machine; with like, + and - as in has."`
}

type format struct {
	Memory  string `toml:"memory" doc:"The memory." enum:"ubo,ssbo,shared,private,global" required:"true"`
	Atomics int    `toml:"atomics" doc:"The row is for atomics of this many bits only; if absent, the row is for all accesses without a row."`
	Format  string `toml:"format" doc:"The format of addresses." enum:"index_offset,offset32,address64,bounded64" required:"true"`
}

// memories are the modes of each memory, as Go names them, and the formats that accesses to
// it can be lowered to.
var memories = map[string]struct {
	modes   string
	formats []string
}{
	"ubo":     {"kind.ModeUBO", []string{"index_offset", "address64", "bounded64"}},
	"ssbo":    {"kind.ModeSSBO", []string{"index_offset", "address64", "bounded64"}},
	"shared":  {"kind.ModeShared", []string{"offset32"}},
	"private": {"kind.ModeFunctionTemp | kind.ModeShaderTemp", []string{"offset32"}},
	"global":  {"kind.ModeGlobal", []string{"address64"}},
}

// formats are the formats of addresses, in the order of the generated constants.
var formats = []emit.Name{
	{Name: "IndexOffset", Doc: "an entry of the binding table and a 32-bit offset; the machine checks bounds"},
	{Name: "Offset32", Doc: "a 32-bit offset in memory of the workgroup or the invocation"},
	{Name: "Address64", Doc: "a 64-bit address; nothing checks bounds"},
	{Name: "Bounded64", Doc: "a 64-bit address, used only if the whole access is within the buffer: otherwise loads return 0 and stores and atomics do nothing"},
}

// formatName returns the name in Go of a format of addresses.
func formatName(n string) string {
	for _, f := range formats {
		if strings.EqualFold(strings.ReplaceAll(n, "_", ""), f.Name) {
			return f.Name
		}
	}
	return ""
}

// checkFormats checks that every memory has a format, and that it can have this format.
func (r *row) checkFormats(fail func(msg string, args ...any)) {
	seen := map[format]bool{}
	for _, f := range r.Formats {
		m, ok := memories[f.Memory]
		key := format{Memory: f.Memory, Atomics: f.Atomics}
		switch {
		case !ok:
			fail("%s", diag.Unknown("memory", f.Memory, maps.Keys(memories)))
		case !slices.Contains(m.formats, f.Format):
			fail("%s memory cannot have addresses of format %q", f.Memory, f.Format)
		case f.Atomics != 0 && f.Atomics != 16 && f.Atomics != 32 && f.Atomics != 64:
			fail("there are no %d-bit atomics", f.Atomics)
		case seen[key]:
			fail("%s memory has two rows for the same accesses", f.Memory)
		}
		seen[key] = true
	}
	for _, n := range slices.Sorted(maps.Keys(memories)) {
		if !seen[format{Memory: n}] {
			fail("%s memory has no format", n)
		}
	}
}

// tables holds the rows of targets and the rows of other tables that they may refer to.
type tables struct {
	files        []string
	capabilities []*table.Row[capability]
	targets      []*table.Row[row] // that can be compiled for
	codecs       []*table.Row[row] // that can only be assembled and disassembled for
	platforms    map[string]string // their names in Go, by name
	abis         map[string]abi.Row
	messages     map[string]message.Family
	options      map[string]string
	formats      []*table.Row[irtab.FormatDef]
	formatEnum   *irtab.EnumDef  // their Go names
	surfaces     map[string]bool // formats of surfaces
}

// Generate loads, checks and emits.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	if err := ctx.Out.Code("gpu/gpu.go", t.files, t.names()); err != nil {
		return err
	}
	return ctx.Out.Code("target/target.go", t.files, t.source())
}

func load(ctx *domain.Context) (*tables, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	t := &tables{files: set.Files}
	all, capabilities, err := rows(ctx)
	if err != nil {
		return nil, err
	}
	t.targets, t.codecs = split(all)
	t.capabilities = capabilities
	if t.platforms, err = isa.Platforms(ctx); err != nil {
		return nil, err
	}
	if t.abis, err = abi.Rows(ctx); err != nil {
		return nil, err
	}
	if t.messages, err = message.Families(ctx); err != nil {
		return nil, err
	}
	if t.options, err = rules.OptionNames(ctx); err != nil {
		return nil, err
	}
	ir, err := irtab.Load(ctx)
	if err != nil {
		return nil, err
	}
	if t.formats = ir.Formats; len(t.formats) > 0 {
		t.formatEnum = &ir.Enum(irtab.FormatEnum).Val
	}
	t.surfaces, err = isatab.SurfaceFormats(ctx)
	return t, err
}

func (t *tables) check() error {
	var errs diag.List
	known := map[string]string{}
	for _, c := range t.capabilities {
		known[c.Name] = irtab.Camel(c.Name)
	}
	t.checkNames(&errs)
	for _, r := range t.codecs {
		t.checkCodec(r, &errs)
	}
	first := ""
	wrong := map[string]error{}
	for _, r := range t.targets {
		wrong[r.Name] = t.checkTarget(r, known)
		switch {
		case r.Val.Default && first != "":
			errs.Addf(r.At("default"), r.Full, "[%s] is already the default", first)
		case r.Val.Default:
			first = r.Full
		}
	}
	for _, r := range t.targets {
		if wrong[r.Val.Like] == nil { // not repeated for targets that are like it
			errs.Add(wrong[r.Name])
		}
	}
	if n := len(t.targets); first == "" && n > 0 {
		last := t.targets[n-1]
		errs.Addf(last.Pos, last.Full, "default: no target is the default")
	}
	t.checkTexels(&errs)
	return errs.Err()
}

// spelling matches the names of targets on a command line, in lower case.
var spelling = regexp.MustCompile(`^[a-z][a-z0-9_.-]*$`)

// checkNames rejects ambiguous names, and names that cannot be given on a command line.
func (t *tables) checkNames(errs *diag.List) {
	names := map[string]string{}
	all := slices.Concat(t.targets, t.codecs)
	for _, r := range all {
		names[r.Name] = r.Full
		if !spelling.MatchString(r.Name) || strings.ContainsAny(r.Name, ".-") {
			errs.Addf(r.Pos, r.Full, "the name must start with a letter and have only lower-case letters, digits and underscores")
		}
	}
	for _, r := range all {
		for _, a := range r.Val.Aliases {
			switch {
			case !spelling.MatchString(a):
				errs.Addf(r.At("aliases"), r.Full,
					"aliases: %q must start with a letter and have only lower-case letters, digits, dots, hyphens and underscores", a)
			case names[a] != "":
				errs.Addf(r.At("aliases"), r.Full, "aliases: %q is already a name of [%s]", a, names[a])
			}
			names[a] = r.Full
		}
		if slices.Contains(r.Val.Products, "") {
			errs.Addf(r.At("products"), r.Full, "products: a name is empty")
		}
	}
}

// checkCodec checks the row of a machine that nothing can be compiled for.
func (t *tables) checkCodec(r *table.Row[row], errs *diag.List) {
	if t.platforms[r.Val.Platform] == "" {
		errs.Unknown(r.At("platform"), r.Full, "platform", r.Val.Platform, maps.Keys(t.platforms))
	}
	v := &r.Val
	if !reflect.DeepEqual(*v, row{Doc: v.Doc, Aliases: v.Aliases, Products: v.Products, Platform: v.Platform, Codec: true}) {
		errs.Addf(r.At("codec"), r.Full,
			"codec: nothing is compiled for the machine, so its row has no other keys than doc, aliases, products and platform")
	}
}

// split separates the targets that can be compiled for from those that can only be assembled and disassembled for.
func split(all []*table.Row[row]) (targets, codecs []*table.Row[row]) {
	for _, r := range all {
		if r.Val.Codec {
			codecs = append(codecs, r)
		} else {
			targets = append(targets, r)
		}
	}
	return targets, codecs
}

// checkTarget checks a row; known has all capabilities.
func (t *tables) checkTarget(r *table.Row[row], known map[string]string) error {
	var errs diag.List
	v := &r.Val
	one := func(key, name, what string, of map[string]string) {
		if of[name] == "" {
			errs.Unknown(r.At(key), r.Full, what, name, maps.Keys(of))
		}
	}
	one("platform", v.Platform, "platform", t.platforms)
	t.checkABI(r, &errs)
	list := func(key, what string, names []string, of map[string]string) {
		for i, n := range names {
			one(key, n, what, of)
			if slices.Contains(names[:i], n) {
				errs.Addf(r.At(key), r.Full, "%s %q is listed twice", what, n)
			}
		}
	}
	list("has", "capability", v.Has, known)
	list("rewrite", "option", v.Rewrite, t.options)
	if v.TypedReads != "" && !slices.Contains(slices.Collect(t.readers(r)), v.TypedReads) {
		errs.Unknown(r.At("typed_reads"), r.Full, "target with its own typed reads", v.TypedReads, t.readers(r))
	}
	v.checkFormats(func(msg string, args ...any) { errs.Addf(r.At("formats"), r.Full, msg, args...) })
	wrongWidth := func(n int) bool { return n != 8 && n != 16 && n != 32 }
	if len(v.Widths) == 0 || !slices.IsSorted(v.Widths) || slices.ContainsFunc(v.Widths, wrongWidth) {
		errs.Addf(r.At("widths"), r.Full, "widths must be some of 8, 16 and 32, in ascending order")
	}
	for _, n := range []struct {
		key      string
		n, limit int
	}{{"bindings", v.Bindings, 256}, {"push_bytes", v.PushBytes, 2048}, {"invocations", v.Invocations, 1 << 16}} {
		if n.n < 1 || n.n > n.limit {
			errs.Addf(r.At(n.key), r.Full, "%s %d is not in 1 to %d", n.key, n.n, n.limit)
		}
	}
	return errs.Err()
}

// readers yields the names of the targets with their own typed reads, except the name of not.
func (t *tables) readers(not *table.Row[row]) iter.Seq[string] {
	other := func(r *table.Row[row]) bool { return r == not || r.Val.TypedReads != "" }
	return table.Names(slices.DeleteFunc(slices.Clone(t.targets), other))
}

// checkTexels checks the references of texel formats to targets and surface formats.
func (t *tables) checkTexels(errs *diag.List) {
	for _, f := range t.formats {
		if n := f.Val.Surface; n != "" && !t.surfaces[n] {
			errs.Unknown(f.At("surface"), f.Full, "surface_format", n, maps.Keys(t.surfaces))
		}
		for i, n := range f.Val.Raw {
			switch {
			case !slices.Contains(slices.Collect(t.readers(nil)), n):
				errs.Unknown(f.At("raw"), f.Full, "target with its own typed reads", n, t.readers(nil))
			case slices.Contains(f.Val.Raw[:i], n):
				errs.Addf(f.At("raw"), f.Full, "raw: %q is listed twice", n)
			}
		}
	}
}

// compiled are the header values that programs use in addition to the header values of messages.
var compiled = []string{"group_id_x", "group_id_y", "group_id_z", "scratch_size", "scratch_base"}

// checkABI checks that threads receive the header values that messages and programs
// use.
func (t *tables) checkABI(r *table.Row[row], errs *diag.List) {
	v := &r.Val
	m, has := t.messages[v.Messages]
	if !has {
		errs.Unknown(r.At("messages"), r.Full, "family of messages", v.Messages, maps.Keys(t.messages))
	}
	if v.ABI == "" && v.Vertex == "" && v.Fragment == "" {
		errs.Addf(r.Pos, r.Full, "the row has no abi, vertex or fragment: there is no stage to compile for")
	}
	if (v.Zebin == "") != (v.CoreFamily == 0) {
		errs.Addf(r.Pos, r.Full, "zebin and core_family belong together")
	}
	for _, row := range []struct{ stage, name string }{{"vertex", v.Vertex}, {"fragment", v.Fragment}} {
		switch a, ok := t.abis[row.name]; {
		case row.name == "":
		case !ok:
			errs.Unknown(r.At(row.stage), r.Full, "abi", row.name, maps.Keys(t.abis))
		case a.Stage != row.stage:
			errs.Addf(r.At(row.stage), r.Full, "[abi.%s] is not for threads of %s shaders", row.name, row.stage)
		}
	}
	for _, row := range []struct{ key, name string }{{"abi", v.ABI}, {"zebin", v.Zebin}} {
		a, ok := t.abis[row.name]
		if row.name == "" {
			continue
		}
		if !ok {
			errs.Unknown(r.At(row.key), r.Full, "abi", row.name, maps.Keys(t.abis))
			continue
		}
		for _, n := range compiled {
			if a.Header[n] == "" {
				errs.Addf(r.At(row.key), r.Full, "threads of [abi.%s] do not receive %s", row.name, n)
			}
		}
		for _, n := range m.Header {
			if a.Header[n] == "" {
				errs.Addf(r.At(row.key), r.Full, "[messages.%s] builds headers from %s, which threads of [abi.%s] do not receive",
					v.Messages, n, row.name)
			}
		}
	}
}

// family returns the name in Go of a family of messages on a platform.
func family(f message.Family, platform string) string {
	if g, ok := f.On[platform]; ok {
		return g
	}
	return f.Go
}

// Capabilities returns the names of the capabilities of the tables.
func Capabilities(ctx *domain.Context) ([]string, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[capability](set, "capability")
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out, err
}

// Machine is the part of a target that other tables refer to.
type Machine struct {
	Name, Platform string
	Has            []string // its capabilities
	Rewrite        []string // the options of rewrite rules that hold for it
}

// Machines returns the targets of the tables that can be compiled for.
func Machines(ctx *domain.Context) ([]Machine, error) {
	all, _, err := rows(ctx)
	targets, _ := split(all)
	var out []Machine
	for _, r := range targets {
		out = append(out, Machine{r.Name, r.Val.Platform, r.Val.Has, r.Val.Rewrite})
	}
	return out, err
}
