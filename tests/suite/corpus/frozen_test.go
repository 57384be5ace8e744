package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/support/freeze"
)

// frozenFile holds a hash of the code of every compute module that compiles:
//
//	JACQUARD_CORPUS_ALL=1 FROZEN=update go test ./tests/suite/corpus -run TestFrozen
//
// writes it anew (make freeze does).
const frozenFile = "frozen.txt"

const frozenHead = `The compute modules of the corpus that compile: hash of the SPIR-V, entry
point, SIMD width, hash of the machine code. Written by make freeze`

// TestFrozen compares the code of the corpus with that of the commit before: all
// of it where JACQUARD_CORPUS_ALL is set, else the packages' samples.
func TestFrozen(t *testing.T) {
	all := os.Getenv("JACQUARD_CORPUS_ALL") != ""
	c := compiler(t)
	names := map[string]string{} // of modules, by the hash of their SPIR-V
	var programs []freeze.Program
	for i := range Packages {
		n, sampled := sampleSize[Packages[i].Name]
		if all {
			n = 0
		} else if !sampled {
			continue
		}
		modules, _ := load(t, c, Packages[i].Name, n)
		for m := range modules {
			programs = append(programs, frozen(t, &modules[m], names)...)
		}
	}
	if os.Getenv("FROZEN") == "update" {
		if !all {
			t.Fatal("the file is written from the whole corpus only: set JACQUARD_CORPUS_ALL")
		}
		if err := freeze.Write(frozenFile, frozenHead, programs); err != nil {
			t.Fatal(err)
		}
		return
	}
	changes, err := freeze.Changes(frozenFile, programs, func(string) bool { return !all })
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		id, _, _ := strings.Cut(change, " ")
		t.Errorf("%s: %s", names[id], change)
	}
	if len(programs) < 60 {
		t.Errorf("only %d programs compiled", len(programs))
	}
	if t.Failed() {
		t.Log("if that is meant: make freeze")
	}
}

// frozen compiles the compute entry points of a module that no other module has
// brought, at every width that is possible.
func frozen(t *testing.T, m *Module, names map[string]string) (out []freeze.Program) {
	hash := sha256.Sum256(m.SPIRV)
	id := hex.EncodeToString(hash[:6])
	if m.Invalid != "" || names[id] != "" {
		return nil
	}
	names[id] = m.ID()
	for _, e := range entries(m.SPIRV) {
		if models[e.model] != "compute" {
			continue
		}
		for _, simd := range []int{8, 16, 32} {
			p, err := jacquard.Compile(t.Context(), m.SPIRV, jacquard.Options{Entry: e.name, SIMD: simd, Verify: true})
			var internal *jacquard.InternalError
			if errors.As(err, &internal) {
				t.Errorf("%s, SIMD%d: %v", m.ID(), simd, err)
			}
			if err != nil {
				continue
			}
			out = append(out, freeze.Program{Name: fmt.Sprintf("%s %s", id, e.name), SIMD: simd, Code: p.Variants[0].Code})
		}
	}
	return out
}
