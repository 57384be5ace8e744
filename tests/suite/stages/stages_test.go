// SPDX-License-Identifier: MIT

package stages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/igawords"
	"jacquard.example/tests/support/stages"
)

// widths returns the SIMD widths of a stage.
func widths(m *target.Target, stage kind.Stage) []int {
	if stage == kind.StageVertex {
		return m.Widths[:1]
	}
	return m.Widths
}

// refused maps shaders that the compiler refuses at a width to the expected error.
var refused = map[string]string{
	"dual_source.amber frag/32":   "has at most 16 lanes",
	"multisample.amber masked/32": "has at most 16 lanes",
}

// TestCompiles: every shader compiles for every machine that has its stage at every width, with the stage taken from the
// module; the code is legal, and iga64 reproduces it. Machines with vectors have only the vertex stage.
func TestCompiles(t *testing.T) {
	all := stages.Shaders(t)
	for _, m := range slices.Concat(target.All, target.Partial) {
		vectors := m.Can(target.Vectors)
		if m.Vertex == nil || m.Fragment == nil && !vectors {
			continue
		}
		var codes [][]byte
		var names []string
		left := 0
		for _, s := range all {
			if s.Stage == kind.StageFragment && m.Fragment == nil {
				left++
				continue
			}
			for _, simd := range widths(m, s.Stage) {
				why := refused[fmt.Sprint(s.Name, "/", simd)]
				if s.Name == "stencil_export.amber frag" && simd > m.Widths[0] {
					why = fmt.Sprintf("has at most %d lanes", m.Widths[0])
				}
				o := jacquard.Options{File: s.Name, Target: jacquard.Target(m.Name), SIMD: simd, Verify: true}
				p, err := jacquard.Compile(t.Context(), s.Module, o)
				if err != nil {
					if why == "" || !strings.Contains(err.Error(), why) {
						t.Errorf("%s for %s: %v", s.Name, m, err)
					}
					continue
				}
				if string(p.Stage) != s.Stage.String() {
					t.Errorf("%s for %s: compiled as a %s shader", s.Name, m, p.Stage)
				}
				if why != "" {
					t.Errorf("%s for %s: compiles, but is listed as refused: %s", s.Name, m, why)
				}
				code := p.Variants[0].Code
				for _, v := range legal.Check(m.Platform, code) {
					t.Errorf("%s for %s, SIMD%d: %v", s.Name, m, simd, v)
				}
				codes, names = append(codes, code), append(names, s.Name)
			}
		}
		if len(codes) < len(all)-left {
			t.Errorf("%s: code for %d of %d shaders", m, len(codes), len(all)-left)
		}
		if vectors {
			continue // iga64 does not know access mode Align16; package isa compares words with another disassembler
		}
		iga := oracle.IGA{Platform: m.Platform.IGA()}
		texts, errs := iga.DisassembleAll(t, codes)
		back, said := iga.AssembleAll(t, texts, "-Wall")
		for i, name := range names {
			switch {
			case errs[i] != nil:
				t.Errorf("%s for %s: iga64 -d: %v", name, m, errs[i])
			case said[i] != nil:
				t.Errorf("%s for %s: iga64 -a: %v\n%s", name, m, said[i], texts[i])
			case !igawords.Same(m.Platform, back[i], codes[i]):
				t.Errorf("%s for %s: iga64 assembles its own text to other bytes", name, m)
			}
		}
	}
}
