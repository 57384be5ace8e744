// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/igawords"
	"jacquard.example/tests/support/scripts"
)

// notYet are parts of the errors for features that machines in target.Partial lack so far.
var notYet = []string{
	"has no arithmetic on 64-bit floats",
}

// lacks reports whether an error names a feature that a machine lacks so far.
func lacks(err error) bool {
	for _, what := range notYet {
		if strings.Contains(err.Error(), what) {
			return true
		}
	}
	return false
}

// computing returns the machines of target.Partial that compute shaders are compiled for.
func computing(t *testing.T) (out []*target.Target) {
	for _, m := range target.Partial {
		if m.ABI != nil {
			out = append(out, m)
		}
	}
	if out == nil {
		t.Fatal("no machine of target.Partial has compute shaders")
	}
	return out
}

// TestPartialMachines runs scripts on the models of machines in target.Partial that compute: their expectations hold, or an error
// names the feature that the machine lacks. The widths take turns.
func TestPartialMachines(t *testing.T) {
	for _, m := range computing(t) {
		var ran, left sync.Map
		t.Run(m.Name, func(t *testing.T) {
			files := slices.Concat(scripts.Files(t, "../../amber/*.amber"), scripts.Files(t, "../../amber/images/*.amber"))
			for i, file := range files {
				simd := m.Widths[i%len(m.Widths)]
				t.Run(filepath.Base(file), func(t *testing.T) {
					t.Parallel()
					script := scripts.Read(t, file)
					_, err := script.Run(t.Context(), openMachine(m, simd)(t, script))
					switch {
					case err == nil:
						ran.Store(file, true)
					case lacks(err):
						left.Store(file, true)
					default:
						t.Errorf("SIMD%d: %v", simd, err)
					}
				})
			}
		})
		for _, name := range []string{"descriptor_from_buffer", "scratch_array", "spill"} {
			if _, ok := ran.Load("../../amber/" + name + ".amber"); !ok {
				t.Errorf("%s does not run %s, whose messages have a surface in a register", m.Name, name)
			}
		}
		size := func(x *sync.Map) (n int) {
			x.Range(func(any, any) bool { n++; return true })
			return n
		}
		if size(&ran) < 205 || size(&left) > 10 {
			t.Errorf("%s: %d scripts ran, and %d use what the machine lacks", m.Name, size(&ran), size(&left))
		}
	}
}

// TestPartialMachinesAgainstIGA compiles modules for such machines; iga64 reproduces the code.
func TestPartialMachinesAgainstIGA(t *testing.T) {
	files, _ := filepath.Glob("../../shaders/*.comp.spv")
	for _, m := range computing(t) {
		var codes [][]byte
		var names []string
		left := 0
		for i, file := range files {
			module, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			simd := m.Widths[i%len(m.Widths)]
			p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: jacquard.Target(m.Name), SIMD: simd, Verify: true})
			switch {
			case err == nil:
				codes, names = append(codes, p.Variants[0].Code), append(names, fmt.Sprintf("%s, SIMD%d", filepath.Base(file), simd))
			case lacks(err):
				left++
			default:
				t.Errorf("%s, SIMD%d: %v", file, simd, err)
			}
		}
		if len(codes) < 135 || left > 15 {
			t.Errorf("%s: %d modules compiled, and %d use what the machine lacks", m.Name, len(codes), left)
		}
		iga := oracle.IGA{Platform: m.Platform.IGA()}
		texts, errs := iga.DisassembleAll(t, codes)
		back, said := iga.AssembleAll(t, texts, "-Wall")
		for i, code := range codes {
			if errs[i] != nil || said[i] != nil || !igawords.Same(m.Platform, back[i], code) {
				t.Errorf("%s: iga64 makes other bytes of it: %v, %v\n%s", names[i], errs[i], said[i], texts[i])
			}
		}
	}
}

// TestImageHandlesRefused: storage images accessed by handles are refused by one error where messages to the load/store unit
// access images.
func TestImageHandlesRefused(t *testing.T) {
	for _, m := range computing(t) {
		for _, how := range []string{"push constants", "constants"} {
			_, err := jacquard.Compile(t.Context(), []byte(formsOf(how)), jacquard.Options{Target: jacquard.Target(m.Name), SIMD: 16})
			want := "a storage image accessed by a handle is not supported on " + m.Name + " yet"
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want …%s…", how, err, want)
			}
		}
	}
}
