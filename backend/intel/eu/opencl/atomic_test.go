// SPDX-License-Identifier: MIT

package opencl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// compileIR compiles an OpenCL source file that calls intrinsics of the compiler's IR. A call of an intrinsic
// with the OpenCL calling convention is undefined, and the compiler removes it. compileIR therefore changes the
// front end's IR to call them with the default convention.
func (d device) compileIR(t testing.TB, name string, options string) *module {
	t.Helper()
	src, err := filepath.Abs(filepath.Join(sources, name+".cl"))
	if err != nil {
		t.Fatal(err)
	}
	text := d.ocloc(t, src, ".ll", "-llvm_text", "-options", "-cl-std=CL2.0 "+options)
	changed := bytes.ReplaceAll(text, []byte("spir_func i32 @llvm.genx."), []byte("i32 @llvm.genx."))
	if bytes.Equal(changed, text) {
		t.Fatal("the IR calls no intrinsic")
	}
	ir, bitcode := filepath.Join(t.TempDir(), "kernels.ll"), filepath.Join(t.TempDir(), "kernels.bc")
	if err := os.WriteFile(ir, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := oracle.Run(t, "llvm-as-14", nil, ir, "-o", bitcode); err != nil {
		t.Fatal(err)
	}
	return d.read(t, d.ocloc(t, bitcode, ".bin", "-llvm_input"))
}

// TestImageAtomics runs Intel's code for atomic operations on texels on each device at each width, and compares
// the results with a C program that computes the same.
func TestImageAtomics(t *testing.T) {
	const n, rows = 32, 26 // as in atomics.c
	reference := filepath.Join(t.TempDir(), "atomics")
	if _, _, err := oracle.Run(t, "cc", nil, "-std=c11", "-O1", "-o", reference, filepath.Join(sources, "atomics.c")); err != nil {
		t.Fatal(err)
	}
	values := Buffer(contents(picture(t, kind.Dim1D, "R32_UINT", 2*n, 1, 1, 1, 11)))
	image := func() Image {
		m := picture(t, kind.Dim2D, "R32_UINT", n, rows, 1, 1, 12)
		row := m.Levels[0].Data[13*n*4:]
		for i := 0; i < n; i += 3 { // some comparisons succeed
			copy(row[4*i:4*i+4], values[4*(i+(i+1)%2*n):])
		}
		return m
	}
	want, err := oracle.RunProgram(t, reference, append(bytes.Clone(values), contents(image())...))
	if err != nil {
		t.Fatal(err)
	}
	for i, width := range []int{8, 16, 32} {
		t.Run(fmt.Sprintf("SIMD%d", width), func(t *testing.T) {
			onDevice(t, i, func(t *testing.T, d device) {
				m := d.compileIR(t, "atomics", fmt.Sprintf("-DWIDTH=%d", width))
				schedules(t, func(t *testing.T, opts eu.Options) {
					opts.Races = false // the first item at a texel is neither determined nor tested
					k := imageKernel{name: "update", writes: []int{1, 2}, approx: -1}
					args := []Arg{values, image(), make(Buffer, 14*n*4)}
					launchKernel(t, m, k.name, opts, [3]uint32{1, 1, 1}, [3]uint32{n, 1, 1}, args...)
					k.compare(t, args, want)
				})
			})
		})
	}
}
