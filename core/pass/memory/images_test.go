// SPDX-License-Identifier: MIT

package memory_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// everyTexel returns texels of a format with every value of every component: counting words and, for texels with
// several components, random ones as well.
func everyTexel(f *texture.Format) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, 0, f.Bytes<<16)
	for i := range uint64(1) << 16 {
		x := i
		for at := 16; at < 8*f.Bytes; at += 16 {
			x |= i * 0x9E37 & 0xFFFF << at // a permutation, since the factor is odd
		}
		if f.Comps[0].Bits%8 != 0 && i >= 1<<11 { // packed: components cross words
			x = r.Uint64()
		} else if f.Comps[0].Bits%8 != 0 {
			x = i&0x7FF | i&0x7FF<<11 | i&0x3FF<<22
		}
		out = append(out, binary.LittleEndian.AppendUint64(nil, x)[:f.Bytes]...)
	}
	return out
}

// TestRawFormats: texels that a target's typed reads do not convert are unpacked exactly as package texture decodes
// them.
func TestRawFormats(t *testing.T) {
	done := map[kind.Format]bool{} // formats covered by another target: the code is the same
	for _, on := range target.All {
		n := 0
		for f := range kind.Format(len(kind.EnumFormat.Names)) {
			if !on.ReadsRaw(f) {
				continue
			}
			n++
			if done[f] {
				continue
			}
			done[f] = true
			format := texture.Of(f)
			base := format.Base
			src := fmt.Sprintf(`shader compute "main"
workgroup_size 32 1 1
binding 0 0 ssbo count=1 index=0 access=none
binding 0 1 image count=1 index=1 access=none type=image(%[1]s32, buf, %[2]s, storage)
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_const.32 value=(0x1)
    %%2 = load_workgroup_id.32x3
    %%3 = load_const.32 value=(0x5)
    %%4 = ishl.32 %%2.x, %%3
    %%5 = load_local_invocation_index.32
    %%6 = iadd.32 %%4, %%5
    %%7 = vec4.32x4 %%6, %%0, %%0, %%0
    %%8 = image_load.32x4 %%7, %%0, %%1 image_dim=buf format=%[2]s texel_base=%[3]s form=index
    %%9 = load_const.32 value=(0x4)
    %%10 = ishl.32 %%6, %%9
    store_ssbo.x4 %%8, %%0, %%10 write_mask=15 align_mul=16
}
`, base.String()[:1], f, base)
			s := passtest.Parse(t, src)
			pc := pass.New(s)
			pc.Options.Target = on
			if !memory.LowerImageFormats(pc) || pc.Failed() {
				t.Fatalf("%s: nothing is lowered", f)
			}
			if err := validate.Shader(s); err != nil {
				t.Fatal(err)
			}
			if got := string(text.Print(s)); strings.Contains(got, "image_load.") || !strings.Contains(got, "image_load_raw") {
				t.Fatalf("%s is still converted:\n%s", f, got)
			}
			texels := everyTexel(format)
			out := make([]byte, 16<<16)
			call := &interp.Call{Groups: [3]uint32{1 << 11, 1, 1}, Width: 16, Buffers: []interp.Buffer{{Data: out}},
				Images: []interp.Image{{Binding: 1, Dim: kind.DimBuf, Format: f, Width: 1 << 16, Data: texels}}}
			if _, err := interp.Run(context.Background(), s, call); err != nil {
				t.Fatal(err)
			}
			for i := range 1 << 16 {
				want := format.Decode(texels[i*format.Bytes:][:format.Bytes])
				for c := range want {
					if got := binary.LittleEndian.Uint32(out[16*i+4*c:]); got != uint32(want[c]) {
						t.Fatalf("%s on %s: component %d of %x is %#x, want %#x", f, on, c,
							texels[i*format.Bytes:][:format.Bytes], got, want[c])
					}
				}
			}
		}
		if n == 0 && on != target.DG2 && on != target.LNL { // these convert all
			t.Errorf("%s has no format without conversion", on)
		}
	}
}
