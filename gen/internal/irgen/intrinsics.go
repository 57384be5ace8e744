// SPDX-License-Identifier: MIT

package irgen

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// flagDocs describe the permissions that an intrinsic's flags give to passes.
var flagDocs = map[string]string{
	"can_eliminate": "may be removed when its result is unused",
	"can_reorder":   "may be moved and merged like arithmetic",
	"convergent":    "must stay under the same control flow",
}

// intrinsics writes package intrinsic.
func intrinsics(t *irtab.Tables) *emit.File {
	f := emit.NewFile("intrinsic", `Package intrinsic lists the intrinsics: an [ID] for each, and in [Table] its sources
with their roles, its result, its constant indices ([Index]), and flags that say what
passes may do. Passes ask for a source by its role and for an index by its name, never
by position. The rows are in defs/intrinsics; generated/docs/intrinsics.md shows them.
It depends on nothing.`)
	ids := []emit.Name{{Name: "None"}}
	for _, in := range t.Intrinsics {
		ids = append(ids, emit.Name{Name: irtab.Camel(in.Row.Name), Doc: in.Row.Val.Doc})
	}
	ids = append(ids, emit.Name{Name: "Count", Above: "Count is one more than the last intrinsic."})
	f.Enum("ID is an intrinsic.", "ID", "uint16", "", ids)
	var indices []emit.Name
	for _, x := range t.Indices {
		indices = append(indices, emit.Name{Name: index(x), Doc: x.Row.Val.Doc})
	}
	indices = append(indices, emit.Name{Name: "NumIndices", Above: "NumIndices is the number of index kinds."})
	f.Enum("Index is a kind of constant index.", "Index", "uint8", "", indices)
	f.Type("Flag is a set of properties of an intrinsic.", "Flag", "uint8")
	var flags []emit.Name
	for i, w := range irtab.Flags {
		flags = append(flags, emit.Name{Name: irtab.Camel(w), Is: fmt.Sprintf("Flag = 1 << %d", i), Doc: flagDocs[w]})
	}
	f.Consts("Properties of intrinsics.", flags)
	var traits []emit.Name
	for _, r := range t.Traits {
		traits = append(traits, emit.Name{Name: "Trait" + irtab.Camel(r.Name), Doc: r.Val.Doc})
	}
	f.Enum("Trait is a property of intrinsics.", "Trait", "uint8", "Traits of intrinsics.", traits)
	f.Enum("Target is the object that an intrinsic acts on through a separate operand, which\nfollows the declared sources.", "Target",
		"uint8", "Targets of intrinsics.",
		[]emit.Name{{Name: "TargetNone"}, {Name: "TargetImage"}, {Name: "TargetTexture"}})
	var roles []emit.Name
	for _, r := range t.Roles {
		roles = append(roles, emit.Name{Name: "Role" + irtab.Camel(r.Name), Doc: r.Val.Doc})
	}
	roles = append(roles, emit.Name{Name: "NumRoles", Above: "NumRoles is the number of roles."})
	f.Enum("Role is the role of a source in its intrinsic.", "Role", "uint8", "Roles of sources.", roles)
	intrinsicTypes(f)
	intrinsicTables(f, t)
	return f
}

// intrinsicTypes writes the types that describe intrinsics, and the functions that look
// them up.
func intrinsicTypes(f *emit.File) {
	f.Struct("Src is a declared source.", "Src", `
		Name string
		Comps uint8 // 0 means as many as the instruction's component count
		Any bool // the number of components is not checked
		Bits uint8 // allowed sizes, as in [Info]; 0 means any
		Same bool // the size must equal the result's`)
	f.Struct("Info describes an intrinsic.", "Info", fmt.Sprintf(`
		Name string
		Doc string
		NumSrc uint8 // declared sources; a target is additional
		Src [%d]Src
		HasDest bool
		DestComps uint8 // 0 means the instruction's component count
		NumIx uint8
		Ix [%d]Index
		Flags Flag
		Target Target
		Form int8 // how the target is given, if the name determines it; -1 if the form index does, or there is no target
		Stages Stages
		Atomic int8 // the atomic operation of the name, or -1 if none
		Bits uint8 // allowed sizes of the result, one bit each: 1, 8, 16, 32, 64; 0 means any
		Uniform Uniformity`, irtab.MaxSrc, irtab.MaxIndices))
	f.Enum("Uniformity is the set of invocations that get the same result if they execute an\nintrinsic together.", "Uniformity", "uint8",
		"Uniformity of results.",
		[]emit.Name{{Name: "UniformAsSources", Doc: "all invocations of a subgroup, when all sources are the same"}, {Name: "UniformAlways", Doc: "all invocations of a workgroup"}, {Name: "UniformSubgroup", Doc: "all invocations of a subgroup"}, {Name: "UniformCluster", Doc: "all invocations of a cluster of a subgroup, of the size in index cluster_size (0: the subgroup)"}, {Name: "UniformNever"}})
	f.Type("Stages is the set of stages in which an intrinsic is defined: a bit for\neach value of kind.Stage.", "Stages", "uint16")
	f.Returns("Has reports whether a stage, a value of kind.Stage, is in the set.", "(s Stages) Has(stage uint32) bool", "s>>stage&1 != 0")
	f.Func("NumOperands counts the declared sources and the target.", "(i *Info) NumOperands() int",
		emit.If("i.Target != TargetNone", emit.Return("int(i.NumSrc) + 1")),
		emit.Return("int(i.NumSrc)"))
	f.Returns("Info returns the description of an intrinsic.", "(id ID) Info() *Info", "&Table[id]")
	f.Func("", "(id ID) String() string",
		emit.If("id < Count", emit.Return("Table[id].Name")),
		emit.Return(`"?"`))
	f.Returns("Is reports whether an intrinsic has a trait.", "(id ID) Is(t Trait) bool", "traits[id]>>t&1 != 0")
	f.Returns("Slot returns the position of an index among the words of the intrinsic, -1\nwhen it has none of this kind.",
		"(id ID) Slot(ix Index) int", "int(slots[id][ix]) - 1")
	f.Returns("Source returns the position of the source that has a role, or -1 when the\nintrinsic has none.",
		"(id ID) Source(role Role) int", "int(sources[id][role]) - 1")
	f.Func("ByName finds an intrinsic by its name.", "ByName(name string) (ID, bool)",
		emit.Search("len(sorted)", func(at string) string { return "Table[sorted[" + at + "]].Name" }, "name", "sorted[lo], true",
			"None, false")...)
}

