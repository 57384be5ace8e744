package flow_test

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
)

// joins are bodies in which the block named b9 is what a phi names: as the end of
// an arm, before and in a loop, with a continue and a break.
var joins = []struct{ name, body string }{
	{"the end of an arm", `if %2 {
b9:
	$
} else {
b2:
}
b3:
%20 = phi.32 b9: %0, b2: %1
`},
	{"before a loop", `if %2 {
b9:
	$
loop {
b4:
%20 = phi.32 b9: %0, b5: %20
if %2 {
b6:
jump_break
} else {
b7:
}
b5:
}
b8:
} else {
b2:
}
b3:
`},
	{"the end of a loop", `loop {
b1:
%20 = phi.32 b0: %0, b9: %1
if %2 {
b6:
jump_break
} else {
b7:
}
b9:
	$
}
b3:
`},
	{"a continue and a break", `loop {
b1:
%20 = phi.32 b0: %0, b9: %1, b8: %0
if %2 {
b9:
	$
jump_continue
} else {
b7:
jump_break
}
b8:
}
b3:
`},
}

const joinsHead = `shader compute "main"
workgroup_size 8 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x5)
    %2 = ult.1 %0, %1
    %3 = load_const.32 value=(0x1)
`

// TestInlinedCallsKeepPhis: the phis behind a block with calls name the block in
// which the last of the inlined bodies ends.
func TestInlinedCallsKeepPhis(t *testing.T) {
	const callee = `fn 2 "f"(32x1) {
  b20:
    %30 = load_param.32
    %31 = load_const.32 value=(0x5)
    %32 = ult.1 %30, %31
    if %32 {
    b21:
    } else {
    b22:
    }
    b23:
    %33 = phi.32 b21: %30, b22: %31
}
`
	for _, c := range joins {
		for _, calls := range []string{"call %0 callee=fn2\n", "%12 = iadd.32 %0, %3\ncall %0 callee=fn2\ncall %12 callee=fn2\n%13 = iadd.32 %12, %12\n"} {
			got := passtest.Run(t, flow.InlineFunctions, joinsHead+strings.Replace(c.body, "$", calls, 1)+"}\n"+callee)
			if strings.Contains(got, "call") {
				t.Errorf("%s: a call is left in\n%s", c.name, got)
			}
		}
	}
}

// TestReturnsKeepPhis: returns are lowered in functions that have phis, too.
func TestReturnsKeepPhis(t *testing.T) {
	const early = `if %2 {
b30:
jump_return
} else {
b31:
}
b32:
`
	for _, c := range joins {
		got := passtest.Run(t, flow.LowerReturns,
			joinsHead+early+strings.ReplaceAll(strings.Replace(c.body, "$", "", 1), "b0:", "b32:")+"}\n")
		if strings.Contains(got, "return\n") {
			t.Errorf("%s: a return is left in\n%s", c.name, got)
		}
	}
}

// sums is a shader of which invocations below 5 return early; the others add up
// in a loop with two phis that read each other.
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

// TestDemotedPhisKeepValues: the variables that stand for phis get what every
// edge brings, and read each other's old values.
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
