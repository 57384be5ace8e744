package archive

import (
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
	Unused     []string    `json:"unused_modules"` // the names of members: modules that no pipeline uses
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

// Report lists what the archive contains.
func (a *Archive) Report() *Report {
	r := &Report{Version: record.Version, File: a.File, Format: "tar", Files: []member{}, Entries: []count{}, Pipelines: []pipeline{},
		Layouts: []layout{}, SetLayouts: []setLayout{}, Unused: []string{}}
	for _, f := range a.files {
		r.Files = append(r.Files, member{f.name, uint64(f.size)})
		if f.zip != nil {
			r.Format = "zip"
		}
	}
	if a.Foz != nil {
		r.Format = "fossilize"
		r.addEntries(a)
	}
	return r
}

func (r *Report) addEntries(a *Archive) {
	for _, tag := range foz.Tags() {
		if n := len(a.Foz.Entries(tag)); n > 0 {
			r.Entries = append(r.Entries, count{tag.String(), n})
		}
	}
	for _, tag := range pipelineTags {
		for _, e := range a.Foz.Entries(tag) {
			r.Pipelines = append(r.Pipelines, pipelineOf(a.Foz, e))
		}
	}
	for _, e := range a.Foz.Entries(foz.PipelineLayout) {
		r.Layouts = append(r.Layouts, layoutOf(a.Foz, e.Hash))
	}
	for _, e := range a.Foz.Entries(foz.DescriptorSetLayout) {
		r.SetLayouts = append(r.SetLayouts, setLayoutOf(a.Foz, e.Hash))
	}
	for _, name := range a.Names() {
		if strings.HasSuffix(name, ".spv") {
			r.Unused = append(r.Unused, name)
		}
	}
}

func pipelineOf(a *foz.Archive, e *foz.Entry) pipeline {
	x := pipeline{Hash: hex(e.Hash), Kind: e.Tag.String(), Stages: []stage{}}
	p, err := a.Pipeline(e)
	if err != nil {
		x.Error = text(err)
		return x
	}
	x.Layout = hex(p.Layout)
	for k := range p.Stages {
		s := &p.Stages[k]
		y := stage{StageName(p, k), s.Name, s.Entry, hex(s.Module), s.Subgroup, []constant{}}
		for _, c := range s.Constants {
			y.Constants = append(y.Constants, constant{c.ID, c.Size, fmt.Sprintf("%#x", c.Bits)})
		}
		x.Stages = append(x.Stages, y)
	}
	return x
}

func layoutOf(a *foz.Archive, hash uint64) layout {
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

func setLayoutOf(a *foz.Archive, hash uint64) setLayout {
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

// JSON writes the report as JSON.
func (r *Report) JSON(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// Text writes the report for people.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s archive\n", r.File, r.Format)
	if len(r.Files) > 0 {
		b.WriteString("files:\n")
	}
	for _, f := range r.Files {
		fmt.Fprintf(&b, "  %9d  %s\n", f.Bytes, f.Name)
	}
	if len(r.Entries) > 0 {
		b.WriteString("entries:\n")
	}
	for _, e := range r.Entries {
		fmt.Fprintf(&b, "  %9d  %s\n", e.Count, e.Kind)
	}
	if len(r.Pipelines) > 0 {
		b.WriteString("pipelines:\n")
	}
	for i := range r.Pipelines {
		r.Pipelines[i].text(&b)
	}
	if len(r.Layouts) > 0 {
		b.WriteString("pipeline layouts:\n")
	}
	for _, l := range r.Layouts {
		fmt.Fprintf(&b, "  %s%s\n", l.Hash, failed(l.Error))
		for i, set := range l.Sets {
			fmt.Fprintf(&b, "    set %d: %s\n", i, orNone(set))
		}
		for _, p := range l.Push {
			fmt.Fprintf(&b, "    push constants: offset %d, %d bytes, %s\n", p.Offset, p.Bytes, orNone(strings.Join(p.Stages, " ")))
		}
	}
	if len(r.SetLayouts) > 0 {
		b.WriteString("descriptor set layouts:\n")
	}
	for _, l := range r.SetLayouts {
		fmt.Fprintf(&b, "  %s%s\n", l.Hash, failed(l.Error))
		for _, x := range l.Bindings {
			fmt.Fprintf(&b, "    binding %d: %s, count %d, %s\n", x.Binding, x.Type, x.Count, orNone(strings.Join(x.Stages, " ")))
		}
	}
	if len(r.Unused) > 0 {
		b.WriteString("modules that no pipeline uses:\n")
	}
	for _, name := range r.Unused {
		fmt.Fprintf(&b, "  %s\n", name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *pipeline) text(b *strings.Builder) {
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
