// SPDX-License-Identifier: MIT

package archive

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/core/foz"
)

// Report is the JSON object that 'jacquard info' writes for an archive.
type Report struct {
	Version    int         `json:"version"` // version of the format, record.Version
	File       string      `json:"file"`
	Format     string      `json:"archive"` // fossilize, zip or tar
	Files      []member    `json:"files"`   // of zip and tar
	Entries    []count     `json:"entries"` // of a Fossilize archive, as is all that follows
	Pipelines  []pipeline  `json:"pipelines"`
	Layouts    []layout    `json:"pipeline_layouts"`
	SetLayouts []setLayout `json:"set_layouts"`
	Unused     []unused    `json:"unused_modules"` // the names of members: modules that no pipeline uses
}

type member struct {
	Name  string `json:"name"`
	Bytes uint64 `json:"bytes"`
}

type count struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

type pipeline struct {
	Hash   string  `json:"hash"`
	Kind   string  `json:"kind"`
	Layout string  `json:"layout"` // empty if it has none
	Stages []stage `json:"stages"`
	Error  *string `json:"error"`
}

type stage struct {
	Name      string     `json:"name"` // of the member
	Stage     string     `json:"stage"`
	Entry     string     `json:"entry"`
	Module    string     `json:"module"`
	Subgroup  uint32     `json:"subgroup_size"` // 0 if none is required
	Constants []constant `json:"specialization"`
}

type constant struct {
	ID    uint32 `json:"id"`
	Bytes int    `json:"bytes"`
	Bits  string `json:"bits"` // hexadecimal
}

type layout struct {
	Hash  string   `json:"hash"`
	Sets  []string `json:"set_layouts"` // by number; empty for a set that is not used
	Push  []push   `json:"push_constants"`
	Error *string  `json:"error"`
}

type push struct {
	Offset uint32   `json:"offset"`
	Bytes  uint32   `json:"bytes"`
	Stages []string `json:"stages"`
}

type setLayout struct {
	Hash     string    `json:"hash"`
	Bindings []binding `json:"bindings"`
	Error    *string   `json:"error"`
}

type binding struct {
	Binding uint32   `json:"binding"`
	Type    string   `json:"type"`
	Count   uint32   `json:"count"`
	Stages  []string `json:"stages"`
}

type unused string

// item is an element of a list of a report.
type item interface{ text(*bufio.Writer) }

// list is a list of a report. Its items are made when they are written, since an archive may have any number.
type list struct {
	name, title string
	n           int
	item        func(i int) item
}

// lists returns the lists of the report.
func (a *Archive) lists(ctx context.Context) ([]list, error) {
	files := list{"files", "files", len(a.files), func(i int) item { return member{a.files[i].name, a.files[i].size} }}
	if a.Foz == nil {
		none := func(name string) list { return list{name: name} }
		return []list{files, none("entries"), none("pipelines"), none("pipeline_layouts"), none("set_layouts"), none("unused_modules")}, nil
	}
	names, err := a.Names(ctx)
	if err != nil {
		return nil, err
	}
	var counts []count
	var pipelines []*foz.Entry
	var modules []string
	for _, tag := range foz.Tags() {
		if n := len(a.Foz.Entries(tag)); n > 0 {
			counts = append(counts, count{tag.String(), n})
		}
	}
	for _, tag := range pipelineTags {
		pipelines = append(pipelines, a.Foz.Entries(tag)...)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".spv") {
			modules = append(modules, name)
		}
	}
	layouts, sets := a.Foz.Entries(foz.PipelineLayout), a.Foz.Entries(foz.DescriptorSetLayout)
	return []list{
		files,
		{"entries", "entries", len(counts), func(i int) item { return counts[i] }},
		{"pipelines", "pipelines", len(pipelines), func(i int) item { return pipelineOf(a.Foz, pipelines[i]) }},
		{"pipeline_layouts", "pipeline layouts", len(layouts), func(i int) item { return layoutOf(a.Foz, layouts[i].Hash) }},
		{"set_layouts", "descriptor set layouts", len(sets), func(i int) item { return setLayoutOf(a.Foz, sets[i].Hash) }},
		{"unused_modules", "modules that no pipeline uses", len(modules), func(i int) item { return unused(modules[i]) }},
	}, nil
}

// format returns the name of the archive's format.
func (a *Archive) format() string {
	switch {
	case a.Foz != nil:
		return "fossilize"
	case a.isZip:
		return "zip"
	}
	return "tar"
}

// JSON writes the contents of the archive as a Report.
func (a *Archive) JSON(ctx context.Context, w io.Writer) error {
	lists, err := a.lists(ctx)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `{"version":%d,"file":%s,"archive":%q`, record.Version, marshal(a.File), a.format())
	for _, l := range lists {
		fmt.Fprintf(b, `,%q:[`, l.name)
		for i := range l.n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(marshal(l.item(i)))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		b.WriteByte(']')
	}
	b.WriteString("}\n")
	return b.Flush()
}

