// SPDX-License-Identifier: MIT

package peer

import (
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/spv"
)

// TestTables: a computed table entry belongs to the array whose first entry is the constant summand. The array is found
// by name, or, where accesses name none, as the only one left.
func TestTables(t *testing.T) {
	f, err := texture.Named("R32_SFLOAT")
	if err != nil {
		t.Fatal(err)
	}
	c := &runner.DrawCall{}
	for _, b := range []struct{ set, binding, element uint32 }{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}} {
		c.Bindings = append(c.Bindings, runner.Binding{Set: b.set, Binding: b.binding, Element: b.element,
			Texture: texture.NewImage(kind.Dim2D, f, 1, 1, 1, 1, 1, 1)})
	}
	arrays := []spv.Descriptors{{Slot: spv.Slot{Binding: 0}, Count: 2}, {Slot: spv.Slot{Binding: 1}, Count: 2}}
	const (
		named = "%6 = @resource_intel (%3 (0xdeaddead), %5, %1, %0 (0x0)) (desc_set=0, binding=1, resource_intel=0, " +
			"resource_block_intel=-1)\n"
		constant = "%6 = @resource_intel (%3 (0xdeaddead), %9 (0x7), %8 (0x1), %0 (0x0)) (desc_set=0, binding=1, " +
			"resource_intel=0, resource_block_intel=-1)\n"
		unnamed = "%20 = iadd %19, %4 (0x3)\n%21 = @read_first_invocation (%20)\n%22 = (float32)tex %21 (texture_offset), %6 " +
			"(sampler_offset)\n"
	)
	for _, x := range []struct {
		name, ir string
		layout   []spv.Descriptors
		want     string // the binding and element of each entry
		err      string
	}{
		{"the element is a value", "%5 = iadd %1, %4 (0x2)\n" + named, arrays, "-- -- 10 11", ""},
		{"the element is a sum", "%1 = iadd %0, %4 (0x1)\n%5 = iadd %0, %4 (0x3)\n" + named, arrays, "-- -- 10 11", ""},
		{"the element is a constant", constant, arrays, "-- -- -- -- -- -- -- 11", ""},
		{"zeros as floats", strings.ReplaceAll(strings.ReplaceAll(constant, "(0x1)", "(0.000000)"), "(0x0)", "(0.000000)"), arrays,
			"-- -- -- -- -- -- -- 10 11", ""},
		{"the buffer of a set", strings.Replace(constant, "binding=1", "binding=-1", 1), arrays, "", ""},
		{"a row of another form", strings.Replace(constant, "%8", "8", 1), arrays, "", "not understood"},
		{"no name, one array", unnamed, arrays[:1], "-- -- -- 00 01", ""},
		{"no name, but another array has one", "%5 = iadd %1, %4 (0x5)\n" + named + unnamed, arrays, "-- -- -- 00 01 10 11", ""},
		{"no name, two arrays", unnamed, arrays, "", "and 2 arrays could be meant"},
		{"no name, no array", unnamed, nil, "", "and 0 arrays could be meant"},
	} {
		b := &Binary{IR: strings.Replace(x.ir, "%6 (sampler_offset)", "", 1), layout: x.layout}
		g, err := b.Tables(c.Bindings)
		if err == nil != (x.err == "") || err != nil && !strings.Contains(err.Error(), x.err) {
			t.Errorf("%s: %v, want %q", x.name, err, x.err)
			continue
		}
		var got []string
		for _, s := range g.Surfaces {
			at := "--"
			for i := range c.Bindings {
				if b := &c.Bindings[i]; s != nil && s.Image == b.Texture {
					at = string([]byte{'0' + byte(b.Binding), '0' + byte(b.Element)})
				}
			}
			got = append(got, at)
		}
		if s := strings.Join(got, " "); err == nil && s != x.want {
			t.Errorf("%s: entries %q, want %q", x.name, s, x.want)
		}
	}
}

// TestSlots: attributes are numbered by the order of the locations that the program reads, independent of variables;
// each element of an output is a separate target.
func TestSlots(t *testing.T) {
	const ir = `
inputs_read: 0,21,33,36-37,49
decl_var shader_in INTERP_MODE_SMOOTH none Foo[4] foos (VARYING_SLOT_VAR1, 33, 0)
decl_var shader_in INTERP_MODE_FLAT none int id (VARYING_SLOT_PRIMITIVE_ID.x, 21, 0)
    @store_output (%11 (1.0, 2.0), %10 (0x2)) (base=8, range=3, wrmask=xy, component=1, io location=FRAG_RESULT_DATA1 slots=3)
`
	if got, want := fragmentInputs(ir)[1:], []int{1, 4, 5, 17}; !slices.Equal(got, want) {
		t.Errorf("slots %v, want %v after the primitive", got, want)
	}
	g := &graphics.Program{}
	if describeFragment(g, &Binary{IR: ir}); g.Targets != 4 {
		t.Errorf("%d targets, want 4", g.Targets)
	}
}
