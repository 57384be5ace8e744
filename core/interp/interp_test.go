// SPDX-License-Identifier: MIT

package interp_test

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/text"
)

// The loop adds up 0 … lane, leaving at different times.
const divergent = `shader compute "main"
workgroup_size 8 1 1
binding 0 0 ssbo count=1 index=0 access=none
fn 1 "main"() entry {
  b0:
    %0 = load_subgroup_invocation.32
    %1 = load_const.32 value=(0x0)
    %2 = load_const.32 value=(0x1)
    %3 = load_const.32 value=(0x4)
  loop {
    b1:
      %4 = phi.32 b0: %1, b4: %5
      %6 = phi.32 b0: %1, b4: %7
      %7 = iadd.32 %6, %4
      %5 = iadd.32 %4, %2
      %8 = ult.1 %0, %5
    if %8 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
    %9 = imul.32 %0, %3
    store_ssbo.x1 %7, %1, %9 write_mask=1
}
`

func TestDivergentLoop(t *testing.T) {
	s, err := text.Parse([]byte(divergent))
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 32)
	st, err := interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Buffers: []interp.Buffer{{Data: data}}})
	if err != nil {
		t.Fatal(err)
	}
	for l := range 8 {
		if got, want := binary.LittleEndian.Uint32(data[4*l:]), uint32(l*(l+1)/2); got != want {
			t.Errorf("lane %d: %d, want %d", l, got, want)
		}
	}
	if st.Steps == 0 || st.Lanes <= st.Steps {
		t.Errorf("counted %+v", st)
	}
}

func TestStepLimit(t *testing.T) {
	s, err := text.Parse([]byte("shader compute \"main\"\nworkgroup_size 1 1 1\nfn 1 \"main\"() entry {\nb0:\nloop {\nb1:\n}\nb2:\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, MaxSteps: 1000})
	if err == nil || !strings.Contains(err.Error(), "step limit was reached") {
		t.Fatalf("an endless loop ended with %v", err)
	}
}
