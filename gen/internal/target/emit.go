// SPDX-License-Identifier: MIT

package target

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// names returns the file with the targets' names, which users of the compiler import.
func (t *tables) names() *emit.File {
	f := emit.NewFile("gpu", `Package gpu has a constant for each target, a [Name]: the name of a machine that package jacquard compiles for, as its
Options.Target. Package target describes the machines for the compiler itself; this package is for its users. Like package
jacquard it follows semantic versioning: constants are only added.`)
	f.Type("Name is the name of a target, or one of its other names.", "Name", "string")
	var list []emit.Name
	for _, r := range t.targets {
		list = append(list, emit.Name{Name: strings.ToUpper(r.Name), Is: "Name = " + strconv.Quote(r.Name), Doc: r.Val.Doc})
	}
	f.Consts("The targets.", list)
	return f
}

func (t *tables) source() *emit.File {
	f := emit.NewFile("target", `Package target has a record ([Target]) for each machine that can be compiled for, and
lists of these ([All], [Partial]). A machine that can only be assembled for has a short record ([Codecs]).
Passes, selection, allocation, encoding and the model of the execution units get a record, and
know no more of the machine besides its encodings: capabilities, limits, rewrite options, costs,
and the rows of its messages, ABI and registers. Code tests a record's capabilities ([Target.Can])
and never the machine's name.

The rows are in defs/intel/target. Rows that a target names there, such as its family of
messages, have separate packages here.`)
	var capabilities, targets []emit.Name
	for i, c := range t.capabilities {
		name := emit.Name{Name: irtab.Camel(c.Name), Doc: c.Val.Doc}
		if i == 0 {
			name.Is = "1 << iota"
		}
		capabilities = append(capabilities, name)
	}
	f.Enum("Capability is a feature that machines have or lack.", "Capability", "uint64", "The capabilities.", capabilities)
	var words []string
	for _, c := range t.capabilities {
		words = append(words, strconv.Quote(c.Name))
	}
	f.List("capabilityNames are the names of capabilities by their bits.", "capabilityNames", "[...]string", words)
	f.Func("Names returns the names of the capabilities in a set.", "(c Capability) Names() (names []string)",
		emit.For("i, n := range capabilityNames", emit.If("c>>i&1 != 0", emit.Go("names = append(names, n)"))),
		emit.Return("names"))
	f.Type("Where describes a set of machines: they have everything in Has and nothing in Lacks.", "Where",
		"struct{ Has, Lacks Capability }")
	f.Enum("AddressFormat is the form of addresses in accesses.", "AddressFormat", "uint8", "The formats of addresses.",
		append([]emit.Name{{Name: "AnyFormat", Doc: "none in particular", Is: "iota"}}, formats...))
	f.Struct("FormatRow is the format of addresses of some accesses.", "FormatRow", `
		Modes kind.Mode // the memory
		Atomics uint8 // bits of the atomics that it is for; 0 means all accesses
		Format AddressFormat`)
	f.Struct("Target is a machine that can be compiled for.", "Target", `
		Name, Doc string
		Aliases, Products []string // other names, and the products that have the machine
		Platform isa.Platform // the encoding of its instructions
		ABI *abi.ABI // the ABI of compute shaders; nil if they cannot be compiled
		Vertex *abi.ABI // the ABI of vertex shaders; nil if they cannot be compiled
		Fragment *abi.ABI // the ABI of fragment shaders; nil if they cannot be compiled
		Zebin *abi.ABI // the ABI of compute shaders loaded as a zebin; nil if they cannot be
		CoreFamily int // the family of graphics cores in the zebin's compatibility note
		Messages *message.Family // the implementation of its logical messages
		Costs *latency.Costs // costs of instructions, by class
		Widths []int // possible numbers of lanes of a thread
		Has Capability // all its capabilities
		Registers *isa.RegFile // the general registers of a thread

		isa.Limits // the limits of every device of the platform
		Bindings int // entries of a binding table
		PushBytes int // bytes of push constants
		Invocations int // invocations of a workgroup

		RawReads uint64 // a bit for each kind.Format that typed reads do not convert
		Formats []FormatRow // forms of memory accesses: a row for atomics of a size precedes the row for all accesses
		Rewrite option.Set // its options of rewrite rules`)
	var all, rest, partial []string
	def := ""
	for _, r := range t.targets {
		name := strings.ToUpper(r.Name)
		targets = append(targets, emit.Name{Name: name, Above: name + ": " + r.Val.Doc, Is: "= " + t.record(r.Name, &r.Val)})
		if r.Val.Default {
			def = r.Name
			all = append(all, name)
		} else if slices.Contains([]string{r.Val.ABI, r.Val.Vertex, r.Val.Fragment, r.Val.Zebin}, "") {
			partial = append(partial, name)
		} else {
			rest = append(rest, name)
		}
	}
	var codecs []string
	for _, r := range t.codecs {
		name := strings.ToUpper(r.Name)
		codecs = append(codecs, name)
		targets = append(targets, emit.Name{Name: name, Above: name + ": " + r.Val.Doc, Is: fmt.Sprintf(
			"= &Target{Name: %q, Doc: %q, Aliases: %#v, Products: %#v, Platform: isa.%s}", r.Name, r.Val.Doc, r.Val.Aliases,
			r.Val.Products, t.platforms[r.Val.Platform])})
	}
	f.Vars("The targets.", targets)
	f.List("All are the targets that shaders of all stages can be compiled for, to modules too, the default one first.", "All",
		"[]*Target", append(all, rest...))
	f.List("Partial are the targets that lack a stage, or modules (zebin).", "Partial", "[]*Target",
		partial)
	f.List("Codecs are the targets that can only be assembled and disassembled for, which have names and a platform only.", "Codecs",
		"[]*Target", codecs)
	f.Const("Default is the name of the target used if none is named.", "Default", strconv.Quote(def))
	f.Returns("Can reports whether the machine has all capabilities in c.", "(t *Target) Can(c Capability) bool", "t.Has&c == c")
	f.Func("Atomic reports whether the machine has a message for an atomic on a buffer.", "(t *Target) Atomic(o kind.AtomicOp) bool",
		emit.Go("c := t.Messages.Atomic(o)"),
		emit.Return("c != nil && (c.Float == 0 || c.Float.On(t.Platform))"))
	f.Func("TexelAtomic reports whether the machine has a message for an atomic on a texel.",
		"(t *Target) TexelAtomic(o kind.AtomicOp) bool",
		emit.Go("c := t.Messages.Atomic(o)"),
		emit.Return("c != nil && c.Int != 0"))
	f.Returns("ReadsRaw reports whether a typed read of a format returns the bits of the texel.",
		"(t *Target) ReadsRaw(f kind.Format) bool", "t.RawReads>>f&1 != 0")
	var surfaces emit.Rows
	for _, x := range t.formats {
		if x.Val.Surface != "" {
			surfaces.F("kind.%s: %q,\n", t.formatEnum.Const(x.Name), x.Val.Surface)
		}
	}
	f.Table("surfaces are the formats of surfaces with the texels of a kind.Format.", "surfaces", "[...]string", &surfaces)
	f.Func("SurfaceFormat returns the format that the surface state of an image with a declared format must\n"+
		"have, nil if it has none: typed messages cannot access the image.", "SurfaceFormat(f kind.Format) *isa.SurfaceFormat",
		emit.If("int(f) < len(surfaces)", emit.Return("isa.SurfaceFormatNamed(surfaces[f])")),
		emit.Return("nil"))
	f.Func("Format returns the format of addresses of accesses to one memory; atomics is the size of\n"+
		"atomics in bits, 0 for other accesses.", "(t *Target) Format(mode kind.Mode, atomics uint8) AddressFormat",
		emit.For("_, r := range t.Formats", emit.If("r.Modes&mode != 0 && (r.Atomics == 0 || r.Atomics == atomics)",
			emit.Return("r.Format"))),
		emit.Return("AnyFormat"))
	f.Returns("In reports whether w applies to the machine.", "(t *Target) In(w Where) bool", "t.Has&w.Has == w.Has && t.Has&w.Lacks == 0")
	f.Returns("String returns the target's name.", "(t *Target) String() string", "t.Name")
	f.Returns("ByName finds a target that can be compiled for by its name or an alias, in lower or upper case.",
		"ByName(name string) (t *Target, ok bool)", "find(slices.Concat(All, Partial), name)")
	f.Returns("CodecByName finds a target that can only be assembled and disassembled for, as ByName does.",
		"CodecByName(name string) (t *Target, ok bool)", "find(Codecs, name)")
	f.Func("", "find(in []*Target, name string) (t *Target, ok bool)",
		emit.Go("name = strings.ToLower(name)"),
		emit.For("_, t := range in", emit.If("t.Name == name || slices.Contains(t.Aliases, name)", emit.Return("t, true"))),
		emit.Return("nil, false"))
	f.Returns("Names returns the names of the targets that can be compiled for, the default one first.", "Names() []string",
		"names(slices.Concat(All, Partial))")
	f.Returns("CodecNames returns the names of the targets that can only be assembled and disassembled for.", "CodecNames() []string",
		"names(Codecs)")
	f.Func("", "names(of []*Target) []string",
		emit.Go("out := make([]string, len(of))"),
		emit.For("i, t := range of", emit.Go("out[i] = t.Name")),
		emit.Return("out"))
	f.Func("Unknown returns the reason why nothing can be compiled for a target that ByName does not find.", "Unknown(name string) string",
		emit.If("t, ok := CodecByName(name); ok",
			emit.Return(`"nothing can be compiled for target " + t.Name + " yet; its machine code can be assembled and disassembled"`)),
		emit.Return(`"unknown target " + strconv.Quote(name)`))
	return f
}

