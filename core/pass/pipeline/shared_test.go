// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/generated/target"
)

// products adds the dot products of packed bytes in a loop. Not every machine has an instruction for them.
const products = `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "b" ssbo S1
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=ssbo type=S1 var=@1
    %2 = deref_struct.32 %1 modes=ssbo type=[0 x u32, 4]
    %3 = load_const.32 value=(0x0)
    %4 = load_const.32 value=(0x1)
    %5 = load_const.32 value=(0x7)
    %6 = deref_array.32 %2, %3 modes=ssbo type=u32
    %7 = load_deref.32 %6
    loop {
      b1:
        %10 = phi.32 b0: %7, b4: %20
        %11 = phi.32 b0: %4, b4: %21
        %12 = uge.1 %11, %5
        if %12 {
          b2:
            jump_break
        } else {
          b3:
        }
        b4:
        %13 = deref_array.32 %2, %11 modes=ssbo type=u32
        %14 = load_deref.32 %13
        %20 = sdot_4x8_iadd.32 %14, %14, %10
        %21 = iadd.32 %11, %4
    }
    b5:
    store_deref.x1 %6, %10 write_mask=1
}
`

// TestR12OnePipeline: one list of passes serves all machines and widths. The code differs by the capabilities in the
// options, but its results do not.
func TestR12OnePipeline(t *testing.T) {
	var names []string
	forms := map[string]bool{}
	var want []byte
	for _, m := range slices.Concat(target.All, target.Partial) { // the latter compute vectors
		for _, width := range m.Widths {
			s := passtest.Parse(t, products)
			c := pass.New(s)
			c.Options = pass.Options{Target: m, SubgroupSize: uint32(width)}
			var ran []string
			err := pipeline.ForTarget(c, &pass.Trace{After: func(name string, _ bool, _ time.Duration) error {
				if !slices.Contains(ran, name) {
					ran = append(ran, name)
				}
				return nil
			}})
			if err != nil {
				t.Fatalf("%s, %d lanes: %v", m.Name, width, err)
			}
			if names == nil {
				names = ran
			}
			if !slices.Equal(ran, names) {
				t.Errorf("%s, %d lanes: passes %v; %s: %v", m.Name, width, ran, target.All[0].Name, names)
			}
			forms[string(text.Print(s))] = true
			data := make([]byte, 32)
			for i := range 8 {
				binary.LittleEndian.PutUint32(data[4*i:], 0x80FF7F01*uint32(i+1))
			}
			call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: width, Buffers: []interp.Buffer{{Data: data}}}
			if _, err := interp.Run(context.Background(), s, call); err != nil {
				t.Fatalf("%s, %d lanes: %v", m.Name, width, err)
			}
			if want == nil {
				want = data
			}
			if !bytes.Equal(data, want) {
				t.Errorf("%s, %d lanes: %x; %s: %x", m.Name, width, data, target.All[0].Name, want)
			}
		}
	}
	for p := range pipeline.Known.Passes() {
		stages := pipeline.StageIO.Find(p.Name) != nil // passes of other stages
		if !stages && !slices.Contains(names, p.Name) {
			t.Errorf("%s is not in the list", p.Name)
		}
	}
	if len(forms) < 2 {
		t.Error("the machines' options make no difference")
	}
	sum := uint32(0)
	for i := range 7 {
		for x := 0x80FF7F01 * uint32(i+1); i > 0 && x != 0; x >>= 8 {
			sum += uint32(int32(int8(x)) * int32(int8(x)))
		}
	}
	if got := binary.LittleEndian.Uint32(want); got != sum+0x80FF7F01 {
		t.Errorf("the sum is %#x, want %#x", got, sum+0x80FF7F01)
	}
}
