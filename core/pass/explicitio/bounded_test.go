// SPDX-License-Identifier: MIT

package explicitio_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"regexp"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/explicitio"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// TestBounded64 loads, modifies and stores words in a buffer of five dwords and beyond it, by address: words beyond
// read as 0 and are not written.
func TestBounded64(t *testing.T) {
	src := `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  u32 "n" offset=0
  [0 x u32, 4] "a" offset=4
}
struct S2 "O" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "b" ssbo S1
var @2 "out" ssbo S2 binding=1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x3)
    %2 = load_const.32 value=(0x4)
    %3 = load_const.32 value=(0x64)
    %4 = iadd.32 %0, %1
    %5 = iadd.32 %0, %2
    %10 = deref_var.32 modes=ssbo type=S1 var=@1
    %11 = deref_struct.32 %10 modes=ssbo type=[0 x u32, 4] member=1
    %12 = deref_array.32 %11, %4 modes=ssbo type=u32
    %13 = deref_array.32 %11, %5 modes=ssbo type=u32
    %20 = deref_buffer_array_length.32 %11
    %21 = load_deref.32 %12
    %22 = load_deref.32 %13
    store_deref.x1 %12, %3 write_mask=1
    store_deref.x1 %13, %3 write_mask=1
    %23 = deref_atomic.32 %12, %3 atomic_op=iadd
    %24 = deref_atomic.32 %13, %3 atomic_op=iadd
    %30 = deref_var.32 modes=ssbo type=S2 var=@2
    %31 = deref_struct.32 %30 modes=ssbo type=[0 x u32, 4]
    %32 = deref_array.32 %31, %0 modes=ssbo type=u32
    store_deref.x1 %32, %20 write_mask=1
    %33 = load_const.32 value=(0x1)
    %34 = deref_array.32 %31, %33 modes=ssbo type=u32
    store_deref.x1 %34, %21 write_mask=1
    %35 = load_const.32 value=(0x2)
    %36 = deref_array.32 %31, %35 modes=ssbo type=u32
    store_deref.x1 %36, %22 write_mask=1
    %37 = deref_array.32 %31, %1 modes=ssbo type=u32
    store_deref.x1 %37, %23 write_mask=1
    %38 = deref_array.32 %31, %2 modes=ssbo type=u32
    store_deref.x1 %38, %24 write_mask=1
}
`
	for _, format := range []pass.AddressFormat{pass.IndexOffset, pass.Bounded64} {
		s := passtest.Parse(t, src)
		c := pass.New(s)
		c.Options.Buffers = format
		if err := c.Run(pipeline.Compute, nil); err != nil {
			t.Fatal(err)
		}
		if err := validate.Shader(s); err != nil {
			t.Fatalf("%v\n%s", err, text.Print(s))
		}
		if has := bytes.Contains(text.Print(s), []byte("load_global")); has != (format == pass.Bounded64) {
			t.Errorf("format %d: access by address: %v", format, has)
		}
		b, out := words(7, 1, 2, 3, 4), make([]byte, 20)
		_, err := interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8,
			Buffers: []interp.Buffer{{Data: b}, {Binding: 1, Data: out}}})
		if err != nil {
			t.Fatal(err)
		}
		if want := words(4, 4, 0, 100, 0); !bytes.Equal(out, want) {
			t.Errorf("format %d: %v, want %v", format, out, want)
		}
		if want := words(7, 1, 2, 3, 200); !bytes.Equal(b, want) {
			t.Errorf("format %d: buffer %v, want %v", format, b, want)
		}
	}
}

// TestBounded64Align: an address has the alignment of the offset that was added to it.
func TestBounded64Align(t *testing.T) {
	got := passtest.Run(t, func(c *pass.Context) bool {
		c.Options.Buffers = pass.Bounded64
		return explicitio.ExplicitIO(c)
	}, `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  u16 "a" offset=0
  u16 "b" offset=2
  u32 "c" offset=4
}
var @1 "b" ssbo S1
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=ssbo type=S1 var=@1
    %1 = deref_struct.32 %0 modes=ssbo type=u16 member=1
    %2 = load_deref.16 %1
    %3 = u2u32.32 %2
    %4 = deref_struct.32 %0 modes=ssbo type=u32 member=2
    store_deref.x1 %4, %3 write_mask=1
}
`)
	for _, want := range []string{`load_global\.16 %\d+ align_mul=2`, `store_global\.x1 .* align_mul=4`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
}

func words(x ...uint32) (b []byte) {
	for _, w := range x {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}
