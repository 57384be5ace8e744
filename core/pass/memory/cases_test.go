package memory_test

import (
	"bytes"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
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
		{"merge_accesses", memory.MergeAccesses, false, any},
		{"forward_accesses", memory.ForwardAccesses, false, []int{256}},
		{"forward_accesses", memory.ForwardAccesses, true, any},
		{"dead_stores", memory.DeadStores, false, any},
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
					if a, b := runMerged(t, passtest.Parse(t, x.Text), size, number), runMerged(t, s, size, number); !bytes.Equal(a, b) {
						t.Errorf("%s/%s: buffers of %d bytes: contents\n%x, without the pass\n%x\n%s", p.name, x.Name, size, b, a, text.Print(s))
					}
				}
			}
		}
	}
}

// TestIndexed runs the cases of explicit_io with an index that may wrap around, and compares the accessed memory.
func TestIndexed(t *testing.T) {
	n := 0
	for _, x := range passtest.Cases(t, "explicit_io") {
		if !strings.Contains(x.Text, `struct S4 "Parts"`) {
			continue
		}
		n++
		s := passtest.Parse(t, x.Text)
		memory.ExplicitIO(pass.New(s))
		for _, index := range []uint32{0, 1, 3, 4, 9, 0xFFFFFFFC, 0xFFFFFFFF} {
			if a, b := runIndexed(t, passtest.Parse(t, x.Text), index), runIndexed(t, s, index); !bytes.Equal(a, b) {
				t.Errorf("%s: index %#x: contents\n%x, before the pass\n%x", x.Name, index, b, a)
			}
		}
	}
	if n < 7 {
		t.Errorf("%d cases", n)
	}
}

// TestI10NonUniformAccess runs the cases of lower_non_uniform: each access uses one descriptor at a time, and the same
// descriptor as before the pass. Accesses that are not marked nonuniform do not change.
func TestI10NonUniformAccess(t *testing.T) {
	unmarked := strings.NewReplacer(" access=non_uniform", "", "|non_uniform", "", " flags=non_uniform", "")
	varied := 0
	for _, x := range passtest.Cases(t, "lower_non_uniform") {
		if strings.Contains(x.Text, "shader fragment") {
			continue
		}
		before, s := passtest.Parse(t, x.Text), passtest.Parse(t, x.Text)
		if divergentDescriptors(s) > 0 {
			varied++
		}
		memory.LowerNonUniform(pass.New(s))
		if n := divergentDescriptors(s); n != 0 {
			t.Errorf("%s: %d descriptors differ\n%s", x.Name, n, text.Print(s))
		}
		if a, b := memoryOf(t, before), memoryOf(t, s); a != b {
			t.Errorf("%s: leaves\n%s\nwithout the pass\n%s\n%s", x.Name, b, a, text.Print(s))
		}
		plain := passtest.Parse(t, unmarked.Replace(x.Text))
		if memory.LowerNonUniform(pass.New(plain)) {
			t.Errorf("%s: without marks it becomes\n%s", x.Name, text.Print(plain))
		}
	}
	if varied < 12 {
		t.Errorf("%d cases vary", varied)
	}
}
