// SPDX-License-Identifier: MIT

package spirv_test

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
	"jacquard.example/tests/support/spv"
)

// BenchmarkRead reads all test shaders into one reused shader; ns/instr and
// allocs are per instruction in function bodies.
func BenchmarkRead(b *testing.B) {
	files, err := filepath.Glob("../../tests/shaders/*.spv")
	if err != nil || len(files) == 0 {
		b.Fatal("no shaders", err)
	}
	var modules [][]byte
	instrs, bytes := 0, 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		modules = append(modules, data)
		bytes += len(data)
		words, err := spv.Words(data)
		if err != nil {
			b.Fatal(err)
		}
		inside := false
		for in := range spv.Insts(words) {
			inside = inside && in.Op != spirvtab.OpFunctionEnd || in.Op == spirvtab.OpFunction
			if inside {
				instrs++
			}
		}
	}
	s := ir.New()
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range modules {
			if _, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute, Into: s}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(instrs), "ns/instr")
	b.ReportMetric(float64(instrs), "instrs")
}
