// SPDX-License-Identifier: MIT

package modinfo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/modinfo"
	"jacquard.example/core/outline"
	"jacquard.example/tests/oracle"
)

// reflection is the part of the output of spirv-cross --reflect that the test compares.
type reflection struct {
	EntryPoints []struct {
		Name, Mode string
		Size       []uint32 `json:"workgroup_size"`
	}
	Types                         map[string]struct{ Members []reflectedMember }
	SSBOs, UBOs, Textures, Images []resource
	SeparateImages                []resource          `json:"separate_images"`
	SeparateSamplers              []resource          `json:"separate_samplers"`
	SubpassInputs                 []resource          `json:"subpass_inputs"`
	Push                          []resource          `json:"push_constants"`
	Constants                     []reflectedConstant `json:"specialization_constants"`
}

type reflectedMember struct {
	Name, Type string
	Array      []int
	Offset     int
}

type reflectedConstant struct {
	Name, Type string
	ID         uint32
	Default    any `json:"default_value"`
}

type resource struct {
	Type, Name, Format  string
	Set, Binding        uint32
	Array               []uint32
	ReadOnly, WriteOnly bool
	Size                uint32 `json:"block_size"`
}

var modes = map[string]string{
	"comp": "compute", "vert": "vertex", "frag": "fragment", "geom": "geometry", "tesc": "tess_control", "tese": "tess_eval",
}

// shapes translates the names of image types to the names that spirv-cross uses.
var shapes = strings.NewReplacer("MSArray", "ms_array", "MS", "ms", "2D", "2d", "1D", "1d", "3D", "3d", "Cube", "cube", "Array", "_array",
	"Buffer", "buf", "Rect", "rect", "Shadow", "", "subpassInput", "subpass")

// lines returns the facts in the output of spirv-cross, one per line.
func (r *reflection) lines() (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, e := range r.EntryPoints {
		add("entry %s %s %v", e.Name, modes[e.Mode], sizes(e.Size, func(i int) bool { return e.Size[i] == 0 }))
	}
	resources := func(kind string, of []resource) {
		for _, x := range of {
			n := uint32(1)
			for _, a := range x.Array {
				n *= a
			}
			access, shape, k := "readwrite", "", kind
			switch {
			case kind != "storage" && kind != "storage_image", x.ReadOnly && !x.WriteOnly:
				access = "readonly"
			case x.WriteOnly && !x.ReadOnly:
				access = "writeonly"
			}
			if kind != "storage" && kind != "uniform" && kind != "sampler" {
				_, shape, _ = strings.Cut(x.Type, map[bool]string{true: "mage", false: "ampler"}[strings.Contains(x.Type, "mage")])
				if strings.Contains(x.Type, "texture") {
					_, shape, _ = strings.Cut(x.Type, "texture")
				}
				if kind == "input_attachment" {
					_, shape, _ = strings.Cut(x.Type, "ubpassInput")
					shape = "subpass" + shape
				}
				if shape = strings.ReplaceAll(shapes.Replace(shape), "2dms", "ms"); shape == "subpassms" {
					shape = "subpass_ms"
				}
			}
			format := ""
			if strings.HasPrefix(kind, "storage_image") {
				format = x.Format
			}
			if shape == "buf" {
				k = map[bool]string{true: "storage_texel_buffer", false: "uniform_texel_buffer"}[kind == "storage_image"]
			}
			add("binding %d %d %s %s %s %s count %d bytes %d", x.Set, x.Binding, k, access, shape, strings.ToLower(format), n, x.Size)
		}
	}
	resources("storage", r.SSBOs)
	resources("uniform", r.UBOs)
	resources("combined", r.Textures)
	resources("storage_image", r.Images)
	resources("sampled_image", r.SeparateImages)
	resources("sampler", r.SeparateSamplers)
	resources("input_attachment", r.SubpassInputs)
	for _, p := range r.Push {
		for _, m := range r.Types[p.Type].Members {
			lengths := ""
			for i := len(m.Array) - 1; i >= 0; i-- { // the innermost first
				lengths += fmt.Sprintf("[%d]", m.Array[i])
			}
			typ := m.Type
			if strings.HasPrefix(typ, "_") {
				typ = "struct"
			}
			add("push %s %s%s at %d", m.Name, typ, lengths, m.Offset)
		}
	}
	for _, c := range r.Constants {
		add("constant %d %s %s = %v", c.ID, c.Type, c.Name, c.Default)
	}
	slices.Sort(list)
	return list
}

