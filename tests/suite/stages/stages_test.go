// SPDX-License-Identifier: MIT

package stages

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/stages"
)

// widths lists the SIMD widths of each stage.
var widths = map[kind.Stage][]int{kind.StageVertex: {8}, kind.StageFragment: {8, 16, 32}}

// refused maps shaders that the compiler refuses at a width to the expected error.
var refused = map[string]string{
	"stencil_export.amber frag/16": "has at most 8 lanes",
	"stencil_export.amber frag/32": "has at most 8 lanes",
	"dual_source.amber frag/32":    "has at most 16 lanes",
	"multisample.amber masked/32":  "has at most 16 lanes",
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
			for _, simd := range widths[s.Stage] {
				why := refused[fmt.Sprint(s.Name, "/", simd)]
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
			case !bytes.Equal(back[i], codes[i]):
				t.Errorf("%s for %s: iga64 assembles its own text to other bytes", name, m)
			}
		}
	}
}
