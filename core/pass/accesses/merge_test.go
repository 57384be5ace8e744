// SPDX-License-Identifier: MIT

package accesses_test

import (
	"context"
	"encoding/binary"
	"regexp"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/text"
)

// mergeHead has two storage buffers, a uniform buffer, and a storage buffer 4 that may alias others. %0 … %4 are the
// offsets 0 … 16, %5 and %6 the numbers 1 and 2, %7 an index below 2, %8 is 32 times %7, and %9 an unknown number.
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

var accessLine = regexp.MustCompile(`(?m)^ +(?:%\d+ = )?((?:load|store)_(?:ssbo|ubo|shared|scratch)\S*)`)

// runMerged runs a shader on buffers of size bytes and returns the contents of the storage buffers. %9 is number,
// sign-extended.
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
