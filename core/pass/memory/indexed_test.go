package memory_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// indexedHead has an index of which nothing is known as %3, a quarter of it as %5, and
// buffers of dwords (@2) and of structs of three dwords (@3).
const indexedHead = `shader compute "main"
workgroup_size 1 1 1
struct S1 "In" block {
  [0 x u32, 4] "i" offset=0
}
struct S2 "Dwords" block {
  [0 x u32, 4] "a" offset=0
}
struct S3 "Part" {
  u32 "x" offset=0
  u32 "y" offset=4
  u32 "z" offset=8
}
struct S4 "Parts" block {
  [0 x S3, 12] "p" offset=0
}
var @1 "i" ssbo S1 access=non_writeable
var @2 "d" ssbo S2 binding=1
var @3 "p" ssbo S4 binding=2
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x2)
    %10 = deref_var.32 modes=ssbo type=S1 var=@1
    %11 = deref_struct.32 %10 modes=ssbo type=[0 x u32, 4]
    %12 = deref_array.32 %11, %0 modes=ssbo type=u32
    %3 = load_deref.32 %12
    %5 = ushr.32 %3, %2
    %6 = load_const.32 value=(0xffffffff)
    %13 = deref_var.32 modes=ssbo type=S2 var=@2
    %14 = deref_struct.32 %13 modes=ssbo type=[0 x u32, 4]
    %15 = deref_var.32 modes=ssbo type=S4 var=@3
    %16 = deref_struct.32 %15 modes=ssbo type=[0 x S3, 12]
`

// TestIndexed: ExplicitIO merges accesses to elements whose indices do not wrap around, and
// only those: where an index wraps around to an element in bounds, it is accessed.
func TestIndexed(t *testing.T) {
	element := func(n int, index string) string {
		return fmt.Sprintf("    %%%d = deref_array.32 %%14, %s modes=ssbo type=u32\n", n, index)
	}
	member := func(n int, index string, m int) string {
		return fmt.Sprintf("    %%%d = deref_array.32 %%16, %s modes=ssbo type=S3\n    %%%d = deref_struct.32 %%%[1]d modes=ssbo type=u32 member=%[4]d\n", n+100, index, n, m)
	}
	add := func(n int, a, b string) string { return fmt.Sprintf("    %%%d = iadd.32 %s, %s\n", n, a, b) }
	store := func(n int, val string) string {
		return fmt.Sprintf("    store_deref.x1 %%%d, %s write_mask=1\n", n, val)
	}
	load := func(n int, d int) string { return fmt.Sprintf("    %%%d = load_deref.32 %%%d\n", n, d) }
	next := add(20, "%5", "%1") + element(21, "%5") + element(22, "%20")
	wraps := add(20, "%3", "%1") + element(21, "%3") + element(22, "%20")
	before := add(20, "%3", "%6") + element(21, "%20") + element(22, "%3")
	for _, x := range []struct {
		name, body, want string
	}{
		{"stores", next + store(21, "%1") + store(22, "%2"), "store_ssbo.x2"},
		{"stores whose index wraps around", wraps + store(21, "%1") + store(22, "%2"), "store_ssbo.x1 store_ssbo.x1"},
		{"stores at a smaller index", before + store(21, "%1") + store(22, "%2"), "store_ssbo.x1 store_ssbo.x1"},
		{"loads", next + load(23, 21) + load(24, 22) + add(25, "%23", "%24") + store(21, "%25"), "load_ssbo.32x2 store_ssbo.x1"},
		{"members", member(21, "%3", 0) + member(22, "%3", 1) + member(23, "%3", 2) + store(21, "%1") + store(22, "%2") + store(23, "%1"), "store_ssbo.x3"},
		{"members of neighbours", add(20, "%5", "%1") + member(21, "%5", 2) + member(22, "%20", 0) + store(21, "%1") + store(22, "%2"), "store_ssbo.x2"},
		{"members of elements that wrap around", add(20, "%3", "%1") + member(21, "%3", 2) + member(22, "%20", 0) + store(21, "%1") + store(22, "%2"), "store_ssbo.x1 store_ssbo.x1"},
	} {
		t.Run(x.name, func(t *testing.T) {
			src := indexedHead + x.body + "}\n"
			s := passtest.Parse(t, src)
			memory.ExplicitIO(pass.New(s))
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			var got []string
			for _, m := range accessLine.FindAllStringSubmatch(string(text.Print(s)), -1) {
				got = append(got, m[1])
			}
			if want := "load_ssbo.32 " + x.want; strings.Join(got, " ") != want {
				t.Errorf("accesses %v, want %s:\n%s", got, want, text.Print(s))
			}
			for _, index := range []uint32{0, 1, 3, 4, 9, 0xFFFFFFFC, 0xFFFFFFFF} {
				if a, b := runIndexed(t, passtest.Parse(t, src), index), runIndexed(t, s, index); !bytes.Equal(a, b) {
					t.Errorf("index %#x: contents\n%x, before the pass\n%x", index, b, a)
				}
			}
		})
	}
}

// TestIndexedOnce: offsets that a shader has already may have been simplified, so nothing is
// merged on their account.
func TestIndexedOnce(t *testing.T) {
	src := `shader compute "main"
workgroup_size 1 1 1
binding 0 0 ssbo count=1 index=0 access=none
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0xc)
    %2 = load_ssbo.32 %0, %0 align_mul=4
    %3 = imul.32 %2, %1
    %4 = iadd.32 %3, %1
    %5 = load_const.32 value=(0x10)
    %6 = iadd.32 %3, %5
    store_ssbo.x1 %0, %0, %4 write_mask=1 align_mul=4
    store_ssbo.x1 %0, %0, %6 write_mask=1 align_mul=4
}
`
	s := passtest.Parse(t, src)
	memory.ExplicitIO(pass.New(s))
	if n := strings.Count(string(text.Print(s)), "store_ssbo.x1"); n != 2 {
		t.Errorf("%d stores of a dword, want 2\n%s", n, text.Print(s))
	}
}

// runIndexed returns the contents of the buffers after a shader has run with an index.
func runIndexed(t *testing.T, s *ir.Shader, index uint32) []byte {
	t.Helper()
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Seed: 1, Buffers: []interp.Buffer{
		{Data: binary.LittleEndian.AppendUint32(nil, index)}, {Binding: 1, Data: make([]byte, 44)}, {Binding: 2, Data: make([]byte, 44)},
	}}
	for i := range call.Buffers[1:] {
		for k := range call.Buffers[1+i].Data {
			call.Buffers[1+i].Data[k] = byte(100*i + k + 1)
		}
	}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return append(append([]byte(nil), call.Buffers[1].Data...), call.Buffers[2].Data...)
}
