// SPDX-License-Identifier: MIT

package memory_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// zeros returns a shader with group invocations that copies n words of workgroup memory to a buffer. The words are
// zero-initialized, and are between memory that is not.
func zeros(group, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `shader compute "main"
workgroup_size %d 1 1
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "out" ssbo S1
var @2 "before" shared u32
var @3 "z" shared [%d x u32, 0] zero
var @4 "behind" shared u32
fn 1 "main"() entry {
  b0:
    %%0 = deref_var.32 modes=ssbo type=S1 var=@1
    %%1 = deref_struct.32 %%0 modes=ssbo type=[0 x u32, 4]
    %%2 = deref_var.32 modes=shared type=[%[2]d x u32, 0] var=@3
    %%3 = load_const.32 value=(0x7)
    %%4 = deref_var.32 modes=shared type=u32 var=@2
    store_deref.x1 %%4, %%3 write_mask=1
    %%5 = deref_var.32 modes=shared type=u32 var=@4
    store_deref.x1 %%5, %%3 write_mask=1
`, group, n)
	for i := range n {
		at := 10 + 4*i
		fmt.Fprintf(&b, `    %%%d = load_const.32 value=(%#x)
    %%%d = deref_array.32 %%2, %%%d modes=shared type=u32
    %%%d = load_deref.32 %%%d
    %%%d = deref_array.32 %%1, %%%d modes=ssbo type=u32
    store_deref.x1 %%%d, %%%d write_mask=1
`, at, i, at+1, at, at+2, at+1, at+3, at, at+3, at+2)
	}
	return b.String() + "}\n"
}

// TestZeroShared: all zero-initialized memory is stored to before it is read.
func TestZeroShared(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 15, 16, 17, 33, 100, 161, 250} {
		for _, group := range []int{1, 2, 3, 7, 16, 17, 100} {
			for _, width := range []int{8, 16} {
				s := passtest.Parse(t, zeros(group, n))
				passes := pass.Pipeline{pipeline.Known.Find("explicit_io"), pipeline.Known.Find("zero_shared")}
				if err := pass.New(s).Run(passes, nil); err != nil {
					t.Fatal(err)
				}
				if err := validate.Shader(s); err != nil {
					t.Fatalf("%v\n%s", err, text.Print(s))
				}
				for seed := range 2 {
					call := &interp.Call{Groups: [3]uint32{2, 1, 1}, Width: width, Seed: uint64(seed), Backwards: seed > 0, Buffers: []interp.Buffer{{Data: make([]byte, 4*n)}}}
					if _, err := interp.Run(context.Background(), s, call); err != nil {
						t.Fatalf("%d words, %d invocations: %v", n, group, err)
					}
					for i := range n {
						if x := binary.LittleEndian.Uint32(call.Buffers[0].Data[4*i:]); x != 0 {
							t.Fatalf("%d words, %d invocations in subgroups of %d: word %d is %#x", n, group, width, i, x)
						}
					}
				}
				if strings.Contains(string(text.Print(s)), " zero") {
					t.Fatalf("the variable still starts as zero")
				}
			}
		}
	}
}
