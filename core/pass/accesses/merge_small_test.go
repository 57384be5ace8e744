// SPDX-License-Identifier: MIT

package accesses_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/accesses"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// smallAccess is a load or a store of a byte or a word. A loaded value is stored to the second buffer.
type smallAccess struct {
	kind string // "load_ssbo" …
	bits int
	at   int // offset
	mul  int // alignment is relative to multiples of it
}

// mergeSmallText returns a shader with accesses relative to %0, which is 0, or %8, a multiple of 32.
func mergeSmallText(base string, accesses []smallAccess) string {
	var b strings.Builder
	b.WriteString(mergeHead)
	for i, a := range accesses {
		v := 100 + 10*i
		fmt.Fprintf(&b, "    %%%d = load_const.32 value=(%#x)\n    %%%[3]d = iadd.32 %[4]s, %%%[1]d\n", v, a.at, v+1, base)
		place := fmt.Sprintf("%%%d", v+1)
		if strings.HasSuffix(a.kind, "ssbo") {
			place = "%0, " + place
		}
		align := fmt.Sprintf("align_mul=%d align_offset=%d", a.mul, a.at%a.mul)
		if strings.HasPrefix(a.kind, "store") {
			fmt.Fprintf(&b, "    %%%d = load_const.%d value=(%#x)\n    %[4]s.x1 %%%[1]d, %[5]s write_mask=1 %[6]s\n", v+2, a.bits,
				0x81+i, a.kind, place, align)
			continue
		}
		fmt.Fprintf(&b, "    %%%d = %s.%d %s %s\n    %%%[6]d = u2u32.32 %%%[1]d\n", v+2, a.kind, a.bits, place, align, v+3)
		fmt.Fprintf(&b, "    %%%d = load_const.32 value=(%#x)\n    store_ssbo.x1 %%%[3]d, %%5, %%%[1]d write_mask=1 "+
			"align_mul=4\n", v+4, 8*i, v+3)
	}
	b.WriteString("}\n")
	return b.String()
}

// mergeSmall merges the accesses of a shader and checks that the final contents of its buffers do not change. It
// returns the remaining accesses, without those of the head and of the stores of loaded values.
func mergeSmall(t *testing.T, src string) (left []string) {
	t.Helper()
	s := passtest.Parse(t, src)
	accesses.MergeAccesses(pass.New(s))
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	for _, m := range accessLine.FindAllStringSubmatch(string(text.Print(s)), -1) {
		left = append(left, m[1])
	}
	for _, size := range []int{0, 4, 8, 44, 256} {
		a, b := runMerged(t, passtest.Parse(t, src), size, 0), runMerged(t, s, size, 0)
		if !bytes.Equal(a, b) {
			t.Errorf("buffers of %d bytes: contents\n%x, without the pass\n%x\n%s\n%s", size, b, a, src, text.Print(s))
		}
	}
	return left
}

