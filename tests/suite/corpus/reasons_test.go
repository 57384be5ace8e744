// SPDX-License-Identifier: MIT

package corpus

import (
	"encoding/binary"
	"testing"

	"jacquard.example/tests/support/modules"
)

// TestRefusalOf: refused modules are classified by the compiler's error, and errors that no row matches are reported.
func TestRefusalOf(t *testing.T) {
	for _, c := range []struct {
		stage    string
		step     Step
		why      string
		class    string
		hardware bool
	}{
		{"compute", Read, "word 7: OpCapability: capability RayQueryKHR is not supported", "ray queries and ray tracing", true},
		{"compute", Read, "word 9: OpCapability: capability GroupNonUniformPartitionedNV is not supported", "vendors' subgroup operations", false},
		{"compute", Compile, "tgl SIMD8: input: error: fadd at 64 bits: tgl has no arithmetic on 64-bit floats", "64-bit floats", true},
		{"compute", Compile, "input: error: more registers are needed at once than the machine has", "", false},
		{"compute", Text, "printed twice it differs", "", false},
		{"compute", Compile, NotReached, "", false},
		{"fragment", Compile, "input: error: more registers are needed at once than the machine has", "registers", false},
		{"fragment", Read, "word 7: OpCapability: capability RayQueryKHR is not supported", "ray queries and ray tracing", true},
		{"fragment", Compile, "input: error: load_input_vertex at 32 bits: tgl has no instruction for it", "inputs per vertex", true},
		{"fragment", Compile, "input: error: something else", "", false},
		{"geometry", Read, "word 9: OpDecorate: decoration Stream is not supported", "", false},
	} {
		o := &Outcome{Module: &modules.Module{}, Stage: c.stage}
		o.Why[c.step] = c.why
		r, why := RefusalOf(o)
		refused := c.stage != "geometry" && (c.step == Read || c.step == Compile) && c.why != NotReached
		if (why != "") != refused {
			t.Errorf("%q: the reason is %q", c.why, why)
		}
		switch {
		case r == nil && c.class != "", r != nil && (r.Name != c.class || r.Hardware != c.hardware):
			t.Errorf("%s, %q: has class %v, want %q", c.stage, c.why, r, c.class)
		}
	}
}

// TestOfferedModules: a module is offered unless one of its capabilities is not.
func TestOfferedModules(t *testing.T) {
	const opCapability, shader, multisampled, unknown = 2<<16 | 17, 1, 27, 1 << 20
	for _, c := range []struct {
		capabilities []uint32
		want         bool
	}{{[]uint32{shader}, true}, {[]uint32{shader, multisampled}, false}, {[]uint32{unknown}, false}, {nil, true}} {
		words := []uint32{0x07230203, 0x10000, 0, 1, 0}
		for _, x := range c.capabilities {
			words = append(words, opCapability, x)
		}
		m := modules.Module{}
		for _, w := range words {
			m.SPIRV = binary.LittleEndian.AppendUint32(m.SPIRV, w)
		}
		if got := offered(&m); got != c.want {
			t.Errorf("capabilities %v: %v, want %v", c.capabilities, got, c.want)
		}
	}
}
