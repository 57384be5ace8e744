// SPDX-License-Identifier: MIT

package accesses_test

import (
	"bytes"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/accesses"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// aligned holds, for some cases, the words in the uniform buffer for which the alignment claimed by the accesses is
// true.
var aligned = map[string][]byte{
	"an_unknown_offset_that_is_aligned": {0, 0x10, 0xf0},
	"a_vector_past_an_alignment":        {0xc, 0xfc},
}

// TestCasesKeepMemory runs the filetests of passes over memory accesses before and after the pass, with buffers of
// several sizes, and compares the memory. Passes that assume that buffers are as long as their blocks get such buffers.
func TestCasesKeepMemory(t *testing.T) {
	any := []int{0, 8, 12, 44, 256}
	for _, p := range []struct {
		name   string
		run    func(*pass.Context) bool
		robust bool
		sizes  []int
	}{
		{"merge_accesses", accesses.MergeAccesses, true, any},
		{"merge_accesses", accesses.MergeAccesses, false, any},
		{"forward_accesses", accesses.ForwardAccesses, false, []int{256}},
		{"forward_accesses", accesses.ForwardAccesses, true, any},
		{"dead_stores", accesses.DeadStores, false, any},
	} {
		for _, x := range passtest.Cases(t, p.name) {
			s := passtest.Parse(t, x.Text)
			c := pass.New(s)
			c.Options.Robust = p.robust
			for p.run(c) {
			}
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%s/%s: %v\n%s", p.name, x.Name, err, text.Print(s))
			}
			numbers := aligned[x.Name]
			if numbers == nil {
				numbers = []byte{0, 8, 0xfc}
			}
			for _, size := range p.sizes {
				for _, number := range numbers {
					if p.name == "merge_accesses" && !p.robust && number >= 0x80 {
						continue // offsets that wrap
					}
					if a, b := runMerged(t, passtest.Parse(t, x.Text), size, number), runMerged(t, s, size, number); !bytes.Equal(a, b) {
						t.Errorf("%s/%s: buffers of %d bytes: contents\n%x, without the pass\n%x\n%s", p.name, x.Name, size, b, a,
							text.Print(s))
					}
				}
			}
		}
	}
}
