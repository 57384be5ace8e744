// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"errors"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/oracle"
)

// plainModule is a module in which the cases replace the capability, entry point, constant and instruction.
const plainModule = `
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%block = OpTypeStruct %u32
%pblock = OpTypePointer StorageBuffer %block
%pu32 = OpTypePointer StorageBuffer %u32
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%data = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpAccessChain %pu32 %data %zero
%x = OpLoad %u32 %at
%y = OpIAdd %u32 %x %one
OpStore %at %y
OpReturn
OpFunctionEnd
`

// TestErrUnsupported: a module that spirv-val accepts is refused with ErrUnsupported, a module that it rejects with
// another error.
func TestErrUnsupported(t *testing.T) {
	oracle.Need(t, "spirv-as")
	oracle.Need(t, "spirv-val")
	const shader, start = "OpCapability Shader", "%main = OpFunction"
	for _, c := range []struct {
		name  string
		edits []string // pairs of old and new text
		valid bool
	}{
		{"64-bit floats", []string{shader, shader + "\nOpCapability Float64",
			start, "%f64 = OpTypeFloat 64\n%half = OpConstant %f64 0.5\n" + start,
			"OpStore %at %y", "%f = OpConvertUToF %f64 %y\n%g = OpFMul %f64 %f %half\n%h = OpConvertFToU %u32 %g\nOpStore %at %h",
		}, true},
		{"kernel", []string{shader, shader + "\nOpCapability Kernel"}, true},
		{"tessellation", []string{shader, shader + "\nOpCapability Tessellation",
			"GLCompute", "TessellationControl", "LocalSize 8 1 1", "OutputVertices 3"}, true},
		{"shared limit", []string{
			start, "%n = OpConstant %u32 30000\n%arr = OpTypeArray %u32 %n\n%parr = OpTypePointer Workgroup %arr\n" +
				"%pwg = OpTypePointer Workgroup %u32\n%shared = OpVariable %parr Workgroup\n" + start,
			"OpStore %at %y", "%s = OpAccessChain %pwg %shared %x\nOpStore %s %y\nOpStore %at %y",
		}, true},
		{"unknown id", []string{"%y = OpIAdd %u32 %x %one", "%y = OpIAdd %u32 %x %f32"}, false},
		{"two types", []string{"%y = OpIAdd %u32 %x %one", "%y = OpFAdd %f32 %x %one"}, false},
		{"no such member", []string{"OpAccessChain %pu32 %data %zero", "OpAccessChain %pu32 %data %one"}, false},
	} {
		text := strings.NewReplacer(c.edits...).Replace(plainModule)
		module, err := oracle.Assemble(t, []byte(text), "spv1.3")
		if err != nil {
			t.Fatal(c.name, err)
		}
		if err := oracle.Validate(t, module, "spv1.3"); (err == nil) != c.valid {
			t.Errorf("%s: spirv-val: %v", c.name, err)
		}
		_, err = jacquard.Compile(t.Context(), module, jacquard.Options{})
		if err == nil || errors.Is(err, jacquard.ErrUnsupported) != c.valid {
			t.Errorf("%s: %v, unsupported %v", c.name, err, errors.Is(err, jacquard.ErrUnsupported))
		}
	}
	for _, o := range []jacquard.Options{{Target: "x"}, {Entry: "x"}, {Stage: "vertex"}, {Buffers: "x"}} {
		module, err := oracle.Assemble(t, []byte(plainModule), "spv1.3")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := jacquard.Compile(t.Context(), module, o); err == nil || errors.Is(err, jacquard.ErrUnsupported) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
