// SPDX-License-Identifier: MIT

package accesses_test

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
	"jacquard.example/core/pass/accesses"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// addressHead has two storage buffers, and a uniform buffer with two addresses, %10 and %11. %12 is 1, %13 is a 16-bit
// 2.
const addressHead = `shader compute "main"
workgroup_size 1 1 1
binding 0 0 ssbo count=1 index=0 access=none
binding 0 1 ssbo count=1 index=1 access=none
binding 0 2 ubo count=1 index=2 access=none
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0x2)
    %2 = load_ubo.32x4 %1, %0 align_mul=16
    %10 = pack_64_2x32_split.64 %2.x, %2.y
    %11 = pack_64_2x32_split.64 %2.z, %2.w
    %12 = load_const.32 value=(0x1)
    %13 = load_const.16 value=(0x2)
`

// keepWords stores 32-bit values to the first storage buffer.
func keepWords(values ...string) string {
	var b strings.Builder
	for i, v := range values {
		fmt.Fprintf(&b, "    %%%d = load_const.32 value=(%#x)\n    store_ssbo.x1 %s, %%0, %%%[1]d write_mask=1 align_mul=4\n",
			80+i, 32*i, v)
	}
	return b.String()
}

var globalLine = regexp.MustCompile(`(?m)^ +(?:%\d+ = )?((?:load|store)_global\S*)`)

// TestMergeAddresses: accesses at 64-bit addresses that should be merged are, even if sums carry into the high half.
func TestMergeAddresses(t *testing.T) {
	at := func(n int, base string, k uint64) string {
		return fmt.Sprintf("    %%%d = load_const.64 value=(%#x, %#x)\n    %%%d = iadd.64 %s, %%%[1]d\n", 100+n, uint32(k),
			k>>32, 200+n, base)
	}
	ld := func(n, bits int, base string, k uint64, more string) string {
		return at(n, base, k) + fmt.Sprintf("    %%%d = load_global.%d %%%d %s\n", n, bits, 200+n, more)
	}
	st := func(n int, v, base string, k uint64, more string) string {
		return at(n, base, k) + fmt.Sprintf("    store_global.x1 %s, %%%d write_mask=1 %s\n", v, 200+n, more)
	}
	wide := func(n int) string { return fmt.Sprintf("    %%%d = u2u32.32 %%%d\n", n+10, n) }
	const four, two = "align_mul=4", "align_mul=2"
	one := []string{"store_global.x1"}
	both := []string{"store_global.x1", "store_global.x1"}
	loads := []string{"load_global.32", "load_global.32"}
	kept := keepWords("%20", "%21")
	halves := wide(20) + wide(21) + keepWords("%30", "%31")
	for _, x := range []struct {
		name, body string
		want       []string
	}{
		{"dwords", ld(20, 32, "%10", 0, four) + ld(21, 32, "%10", 4, four) + kept, []string{"load_global.32x2"}},
		{"dwords before the address", ld(20, 32, "%10", 1<<64-4, four) + ld(21, 32, "%10", 0, four) + kept, []string{"load_global.32x2"}},
		{"sums of sums", at(30, "%10", 8) + ld(20, 32, "%230", 8, four) + ld(21, 32, "%10", 20, four) + kept, []string{"load_global.32x2"}},
		{"the same low half", ld(20, 32, "%10", 0, four) + ld(21, 32, "%10", 1<<32+4, four) + kept, loads},
		{"a hole", ld(20, 32, "%10", 0, four) + ld(21, 32, "%10", 8, four) + kept, loads},
		{"words of a dword", ld(20, 16, "%10", 0, four) + ld(21, 16, "%10", 2, "align_mul=4 align_offset=2") + halves, []string{"load_global.32"}},
		{"words, of which one is known to be aligned", ld(20, 16, "%10", 2, two) + ld(21, 16, "%10", 0, four) + halves, []string{"load_global.32"}},
		{"words that may be unaligned", ld(20, 16, "%10", 0, two) + ld(21, 16, "%10", 2, two) + halves, []string{"load_global.16", "load_global.16"}},
		{"words of two dwords", ld(20, 16, "%10", 2, "align_mul=4 align_offset=2") + ld(21, 16, "%10", 4, four) + halves, []string{"load_global.32x2"}},
		{"other addresses", ld(20, 32, "%10", 0, four) + ld(21, 32, "%11", 4, four) + kept, loads},
		{"volatile", ld(20, 32, "%10", 0, "access=volatile align_mul=4") + ld(21, 32, "%10", 4, "access=volatile align_mul=4") + kept, loads},
		{"coherent", ld(20, 32, "%10", 0, "access=coherent align_mul=4") + ld(21, 32, "%10", 4, "access=coherent align_mul=4") + kept, loads},
		{"a store at another address between", ld(20, 32, "%10", 0, four) + st(22, "%12", "%11", 0, four) + ld(21, 32, "%10", 4, four) + kept, []string{"load_global.32", "store_global.x1", "load_global.32"}},
		{"a store to a buffer between", ld(20, 32, "%10", 0, four) + "    store_ssbo.x1 %12, %12, %0 write_mask=1 align_mul=4\n" + ld(21, 32, "%10", 4, four) + kept, loads},
		{"a store apart between", ld(20, 32, "%10", 0, four) + st(22, "%12", "%10", 8, four) + ld(21, 32, "%10", 4, four) + kept, []string{"load_global.32x2", "store_global.x1"}},
		{"an atomic between", ld(20, 32, "%10", 0, four) + "    %40 = global_atomic.32 %11, %12 atomic_op=iadd\n" + ld(21, 32, "%10", 4, four) + kept, loads},

		{"stores", st(20, "%12", "%10", 0, four) + st(21, "%12", "%10", 4, four), []string{"store_global.x2"}},
		{"stores of words", st(20, "%13", "%10", 0, four) + st(21, "%13", "%10", 2, "align_mul=4 align_offset=2"), one},
		{"stores of words of two dwords", st(20, "%13", "%10", 2, "align_mul=4 align_offset=2") + st(21, "%13", "%10", 4, four), both},
		{"stores with a hole", st(20, "%12", "%10", 0, four) + st(21, "%12", "%10", 8, four), both},
		{"volatile stores", st(20, "%12", "%10", 0, "access=volatile align_mul=4") + st(21, "%12", "%10", 4, "access=volatile align_mul=4"), both},
		{"a load at another address between stores", st(20, "%12", "%10", 0, four) + ld(22, 32, "%11", 0, four) + st(21, "%22", "%10", 4, four), []string{"store_global.x1", "load_global.32", "store_global.x1"}},
		{"a load of a buffer between stores", st(20, "%12", "%10", 0, four) + "    %22 = load_ssbo.32 %12, %0 align_mul=4\n" + st(21, "%22", "%10", 4, four), both},
	} {
		t.Run(x.name, func(t *testing.T) {
			src := addressHead + x.body + "}\n"
			s := passtest.Parse(t, src)
			accesses.MergeAddresses(pass.New(s))
			if err := validate.Shader(s); err != nil {
				t.Fatalf("%v\n%s", err, text.Print(s))
			}
			var got []string
			for _, m := range globalLine.FindAllStringSubmatch(string(text.Print(s)), -1) {
				got = append(got, m[1])
			}
			if fmt.Sprint(got) != fmt.Sprint(x.want) {
				t.Errorf("accesses %v, want %v:\n%s", got, x.want, text.Print(s))
			}
			for _, a := range addressesNear4GiB {
				if a, b := runAddresses(t, passtest.Parse(t, src), a), runAddresses(t, s, a); !bytes.Equal(a, b) {
					t.Errorf("memory\n%x, without the pass\n%x\n%s", b, a, text.Print(s))
				}
			}
		})
	}
}

