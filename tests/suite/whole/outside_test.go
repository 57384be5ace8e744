// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"jacquard.example"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// outsideShader loads the second 64-bit integer of one buffer and stores it as the
// second of another.
const outsideShader = `OpCapability Shader
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 8
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %from DescriptorSet 0
OpDecorate %from Binding 0
OpDecorate %to DescriptorSet 0
OpDecorate %to Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%array = OpTypeRuntimeArray %u64
%block = OpTypeStruct %array
%pblock = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %u64
%from = OpVariable %pblock Uniform
%to = OpVariable %pblock Uniform
%main = OpFunction %void None %fn
%l = OpLabel
%a = OpAccessChain %pu %from %c0 %c1
%x = OpLoad %u64 %a
%b = OpAccessChain %pu %to %c0 %c1
OpStore %b %x
OpReturn
OpFunctionEnd
`

// TestHalfOutside: of 64 bits that begin in a buffer and end outside, the half inside
// is accessed, on the interpreter before and after the passes and on the model.
func TestHalfOutside(t *testing.T) {
	module, err := oracle.Assemble(t, []byte(outsideShader), "vulkan1.1")
	if err != nil {
		t.Fatal(err)
	}
	mod := func(context.Context, *runner.Shader) ([]byte, error) { return module, nil }
	engines := map[string]runner.Engine{
		"interpreter": &runengine.Interp{Module: mod},
		"lowered":     &runengine.Interp{Module: mod, Pipeline: pipeline.Compute, Options: pass.Options{Target: target.TGL}},
	}
	for _, machine := range target.All {
		engines["model of "+machine.Name] = &runengine.EU{Module: mod, Options: jacquard.Options{Target: jacquard.Target(machine.Name)}}
	}
	for name, e := range engines {
		for _, c := range []struct {
			from, to int // bytes of the buffers
			want     string
		}{
			{16, 16, "ABCDEFGH"}, {12, 16, "ABCD\x00\x00\x00\x00"}, {8, 16, "\x00\x00\x00\x00\x00\x00\x00\x00"}, {16, 12, "ABCD"}, {12, 12, "ABCD"},
		} {
			t.Run(fmt.Sprintf("%s/%d/%d", name, c.from, c.to), func(t *testing.T) {
				from, to := []byte("01234567ABCDEFGH")[:c.from:c.from], bytes.Repeat([]byte{'-'}, c.to)
				call := &runner.Call{Shader: &runner.Shader{}, Groups: [3]uint32{1, 1, 1}, Bindings: []runner.Binding{
					{Binding: 0, Kind: runner.Storage, Data: from}, {Binding: 1, Kind: runner.Storage, Data: to},
				}}
				if err := e.Dispatch(t.Context(), call); err != nil {
					t.Fatal(err)
				}
				if want := "--------" + c.want; string(to) != want {
					t.Errorf("%q, want %q", to, want)
				}
			})
		}
	}
}
