// SPDX-License-Identifier: MIT

package explicitio_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/explicitio"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
)

// runIndexed runs a shader with an index and returns the contents of the buffers.
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

// TestIndexed runs the cases of explicit_io with an index that may wrap around, and compares the accessed memory.
func TestIndexed(t *testing.T) {
	n := 0
	for _, x := range passtest.Cases(t, "explicit_io") {
		if !strings.Contains(x.Text, `struct S4 "Parts"`) {
			continue
		}
		n++
		s := passtest.Parse(t, x.Text)
		explicitio.ExplicitIO(pass.New(s))
		for _, index := range []uint32{0, 1, 3, 4, 9, 0xFFFFFFFC, 0xFFFFFFFF} {
			if a, b := runIndexed(t, passtest.Parse(t, x.Text), index), runIndexed(t, s, index); !bytes.Equal(a, b) {
				t.Errorf("%s: index %#x: contents\n%x, before the pass\n%x", x.Name, index, b, a)
			}
		}
	}
	if n < 7 {
		t.Errorf("%d cases", n)
	}
}
