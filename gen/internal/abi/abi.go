// SPDX-License-Identifier: MIT

package abi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// Dir is the folder of the tables, below each root.
const Dir = "intel/abi"

type field struct {
	Value string `toml:"value" doc:"The value placed there." required:"true" pattern:"^[a-z0-9_]+$"`
	Reg   int    `toml:"reg" doc:"The register." minimum:"0" maximum:"127"`
	Dword int    `toml:"dword" doc:"The dword of the register." minimum:"0" maximum:"15"`
	Bits  []int  `toml:"bits" doc:"The bits of the dword: highest and lowest of each range, the upper range first; default: all."`
}

// inline is the place of the inline data.
type inline struct {
	Reg   int `toml:"reg" doc:"The register." required:"true" minimum:"1" maximum:"127"`
	Bytes int `toml:"bytes" doc:"The number of bytes, from the start of the register on." required:"true" minimum:"4" maximum:"32"`
}

type row struct {
	Doc         string   `toml:"doc" doc:"The programs that are started this way."`
	Stage       string   `toml:"stage" doc:"The stage of the programs; default: compute." enum:"compute,vertex,fragment"`
	Version     int      `toml:"version" doc:"Incremented when an older program would find something elsewhere, or a newer one needs data that an older launcher does not supply." required:"true" minimum:"1"`
	Inherits    string   `toml:"inherits" doc:"A row whose keys apply where this row has none; from its header, the values that this row does not place."`
	Header      []field  `toml:"header" doc:"Where values are in the payload's header."`
	PushReg     int      `toml:"push_reg" doc:"First register of the push data; of a row with local ids, counted from the register after them." minimum:"0" maximum:"127"`
	Push        []string `toml:"push" doc:"The dwords of the push data." items:"^[a-z0-9_]+$"`
	UserReg     int      `toml:"user_reg" doc:"First register of the program's own push constants; of a row with local ids, counted from the register after them." minimum:"0" maximum:"127"`
	Inline      inline   `toml:"inline" doc:"The register with a copy of the first bytes of the program's own push constants and tables, if the push data are in memory."`
	PartReg     int      `toml:"part_reg" doc:"First register of the parts." minimum:"1" maximum:"127"`
	VertexLanes int      `toml:"vertex_lanes" doc:"Lanes of each vertex of a vertex thread: 4 if a vertex has a lane for each component; default: 1." minimum:"0" maximum:"4"`
	Parts       []string `toml:"parts" doc:"The parts after the header of a vertex or fragment shader, in order; parts that a program does not use are left out. Each part begins at the next register." items:"^[a-z0-9_]+$"`
	LocalIDReg  int      `toml:"local_id_reg" doc:"First register of the local ids." minimum:"0" maximum:"127"`
	LocalIDs    []string `toml:"local_ids" doc:"The local ids that are passed." itemsEnum:"x,y,z"`
	Tables      []string `toml:"tables" doc:"The tables after the program's push constants, with an entry for each entry of the binding table. A program gets the tables that it reads." itemsEnum:"buffer_sizes,buffer_addresses,view_index,constants_address"`
	Ranges      int      `toml:"ranges" doc:"The maximum number of ranges of uniform buffers that follow the tables, each starting at the next register." minimum:"0" maximum:"3"`
	RangeRegs   int      `toml:"range_regs" doc:"How many registers these take, at most." minimum:"0" maximum:"64"`
	Bindings    string   `toml:"bindings" doc:"How binding table entries are numbered." enum:"set_binding,listed"`
}

type value struct{ name, doc string }