// TestMergeSmall: accesses to bytes and words that should be merged are.
func TestMergeSmall(t *testing.T) {
	const st, ld = "store_ssbo", "load_ssbo"
	words := func(kind string, n int) (out []smallAccess) {
		for i := range n {
			out = append(out, smallAccess{kind, 16, 2 * i, 16})
		}
		return out
	}
	kept := "store_ssbo.x1"
	for _, x := range []struct {
		name     string
		accesses []smallAccess
		want     []string
	}{
		{"bytes of a word", []smallAccess{{st, 8, 0, 2}, {st, 8, 1, 2}}, []string{"store_ssbo.x1"}},
		{"bytes across words", []smallAccess{{st, 8, 1, 2}, {st, 8, 2, 2}}, []string{"store_ssbo.x1"}},
		{"bytes of a dword", []smallAccess{{st, 8, 2, 4}, {st, 8, 3, 4}, {st, 8, 1, 4}, {st, 8, 0, 4}}, []string{"store_ssbo.x1"}},
		{"a byte twice", []smallAccess{{st, 8, 0, 4}, {st, 8, 1, 4}, {st, 8, 0, 4}}, []string{"store_ssbo.x1"}},
		{"three bytes", []smallAccess{{st, 8, 0, 4}, {st, 8, 1, 4}, {st, 8, 2, 4}}, []string{"store_ssbo.x1", "store_ssbo.x1"}},
		{"six bytes", []smallAccess{{st, 8, 0, 4}, {st, 8, 1, 4}, {st, 8, 2, 4}, {st, 8, 3, 4}, {st, 8, 4, 4}, {st, 8, 5, 4}}, []string{"store_ssbo.x1", "store_ssbo.x1"}},
		{"a hole", []smallAccess{{st, 8, 0, 4}, {st, 8, 2, 4}}, []string{"store_ssbo.x1", "store_ssbo.x1"}},
		{"unaligned words", []smallAccess{{st, 16, 2, 2}, {st, 16, 4, 2}}, []string{"store_ssbo.x1"}},
		{"words", []smallAccess{{st, 16, 0, 8}, {st, 16, 2, 8}, {st, 16, 4, 8}, {st, 16, 6, 8}}, []string{"store_ssbo.x2"}},
		{"eight bytes, then a word", []smallAccess{
			{st, 8, 0, 4}, {st, 8, 1, 4}, {st, 8, 2, 4}, {st, 8, 3, 4}, {st, 8, 4, 4}, {st, 8, 5, 4}, {st, 8, 6, 4}, {st, 8, 7, 4}, {st, 16, 8, 4}, {st, 16, 10, 4},
		}, []string{"store_ssbo.x3"}},
		{"a load between", []smallAccess{{st, 8, 0, 4}, {ld, 8, 0, 4}, {st, 8, 1, 4}}, []string{"store_ssbo.x1", "load_ssbo.8", kept, "store_ssbo.x1"}},
		{"loads", []smallAccess{{ld, 8, 1, 4}, {ld, 8, 3, 4}, {ld, 8, 0, 4}}, []string{"load_ssbo.32", kept, kept, kept}},
		{"words from within a dword", []smallAccess{{ld, 16, 2, 4}, {ld, 16, 4, 4}}, []string{"load_ssbo.32x2", kept, kept}},
		{"a store between", []smallAccess{{ld, 8, 0, 4}, {st, 8, 1, 4}, {ld, 8, 1, 4}}, []string{"load_ssbo.8", kept, "store_ssbo.x1", "load_ssbo.8", kept}},
		{"of workgroup memory, exactly", []smallAccess{{"load_shared", 8, 0, 4}, {"load_shared", 8, 1, 4}, {"load_shared", 8, 2, 4}}, []string{"load_shared.16", "load_shared.8", kept, kept, kept}},
		{"six words", words("load_ssbo", 6), append([]string{"load_ssbo.32x3"}, slices.Repeat([]string{kept}, 6)...)},
		{"six words of workgroup memory", words("load_shared", 6), append([]string{"load_shared.32x3"}, slices.Repeat([]string{kept}, 6)...)},
		{"seven words of workgroup memory", words("load_shared", 7), append([]string{"load_shared.32x3", "load_shared.16"}, slices.Repeat([]string{kept}, 7)...)},
		{"of scratch memory", []smallAccess{{"store_scratch", 16, 2, 4}, {"store_scratch", 16, 0, 4}, {"load_scratch", 16, 2, 4}, {"load_scratch", 16, 0, 4}}, []string{"store_scratch.x1", "load_scratch.32", kept, kept}},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, base := range []string{"%0", "%8"} {
				got := mergeSmall(t, mergeSmallText(base, x.accesses))
				if got = got[1:]; strings.Join(got, " ") != strings.Join(x.want, " ") { // without the head's access
					t.Errorf("from %s: accesses %v, want %v", base, got, x.want)
				}
			}
		})
	}
}

// TestMergeSmallAnyOrder compares shaders with 12 accesses to 16 bytes, in random order, before and after the pass.
func TestMergeSmallAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	less := 0
	for range 400 {
		space := []string{"ssbo", "ssbo", "shared", "scratch"}[r.IntN(4)]
		var accesses []smallAccess
		for range 12 {
			size := 1 + r.IntN(2)
			kind := []string{"load_", "store_", "store_"}[r.IntN(3)] + space
			accesses = append(accesses, smallAccess{kind, 8 * size, r.IntN(16/size) * size, size << r.IntN(4)})
		}
		src := mergeSmallText([]string{"%0", "%8"}[r.IntN(2)], accesses)
		// the accesses of the head are always merged
		if len(mergeSmall(t, src)) < len(accessLine.FindAllString(src, -1))-1 {
			less++
		}
		if t.Failed() {
			return
		}
	}
	if less < 200 {
		t.Errorf("only %d of 400 shaders have fewer accesses", less)
	}
}
