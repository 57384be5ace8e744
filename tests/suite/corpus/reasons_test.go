package corpus

import "testing"

// TestRefusalOf: compute modules that are refused have a class by what the compiler says,
// and reasons that no row has are reported.
func TestRefusalOf(t *testing.T) {
	for _, c := range []struct {
		step     Step
		why      string
		class    string
		hardware bool
	}{
		{Read, "word 7: OpCapability: capability RayQueryKHR is not supported", "ray queries and ray tracing", true},
		{Read, "word 9: OpCapability: capability GroupNonUniformPartitionedNV is not supported", "vendors' subgroup operations", false},
		{Compile, "tgl SIMD8: input: error: fadd at 64 bits: tgl has no arithmetic on 64-bit floats", "64-bit floats", true},
		{Compile, "input: error: more registers are needed at once than the machine has", "", false},
		{Text, "printed twice it differs", "", false},
		{Compile, NotReached, "", false},
	} {
		o := &Outcome{Module: &Module{}, Stage: "compute"}
		o.Why[c.step] = c.why
		r, why := RefusalOf(o)
		refused := (c.step == Read || c.step == Compile) && c.why != NotReached
		if (why != "") != refused {
			t.Errorf("%q: the reason is %q", c.why, why)
		}
		switch {
		case r == nil && c.class != "", r != nil && (r.Name != c.class || r.Hardware != c.hardware):
			t.Errorf("%q: has class %v, want %q", c.why, r, c.class)
		}
	}
}