// values are the values that a launcher can put into a payload, in the order of the
// generated constants.
var values = []value{
	{"group_id_x", "workgroup id"},
	{"group_id_y", "workgroup id"},
	{"group_id_z", "workgroup id"},
	{"barrier_id", "number of the workgroup's barrier"},
	{"scratch_size", "log2 of the thread's scratch bytes / 1024"},
	{"scratch_base", "first byte of the thread's scratch space / 1024"},
	{"fftid", "number of the thread among those resident"},
	{"num_groups_x", "workgroups of the grid"},
	{"num_groups_y", "workgroups of the grid"},
	{"num_groups_z", "workgroups of the grid"},
	{"base_group_x", "added to the workgroup id"},
	{"base_group_y", "added to the workgroup id"},
	{"base_group_z", "added to the workgroup id"},
	{"subgroup_id", "number of the thread in its workgroup"},
	{"num_subgroups", "threads of a workgroup"},
	{"live_mask", "pixels that are not helpers, a bit for each lane"},
	{"back_facing", "1 if the primitive's back faces the viewer"},
	{"layer", "layer of the framebuffer"},
	{"topology", "type of the primitive: point list 1, line list 2, line strip 3, triangle list 4, strip 5, fan 6; with adjacent vertices 9 to 12"},
	{"zero", "nothing: the bits are 0"},
	{"sample_ids", "number of the sample that is shaded, four bits for each four lanes"},
	{"quad_0", "x and y of the upper left pixel of the first four lanes, 16 bits each"},
	{"quad_1", "the same for lanes 4 to 7"},
	{"quad_2", "the same for lanes 8 to 11"},
	{"quad_3", "the same for lanes 12 to 15"},
	{"push_address", "address / 64 of the push data and the user's part in memory, from which the thread loads their registers"},
	{"urb_handle_0", "the URB entry of the thread's first vertex"},
	{"urb_handle_1", "the URB entry of its second vertex"},
}

// part is a part of the payload of a vertex or fragment shader.
type part struct {
	name, doc string
	regs      int  // registers
	lanes     int  // doublewords for each lane, used instead
	slots     bool // whether the number applies to each input slot
}

// parts are the parts of a payload, in the order of the generated constants.
var parts = []part{
	{name: "urb_handles", doc: "the URB entry of each vertex", lanes: 1},
	{name: "persp_pixel", doc: "barycentric coordinates of the pixel's center, perspective-correct: for as many lanes as a register has doublewords first for the second vertex and then for the third", lanes: 2},
	{name: "persp_centroid", doc: "likewise, of the centroid", lanes: 2},
	{name: "persp_sample", doc: "likewise, of the sample", lanes: 2},
	{name: "linear_pixel", doc: "barycentric coordinates of the pixel's center, linear in window space", lanes: 2},
	{name: "linear_centroid", doc: "likewise, of the centroid", lanes: 2},
	{name: "linear_sample", doc: "likewise, of the sample", lanes: 2},
	{name: "depth", doc: "depth of the fragment, a float for each lane", lanes: 1},
	{name: "w", doc: "clip coordinate w of the fragment, a float for each lane", lanes: 1},
	{name: "sample_offsets", doc: "positions of the samples in the pixel", regs: 1},
	{name: "coverage", doc: "mask of the samples that the primitive covers, a doubleword for each lane", lanes: 1},
	{name: "user", doc: "the program's push constants and the tables of buffers"},
	{name: "attributes", doc: "attributes of the vertices: four doublewords for each lane, component by component, for each input slot", lanes: 4, slots: true},
	{name: "attribute_vectors", doc: "attributes of the vertices of a thread whose vertices have four lanes: a doubleword for each lane, for each input slot", lanes: 1, slots: true},
	{name: "setup", doc: "planes of the inputs of the primitive: for each input slot four components of four doublewords: a(1) - a(0), a(2) - a(0), nothing, a(0), where a(i) is the value at vertex i; in registers of 64 bytes three doublewords, a(0), a(1) - a(0), a(2) - a(0), for each of five components", regs: 2, slots: true},
	{name: "persp_planes", doc: "planes of the primitive, each with its change for a pixel down, for a pixel to the right, and its value at the origin: barycentric coordinates for the second and the third vertex, each divided by w; then the window coordinates x and y of the origin; from doubleword 8 on the planes of depth and of 1/w", regs: 1},
	{name: "linear_planes", doc: "likewise, planes of the barycentric coordinates that are linear in window space, and their origin", regs: 1},
	{name: "sample_places", doc: "where samples are in a pixel, in 1/16 of it: a byte for each of 16 samples with x, then with y", regs: 1},
}

type bufferTable struct {
	name, doc string
	bytes     int // size of an entry
}

