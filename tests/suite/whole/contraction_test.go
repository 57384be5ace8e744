// SPDX-License-Identifier: MIT

package whole

import (
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// SPIR-V numbers (specification 3.49 and 3.20).
const (
	opDecorate    = 71
	opFAdd        = 129
	opFMul        = 133
	noContraction = 42
)

// TestContraction: a·x+y is one mad, unless the module is decorated with NoContraction.
func TestContraction(t *testing.T) {
	words, err := shaders.Module("saxpy")
	if err != nil {
		t.Fatal(err)
	}
	count := func(words []uint32) (mads, muls int) {
		p, err := jacquard.Compile(t.Context(), spv.Bytes(words), jacquard.Options{SIMD: 16})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := isatext.Disassemble(isa.TGL, p.Variants[0].Code, &text); err != nil {
			t.Fatal(err)
		}
		return strings.Count(text.String(), "mad ("), strings.Count(text.String(), "mul (")
	}
	if mads, muls := count(words); mads != 1 || muls != 0 {
		t.Errorf("%d mad and %d mul, want 1 and 0", mads, muls)
	}
	if mads, muls := count(decorated(words)); mads != 0 || muls != 1 {
		t.Errorf("with NoContraction %d mad and %d mul, want 0 and 1", mads, muls)
	}
}

// decorated returns the module with NoContraction on every float product and
// sum.
func decorated(words []uint32) []uint32 {
	var extra []uint32
	for in := range spv.Insts(words) {
		if in.Op == opFAdd || in.Op == opFMul {
			extra = append(extra, 3<<16|opDecorate, in.Operands[1], noContraction)
		}
	}
	var out []uint32
	done := false
	at := 5
	out = append(out, words[:5]...)
	for in := range spv.Insts(words) {
		n := len(in.Operands) + 1
		if in.Op == opDecorate && !done {
			out, done = append(out, extra...), true
		}
		out = append(out, words[at:at+n]...)
		at += n
	}
	return out
}