// addressesNear4GiB are pairs of addresses: far apart, a dword and half a dword below a multiple of 4 GiB, and
// overlapping.
var addressesNear4GiB = [][2]uint64{{0x5_0000_0040, 0x5_0000_0080}, {0x5_ffff_fffc, 0x5_ffff_ff90}, {0x5_0000_0000, 0x5_0000_0004}, {0x7fff_0000_0000, 0x7fff_0000_0000}}

// runAddresses runs a shader with two addresses. It returns the contents of the first storage buffer, the memory around
// the first address, and the memory 4 GiB above it.
func runAddresses(t *testing.T, s *ir.Shader, at [2]uint64) (out []byte) {
	t.Helper()
	const around = 256
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Seed: 1, Buffers: []interp.Buffer{
		{Data: make([]byte, 64)}, {Binding: 1, Data: make([]byte, 64)},
		{Binding: 2, Data: binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, at[0]), at[1])},
		{Set: 9, Address: at[0] - around/2, Data: make([]byte, around)},
		{Set: 9, Binding: 1, Address: at[0] + 1<<32 - around/2, Data: make([]byte, around)},
	}}
	for i := range call.Buffers {
		if i != 2 {
			for k := range call.Buffers[i].Data {
				call.Buffers[i].Data[k] = byte(37*i + 5*k + 1)
			}
		}
	}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	for _, b := range call.Buffers {
		out = append(out, b.Data...)
	}
	return out
}

// TestMergeAddressesOnly: MergeAddresses leaves accesses to buffers alone.
func TestMergeAddressesOnly(t *testing.T) {
	s := passtest.Parse(t, addressHead+"    %3 = load_const.32 value=(0x4)\n    %20 = load_ssbo.32 %0, %0 align_mul=4\n"+
		"    %21 = load_ssbo.32 %0, %3 align_mul=4\n"+keepWords("%20", "%21")+"}\n")
	if accesses.MergeAddresses(pass.New(s)) {
		t.Errorf("merged:\n%s", text.Print(s))
	}
}
