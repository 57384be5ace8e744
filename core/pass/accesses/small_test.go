// SPDX-License-Identifier: MIT

package accesses_test

import (
	"bytes"
	"context"
	"fmt"
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

// smallCopy loads a vector of components of bits bits from a buffer, or from workgroup memory that the buffer was
// copied to, and stores the components in mask to another place.
type smallCopy struct {
	comps, bits, mask int
	mul, from, to     int // alignment, and offsets after a multiple of 16
	shared, robust    bool
}

func (c *smallCopy) shader() string {
	load := fmt.Sprintf("    %%20 = load_ssbo.%dx%d %%0, %%1 align_mul=%d align_offset=%d\n", c.bits, c.comps, c.mul, c.from%c.mul)
	fill := ""
	if c.shared {
		for i := range 16 {
			fill += fmt.Sprintf("    %%%d = load_const.32 value=(%#x)\n    %%%d = load_ssbo.32 %%0, %%%[1]d align_mul=4\n"+
				"    store_shared.x1 %%%[3]d, %%%[1]d write_mask=1 align_mul=4\n", 30+2*i, 4*i, 31+2*i)
		}
		load = fmt.Sprintf("    %%20 = load_shared.%dx%d %%1 align_mul=%d align_offset=%d\n", c.bits, c.comps, c.mul, c.from%c.mul)
	}
	return fmt.Sprintf(`shader compute "main"
workgroup_size 1 1 1
shared_size 64
binding 0 0 ssbo count=1 index=0 access=none
binding 0 1 ssbo count=1 index=1 access=none
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_const.32 value=(%#x)
    %%2 = load_const.32 value=(%#x)
    %%3 = load_const.32 value=(0x1)
%s%s    store_ssbo.x%d %%20, %%3, %%2 write_mask=%#x align_mul=%d align_offset=%d
}
`, 16+c.from, 16+c.to, fill, load, c.comps, c.mask, c.mul, c.to%c.mul)
}

// run returns the contents of the two buffers after the shader; the first one ends with the loaded memory.
func (c *smallCopy) run(t *testing.T, s *ir.Shader) []byte {
	t.Helper()
	size := 16 + c.from + c.comps*c.bits/8
	if c.shared {
		size = 64
	}
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, Seed: 1, Buffers: []interp.Buffer{{Data: make([]byte, size)}, {Binding: 1, Data: bytes.Repeat([]byte{0xee}, 64)}}}
	for i := range call.Buffers[0].Data {
		call.Buffers[0].Data[i] = byte(i + 1)
	}
	if _, err := interp.Run(context.Background(), s, call); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	return call.Buffers[1].Data
}

// accesses splits the accesses of a copy, checks that it still copies the same, and returns the resulting loads and
// stores.
func (c *smallCopy) accesses(t *testing.T) (list []string) {
	t.Helper()
	src := c.shader()
	before, after := passtest.Parse(t, src), passtest.Parse(t, src)
	pc := pass.New(after)
	pc.Options.Robust = c.robust
	accesses.LowerMemAccess(pc)
	printed := text.Print(after)
	if err := validate.Shader(after); err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if a, b := c.run(t, before), c.run(t, after); !bytes.Equal(a, b) {
		t.Errorf("%+v: contents\n%x, without the pass\n%x\n%s", *c, b, a, printed)
	}
	for _, m := range accessLine.FindAllStringSubmatch(string(printed), -1) {
		list = append(list, m[1])
	}
	return list
}

// TestSmallVectors: vectors of bytes and words are accessed by dwords and words, or by components if their alignment is
// not known.
func TestSmallVectors(t *testing.T) {
	for _, x := range []struct {
		copy smallCopy
		want string
	}{
		{smallCopy{comps: 2, bits: 16, mask: 3, mul: 4}, "[load_ssbo.32 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 8, mask: 15, mul: 4}, "[load_ssbo.32 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 16, mask: 15, mul: 8}, "[load_ssbo.32x2 store_ssbo.x2]"},
		{smallCopy{comps: 16, bits: 8, mask: 0xffff, mul: 16}, "[load_ssbo.32x4 store_ssbo.x4]"},
		{smallCopy{comps: 16, bits: 16, mask: 0xffff, mul: 16}, "[load_ssbo.32x4 load_ssbo.32x4 store_ssbo.x4 store_ssbo.x4]"},
		{smallCopy{comps: 3, bits: 16, mask: 7, mul: 8}, "[load_ssbo.32x2 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 3, bits: 8, mask: 7, mul: 4}, "[load_ssbo.32 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 3, bits: 8, mask: 7, mul: 4, from: 1, to: 1}, "[load_ssbo.32 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 8, mask: 15, mul: 4, from: 3, to: 2, robust: true}, "[load_ssbo.32x2 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 8, mask: 15, mul: 4, from: 3, to: 2}, "[load_ssbo.32x2 store_ssbo.x1]"},
		{smallCopy{comps: 2, bits: 8, mask: 3, mul: 2}, "[load_ssbo.16 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 8, mask: 15, mul: 2, robust: true}, "[load_ssbo.16 load_ssbo.16 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 2, bits: 16, mask: 3, mul: 2, robust: true}, "[load_ssbo.16 load_ssbo.16 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 2, bits: 8, mask: 3, mul: 1, robust: true}, "[load_ssbo.8 load_ssbo.8 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 8, mask: 15, mul: 2}, "[load_ssbo.32 store_ssbo.x1]"},
		{smallCopy{comps: 2, bits: 16, mask: 3, mul: 2}, "[load_ssbo.32 store_ssbo.x1]"},
		{smallCopy{comps: 2, bits: 8, mask: 3, mul: 1}, "[load_ssbo.16 store_ssbo.x1]"},
		{smallCopy{comps: 16, bits: 8, mask: 0xffff, mul: 1}, "[" + strings.Repeat("load_ssbo.32 ", 4) + "store_ssbo.x1 store_ssbo.x1 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 8, mask: 0b1101, mul: 4}, "[load_ssbo.32 store_ssbo.x1 store_ssbo.x1]"},
		{smallCopy{comps: 4, bits: 16, mask: 0b1100, mul: 8}, "[load_ssbo.32x2 store_ssbo.x1]"},
	} {
		if got := fmt.Sprint(x.copy.accesses(t)); got != x.want {
			t.Errorf("%+v: accesses %s, want %s", x.copy, got, x.want)
		}
	}
	// Workgroup memory is read exactly.
	c := smallCopy{comps: 3, bits: 16, mask: 7, mul: 8, shared: true}
	if got := fmt.Sprint(c.accesses(t)[32:]); got != "[load_shared.32 load_shared.16 store_ssbo.x1 store_ssbo.x1]" {
		t.Errorf("workgroup memory: %s", got)
	}
}

// TestSmallVectorsEverywhere: copies at every place and with every mask still copy the same.
func TestSmallVectorsEverywhere(t *testing.T) {
	for _, bits := range []int{8, 16} {
		size := bits / 8
		for comps := 2; comps <= 4; comps++ {
			for mul := size; mul <= 8; mul *= 2 {
				for at := 0; at < mul; at += size {
					for mask := 1; mask < 1<<comps; mask++ {
						c := smallCopy{comps: comps, bits: bits, mask: mask, mul: mul, from: at, to: (at + mask*size) % mul,
							shared: mask == 2}
						c.accesses(t)
					}
				}
			}
		}
	}
}
