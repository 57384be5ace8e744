// SPDX-License-Identifier: MIT

package interp_test

import (
	"bytes"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/text"
)

// TestFreshVars: a function's variables are undefined at each call; values stored by an earlier call are gone.
func TestFreshVars(t *testing.T) {
	const src = `shader compute "main"
workgroup_size 2 1 1
struct S1 "O" block {
  [4 x u32, 4] "a" offset=0
}
var @1 "out" ssbo S1
var @2 "v" function_temp u32 fn=2
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x0)
    %13 = deref_var.32 modes=ssbo type=S1 var=@1
    %3 = deref_struct.32 %13 modes=ssbo type=[4 x u32, 4]
    %4 = deref_array.32 %3, %0 modes=ssbo type=u32
    call %1, %4 callee=fn2
    call %2, %4 callee=fn2
}
fn 2 "keep"(32, 32) {
  b1:
    %5 = load_param.32 param=0
    %6 = load_param.32 param=1
    %7 = load_const.32 value=(0x0)
    %8 = load_const.32 value=(0x7)
    %9 = deref_var.32 modes=function_temp type=u32 var=@2
    %10 = ine.1 %5, %7
  if %10 {
    b2:
      store_deref.x1 %9, %8 write_mask=1
  } else {
    b3:
  }
  b4:
    %11 = load_deref.32 %9
    %12 = deref_cast.32 %6 modes=ssbo type=u32
    store_deref.x1 %12, %11 write_mask=1
}
`
	s, err := text.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var got [2][]byte
	for seed := range got {
		got[seed] = make([]byte, 16)
		_, err := interp.Run(t.Context(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Seed: uint64(seed), Buffers: []interp.Buffer{{Data: got[seed]}}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if bytes.Equal(got[0], got[1]) {
		t.Errorf("the second call reads %v, whatever undefined memory holds", got[0])
	}
}

// TestUndefinedBools: an uninitialized bool may be true or false.
func TestUndefinedBools(t *testing.T) {
	const src = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "x" ssbo S1 set=0 binding=0
var @2 "undefined" function_temp bool fn=1
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = deref_var.32 modes=ssbo type=S1 var=@1
    %2 = deref_struct.32 %1 modes=ssbo type=[0 x u32, 4]
    %3 = deref_array.32 %2, %0 modes=ssbo type=u32
    %4 = deref_var.32 modes=function_temp type=bool var=@2
    %5 = load_deref.1 %4
    %6 = b2i32.32 %5
    store_deref.x1 %3, %6 write_mask=1
}
`
	s, err := text.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[byte]bool{}
	for seed := range uint64(32) {
		data := make([]byte, 4)
		if _, err := interp.Run(t.Context(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Seed: seed, Buffers: []interp.Buffer{{Data: data}}}); err != nil {
			t.Fatal(err)
		}
		seen[data[0]] = true
	}
	if len(seen) != 2 || !seen[0] || !seen[1] {
		t.Errorf("an undefined bool is one of %v", seen)
	}
}
