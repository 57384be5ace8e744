// SPDX-License-Identifier: MIT

package bench

import (
	"slices"
	"testing"

	"jacquard.example/tests/shaders"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/spv"
)

// simd is the width at which everything is measured.
const simd = 16

// shader is one of the modules that are compiled.
type shader struct {
	name   string
	module []byte
	insts  int // SPIR-V instructions inside of function bodies
}

// samples are the programs of tests/shaders that are measured.
var samples = []string{"saxpy", "matmul", "nbody", "bitonic"}

func newShader(name string, words []uint32) shader {
	return shader{name, spv.Bytes(words), spv.BodyInsts(words)}
}

func sampleShaders(tb testing.TB) []shader {
	tb.Helper()
	var all []shader
	for _, name := range samples {
		words, err := shaders.Module(name)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, newShader(name, words))
	}
	return all
}

// allShaders returns the samples and, where the go command can fetch them, the
// image-free shaders of the renderer.
func allShaders(tb testing.TB) []shader {
	tb.Helper()
	all := sampleShaders(tb)
	dir, err := renderer.Fetch()
	if err != nil {
		tb.Logf("without the renderer's shaders: %v", err)
		return all
	}
	modules, err := renderer.Modules(dir)
	if err != nil {
		tb.Fatal(err)
	}
	var names []string
	for name := range modules {
		if name != "kernel4" { // draws into storage images
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		words, err := renderer.Load(modules[name])
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, newShader(name, words))
	}
	return all
}