// record returns a row as Go.
func (t *tables) record(name string, v *row) string {
	var r emit.Rows
	r.F("&Target{\nName: %q, Doc: %q,\n", name, v.Doc)
	if len(v.Aliases) > 0 {
		r.F("Aliases: %#v,\n", v.Aliases)
	}
	if len(v.Products) > 0 {
		r.F("Products: %#v,\n", v.Products)
	}
	r.F("Platform: isa.%s, Messages: message.%s, Limits: isa.%[1]s.Limits(), Registers: isa.%[1]s.Registers(), "+
		"Costs: latency.Of(isa.%[1]s),\n", t.platforms[v.Platform], family(t.messages[v.Messages], t.platforms[v.Platform]))
	if v.ABI != "" {
		r.F("ABI: abi.%s,\n", t.abis[v.ABI].Go)
	}
	if v.Zebin != "" {
		r.F("Zebin: abi.%s, CoreFamily: %#x,\n", t.abis[v.Zebin].Go, v.CoreFamily)
	}
	if v.Vertex != "" {
		r.F("Vertex: abi.%s,\n", t.abis[v.Vertex].Go)
	}
	if v.Fragment != "" {
		r.F("Fragment: abi.%s,\n", t.abis[v.Fragment].Go)
	}
	r.F("Widths: %#v", v.Widths)
	var has []string
	for _, c := range v.Has {
		has = append(has, irtab.Camel(c))
	}
	r.Set("Has", has)
	var raw []string
	for _, f := range t.formats {
		if slices.Contains(f.Val.Raw, cmp.Or(v.TypedReads, name)) {
			raw = append(raw, "1 << kind."+t.formatEnum.Const(f.Name))
		}
	}
	r.Set("RawReads", raw)
	r.F(",\nFormats: []FormatRow{\n")
	for _, general := range [2]bool{false, true} { // the special rows first
		for _, f := range v.Formats {
			if (f.Atomics == 0) == general {
				r.F("{%s, %d, %s},\n", memories[f.Memory].modes, f.Atomics, formatName(f.Format))
			}
		}
	}
	r.F("},\nBindings: %d, PushBytes: %d, Invocations: %d,\nRewrite: *option.Of(\n", v.Bindings, v.PushBytes, v.Invocations)
	for _, o := range v.Rewrite {
		r.F("option.%s,\n", t.options[o])
	}
	r.F("),\n}")
	return r.String()
}
