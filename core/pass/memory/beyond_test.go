package memory_test

import (
	"fmt"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/text"
	"jacquard.example/generated/intrinsic"
)

// TestDescriptorBeyond: a constant index beyond an array of descriptors, which is
// undefined if it is executed, leads to an entry of the array and to no other: an
// entry's number is a field of a message.
func TestDescriptorBeyond(t *testing.T) {
	for _, c := range []struct {
		index uint32
		entry uint64
	}{{0, 1}, {2, 3}, {3, 1}, {300, 1}, {1 << 31, 1}, {^uint32(0), 1}} {
		s := passtest.Parse(t, fmt.Sprintf(`shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  u32 "x" offset=0
}
var @1 "one" ssbo S1
var @2 "three" ssbo [3 x S1, 0] binding=1
var @3 "last" ssbo S1 binding=2
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(%#x)
    %%1 = deref_var.32 modes=ssbo type=[3 x S1, 0] var=@2
    %%2 = deref_array.32 %%1, %%0 modes=ssbo type=S1
    %%3 = deref_struct.32 %%2 modes=ssbo type=u32
    store_deref.x1 %%3, %%0 write_mask=1
}
`, c.index))
		if err := pass.New(s).Run([]pass.Pass{{Name: "explicit_io", Run: memory.ExplicitIO}, {Name: "constant_fold", Run: values.ConstantFold}}, nil); err != nil {
			t.Fatal(err)
		}
		found := false
		for b := range s.Blocks(s.Entry()) {
			for v := range s.Instrs(b) {
				if s.At(v).Intrinsic() == intrinsic.StoreSSBO {
					entry, known := s.ConstSrc(v, 1)
					if found = true; !known || entry != c.entry {
						t.Errorf("index %d: entry %d, want %d", c.index, entry, c.entry)
					}
				}
			}
		}
		if !found {
			t.Errorf("no store in\n%s", text.Print(s))
		}
	}
}
