package memory_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
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

// mergeHead has two storage buffers, a uniform buffer, a storage buffer 4 that may alias others, and as %0 … %4 the offsets 0 … 16, as
// %5 and %6 the numbers 1 and 2, as %7 an index below 2, as %8 32 times that, and as %9 a
// number of which nothing is known.
const mergeHead = `shader compute "main"
workgroup_size 1 1 1
shared_size 64
scratch_size 64
binding 0 0 ssbo count=1 index=0 access=none
binding 0 1 ssbo count=1 index=1 access=none
binding 0 2 ubo count=1 index=2 access=none
binding 0 3 image count=1 index=3 access=none type=image(u32, buf, r32ui, storage)
binding 0 4 ssbo count=1 index=4 access=aliased
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0x4)
    %2 = load_const.32 value=(0x8)
    %3 = load_const.32 value=(0xc)
    %4 = load_const.32 value=(0x10)
    %5 = load_const.32 value=(0x1)
    %6 = load_const.32 value=(0x2)
    %70 = load_ubo.32 %6, %0 align_mul=4
    %7 = iand.32 %70, %5
    %71 = load_const.32 value=(0x5)
    %8 = ishl.32 %7, %71
    %9 = load_ubo.32 %6, %1 align_mul=4
`

// keep stores values to a buffer at offsets that nothing else uses, far from one another.
func keep(values ...string) string {
	var b strings.Builder
	for i, v := range values {
		fmt.Fprintf(&b, "    %%%d = load_const.32 value=(%#x)\n    store_ssbo.x1 %s, %%0, %%%[1]d write_mask=1 align_mul=4\n", 80+i, 64+32*i, v)
	}
	return b.String()
}

var accessLine = regexp.MustCompile(`(?m)^ +(?:%\d+ = )?((?:load|store)_(?:ssbo|ubo|shared|scratch)\S*)`)

