// SPDX-License-Identifier: MIT

package intel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// meeting returns a shader whose threads meet at a barrier that orders shared memory and buffers.
func meeting() *ir.Shader {
	s, b := newShader(64)
	s.Info.SharedSize = 256
	at := b.IShl(globalID(b, 64), b.Imm(2))
	b.StoreShared(at, at, 0, 1, 0, 4, 0)
	b.StoreSSBO(at, b.Imm(0), at, 1, 0, 4, 0)
	b.Barrier(kind.ScopeWorkgroup, kind.ScopeWorkgroup, 0, kind.ModeShared|kind.ModeSSBO)
	b.StoreSSBO(b.LoadShared(1, 32, b.Imm(8), 0, 0, 4, 0), b.Imm(0), at, 1, 0, 4, 0)
	return s
}

// TestMessagesByFamily checks that the fences, the header of the barrier and the end of the thread follow the
// target's message family and ABI.
func TestMessagesByFamily(t *testing.T) {
	for _, c := range []struct {
		family *message.Family
		abi    *abi.ABI
		fences []uint32
		mask   uint32
		end    uint32
	}{
		{message.HDC, abi.JacquardCS, []uint32{0x0219E000, 0x0219E0FE}, 0x7F000000, 0x02000000},
		// One fence covers all memory; Intel's drivers send these on Gen9.
		{message.HDC9, abi.JacquardCSGen9, []uint32{0x0219E000}, 0x8F000000, 0x02000010},
	} {
		t.Run(c.family.Name, func(t *testing.T) {
			machine := *target.ICL
			machine.Messages, machine.ABI = c.family, c.abi
			bin, err := intel.Compile(meeting(), intel.Options{Target: &machine, SIMD: 8, Buffers: 1, Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			var fences, masks, ends []uint32
			for code := bin.Code; len(code) > 0; {
				in, err := isa.Decode(machine.Platform, code)
				if err != nil {
					t.Fatal(err)
				}
				code = code[in.Size:]
				m, _ := in.Message(machine.Platform)
				switch {
				case in.Op == isa.OpAnd && in.Src[0].File == isa.FileGRF && in.Src[0].Reg == 0:
					masks = append(masks, uint32(in.Src[1].Imm))
				case m.Kind == isa.MsgFence:
					fences = append(fences, in.Desc)
				case in.EOT:
					ends = append(ends, in.Desc)
				}
			}
			if got, want := fmt.Sprintf("%x %x %x", fences, masks, ends),
				fmt.Sprintf("%x [%x] [%x]", c.fences, c.mask, c.end); got != want {
				t.Errorf("fences, masks of the barrier, ends: %s; want %s", got, want)
			}
		})
	}
}

// TestLackedMessage checks that a shader is rejected if it needs a message that the family lacks.
func TestLackedMessage(t *testing.T) {
	s, b := newShader(16)
	b.SSBOAtomic(32, b.Imm(0), b.IShl(globalID(b, 16), b.Imm(2)), b.Imm(0x3f800000), 0, kind.AtomicFmin)
	machine, family := *target.ICL, *message.HDC
	family.Sends[message.AtomicFloat] = message.Send{}
	machine.Messages = &family
	_, err := intel.Compile(s, intel.Options{Target: &machine, SIMD: 16, Buffers: 1})
	if err == nil || !strings.Contains(err.Error(), "icl has no message for it") {
		t.Errorf("gives %v", err)
	}
	others := []message.Name{message.PushRead, message.RowRead, message.EndFence,
		message.TargetHeaderWrite, message.TargetHeaderEnd, message.TargetDualHeaderEnd}
	// Vertices of four lanes have their own messages, Gen9 numbers targets in headers, and Gen12.5 reads push
	// data and rows of buffers at one address, and completes atomics.
	for i := range message.HDC.Sends[1:] {
		name := message.Name(i + 1)
		if !message.HDC.Does(name) && !strings.HasPrefix(name.String(), "vector_") && !slices.Contains(others, name) {
			t.Errorf("%s lacks %v", message.HDC.Name, name)
		}
	}
}
