// SPDX-License-Identifier: MIT

package isa

import (
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
)

// TestPeersCodeIsLegal: the code of Intel's own compiler breaks no restriction, so the restrictions are not stricter
// than the machine.
func TestPeersCodeIsLegal(t *testing.T) {
	forKernels(t, func(t *testing.T, p isa.Platform, code []byte) {
		for _, v := range legal.Check(p, code) {
			in, err := isa.Decode(p, code[v.Offset:])
			t.Errorf("%v\n%s (%v)", v, isatext.Append(nil, p, &in, v.Offset), err)
		}
	})
}

// TestPeersFloatsAreAligned: Intel's own compiler keeps floats at their places in registers for Alchemist, as the
// restriction says.
func TestPeersFloatsAreAligned(t *testing.T) {
	for _, name := range []string{"half", "convert", "bytes", "vec"} {
		code := compileOpenCL(t, "dg2", kernels[name])
		for _, v := range legal.Check(isa.DG2, code) {
			if v.Rule == "decodable" { // padding after the end
				continue
			}
			in, err := isa.Decode(isa.DG2, code[v.Offset:])
			t.Errorf("%s: %v\n%s (%v)", name, v, isatext.Append(nil, isa.DG2, &in, v.Offset), err)
		}
	}
}