func intrinsicTables(f *emit.File, t *irtab.Tables) {
	var table, slots, sources, traits emit.Rows
	var names []string
	for _, in := range t.Intrinsics {
		intrinsicRow(&table, t, in)
		name := irtab.Camel(in.Row.Name)
		var at []string
		for i, x := range in.Indices {
			at = append(at, fmt.Sprintf("%s: %d", index(x), i+1))
		}
		if len(at) > 0 {
			slots.F("%s: {%s},\n", name, strings.Join(at, ", "))
		}
		at = nil
		for i := range in.Row.Val.Src {
			if role := t.Role(&in.Row.Val.Src[i]); role >= 0 {
				at = append(at, fmt.Sprintf("Role%s: %d", irtab.Camel(t.Roles[role].Name), i+1))
			}
		}
		if len(at) > 0 {
			sources.F("%s: {%s},\n", name, strings.Join(at, ", "))
		}
		if at = nil; len(in.Row.Val.Traits) > 0 {
			for _, w := range in.Row.Val.Traits {
				at = append(at, "1<<Trait"+irtab.Camel(w))
			}
			traits.F("%s: %s,\n", name, strings.Join(at, " | "))
		}
		names = append(names, in.Row.Name)
	}
	sort.Strings(names)
	for i, n := range names {
		names[i] = irtab.Camel(n)
	}
	f.Table("Table describes the intrinsics.", "Table", "[Count]Info", &table)
	f.Table("", "slots", "[Count][NumIndices]uint8", &slots)
	f.Table("", "sources", "[Count][NumRoles]uint8", &sources)
	f.Table("", "traits", "[Count]uint32", &traits)
	f.List("", "sorted", "[...]ID", names)
	f.Struct("IndexInfo describes a kind of index.", "IndexInfo", `
		Name string
		Doc string
		Class string // u32, i32, bool, enum or mask
		Enum string // name of the enumeration
		Default uint32 // the value that the printer omits
		Max uint32 // the largest value of a u32`)
	var indices emit.Rows
	for _, x := range t.Indices {
		enum := ""
		if x.Field.Enum != nil {
			enum = x.Field.Enum.Name
		}
		most := uint32(math.MaxUint32)
		if m := x.Row.Val.Max; m != nil {
			most = uint32(*m)
		}
		indices.F("%s: {%q, %q, %q, %q, %d, %#x},\n", index(x), x.Row.Name, x.Row.Val.Doc, x.Field.Class.String(), enum, x.Default, most)
	}
	f.Table("Indices describes the kinds of indices.", "Indices", "[NumIndices]IndexInfo", &indices)
}

// index returns the constant of a kind of index.
func index(x *irtab.Index) string { return "Ix" + irtab.Camel(x.Row.Name) }

// sizes returns a set of sizes.
func sizes(list []int) (m int) {
	for _, n := range list {
		m |= map[int]int{1: 1, 8: 2, 16: 4, 32: 8, 64: 16}[n]
	}
	return m
}

func intrinsicRow(r *emit.Rows, t *irtab.Tables, in *irtab.Intrinsic) {
	d := &in.Row.Val
	r.F("%s: {Name: %q, Doc: %q, NumSrc: %d, ", irtab.Camel(in.Row.Name), in.Row.Name, d.Doc, len(d.Src))
	if len(d.Src) > 0 {
		r.F("Src: [%d]Src{", irtab.MaxSrc)
		for _, s := range d.Src {
			r.F("{%q, %d, %v, %#x, %v}, ", s.Name, *s.Comps, s.AnyComps, sizes(s.Bits), s.Same)
		}
		r.F("}, ")
	}
	if d.Dest != nil {
		r.F("HasDest: true, DestComps: %d, ", *d.Dest)
	}
	if len(in.Indices) > 0 {
		r.F("NumIx: %d, Ix: [%d]Index{", len(in.Indices), irtab.MaxIndices)
		for _, x := range in.Indices {
			r.F("%s, ", index(x))
		}
		r.F("}, ")
	}
	if len(d.Flags) > 0 {
		var flags []string
		for _, w := range d.Flags {
			flags = append(flags, irtab.Camel(w))
		}
		r.F("Flags: %s, ", strings.Join(flags, " | "))
	}
	if d.Target != "" {
		r.F("Target: Target%s, ", irtab.Camel(d.Target))
	}
	atomic := -1
	for i, v := range t.Enum("atomic_op").Val.Values {
		if v.Name == d.AtomicOp {
			atomic = i
		}
	}
	r.F("Form: %d, Stages: %#x, Atomic: %d, ", in.Form, t.StageMask(in), atomic)
	if len(d.Bits) > 0 {
		r.F("Bits: %#x, ", sizes(d.Bits))
	}
	if d.Uniform != "" {
		r.F("Uniform: Uniform%s, ", irtab.Camel(d.Uniform))
	}
	r.F("},\n")
}
