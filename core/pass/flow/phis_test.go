// SPDX-License-Identifier: MIT

package flow_test

import (
	"context"
	"encoding/binary"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
)

// sums is a shader in which invocations below 5 return early; the others add up numbers in a loop with two phis that
// read each other.
const sums = `shader compute "main"
workgroup_size 8 1 1
struct S1 "B" block {
  [0 x u32, 4] "o" offset=0
}
var @1 "" ssbo S1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x5) // 5
    %2 = ult.1 %0, %1
    %3 = load_const.32 value=(0x1) // 1
    %4 = deref_var.32 modes=ssbo type=S1 var=@1 // &@1
    %5 = deref_struct.32 %4 modes=ssbo type=[0 x u32, 4] // &@1.o
    %6 = deref_array.32 %5, %0 modes=ssbo type=u32 // &@1.o[%0]
    store_deref.x1 %6, %1 write_mask=1
  if %2 {
    b1:
      jump_return
  } else {
    b2:
  }
  b3:
  loop {
    b4:
      %7 = phi.32 b3: %0, b7: %8
      %8 = phi.32 b3: %1, b7: %9
      %9 = iadd.32 %7, %8
      %10 = load_const.32 value=(0x64) // 100
      %11 = ult.1 %10, %9
    if %11 {
      b5:
        jump_break
    } else {
      b6:
    }
    b7:
  }
  b8:
    %12 = imul.32 %7, %9
    store_deref.x1 %6, %12 write_mask=1
}
`

// TestDemotedPhisKeepValues: the variables that replace phis get the value of each edge, and phis that read each other
// read the old values.
func TestDemotedPhisKeepValues(t *testing.T) {
	s := passtest.Parse(t, sums)
	flow.LowerReturns(pass.New(s))
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, MaxSteps: 10000, Buffers: []interp.Buffer{{Data: make([]byte, 32)}}}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatal(err)
	}
	for i := range uint32(8) {
		want := uint32(5)
		if i >= 5 {
			x, y := i, uint32(5)
			for x+y <= 100 {
				x, y = y, x+y
			}
			want = x * (x + y)
		}
		if got := binary.LittleEndian.Uint32(call.Buffers[0].Data[4*i:]); got != want {
			t.Errorf("invocation %d: %d, want %d", i, got, want)
		}
	}
}
