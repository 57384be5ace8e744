// SPDX-License-Identifier: MIT

package intel_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestFloatAtomics checks that selection accepts the float atomics for which the machines have messages, and
// that a float sum that no pass has lowered is an error where they have none.
func TestFloatAtomics(t *testing.T) {
	for o, ok := range map[kind.AtomicOp]bool{kind.AtomicFmin: true, kind.AtomicFmax: true, kind.AtomicFadd: false} {
		for _, machine := range target.All {
			s, b := newShader(16)
			b.SSBOAtomic(32, b.Imm(0), b.IShl(globalID(b, 16), b.Imm(2)), b.Imm(0x3f800000), 0, o)
			_, err := intel.Compile(s, intel.Options{Target: machine, SIMD: 16, Buffers: 1})
			ok := ok || machine == target.DG2 || machine == target.LNL // the load/store unit adds
			switch {
			case ok && err != nil:
				t.Errorf("%s on %s: %v", o, machine, err)
			case !ok && (err == nil || !strings.Contains(err.Error(), machine.Name+" has no message for it")):
				t.Errorf("%s on %s gives %v", o, machine, err)
			}
		}
	}
}