// TestMergeAccesses: what becomes one access, and what must not.
func TestMergeAccesses(t *testing.T) {
	ld := func(n int, block, off string) string {
		return fmt.Sprintf("    %%%d = load_ssbo.32 %s, %s align_mul=4\n", n, block, off)
	}
	st := func(v, block, off string) string {
		return fmt.Sprintf("    store_ssbo.x1 %s, %s, %s write_mask=1 align_mul=4\n", v, block, off)
	}
	add := func(n int, a, b string) string { return fmt.Sprintf("    %%%d = iadd.32 %s, %s\n", n, a, b) }
	atomic := "    %40 = ssbo_atomic.32 %5, %4, %5 atomic_op=iadd\n"
	barrier := "    barrier memory_scope=workgroup memory_semantics=acquire|release memory_modes=ssbo|shared\n"
	image := "    %24 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)\n    %25 = load_const.32 value=(0x3)\n    %20 = image_load.32x4 %24, %0, %25 image_dim=buf format=r32ui texel_base=uint form=index\n"
	lane := "    %25 = load_local_invocation_index.32\n    %26 = ishl.32 %25, %71\n" // 32 times that, divergent
	two := keep("%20", "%21")
	stores := []string{"store_ssbo.x1", "store_ssbo.x1"}
	with := func(loads ...string) []string { return append(loads, stores...) }
	apart := with("load_ssbo.32", "load_ssbo.32")
	aligned := map[string][]byte{ // what %9 is where accesses say how it is aligned
		"an unknown offset that is aligned": {0, 0x10, 0xf0},
		"a vector past an alignment":        {0xc, 0xfc},
	}
	for _, x := range []struct {
		name, body string
		want       []string
	}{
		{"two loads", ld(20, "%0", "%0") + ld(21, "%0", "%1") + two, with("load_ssbo.32x2")},
		{"downwards", ld(20, "%0", "%1") + ld(21, "%0", "%0") + two, with("load_ssbo.32x2")},
		{"the same twice", ld(20, "%0", "%1") + ld(21, "%0", "%1") + two, with("load_ssbo.32")},
		{"four", ld(20, "%0", "%0") + ld(21, "%0", "%1") + ld(22, "%0", "%2") + ld(23, "%0", "%3") + keep("%20", "%21", "%22", "%23"), append([]string{"load_ssbo.32x4"}, append(stores, stores...)...)},
		{"five", ld(20, "%0", "%0") + ld(21, "%0", "%1") + ld(22, "%0", "%2") + ld(23, "%0", "%3") + ld(24, "%0", "%4") + keep("%20", "%23", "%24"), []string{"load_ssbo.32x5", "store_ssbo.x1", "store_ssbo.x1", "store_ssbo.x1"}},
		{"a hole of a dword", ld(20, "%0", "%0") + ld(21, "%0", "%2") + two, with("load_ssbo.32x3")},
		{"a hole of two", ld(20, "%0", "%0") + ld(21, "%0", "%3") + two, with("load_ssbo.32x4")},
		{"seven", ld(20, "%0", "%0") + ld(21, "%0", "%1") + "    %27 = load_const.32 value=(0x18)\n" + ld(22, "%0", "%4") + ld(23, "%0", "%27") + keep("%20", "%23"), with("load_ssbo.32x8")},
		{"nine", ld(20, "%0", "%0") + ld(21, "%0", "%4") + "    %27 = load_const.32 value=(0x20)\n" + ld(22, "%0", "%27") + keep("%20", "%22"), with("load_ssbo.32x16")},
		{"seventeen", ld(20, "%0", "%0") + "    %27 = load_const.32 value=(0x10)\n    %28 = load_const.32 value=(0x24)\n    %29 = load_const.32 value=(0x38)\n    %30 = load_const.32 value=(0x40)\n" + ld(21, "%0", "%27") + ld(22, "%0", "%28") + ld(23, "%0", "%29") + ld(24, "%0", "%30") + keep("%20", "%24"), with("load_ssbo.32x16", "load_ssbo.32")},
		{"seven at a uniform offset", ld(20, "%0", "%8") + add(22, "%8", "%3") + "    %27 = load_const.32 value=(0x18)\n" + add(28, "%8", "%27") + ld(21, "%0", "%22") + ld(23, "%0", "%28") + keep("%20", "%23"), with("load_ssbo.32x8")},
		{"five at a divergent offset", lane + ld(20, "%0", "%26") + add(22, "%26", "%4") + ld(21, "%0", "%22") + two, apart},
		{"a hole of two at a divergent offset", lane + ld(20, "%0", "%26") + add(22, "%26", "%3") + ld(21, "%0", "%22") + two, apart},
		{"a hole of one at a divergent offset", lane + ld(20, "%0", "%26") + add(22, "%26", "%2") + ld(21, "%0", "%22") + two, with("load_ssbo.32x3")},
		{"other buffers", ld(20, "%0", "%0") + ld(21, "%5", "%1") + two, apart},
		{"multiples of 32", ld(20, "%0", "%8") + add(22, "%8", "%1") + ld(21, "%0", "%22") + two, with("load_ssbo.32x2")},
		{"an unknown offset may wrap", ld(20, "%0", "%9") + add(22, "%9", "%1") + ld(21, "%0", "%22") + two, apart},
		{"an unknown offset that is aligned", "    %20 = load_ssbo.32 %0, %9 align_mul=16\n" + add(22, "%9", "%1") + "    %21 = load_ssbo.32 %0, %22 align_mul=16 align_offset=4\n" + two, with("load_ssbo.32x2")},
		{"a vector past an alignment", "    %20 = load_ssbo.32 %0, %9 align_mul=16 align_offset=12\n" + add(22, "%9", "%1") + "    %21 = load_ssbo.32 %0, %22 align_mul=16\n" + two, apart},
		{"different bases", ld(20, "%0", "%8") + ld(21, "%0", "%1") + two, apart},
		{"different factors", ld(20, "%0", "%8") + "    %22 = ishl.32 %7, %6\n" + add(23, "%22", "%1") + ld(21, "%0", "%23") + two, apart},
		{"volatile", ld(20, "%0", "%0") + "    %21 = load_ssbo.32 %0, %1 access=volatile align_mul=4\n" + two, apart},
		{"both volatile", "    %20 = load_ssbo.32 %0, %0 access=volatile align_mul=4\n    %21 = load_ssbo.32 %0, %1 access=volatile align_mul=4\n" + two, apart},
		{"coherent", "    %20 = load_ssbo.32 %0, %0 access=coherent align_mul=4\n    %21 = load_ssbo.32 %0, %1 access=coherent align_mul=4\n" + two, apart},
		{"qualifiers differ", "    %20 = load_ssbo.32 %0, %0 access=restrict align_mul=4\n" + ld(21, "%0", "%1") + two, apart},
		{"a store between", ld(20, "%0", "%0") + st("%5", "%0", "%1") + ld(21, "%0", "%1") + two, []string{"load_ssbo.32", "store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1", "store_ssbo.x1"}},
		{"a store to a place apart", ld(20, "%0", "%0") + st("%5", "%0", "%2") + ld(21, "%0", "%1") + two, append([]string{"load_ssbo.32x2", "store_ssbo.x1"}, stores...)},
		{"a store to another buffer", ld(20, "%0", "%0") + st("%5", "%5", "%2") + ld(21, "%0", "%1") + two, append([]string{"load_ssbo.32x2", "store_ssbo.x1"}, stores...)},
		{"a store to a buffer that may alias", ld(20, "%0", "%0") + st("%5", "%1", "%2") + ld(21, "%0", "%1") + two, []string{"load_ssbo.32", "store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1", "store_ssbo.x1"}},
		{"a store to a buffer that is not known", ld(20, "%0", "%0") + st("%5", "%7", "%2") + ld(21, "%0", "%1") + two, []string{"load_ssbo.32", "store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1", "store_ssbo.x1"}},
		{"a store at an unknown offset", ld(20, "%0", "%0") + st("%5", "%0", "%8") + ld(21, "%0", "%1") + two, []string{"load_ssbo.32", "store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1", "store_ssbo.x1"}},
		{"a store past what is read", ld(20, "%0", "%0") + "    %24 = load_const.32x2 value=(0x1, 0x2)\n    store_ssbo.x2 %24, %0, %0 write_mask=0x3 align_mul=4\n" + ld(21, "%0", "%1") + two, []string{"load_ssbo.32", "store_ssbo.x2", "load_ssbo.32", "store_ssbo.x1", "store_ssbo.x1"}},
		{"a volatile access between", ld(20, "%0", "%0") + "    %25 = load_ssbo.32 %5, %1 access=volatile align_mul=4\n" + ld(21, "%0", "%1") + two, append([]string{"load_ssbo.32"}, apart...)},
		{"an atomic between", ld(20, "%0", "%0") + atomic + ld(21, "%0", "%1") + two, apart},
		{"a barrier between", ld(20, "%0", "%0") + barrier + ld(21, "%0", "%1") + two, apart},
		{"loads that may be reordered", "    %20 = load_ssbo.32 %5, %0 access=can_reorder align_mul=4\n" + st("%6", "%0", "%1") + barrier + "    %21 = load_ssbo.32 %5, %1 access=can_reorder align_mul=4\n" + two, append([]string{"load_ssbo.32x2", "store_ssbo.x1"}, stores...)},

		{"two stores", st("%5", "%0", "%0") + st("%6", "%0", "%1"), []string{"store_ssbo.x2"}},
		{"stores downwards", st("%5", "%0", "%1") + st("%6", "%0", "%0"), []string{"store_ssbo.x2"}},
		{"four stores", st("%5", "%0", "%0") + st("%6", "%0", "%3") + st("%5", "%0", "%2") + st("%6", "%0", "%1"), []string{"store_ssbo.x1", "store_ssbo.x3"}},
		{"no hole in stores", st("%5", "%0", "%0") + st("%6", "%0", "%2"), stores},
		{"stores to one place", st("%5", "%0", "%0") + st("%6", "%0", "%0"), []string{"store_ssbo.x1"}},
		{"a store in part to one place", "    %24 = load_const.32x2 value=(0x1, 0x2)\n    store_ssbo.x2 %24, %0, %0 write_mask=0x3 align_mul=4\n    store_ssbo.x2 %24, %0, %1 write_mask=0x3 align_mul=4\n", []string{"store_ssbo.x3"}},
		{"a read store to one place", st("%5", "%0", "%0") + ld(20, "%0", "%0") + st("%6", "%0", "%0") + keep("%20"), []string{"store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1", "store_ssbo.x1"}},
		{"stores to other buffers", st("%5", "%0", "%0") + st("%6", "%5", "%1"), stores},
		{"stores at an unknown offset", st("%5", "%0", "%9") + add(22, "%9", "%1") + st("%6", "%0", "%22"), stores},
		{"volatile stores", "    store_ssbo.x1 %5, %0, %0 write_mask=1 access=volatile align_mul=4\n    store_ssbo.x1 %6, %0, %1 write_mask=1 access=volatile align_mul=4\n", stores},
		{"a masked store", "    store_ssbo.x2 %5.xx, %0, %0 write_mask=1 align_mul=4\n" + st("%6", "%0", "%2"), []string{"store_ssbo.x2", "store_ssbo.x1"}},
		{"a load between stores", st("%5", "%0", "%0") + ld(20, "%0", "%0") + st("%20", "%0", "%1"), []string{"store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1"}},
		{"a load apart between stores", st("%5", "%0", "%0") + ld(20, "%0", "%2") + st("%20", "%0", "%1"), []string{"load_ssbo.32", "store_ssbo.x2"}},
		{"a load of another buffer between stores", st("%5", "%0", "%0") + ld(20, "%5", "%0") + st("%20", "%0", "%1"), []string{"load_ssbo.32", "store_ssbo.x2"}},
		{"a load of a buffer that may alias between stores", st("%5", "%0", "%0") + ld(20, "%1", "%0") + st("%20", "%0", "%1"), []string{"store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1"}},
		{"an image between stores", st("%5", "%0", "%0") + image + st("%20.x", "%0", "%1"), stores},
		{"an image between loads", ld(21, "%0", "%0") + image + ld(22, "%0", "%1") + keep("%20.x", "%21", "%22"), []string{"load_ssbo.32x2", "store_ssbo.x1", "store_ssbo.x1", "store_ssbo.x1"}},
		{"the second of three stores stays", st("%5", "%0", "%0") + st("%6", "%0", "%1") + ld(20, "%0", "%1") + st("%20", "%0", "%2"), []string{"store_ssbo.x2", "load_ssbo.32", "store_ssbo.x1"}},
		{"a store to another buffer between stores", st("%5", "%0", "%0") + st("%6", "%5", "%0") + st("%6", "%0", "%1"), []string{"store_ssbo.x1", "store_ssbo.x2"}},
		{"a store to a buffer that may alias between stores", st("%5", "%0", "%0") + st("%6", "%1", "%0") + st("%6", "%0", "%1"), []string{"store_ssbo.x1", "store_ssbo.x1", "store_ssbo.x1"}},
		{"a ballot between stores", st("%5", "%0", "%0") + "    %20 = ieq.1 %7, %5\n    %21 = ballot.32 %20\n" + st("%21", "%0", "%1"), []string{"store_ssbo.x2"}},
		{"an atomic between stores", st("%5", "%0", "%0") + atomic + st("%6", "%0", "%1"), stores},
		{"a barrier between stores", st("%5", "%0", "%0") + barrier + st("%6", "%0", "%1"), stores},
		{"a coherent load between stores", st("%5", "%0", "%0") + "    %20 = load_ssbo.32 %5, %0 access=coherent align_mul=4\n" + st("%20", "%0", "%1"), []string{"store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1"}},
		{
			"a store that a merged load must not pass", // the store moves down, the load moves up
			st("%5", "%0", "%0") + ld(20, "%0", "%1") + st("%6", "%0", "%2") + ld(21, "%0", "%0") + st("%5", "%0", "%1") + two,
			[]string{"store_ssbo.x1", "load_ssbo.32x2", "store_ssbo.x2", "store_ssbo.x1", "store_ssbo.x1"},
		},
		{
			"workgroup memory, and a buffer between",
			"    store_shared.x1 %5, %0 write_mask=1 align_mul=4\n" + st("%6", "%0", "%2") + "    store_shared.x1 %6, %1 write_mask=1 align_mul=4\n    %20 = load_shared.32 %0 align_mul=4\n" + st("%20", "%0", "%4") + "    %21 = load_shared.32 %0 base=4 align_mul=4\n" + two,
			[]string{"store_ssbo.x1", "store_shared.x2", "load_shared.32x2", "store_ssbo.x1", "store_ssbo.x1", "store_ssbo.x1"},
		},
		{
			"scratch memory, without holes",
			"    store_scratch.x1 %5, %0 write_mask=1 align_mul=4\n    store_scratch.x1 %6, %1 write_mask=1 align_mul=4\n    store_scratch.x1 %6, %2 write_mask=1 align_mul=4\n    %20 = load_scratch.32 %0 align_mul=4\n    %21 = load_scratch.32 %2 align_mul=4\n" + two,
			append([]string{"store_scratch.x3", "load_scratch.32", "load_scratch.32"}, stores...),
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			src := mergeHead + x.body + "}\n"
			s := passtest.Parse(t, src)
			memory.MergeAccesses(pass.New(s))
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			var got []string
			for _, m := range accessLine.FindAllStringSubmatch(string(text.Print(s)), -1) {
				got = append(got, m[1])
			}
			// The head's loads of the uniform buffer are one now.
			want := append([]string{"load_ubo.32x2"}, x.want...)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("accesses %v, want %v:\n%s", got, want, text.Print(s))
			}
			numbers := aligned[x.name]
			if numbers == nil {
				numbers = []byte{0, 8, 0xfc}
			}
			for _, size := range []int{0, 8, 12, 44, 256} {
				for _, number := range numbers {
					before, after := passtest.Parse(t, src), s
					if a, b := runMerged(t, before, size, number), runMerged(t, after, size, number); !bytes.Equal(a, b) {
						t.Errorf("buffers of %d bytes: contents\n%x, without the pass\n%x\n%s", size, b, a, text.Print(s))
					}
				}
			}
		})
	}
}

// runMerged returns the contents of the storage buffers after a shader has run, on buffers
// of size bytes; %9 is a number of which the low byte is given, sign-extended.
func runMerged(t *testing.T, s *ir.Shader, size int, number byte) []byte {
	t.Helper()
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Seed: 1, Buffers: []interp.Buffer{
		{Data: make([]byte, size)}, {Binding: 1, Data: make([]byte, size)}, {Binding: 2, Data: binary.LittleEndian.AppendUint32([]byte{1, 0, 0, 0}, uint32(int32(int8(number))))},
	}}
	for i := range call.Buffers[:2] {
		for k := range call.Buffers[i].Data {
			call.Buffers[i].Data[k] = byte(100*i + k + 1)
		}
	}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return append(append([]byte(nil), call.Buffers[0].Data...), call.Buffers[1].Data...)
}
