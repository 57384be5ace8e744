package memory_test

import (
	"context"
	"encoding/binary"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
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
