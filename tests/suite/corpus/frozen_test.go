// SPDX-License-Identifier: MIT

package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/freeze"
	"jacquard.example/tests/support/modules"
)

// frozenFile holds a hash of the code of every compute module that compiles:
//
//	JACQUARD_CORPUS_ALL=1 FROZEN=update go test ./tests/suite/corpus -run TestFrozen
//
// rewrites it (make freeze does).
const frozenFile = "frozen.txt"

const frozenHead = `The compute list of the corpus that compile: hash of the SPIR-V, entry
point, SIMD width, hash of the machine code. For targets other than the default one:
target, hash of the code at all widths that compile. Written by make freeze`

// TestFrozen compares the code of the corpus with the code at the previous commit: for all modules if JACQUARD_CORPUS_ALL
// is set, else for the packages' samples.
func TestFrozen(t *testing.T) {
	all := os.Getenv("JACQUARD_CORPUS_ALL") != ""
	c := compiler(t)
	names := map[string]string{} // names of modules, by the hash of their SPIR-V
	var programs []freeze.Program
	for i := range modules.Packages {
		n, sampled := sampleSize[modules.Packages[i].Name]
		if all {
			n = 0
		} else if !sampled {
			continue
		}
		list, _ := load(t, c, modules.Packages[i].Name, n)
		for m := range list {
			programs = append(programs, frozen(t, &list[m], names)...)
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

// frozen compiles the compute entry points of a module that no other module has, for all targets at every possible width.
func frozen(t *testing.T, m *modules.Module, names map[string]string) (out []freeze.Program) {
	hash := sha256.Sum256(m.SPIRV)
	id := hex.EncodeToString(hash[:6])
	if m.Invalid != "" || names[id] != "" {
		return nil
	}
	names[id] = m.ID()
	for _, e := range modules.Entries(m.SPIRV) {
		if modules.Models[e.Model] != "compute" {
			continue
		}
		name := id + " " + e.Name
		for _, machine := range target.All {
			programs := frozenFor(t, m, freeze.Program{Name: name}, e.Name, machine)
			if machine.Name == string(jacquard.DefaultTarget) {
				out = append(out, programs...)
			} else if len(programs) > 0 {
				all := freeze.Program{Name: name + " on " + machine.Name}
				for _, p := range programs {
					all.Code = append(all.Code, p.Code...)
				}
				out = append(out, all)
			}
		}
	}
	return out
}

// frozenFor compiles an entry point for a target: a program for each possible width.
func frozenFor(t *testing.T, m *modules.Module, program freeze.Program, entry string, machine *target.Target) (out []freeze.Program) {
	for _, simd := range machine.Widths {
		o := jacquard.Options{Target: jacquard.Target(machine.Name), Entry: entry, SIMD: simd, Verify: true}
		p, err := jacquard.Compile(t.Context(), m.SPIRV, o)
		var internal *jacquard.InternalError
		if errors.As(err, &internal) {
			t.Errorf("%s for %s SIMD%d: %v", m.ID(), machine, simd, err)
		}
		if err != nil {
			continue
		}
		program.SIMD, program.Code = simd, p.Variants[0].Code
		out = append(out, program)
	}
	return out
}
