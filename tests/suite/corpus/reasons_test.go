package corpus

import "testing"

// TestRefusalOf: modules that are refused have a class by what the compiler says,
// and reasons that no row has are reported.
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
		{"fragment", Compile, "input: error: something else", "", false},
		{"geometry", Read, "word 9: OpDecorate: decoration Stream is not supported", "", false},
	} {
		o := &Outcome{Module: &Module{}, Stage: c.stage}
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
