// SPDX-License-Identifier: MIT

package diff

import (
	"iter"
	"os"
	"path/filepath"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/isa"
)

// shaders yields the files in tests/shaders that the default target supports, with their machine code.
func shaders(t *testing.T) iter.Seq2[string, []byte] {
	files, err := filepath.Glob("../../../tests/shaders/*.spv")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	return func(yield func(string, []byte) bool) {
		for _, file := range files {
			module, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := jacquard.Compile(t.Context(), module, jacquard.Options{File: file})
			if err == nil && !yield(file, p.Variants[0].Code) {
				return
			}
		}
	}
}

// TestUnrelatedShaders compares unrelated shaders: each line of the result is an instruction of the versions that it names, in
// order, however the versions are aligned.
func TestUnrelatedShaders(t *testing.T) {
	p, _ := isa.PlatformByName(string(jacquard.DefaultTarget))
	var last []byte
	for file, code := range shaders(t) {
		lines, err := Compare(p, &Version{Code: last}, &Version{Code: code})
		if err != nil {
			t.Fatal(err)
		}
		old, new := lengths(lines)
		if a, b := instructions(t, p, last), instructions(t, p, code); old != a || new != b {
			t.Errorf("%s: %d and %d instructions, of %d and %d", file, old, new, a, b)
		}
		at := 0
		alone, err := Compare(p, &Version{}, &Version{Code: code})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if l.Op == Old {
				continue
			}
			if alone[at].Text != l.Text {
				t.Fatalf("%s: instruction %d is %s, want %s", file, at, l.Text, alone[at].Text)
			}
			at++
		}
		last = code
	}
}

// instructions counts the instructions that do more than wait.
func instructions(t *testing.T, p isa.Platform, code []byte) (n int) {
	for at := 0; at < len(code); {
		in, err := isa.Decode(p, code[at:])
		if err != nil {
			t.Fatal(err)
		}
		if !waits(&in) {
			n++
		}
		at += int(in.Size)
	}
	return n
}