// bufferTables are the tables of buffers that can follow the push constants, in the order of
// the generated constants.
var bufferTables = []bufferTable{
	{"buffer_sizes", "the size of each buffer in bytes, 32 bits", 4},
	{"buffer_addresses", "the address of each buffer, 64 bits", 8},
	{"view_index", "of a single entry: the view that is drawn, 32 bits", 4},
	{"constants_address", "of a single entry: the address of the program's constant data, 64 bits", 8},
}

var bindings = map[string]string{"set_binding": "BySetBinding", "listed": "Listed"}

// goName turns group_id_x into GroupIDX.
func goName(s string) string {
	var b strings.Builder
	for _, p := range strings.Split(s, "_") {
		switch p {
		case "id", "ids", "cs", "vs", "fs", "fftid", "tgllp", "urb":
			b.WriteString(strings.ReplaceAll(strings.ToUpper(p), "IDS", "IDs"))
		default:
			b.WriteString(strings.ToUpper(p[:1]) + p[1:])
		}
	}
	return b.String()
}

// Run loads, checks and emits.
func Run(ctx *domain.Context) error {
	set, err := ctx.Load(Dir)
	if err != nil {
		return err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return err
	}
	rows, err := load(ctx)
	if err != nil {
		return err
	}
	if err := checkAll(rows); err != nil {
		return err
	}
	return ctx.Out.Code("abi/abi.go", set.Files, source(rows))
}

// load reads the rows and resolves inheritance.
func load(ctx *domain.Context) ([]*table.Row[row], error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[row](set, "abi")
	if err != nil {
		return nil, err
	}
	var errs diag.List
	whole := map[string]bool{}
	for range rows {
		for _, r := range rows {
			if whole[r.Name] || r.Val.Inherits != "" && !whole[r.Val.Inherits] {
				continue
			}
			for _, from := range rows {
				if from.Name == r.Val.Inherits {
					inherit(r, &from.Val)
				}
			}
			whole[r.Name] = true
		}
	}
	for _, r := range rows {
		if !whole[r.Name] {
			if slices.Contains(slices.Collect(table.Names(rows)), r.Val.Inherits) {
				errs.Addf(r.At("inherits"), r.Full, "the rows inherit in a cycle")
			} else {
				errs.Unknown(r.At("inherits"), r.Full, "row", r.Val.Inherits, table.Names(rows))
			}
		}
	}
	return rows, errs.Err()
}

// inherit completes a row with the keys and values of another.
func inherit(r *table.Row[row], from *row) {
	v := &r.Val
	header := slices.Clone(from.Header)
	for _, f := range v.Header {
		if i := slices.IndexFunc(header, func(h field) bool { return h.Value == f.Value }); i >= 0 {
			header[i] = f
			continue
		}
		header = append(header, f)
	}
	v.Header = header
	for _, k := range []struct {
		name string
		copy func()
	}{
		{"push_reg", func() { v.PushReg = from.PushReg }},
		{"push", func() { v.Push = from.Push }},
		{"user_reg", func() { v.UserReg = from.UserReg }},
		{"inline", func() { v.Inline = from.Inline }},
		{"local_id_reg", func() { v.LocalIDReg = from.LocalIDReg }},
		{"local_ids", func() { v.LocalIDs = from.LocalIDs }},
		{"tables", func() { v.Tables = from.Tables }},
		{"stage", func() { v.Stage = from.Stage }},
		{"part_reg", func() { v.PartReg = from.PartReg }},
		{"vertex_lanes", func() { v.VertexLanes = from.VertexLanes }},
		{"parts", func() { v.Parts = from.Parts }},
		{"ranges", func() { v.Ranges = from.Ranges }},
		{"range_regs", func() { v.RangeRegs = from.RangeRegs }},
		{"bindings", func() { v.Bindings = from.Bindings }},
	} {
		if !r.Has(k.name) {
			k.copy()
		}
	}
}

func known(name string) bool {
	return slices.ContainsFunc(values, func(v value) bool { return v.name == name })
}

// valueNames yields the names of values.
func valueNames() iter.Seq[string] { return diag.Each(values, func(v value) string { return v.name }) }

// partNames yields the names of parts.
func partNames() iter.Seq[string] { return diag.Each(parts, func(p part) string { return p.name }) }

