// SPDX-License-Identifier: MIT

package isa

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// TestCompiledCodeIsLegal: the compiled code of this project's own shaders breaks no restriction of any target at any
// width. Shaders that the compiler does not support yet are left out; there must be few of them.
func TestCompiledCodeIsLegal(t *testing.T) {
	files, err := filepath.Glob("../../shaders/*.spv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no shaders: %v", err)
	}
	for _, name := range jacquard.TargetsOf(jacquard.Compute) {
		machine, ok := target.ByName(string(name))
		if !ok {
			t.Fatalf("no target %s", name)
		}
		p := machine.Platform
		t.Run(string(name), func(t *testing.T) {
			compiled := 0
			for _, f := range files {
				src, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				for _, simd := range machine.Widths {
					prog, err := jacquard.Compile(t.Context(), src, jacquard.Options{File: f, SIMD: simd, Target: name})
					if err != nil {
						continue
					}
					compiled++
					for _, v := range prog.Variants {
						for _, bad := range legal.Check(p, v.Code) {
							in, err := isa.Decode(p, v.Code[bad.Offset:])
							t.Errorf("%s SIMD%d: %v\n%s (%v)", filepath.Base(f), v.SIMD, bad, isatext.Append(nil, p, &in, bad.Offset), err)
						}
					}
				}
			}
			if compiled < len(files) {
				t.Errorf("only %d of %d programs compile", compiled, len(machine.Widths)*len(files))
			}
		})
	}
}
