// SPDX-License-Identifier: MIT

package intel_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/ir"
	"jacquard.example/generated/target"
)

// wider returns a made-up target like tgl whose register file has half as many registers, of twice the size. Its words can
// name only the first 32 bytes of a register as the start of an operand.
func wider() *target.Target {
	t, file := *target.TGL, *target.TGL.Registers
	for _, n := range []*int{&file.Registers, &file.LastFrom, &file.TurnPressure, &file.TurnEnd, &file.SchedulePressure} {
		*n /= 2
	}
	file.Bytes *= 2
	t.Registers = &file
	return &t
}

// TestRegisterSizeOfTarget checks that programs for registers of 64 bytes compute the same as for 32: compiler and model
// take the size from the target.
func TestRegisterSizeOfTarget(t *testing.T) {
	files, _ := filepath.Glob("../../tests/shaders/*.spv")
	same := 0
	for _, file := range files {
		s := lowered(t, file)
		if s == nil || filepath.Base(file) == "shader_clock.comp.spv" { // its results are times
			continue
		}
		narrow, wide := compiled(s, target.TGL), compiled(s, wider())
		if narrow == nil || wide == nil { // an operand starts in the second half of a register
			continue
		}
		want, err := outputs(narrow, target.TGL)
		if err != nil {
			continue // it needs other buffers, or runs too long
		}
		got, err := outputs(wide, wider())
		switch {
		case err != nil:
			t.Errorf("%s: %v", file, err)
		case !slices.EqualFunc(got, want, bytes.Equal):
			t.Errorf("%s: the results differ", file)
		default:
			same++
		}
	}
	if same < 100 {
		t.Errorf("only %d programs were compared", same)
	}
}

const (
	dispatchedBuffers = 8
	bufferBytes       = 4096
)

// compiled compiles a shader for 16 lanes. It returns nil if that is not possible.
func compiled(s *ir.Shader, machine *target.Target) *intel.Binary {
	b, err := intel.Compile(s, intel.Options{Target: machine, SIMD: 16, Buffers: dispatchedBuffers})
	if err != nil {
		return nil
	}
	return b
}

// outputs runs two workgroups of a program on random data and returns its buffers.
func outputs(b *intel.Binary, machine *target.Target) (buffers [][]byte, err error) {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &eu.Dispatch{Program: eu.Load(machine, b.Code), SIMD: b.SIMD, Groups: [3]uint32{2, 1, 1}, LocalSize: b.ABI.WorkgroupSize,
		SLMSize: int(b.ABI.SharedBytes), ScratchPerThread: int(b.ABI.ScratchBytes)}
	for range dispatchedBuffers {
		data := make([]byte, bufferBytes)
		for at := 0; at < len(data); at += 4 {
			binary.LittleEndian.PutUint32(data[at:], rng.Uint32()%64)
		}
		buffers = append(buffers, data)
		d.Surfaces = append(d.Surfaces, &eu.Surface{Data: data})
	}
	push := make([]byte, b.ABI.SizesOffset+uint32(4*b.ABI.SizesCount))
	for at := uint32(0); at < b.ABI.PushBytes; at += 4 {
		binary.LittleEndian.PutUint32(push[at:], at)
	}
	for k := range b.ABI.SizesCount {
		binary.LittleEndian.PutUint32(push[int(b.ABI.SizesOffset)+4*k:], bufferBytes)
	}
	d.Payload = eu.ComputePayload(machine.ABI, push)
	_, err = eu.Run(context.Background(), d)
	return buffers, err
}