// checkAll checks all rows. It does not repeat the errors of a row for the rows that inherit from it.
func checkAll(rows []*table.Row[row]) error {
	wrong := map[string]error{}
	for _, r := range rows {
		var errs diag.List
		check(r, &errs)
		wrong[r.Name] = errs.Err()
	}
	parent := map[string]string{}
	for _, r := range rows {
		parent[r.Name] = r.Val.Inherits
	}
	var all diag.List
	for _, r := range rows {
		from := parent[r.Name]
		for from != "" && wrong[from] == nil {
			from = parent[from]
		}
		if from == "" {
			all.Add(wrong[r.Name])
		}
	}
	return all.Err()
}

// check rejects rows that no payload can have: unknown values, positions outside the registers, overlapping fields.
func check(r *table.Row[row], errs *diag.List) {
	v := &r.Val
	used := map[[2]int]uint32{}
	for _, f := range v.Header {
		pos := r.At("header")
		if !known(f.Value) {
			errs.Unknown(pos, r.Full, "value", f.Value, valueNames())
		}
		mask, ok := f.mask()
		if !ok {
			errs.Addf(pos, r.Full, "bits of %s must be [high, low] of a dword, or several such pairs, highest first", f.Value)
			continue
		}
		at := [2]int{f.Reg, f.Dword}
		if used[at]&mask != 0 {
			errs.Addf(pos, r.Full, "%s overlaps another field of r%d.%d", f.Value, f.Reg, f.Dword)
		}
		used[at] |= mask
	}
	v.checkInline(r, used, errs)
	for _, p := range v.Push {
		if !known(p) {
			errs.Unknown(r.At("push"), r.Full, "value", p, valueNames())
		}
	}
	if n := (len(v.Push) + 7) / 8; len(v.Push) > 0 &&
		(v.PushReg < 1 && len(v.LocalIDs) == 0 || v.UserReg >= v.PushReg && v.UserReg < v.PushReg+n || v.UserReg > 127) {
		errs.Addf(r.At("user_reg"), r.Full, "push data in r%d to r%d, but the program's own starts at r%d", v.PushReg, v.PushReg+n-1,
			v.UserReg)
	}
	for i, c := range v.LocalIDs {
		if i > 2 || c != "xyz"[i:i+1] {
			errs.Addf(r.At("local_ids"), r.Full, "local ids are x, y, z in this order")
		}
	}
	if len(v.LocalIDs) > 0 && v.LocalIDReg < 1 {
		errs.Addf(r.At("local_id_reg"), r.Full, "local ids need a register")
	}
	v.checkParts(r, errs)
	if bindings[v.Bindings] == "" {
		errs.Unknown(r.At("bindings"), r.Full, "bindings", v.Bindings, maps.Keys(bindings))
	}
}

// checkInline checks the place of the inline data. used has the bits of the header's fields by register and dword.
func (v *row) checkInline(r *table.Row[row], used map[[2]int]uint32, errs *diag.List) {
	p := &v.Inline
	if p.Bytes == 0 {
		return
	}
	if p.Bytes%4 != 0 {
		errs.Addf(r.At("inline"), r.Full, "%d bytes of inline data are not whole dwords", p.Bytes)
	}
	for k := range p.Bytes / 4 {
		if used[[2]int{p.Reg, k}] != 0 {
			errs.Addf(r.At("inline"), r.Full, "the inline data overlap a field of r%d.%d", p.Reg, k)
		}
	}
	inMemory := slices.ContainsFunc(v.Header, func(f field) bool { return f.Value == "push_address" })
	if !inMemory || p.Reg >= v.PushReg {
		errs.Addf(r.At("inline"), r.Full, "inline data need push_address in the header and a push_reg after them")
	}
}

