// SPDX-License-Identifier: MIT

package isatab

import (
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// surfaceFormatRow is a format of surfaces that typed messages access.
type surfaceFormatRow struct {
	Code      *int     `toml:"code" doc:"The code in a surface state." required:"true" minimum:"0" maximum:"511"`
	Texels    []string `toml:"texels" doc:"The formats of Vulkan with such texels, without VK_FORMAT_." items:"^[A-Z]\\w*$" required:"true"`
	Raw       []string `toml:"raw" doc:"The platforms or families whose typed reads return the bits of a texel; others convert."`
	WriteOnly bool     `toml:"write_only" doc:"There are no typed reads."`
	Atomics   string   `toml:"atomics" doc:"The typed atomics: all, or only exchanges of bits; default: none." enum:"exchange,all"`
	AtomicsOn []string `toml:"atomics_on" doc:"The only platforms or families with these atomics; default: all."`
}

// SurfaceFormats returns the names of the formats of surfaces.
func SurfaceFormats(ctx *domain.Context) (map[string]bool, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	rows, err := table.Rows[surfaceFormatRow](set, "surface_format")
	out := map[string]bool{}
	for _, r := range rows {
		out[r.Name] = true
	}
	return out, err
}

// CheckSurfaceFormats checks the rows of surface formats.
func (t *Tables) CheckSurfaceFormats(errs *diag.List, cols Columns) {
	codes, texels := map[int]string{}, map[string]string{}
	for _, r := range t.surfaceFormats {
		v := &r.Val
		switch {
		case codes[*v.Code] != "":
			errs.Addf(r.At("code"), r.Full, "code %#x is already used by [%s]", *v.Code, codes[*v.Code])
		default:
			codes[*v.Code] = r.Full
		}
		for _, n := range v.Texels {
			if texels[n] != "" {
				errs.Addf(r.At("texels"), r.Full, "%s is already a format of [%s]", n, texels[n])
			}
			texels[n] = r.Full
		}
		cols.Check(errs, r.At("raw"), r.Full, v.Raw...)
		cols.Check(errs, r.At("atomics_on"), r.Full, v.AtomicsOn...)
		switch {
		case v.Atomics == "" && len(v.AtomicsOn) > 0:
			errs.Addf(r.At("atomics_on"), r.Full, "atomics_on: the format has no atomics")
		case v.WriteOnly && len(v.Raw) > 0:
			errs.Addf(r.At("raw"), r.Full, "raw: the format is not read")
		}
	}
}

// listed returns the Go names of the platforms that a list of platforms and families has.
func (t *Tables) listed(names []string) (out []string) {
	for _, p := range t.Platforms {
		if slices.Contains(names, p.Name) || slices.Contains(names, p.Val.Family) {
			out = append(out, p.Val.Go)
		}
	}
	return out
}

// onlyOn returns an array with a bit for each platform in Go.
func onlyOn(platforms []string) string {
	return "[NumPlatforms]bool{" + strings.Join(platforms, ": true, ") + ": true}"
}

// SurfaceFile returns the Go file of formats of surfaces.
func (t *Tables) SurfaceFile() *emit.File {
	f := emit.NewFile("isa", "")
	f.Counted("TypedAtomics are the typed atomics of a format.", "TypedAtomics", "The sets of atomics.", []emit.Name{
		{Name: "NoAtomics", Doc: "none"},
		{Name: "ExchangeAtomics", Doc: "atomics that exchange bits: moves, and compare and write"},
		{Name: "AllAtomics", Doc: "all on integers"},
	}, "NumTypedAtomics")
	f.Struct("SurfaceFormat is a format of surfaces that typed messages access. Writes convert.", "SurfaceFormat", `
		Name string // the manual's
		Code uint16 // in a surface state
		Texels []string // Vulkan's formats with such texels, without VK_FORMAT_
		Raw [NumPlatforms]bool // reads return the bits of a texel
		WriteOnly bool // there are no reads
		Atomics [NumPlatforms]TypedAtomics // by platform`)
	sorted := slices.Clone(t.surfaceFormats)
	slices.SortStableFunc(sorted, func(a, b *table.Row[surfaceFormatRow]) int { return *a.Val.Code - *b.Val.Code })
	var rows emit.Rows
	for _, r := range sorted {
		v := &r.Val
		rows.F("{Name: %q, Code: %#03x, Texels: %#v", r.Name, *v.Code, v.Texels)
		if raw := t.listed(v.Raw); len(raw) > 0 {
			rows.F(", Raw: %s", onlyOn(raw))
		}
		if v.WriteOnly {
			rows.F(", WriteOnly: true")
		}
		if v.Atomics != "" {
			on := v.AtomicsOn
			if len(on) == 0 {
				for _, p := range t.Platforms {
					on = append(on, p.Name)
				}
			}
			atomics := map[string]string{"exchange": "ExchangeAtomics", "all": "AllAtomics"}[v.Atomics]
			rows.F(", Atomics: [NumPlatforms]TypedAtomics{")
			for _, p := range t.listed(on) {
				rows.F("%s: %s, ", p, atomics)
			}
			rows.F("}")
		}
		rows.F("},\n")
	}
	f.Table("SurfaceFormats are the formats, sorted by code.", "SurfaceFormats", "[...]SurfaceFormat", &rows)
	find := func(doc, signature, condition string) {
		f.Func(doc, signature,
			emit.For("i := range SurfaceFormats", emit.If(condition, emit.Return("&SurfaceFormats[i]"))),
			emit.Return("nil"))
	}
	find("SurfaceFormatNamed finds a format by the manual's name, nil if there is none.", "SurfaceFormatNamed(name string) *SurfaceFormat",
		"SurfaceFormats[i].Name == name")
	find("SurfaceFormatCoded finds a format by its code, nil if there is none.", "SurfaceFormatCoded(code int) *SurfaceFormat",
		"int(SurfaceFormats[i].Code) == code")
	find("SurfaceFormatOf finds the format with the texels of one of Vulkan's, nil if there is none.",
		"SurfaceFormatOf(vulkan string) *SurfaceFormat", "slices.Contains(SurfaceFormats[i].Texels, vulkan)")
	return f
}