// Text writes the contents of the archive as text, a line for each item.
func (a *Archive) Text(ctx context.Context, w io.Writer) error {
	lists, err := a.lists(ctx)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %s archive\n", a.File, a.format())
	for _, l := range lists {
		if l.n > 0 {
			b.WriteString(l.title + ":\n")
		}
		for i := range l.n {
			l.item(i).text(b)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return b.Flush()
}

func marshal(x any) []byte {
	data, err := json.Marshal(x)
	if err != nil {
		panic("archive: a report has no JSON: " + err.Error()) // it has only texts and numbers
	}
	return data
}

func pipelineOf(a *foz.Archive, e *foz.Entry) item {
	x := pipeline{Hash: hex(e.Hash), Kind: e.Tag.String(), Stages: []stage{}}
	p, err := a.Pipeline(e)
	if err != nil {
		x.Error = text(err)
		return x
	}
	x.Layout = hex(p.Layout)
	for k, name := range stageNames(p) {
		s := &p.Stages[k]
		y := stage{name, s.Name, s.Entry, hex(s.Module), s.Subgroup, []constant{}}
		for _, c := range s.Constants {
			y.Constants = append(y.Constants, constant{c.ID, c.Size, fmt.Sprintf("%#x", c.Bits)})
		}
		x.Stages = append(x.Stages, y)
	}
	return x
}

func layoutOf(a *foz.Archive, hash uint64) item {
	x := layout{Hash: hex(hash), Sets: []string{}, Push: []push{}}
	l, err := a.Layout(hash)
	if err != nil {
		x.Error = text(err)
		return x
	}
	for _, set := range l.Sets {
		x.Sets = append(x.Sets, hex(set))
	}
	for _, p := range l.Push {
		x.Push = append(x.Push, push{p.Offset, p.Size, foz.StageNames(p.Stages)})
	}
	return x
}

func setLayoutOf(a *foz.Archive, hash uint64) item {
	x := setLayout{Hash: hex(hash), Bindings: []binding{}}
	l, err := a.SetLayout(hash)
	if err != nil {
		x.Error = text(err)
		return x
	}
	for _, b := range l.Bindings {
		x.Bindings = append(x.Bindings, binding{b.Binding, b.Type.String(), b.Count, foz.StageNames(b.Stages)})
	}
	return x
}

// hex returns a hash as Fossilize spells it; "" if it is 0, the hash of nothing.
func hex(hash uint64) string {
	if hash == 0 {
		return ""
	}
	return fmt.Sprintf("%016x", hash)
}

func text(err error) *string {
	s := err.Error()
	return &s
}

func (m member) text(b *bufio.Writer) { fmt.Fprintf(b, "  %9d  %s\n", m.Bytes, m.Name) }

func (c count) text(b *bufio.Writer) { fmt.Fprintf(b, "  %9d  %s\n", c.Count, c.Kind) }

func (m unused) text(b *bufio.Writer) { fmt.Fprintf(b, "  %s\n", string(m)) }

func (p pipeline) text(b *bufio.Writer) {
	fmt.Fprintf(b, "  %s  %s, layout %s%s\n", p.Hash, p.Kind, orNone(p.Layout), failed(p.Error))
	for i := range p.Stages {
		s := &p.Stages[i]
		fmt.Fprintf(b, "    %s  module %s, entry point %q", s.Name, orNone(s.Module), s.Entry)
		if s.Subgroup != 0 {
			fmt.Fprintf(b, ", subgroups of %d", s.Subgroup)
		}
		for k, c := range s.Constants {
			if k == 0 {
				b.WriteString(", specialization")
			}
			fmt.Fprintf(b, " %d=%s", c.ID, c.Bits)
		}
		b.WriteByte('\n')
	}
}

func (l layout) text(b *bufio.Writer) {
	fmt.Fprintf(b, "  %s%s\n", l.Hash, failed(l.Error))
	for i, set := range l.Sets {
		fmt.Fprintf(b, "    set %d: %s\n", i, orNone(set))
	}
	for _, p := range l.Push {
		fmt.Fprintf(b, "    push constants: offset %d, %d bytes, %s\n", p.Offset, p.Bytes, orNone(strings.Join(p.Stages, " ")))
	}
}

func (l setLayout) text(b *bufio.Writer) {
	fmt.Fprintf(b, "  %s%s\n", l.Hash, failed(l.Error))
	for _, x := range l.Bindings {
		fmt.Fprintf(b, "    binding %d: %s, count %d, %s\n", x.Binding, x.Type, x.Count, orNone(strings.Join(x.Stages, " ")))
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func failed(err *string) string {
	if err == nil {
		return ""
	}
	return ": error: " + *err
}
