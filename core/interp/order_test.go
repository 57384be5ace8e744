// SPDX-License-Identifier: MIT

package interp_test

import (
	"context"
	"encoding/binary"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/text"
)

// Every invocation writes its index to one address and takes the next ticket from another.
const racing = `shader compute "main"
workgroup_size 8 1 1
struct S1 "O" block {
  u32 "last" offset=0
  u32 "next" offset=4
  [0 x u32, 4] "ticket" offset=8
}
var @1 "o" ssbo S1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x1)
    %2 = deref_var.32 modes=ssbo type=S1 var=@1
    %3 = deref_struct.32 %2 modes=ssbo type=u32 member=0
    store_deref.x1 %3, %0 write_mask=1
    %4 = deref_struct.32 %2 modes=ssbo type=u32 member=1
    %5 = deref_atomic.32 %4, %1 atomic_op=iadd
    %6 = deref_struct.32 %2 modes=ssbo type=[0 x u32, 4] member=2
    %7 = deref_array.32 %6, %0 modes=ssbo type=u32
    store_deref.x1 %7, %5 write_mask=1
}
`

// TestReversedOrder: the order of the subgroups, and of the invocations in each, is reversed.
func TestReversedOrder(t *testing.T) {
	s, err := text.Parse([]byte(racing))
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1, 4, 8} {
		for _, backwards := range []bool{false, true} {
			data := make([]byte, 40)
			call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: width, Backwards: backwards, Buffers: []interp.Buffer{{Data: data}}}
			if _, err := interp.Run(context.Background(), s, call); err != nil {
				t.Fatal(err)
			}
			word := func(i int) uint32 { return binary.LittleEndian.Uint32(data[4*i:]) }
			last, first := uint32(7), uint32(0) // invocations
			if backwards {
				last, first = first, last
			}
			if word(0) != last || word(1) != 8 || word(2+int(first)) != 0 || word(2+int(last)) != 7 {
				t.Errorf("width %d, backwards %v: %d was last, the tickets are %v", width, backwards, word(0), data[8:])
			}
		}
	}
}

// TestOneWorkgroup: workgroups other than Call.Only have no effect.
func TestOneWorkgroup(t *testing.T) {
	s, err := text.Parse([]byte(divergent))
	if err != nil {
		t.Fatal(err)
	}
	for only, want := range map[[3]uint32]uint32{{1, 0, 0}: 3, {0, 1, 0}: 0} {
		data := make([]byte, 32)
		call := &interp.Call{Groups: [3]uint32{2, 1, 1}, Width: 8, Only: &only, Buffers: []interp.Buffer{{Data: data}}}
		if _, err := interp.Run(context.Background(), s, call); err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(data[8:]); got != want {
			t.Errorf("workgroup %v alone: %d, want %d", only, got, want)
		}
	}
}
