// SPDX-License-Identifier: MIT

package irtab

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// FormatEnum is the enumeration to which the rows of formats add their names.
const FormatEnum = "format"

// MaxFormats is the number of formats that sets of them have room for, unknown included.
const MaxFormats = 64

// FormatDef is a [format.x] row.
type FormatDef struct {
	SPIRV   string   `toml:"spirv" doc:"The [image_format] of SPIR-V." required:"true" pattern:"^[A-Z]\\w*$"`
	Vulkan  string   `toml:"vulkan" doc:"Vulkan's name without VK_FORMAT_, from which the layout of a texel follows." required:"true" pattern:"^([RGBA][0-9]+)+_(UNORM|SNORM|UINT|SINT|UFLOAT|SFLOAT)(_PACK[0-9]+)?$"`
	Surface string   `toml:"surface" doc:"Its [surface_format]; if absent, typed messages cannot access the texels." pattern:"^[A-Z]\\w*$"`
	Raw     []string `toml:"raw" doc:"Each [target] whose typed reads return the bits of a texel, which code unpacks then." items:"^[a-z][a-z0-9_]*$"`
}

// Formats returns the formats of texels of the tables, in their order.
func Formats(ctx *domain.Context) ([]*table.Row[FormatDef], error) {
	set, err := ctx.Load("ir")
	if err != nil {
		return nil, err
	}
	return table.Rows[FormatDef](set, FormatEnum)
}

// addFormats appends the formats to their enumeration.
func (t *Tables) addFormats(errs *diag.List) {
	if len(t.Formats) == 0 {
		return
	}
	e := t.enum[FormatEnum]
	if e == nil {
		errs.Addf(t.Formats[0].Pos, t.Formats[0].Full, "there is no [enum.%s] for it", FormatEnum)
		return
	}
	named := map[string]string{}
	for _, r := range t.Formats {
		if !rowName.MatchString(r.Name) {
			errs.Addf(r.Pos, r.Full, "%s", rowNameRule)
		}
		v := &r.Val
		if other := named[v.Vulkan]; other != "" {
			errs.Addf(r.At("vulkan"), r.Full, "vulkan: %s is already used by [%s]", v.Vulkan, other)
		}
		named[v.Vulkan] = r.Full
		numeric, err := checkLayout(v.Vulkan)
		switch {
		case err != nil:
			errs.Addf(r.At("vulkan"), r.Full, "vulkan: %v", err)
		case len(v.Raw) > 0 && v.Surface == "":
			errs.Addf(r.At("raw"), r.Full, "raw: there are no typed reads without a surface format")
		case len(v.Raw) > 0 && numeric == "SFLOAT":
			errs.Addf(r.At("raw"), r.Full, "raw: there is no code that unpacks SFLOAT")
		}
		e.Val.Values = append(e.Val.Values, EnumValue{Name: r.Name})
	}
	if len(e.Val.Values) > MaxFormats {
		last := t.Formats[len(t.Formats)-1]
		errs.Addf(last.Pos, last.Full, "there are %d formats, but a set of formats holds at most %d", len(e.Val.Values), MaxFormats)
	}
}

var (
	formatName = regexp.MustCompile(`^((?:[RGBA][0-9]+)+)_(UNORM|SNORM|UINT|SINT|UFLOAT|SFLOAT)(?:_PACK([0-9]+))?$`)
	component  = regexp.MustCompile(`[RGBA][0-9]+`)
)

// checkLayout checks the name of a format as Vulkan forms it, and returns how the bits of
// components are interpreted.
func checkLayout(name string) (numeric string, err error) {
	m := formatName.FindStringSubmatch(name)
	if m == nil {
		return "", fmt.Errorf("%q is not a format: components of R, G, B and A with their bits, then one of UNORM, SNORM, UINT, "+
			"SINT, UFLOAT, SFLOAT, and _PACK with the size if the components share a word", name)
	}
	total, seen := 0, ""
	for _, c := range component.FindAllString(m[1], -1) {
		bits, err := strconv.Atoi(c[1:])
		if err != nil || bits < 1 || bits > 64 || m[3] == "" && bits%8 != 0 {
			return "", fmt.Errorf("%s: a %s-bit component", name, c[1:])
		}
		if strings.Contains(seen, c[:1]) {
			return "", fmt.Errorf("%s: %s occurs twice", name, c[:1])
		}
		total, seen = total+bits, seen+c[:1]
	}
	if total%8 != 0 || total > 128 || m[3] != "" && m[3] != strconv.Itoa(total) {
		return "", fmt.Errorf("%s: %d-bit texels", name, total)
	}
	return m[2], nil
}
