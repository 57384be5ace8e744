// SPDX-License-Identifier: MIT

package opencl

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/generated/abi"
	"jacquard.example/generated/target"
)

// xe2 returns a target like lnl that runs OpenCL kernels and has 64-bit types.
func xe2() *target.Target {
	m := *target.LNL
	m.ABI = abi.ZebinGen125
	m.Has |= target.Int64 | target.Float64
	return &m
}

// compiledXe2 returns a module that ocloc 26.27 (IGC 2.40.14), which Debian 12 does not have, made from a file in tests/cl:
//
//	ocloc compile --format zebin -device bmg-g21 -file NAME.cl -output NAME -options "-cl-std=CL2.0 -Xfinalizer -nocompaction"
func compiledXe2(t *testing.T, name string) *module {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "bmg", name+"_bmg.bin"))
	if err != nil {
		t.Fatal(err)
	}
	return device{"bmg-g21", Machine{xe2(), abi.ZebinGen125}}.read(t, data)
}

// TestXe2 runs code of Intel's compiler for Xe2.
func TestXe2(t *testing.T) {
	t.Run("saxpy", func(t *testing.T) { runSaxpy(t, compiledXe2(t, "saxpy")) })
	t.Run("matmul", func(t *testing.T) { runMatmul(t, compiledXe2(t, "matmul")) })
	t.Run("bitonic", func(t *testing.T) { runBitonic(t, compiledXe2(t, "bitonic")) })
	t.Run("features", func(t *testing.T) { testFeatures(t, compiledXe2(t, "features")) })
}
