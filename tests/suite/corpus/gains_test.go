// SPDX-License-Identifier: MIT

package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"jacquard.example"

	"jacquard.example/tests/support/modules"
)

// leastGain is the least factor by which the cycles or instructions of a shader must grow without a pass.
const leastGain = 1.04

// rarely lists the optional passes that change few shaders, with the folders of their filetests. At least one filetest of
// each names a shader of the corpus that gains.
var rarely = map[string]string{
	"split_vars":            "core/pass/filetests/testdata/split_vars",
	"merge_ifs":             "core/pass/filetests/testdata/merge_ifs",
	"algebraic_before_ffma": "core/pass/filetests/testdata/algebraic_before_ffma",
	"undef_to_zero":         "core/pass/filetests/testdata/undef_to_zero",
	"dead_vars":             "core/pass/filetests/testdata/dead_vars",
	"opt_div_const":         "core/pass/filetests/testdata/opt_div_const",
	"mir/same_flag":         "backend/intel/filetests/testdata/same_flag",
}

var gainsIn = regexp.MustCompile(`(?m)^// Gains in (\S+) (\S+)\.$`)

// TestGains compiles the shaders that filetests name with and without the pass, and compares estimated cycles and
// instructions.
func TestGains(t *testing.T) {
	c := compiler(t)
	for pass, folder := range rarely {
		files, err := filepath.Glob(filepath.Join("../../..", folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range gainsIn.FindAllStringSubmatch(string(text), -1) {
				n++
				with, without := cost(t, c, m[1], m[2], ""), cost(t, c, m[1], m[2], pass)
				t.Logf("%s: %s %s takes %d cycles, %d instructions; %d, %d without it", pass, m[1], m[2],
					with.Cycles, with.Instructions, without.Cycles, without.Instructions)
				if !gains(with.Cycles, without.Cycles) && !gains(with.Instructions, without.Instructions) {
					t.Errorf("%s: that is less than %g", pass, leastGain)
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: no file in %s says where it gains", pass, folder)
		}
	}
}

func gains(with, without int) bool { return float64(without) >= leastGain*float64(with) }

// cost compiles a unit of a package without a pass, or with all passes if without is empty.
func cost(t *testing.T, c *modules.Compiler, pkg, unit, without string) jacquard.Stats {
	t.Helper()
	p := modules.Named(pkg)
	dir, err := p.Fetch(t.Context())
	served(t, err)
	units, err := p.Collect(dir)
	if err != nil {
		t.Fatal(err)
	}
	units = slices.DeleteFunc(units, func(u modules.Unit) bool { return u.Name != unit })
	list, err := c.All(t.Context(), pkg, units)
	if err != nil || len(list) != 1 {
		t.Fatalf("%s %s: %d modules, %v", pkg, unit, len(list), err)
	}
	var o jacquard.Options
	if without != "" {
		o.Disable = []string{without}
	}
	product, err := jacquard.Compile(t.Context(), list[0].SPIRV, o)
	if err != nil {
		t.Fatalf("%s %s: %v", pkg, unit, err)
	}
	return product.Variants[0].Stats
}