// checkParts checks the parts of the payload of a vertex or fragment shader.
func (v *row) checkParts(r *table.Row[row], errs *diag.List) {
	graphics := v.Stage == "vertex" || v.Stage == "fragment"
	switch {
	case graphics != (len(v.Parts) > 0):
		errs.Addf(r.Key("parts"), r.Full, "parts is required for vertex and fragment shaders, and only for them")
	case graphics && (v.PartReg < 1 || len(v.Push) > 0 || len(v.LocalIDs) > 0 || v.UserReg != 0):
		errs.Addf(r.Key("part_reg"), r.Full, "a payload with parts has only a header and the parts")
	case graphics && !slices.Contains(v.Parts, "user"):
		errs.Addf(r.At("parts"), r.Full, "there is no place for the program's push constants")
	case v.VertexLanes > 0 && (v.Stage != "vertex" || v.VertexLanes != 4):
		errs.Addf(r.Key("vertex_lanes"), r.Full, "only vertex shaders have several lanes for each vertex, and then four")
	case v.Ranges > 0 && !graphics:
		errs.Addf(r.Key("ranges"), r.Full, "only vertex and fragment shaders get ranges of uniform buffers")
	case (v.Ranges > 0) != (v.RangeRegs > 0):
		errs.Addf(r.Key("range_regs"), r.Full, "ranges and range_regs must be given together")
	}
	for i, n := range v.Parts {
		if !slices.ContainsFunc(parts, func(p part) bool { return p.name == n }) {
			errs.Unknown(r.At("parts"), r.Full, "part", n, partNames())
		}
		if slices.Contains(v.Parts[:i], n) {
			errs.Addf(r.At("parts"), r.Full, "part %q is listed twice", n)
		}
	}
}

// mask returns the field's bits. ok is false if Bits is not a list of ranges, the highest first.
func (f *field) mask() (mask uint32, ok bool) {
	if f.Bits == nil {
		return 1<<32 - 1, true
	}
	above := 32
	for i := 0; i+1 < len(f.Bits); i += 2 {
		hi, lo := f.Bits[i], f.Bits[i+1]
		if hi >= above || lo > hi || lo < 0 {
			return 0, false
		}
		mask |= uint32(uint64(1)<<(hi-lo+1)-1) << lo
		above = lo
	}
	return mask, len(f.Bits) > 0 && len(f.Bits)%2 == 0
}

// hash returns a hash of the positions of all values.
func (v *row) hash() string {
	var b strings.Builder
	for _, f := range v.Header {
		mask, _ := f.mask()
		fmt.Fprintf(&b, "%s r%d.%d %#x\n", f.Value, f.Reg, f.Dword, mask)
	}
	fmt.Fprintf(&b, "push r%d %v\nuser r%d\nlocal ids r%d %v\ntables %v\nbindings %s\n", v.PushReg, v.Push, v.UserReg, v.LocalIDReg,
		v.LocalIDs, v.Tables, v.Bindings)
	if len(v.Parts) > 0 {
		fmt.Fprintf(&b, "stage %s\nparts r%d %v\nranges %d r%d\n", v.Stage, v.PartReg, v.Parts, v.Ranges, v.RangeRegs)
	}
	if v.Inline.Bytes > 0 {
		fmt.Fprintf(&b, "inline r%d %d\n", v.Inline.Reg, v.Inline.Bytes)
	}
	if v.VertexLanes > 0 {
		fmt.Fprintf(&b, "vertex lanes %d\n", v.VertexLanes)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

// Row is the part of an ABI that other tables refer to.
type Row struct {
	Go     string            // its name in Go
	Stage  string            // compute if empty
	Header map[string]string // the values in its header: their names in Go, by name
}

// Rows returns the rows of the tables, by name.
func Rows(ctx *domain.Context) (map[string]Row, error) {
	rows, err := load(ctx)
	out := map[string]Row{}
	for _, r := range rows {
		header := map[string]string{}
		for _, f := range r.Val.Header {
			header[f.Value] = goName(f.Value)
		}
		out[r.Name] = Row{goName(r.Name), r.Val.Stage, header}
	}
	return out, err
}

// ValueName returns the Go name of a value that a launcher can put into a payload.
func ValueName(name string) (string, error) {
	if !known(name) {
		return "", errors.New(diag.Unknown("value of a payload", name, valueNames()))
	}
	return goName(name), nil
}

// PartName returns the Go name of a part of a payload.
func PartName(name string) (string, error) {
	if !slices.ContainsFunc(parts, func(p part) bool { return p.name == name }) {
		return "", errors.New(diag.Unknown("part of a payload", name, partNames()))
	}
	return goName(name), nil
}

// HeaderValues returns the names in Go, by name, of the values in the headers of all ABIs.
func HeaderValues(ctx *domain.Context) (map[string]string, error) {
	rows, err := Rows(ctx)
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		maps.Copy(out, rows[name].Header)
	}
	return out, err
}