// sizes formats the size of a workgroup. spirv-cross prints 0 for specialization constants and for LocalSizeId.
func sizes(size []uint32, open func(i int) bool) string {
	s := ""
	for i, n := range size {
		if open(i) {
			s += " open"
		} else {
			s += fmt.Sprint(" ", n)
		}
	}
	return s
}

// shown returns the facts in a report in the form of reflection.lines. open selects the sizes that spirv-cross does
// not know.
func shown(r *modinfo.Report, scalar map[string]bool, open func(i int) bool) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, e := range r.Entries {
		size := []uint32{}
		if e.Size != nil {
			size = e.Size[:]
		}
		add("entry %s %s %v", e.Name, e.Stage, sizes(size, open))
	}
	for _, b := range r.Bindings {
		format := b.Format
		if format == "unknown" {
			format = ""
		}
		add("binding %d %d %s %s %s %s count %d bytes %d", b.Set, b.Binding, b.Kind, b.Access, b.Shape, format, b.Count, b.Bytes)
	}
	for _, b := range r.Push {
		for _, m := range b.Members {
			typ, lengths, _ := strings.Cut(m.Type, "[")
			if lengths != "" {
				lengths = "[" + lengths
			}
			if !scalar[typ] {
				typ = "struct"
			}
			add("push %s %s%s at %d", m.Name, typ, lengths, m.Offset)
		}
	}
	for _, c := range r.Constants {
		add("constant %d %s %s = %v", c.ID, c.Type, c.Name, c.Default)
	}
	slices.Sort(list)
	return list
}

// TestReflection: reports on the modules of tests/shaders agree with spirv-cross --reflect and list the same
// capabilities as spirv-dis. So does the report on a module with a descriptor of each kind.
func TestReflection(t *testing.T) {
	oracle.Need(t, "spirv-cross")
	oracle.Need(t, "spirv-dis")
	files, err := filepath.Glob("../../../tests/shaders/*.spv")
	if err != nil || len(files) < 150 {
		t.Fatal(len(files), err)
	}
	files = append(files, "testdata/kinds.spv")
	basic := map[string]bool{}
	for _, p := range []string{"", "i", "u", "d", "b", "i8", "u8", "i16", "u16", "i64", "u64", "f16"} {
		for _, s := range []string{"vec2", "vec3", "vec4", "mat2", "mat3", "mat4", "mat2x3", "mat3x2", "mat2x4", "mat4x2", "mat3x4", "mat4x3"} {
			basic[p+s] = true
		}
	}
	for _, s := range strings.Fields("bool int uint float double int8_t uint8_t int16_t uint16_t float16_t int64_t uint64_t") {
		basic[s] = true
	}
	kinds, compared := map[string]int{}, 0
	for _, file := range files {
		module, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := outline.Read(t.Context(), module)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		dis, err := oracle.Disassemble(t, module)
		if err != nil {
			t.Fatal(err)
		}
		var capabilities []string
		for line := range strings.Lines(dis) {
			if _, name, ok := strings.Cut(line, "OpCapability "); ok {
				capabilities = append(capabilities, strings.TrimSpace(name))
			}
		}
		if !slices.Equal(capabilities, m.Capabilities) {
			t.Errorf("%s: capabilities %v, spirv-dis lists %v", file, m.Capabilities, capabilities)
		}
		out, _, err := oracle.Run(t, "spirv-cross", nil, file, "--reflect")
		if err != nil {
			continue // spirv-cross does not support all of SPIR-V
		}
		var r reflection
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		report := modinfo.Of(file, m)
		got, want := shown(report, basic, func(i int) bool { return r.EntryPoints[0].Size[i] == 0 }), r.lines()
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nspirv-cross says\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		for _, line := range want {
			f := strings.Fields(line)
			if kinds[f[0]]++; f[0] == "binding" {
				kinds[f[3]]++
			}
		}
		compared++
		var text, again bytes.Buffer
		if err := report.Text(&text); err != nil {
			t.Fatal(err)
		}
		if err := report.JSON(&again); err != nil || !json.Valid(again.Bytes()) {
			t.Errorf("%s: %v", file, err)
		}
		for _, b := range report.Bindings {
			if !strings.Contains(text.String(), b.Kind) || !strings.Contains(text.String(), b.Name) {
				t.Errorf("%s: the text lacks %v:\n%s", file, b, text.String())
			}
		}
	}
	t.Log(compared, "modules", kinds)
	if compared < 150 || len(slices.Collect(maps.Keys(kinds))) < 13 {
		t.Errorf("%d modules with %v", compared, kinds)
	}
}
