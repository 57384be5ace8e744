// SPDX-License-Identifier: MIT

// Package modinfo prints the declarations of a SPIR-V module for 'jacquard info FILE': [Of] makes a [Report] of the
// outline that core/outline reads, which is written as tables for people or as JSON for tools. It only formats: names
// are shortened and cleaned in tables, since a module may be damaged, and values are spelled as --specialize takes
// them.
package modinfo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/outline"
	"jacquard.example/generated/kind"
)

// Report is the JSON object for a module.
type Report struct {
	Version      int        `json:"version"` // version of the format, record.Version
	File         string     `json:"file"`
	SPIRV        string     `json:"spirv"` // its version
	Capabilities []string   `json:"capabilities"`
	Entries      []entry    `json:"entry_points"`
	Bindings     []binding  `json:"bindings"`
	Constants    []constant `json:"specialization_constants"`
	Push         []block    `json:"push_constants"`
}

type entry struct {
	Name  string     `json:"name"`
	Stage string     `json:"stage"`
	Size  *[3]uint32 `json:"local_size,omitempty"` // workgroup size of a compute shader
}

type binding struct {
	Set     uint32 `json:"set"`
	Binding uint32 `json:"binding"`
	Kind    string `json:"kind"`
	Access  string `json:"access"`
	Shape   string `json:"shape,omitempty"`
	Format  string `json:"format,omitempty"`
	Count   uint32 `json:"count"` // 0 means open, or computed
	Name    string `json:"name"`
	Bytes   uint32 `json:"bytes,omitempty"` // size of a buffer's fixed part
}

type constant struct {
	ID      uint32 `json:"id"`
	Type    string `json:"type"`
	Name    string `json:"name"`
	Default string `json:"default"` // true or false, or a number, as --specialize takes it
}

type block struct {
	Name    string   `json:"name"`
	Offset  int      `json:"offset"`
	Bytes   int      `json:"bytes"`
	Members []member `json:"members"`
}

type member struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Offset int    `json:"offset"`
	Bytes  int    `json:"bytes"`
}

// Of returns the report of a module. file is the file that it was read or translated from.
func Of(file string, m *outline.Module) *Report {
	r := &Report{
		Version: record.Version, File: file, SPIRV: m.Version, Capabilities: append([]string{}, m.Capabilities...),
		Entries: []entry{}, Bindings: []binding{}, Constants: []constant{}, Push: []block{},
	}
	for _, e := range m.Entries {
		x := entry{Name: e.Name, Stage: e.Stage}
		if sized(e.Stage) || e.LocalSize != [3]uint32{} {
			x.Size = &e.LocalSize
		}
		r.Entries = append(r.Entries, x)
	}
	for _, b := range m.Bindings {
		r.Bindings = append(r.Bindings, binding(b))
	}
	for i := range m.Constants {
		c := &m.Constants[i]
		r.Constants = append(r.Constants, constant{c.ID, c.Type(), c.Name, value(c)})
	}
	for _, b := range m.Push {
		x := block{b.Name, b.Offset, b.Bytes, []member{}}
		for i := range b.Members {
			m := &b.Members[i]
			x.Members = append(x.Members, member{m.Name, m.Type(), m.Offset, m.Bytes})
		}
		r.Push = append(r.Push, x)
	}
	return r
}

// sized reports whether shaders of a stage have workgroups with a size.
func sized(stage string) bool { return stage == kind.StageCompute.String() }

// value returns the default value of a constant.
func value(c *outline.Constant) string {
	switch c.Base {
	case ir.TypeBool:
		return fmt.Sprint(c.Default != 0)
	case ir.TypeInt:
		shift := 64 - c.Size
		return fmt.Sprint(int64(c.Default<<shift) >> shift)
	case ir.TypeUint:
		return fmt.Sprint(c.Default)
	}
	f := math.Float64frombits(c.Default)
	switch c.Size {
	case 16:
		f = float64(num.F16ToF32(uint16(c.Default)))
	case 32:
		f = float64(math.Float32frombits(uint32(c.Default)))
	}
	return strconv.FormatFloat(f, 'g', -1, min(max(int(c.Size), 32), 64))
}

// JSON writes the report as one JSON object on a line.
func (r *Report) JSON(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// Text writes the report as tables.
func (r *Report) Text(out io.Writer) error {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s: SPIR-V %s\n", r.File, r.SPIRV)
	fmt.Fprintf(w, "capabilities: %s\n", cmp.Or(strings.Join(r.Capabilities, " "), "none"))
	fmt.Fprintln(w, "entry points:")
	for _, e := range r.Entries {
		size := ""
		if e.Size != nil {
			size = fmt.Sprintf("workgroups of %s x %s x %s", length(e.Size[0]), length(e.Size[1]), length(e.Size[2]))
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", e.Stage, clean(e.Name), size)
	}
	if len(r.Bindings) > 0 {
		fmt.Fprintln(w, "bindings:\n  set\tbinding\tkind\timage\taccess\tdescriptors\tbytes\tname")
	}
	for _, b := range r.Bindings {
		fmt.Fprintf(w, "  %d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", b.Set, b.Binding, b.Kind, strings.TrimSpace(b.Shape+" "+b.Format), b.Access,
			length(b.Count), bytes(b.Bytes), clean(b.Name))
	}
	if len(r.Constants) > 0 {
		fmt.Fprintln(w, "specialization constants:\n  id\ttype\tdefault\tname")
	}
	for _, c := range r.Constants {
		fmt.Fprintf(w, "  %d\t%s\t%s\t%s\n", c.ID, c.Type, c.Default, clean(c.Name))
	}
	for _, b := range r.Push {
		fmt.Fprintf(w, "push constants %s: %d bytes from offset %d\n  offset\tbytes\ttype\tname\n", clean(b.Name), b.Bytes, b.Offset)
		for _, m := range b.Members {
			fmt.Fprintf(w, "  %d\t%d\t%s\t%s\n", m.Offset, m.Bytes, clean(m.Type), clean(m.Name))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) { // columns may be empty
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// length formats a number of descriptors or invocations; 0 is unknown.
func length(n uint32) string {
	if n == 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// bytes formats the size of a buffer; 0 is left blank.
func bytes(n uint32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// clean returns a name of a module without unprintable characters, shortened: a module may be damaged.
func clean(name string) string {
	const most = 128
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return unicode.ReplacementChar
		}
		return c
	}, name)
}
