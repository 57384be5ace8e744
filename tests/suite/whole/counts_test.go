// SPDX-License-Identifier: MIT

package whole

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/freeze"
	"jacquard.example/tests/support/spv"
)

// countsFile holds statistics and a hash of the shaders' compiled code. A change
// that affects them rewrites the file, and the commit shows the effect and the
// reason:
//
//	go test ./tests/suite/whole -run TestCounts -update
//	go test ./tests/bench -run TestReadme -args -update    # the same figures in README.md
var countsFile = filepath.Join("testdata", "counts.txt")

const countsHead = `Compiled shaders: name, SIMD width, instructions (without NOP and
sync.nop), sends (without spills and fills), spills, fills, hash of the code. For targets
other than the default one: name, target, sum of the instructions of all widths that
compile, hash of their code. Written by
go test ./tests/suite/whole -run TestCounts -update`

// peerCounts are the instructions that Mesa 25.0.7 emits for the same shaders
// at SIMD16 (driver anv, device tgl).
var peerCounts = map[string]int{"saxpy": 20, "matmul": 154, "nbody": 100, "bitonic": 66}

// TestCounts compares the code of all shaders at all widths with the committed
// figures and hashes.
func TestCounts(t *testing.T) {
	modules := map[string][]uint32{}
	for _, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		modules[s.Name] = words
	}
	fetched := addGioui(t, modules)

	var names []string
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	var programs []freeze.Program
	for _, name := range names {
		for _, simd := range widths {
			frozen := freeze.Program{Name: name, SIMD: simd}
			p, err := jacquard.Compile(t.Context(), spv.Bytes(modules[name]), jacquard.Options{SIMD: simd})
			if err == nil {
				s := &p.Variants[0].Stats
				frozen.Figures = fmt.Sprintf("%d %d %d %d", s.Instructions, s.Sends, s.Spills, s.Fills)
				frozen.Code = p.Variants[0].Code
				if peer, ok := peerCounts[name]; ok && simd == 16 && s.Instructions > 2*peer {
					t.Errorf("%s: %d instructions, more than twice Mesa's %d", name, s.Instructions, peer)
				}
			}
			programs = append(programs, frozen)
		}
		for _, target := range jacquard.TargetsOf(jacquard.Compute) {
			if target != jacquard.DefaultTarget {
				programs = append(programs, onTarget(t, name, string(target), modules[name]))
			}
		}
	}
	if *update {
		if !fetched {
			t.Fatal("the file can be written only where gioui's shaders can be fetched")
		}
		if err := freeze.Write(countsFile, countsHead, programs); err != nil {
			t.Fatal(err)
		}
		return
	}
	changes, err := freeze.Changes(countsFile, programs, func(key string) bool {
		return !fetched && strings.HasPrefix(key, giouiPrefix)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		t.Error(change)
	}
	if t.Failed() {
		t.Log("if that is meant: go test ./tests/suite/whole -run TestCounts -update")
	}
}

// onTarget returns the line of a shader for a target other than the default one.
func onTarget(t *testing.T, name, target string, module []uint32) freeze.Program {
	frozen := freeze.Program{Name: name + " on " + target}
	sum := 0
	for _, simd := range widths {
		p, err := jacquard.Compile(t.Context(), spv.Bytes(module), jacquard.Options{Target: jacquard.Target(target), SIMD: simd})
		if err != nil {
			continue
		}
		sum += p.Variants[0].Stats.Instructions
		frozen.Code = append(frozen.Code, p.Variants[0].Code...)
	}
	frozen.Figures = fmt.Sprint(sum)
	return frozen
}

var update = flag.Bool("update", false, "write testdata anew")

const giouiPrefix = "gioui/"

// addGioui adds the shaders of the renderer that use no images, where they can
// be fetched.
func addGioui(t *testing.T, modules map[string][]uint32) bool {
	dir, err := renderer.Fetch()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Logf("without gioui's shaders: %v", err)
		return false
	}
	files, err := renderer.Modules(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range files {
		words, err := renderer.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		modules[giouiPrefix+name] = words
	}
	return true
}
