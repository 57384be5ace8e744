// SPDX-License-Identifier: MIT

package spirv_test

import (
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/wire"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// TestSampleShading: a fragment shader runs for each sample if its interface has an input that is read per sample, used
// or not; the text and the binary form of the IR keep this mode. An input of another entry point, or a sample mask, has
// no such effect.
func TestSampleShading(t *testing.T) {
	for _, c := range []struct {
		decorate, typ, list string
		each                bool
	}{
		{"BuiltIn SampleId", "int", "%in", true},
		{"BuiltIn SampleId", "int", "", false},
		{"BuiltIn SamplePosition", "pair", "%in", true},
		{"BuiltIn SampleMask", "masks", "%in", false},
		{"BuiltIn FragCoord", "four", "%in", false},
		{"Location 0", "pair", "%in", false},
		{"Sample", "pair", "%in", true},
		{"Sample", "block", "%in", true},
	} {
		decorate := "OpDecorate %in " + c.decorate + "\n"
		if c.typ == "block" {
			decorate = "OpDecorate %block Block\nOpMemberDecorate %block 0 " + c.decorate + "\n"
		}
		if c.decorate == "Sample" {
			decorate += "OpDecorate %in Location 0\n"
		}
		if c.typ == "int" {
			decorate += "OpDecorate %in Flat\n"
		}
		module, err := oracle.Assemble(t, []byte(`OpCapability Shader
OpCapability SampleRateShading
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" `+c.list+`
OpExecutionMode %main OriginUpperLeft
`+decorate+`%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%masks = OpTypeArray %int %one
%float = OpTypeFloat 32
%pair = OpTypeVector %float 2
%four = OpTypeVector %float 4
%block = OpTypeStruct %pair
%pointer = OpTypePointer Input %`+c.typ+`
%in = OpVariable %pointer Input
%main = OpFunction %void None %fn
%start = OpLabel
OpReturn
OpFunctionEnd
`), "spv1.3")
		if err != nil {
			t.Fatal(err)
		}
		s, err := spirv.Read(module, spirv.Options{Stage: kind.StageFragment})
		if err != nil {
			t.Fatal(err)
		}
		again, err := wire.Unmarshal(wire.Marshal(s))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := text.Parse(text.Print(again))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text.Print(parsed)); strings.Contains(got, "modes sample_shading") != c.each {
			t.Errorf("%v\n%s", c, got)
		}
	}
}
