// SPDX-License-Identifier: MIT

package jacquard_test

import (
	_ "embed"
	"os"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
)

// passed is a location that a program reads or writes.
type passed struct{ location, components int }

// locations returns the locations in a list of slots.
func locations(list []jacquard.Slot) (out []passed) {
	for _, s := range list {
		if s.Is == "location" {
			out = append(out, passed{s.Location, s.Components})
		}
	}
	return out
}

// linkVertex and linkFragment are a vertex and a fragment shader to link.
//
//go:embed backend/driver/testdata/link_vertex.jir
var linkVertex string

//go:embed backend/driver/testdata/link_fragment.jir
var linkFragment string

// TestLink: of four components and two constants, two components are passed in one location, which has the same number
// in both shaders.
func TestLink(t *testing.T) {
	p, err := jacquard.Link(t.Context(), []byte(linkVertex), []byte(linkFragment), jacquard.Options{Verify: true},
		jacquard.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := (jacquard.Interface{Dead: 2, Constant: 2, Before: 2, After: 1}); p.Interface != want {
		t.Errorf("%+v, want %+v", p.Interface, want)
	}
	v, f := locations(p.Vertex.ABI.Outputs), locations(p.Fragment.ABI.Inputs)
	if len(v) != 1 || !slices.Equal(v, f) || v[0].components != 3 {
		t.Errorf("the vertex shader writes %v, the fragment shader reads %v", v, f)
	}
	module, err := jacquard.Compile(t.Context(), []byte(linkVertex), jacquard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(locations(module.ABI.Outputs)); n != 2 || len(module.Variants[0].Code) <= len(p.Vertex.Variants[0].Code) {
		t.Errorf("alone, the vertex shader writes %d locations", n)
	}
}

// TestLinkRefuses: shaders that cannot be linked are refused with the name of the file.
func TestLinkRefuses(t *testing.T) {
	comp, err := os.ReadFile("tests/shaders/saxpy.comp.spv")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ vertex, fragment, want string }{
		{linkFragment, linkFragment, "a.vert: error: this is a fragment shader, not a vertex shader"},
		{linkVertex, linkVertex, "b.frag: error: this is a vertex shader, not a fragment shader"},
		{linkVertex, "mir 1\n", "b.frag: error: machine IR cannot be linked"},
		{string(comp), linkFragment, "a.vert: word 16: error: the module has a compute shader, not a vertex shader"},
	} {
		_, err := jacquard.Link(t.Context(), []byte(c.vertex), []byte(c.fragment), jacquard.Options{File: "a.vert"},
			jacquard.Options{File: "b.frag"})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestLinkExplains: an instruction of a linked shader names the rule that created it before linking.
func TestLinkExplains(t *testing.T) {
	fragment := strings.Replace(linkFragment, "    %4 = vec4.32x4 %1.x,",
		"    %6 = load_const.32 value=(0x10)\n    %7 = udiv.32 %1.x, %6\n    %4 = vec4.32x4 %7,", 1)
	p, err := jacquard.Link(t.Context(), []byte(linkVertex), []byte(fragment), jacquard.Options{}, jacquard.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, l := range p.Fragment.Variants[0].Lines {
		switch shift := strings.Contains(l.IR, " = ushr.32 "); {
		case shift && l.Rule == "udiv_power_of_two":
			n++
		case shift || l.Rule != "":
			t.Errorf("%s names the rule %q", l.IR, l.Rule)
		}
	}
	if n == 0 {
		t.Error("no instruction names udiv_power_of_two")
	}
}
