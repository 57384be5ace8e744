// SPDX-License-Identifier: MIT

package spirv_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// fastMathModule assembles a shader that applies one instruction to floats a and b, a vector v, a matrix m, a half h or
// a condition c. Names unknown to Debian 12's spirv-as are written as numbers.
func fastMathModule(t *testing.T, modes, decorate, instr string) []byte {
	t.Helper()
	module, err := oracle.Assemble(t, []byte(`OpCapability Shader
OpCapability Float16
OpCapability !6029
OpExtension "SPV_KHR_float_controls2"
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
`+modes+`
`+decorate+`
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%mat2 = OpTypeMatrix %vec2 2
%none = OpConstant %uint 0
%all = OpConstant %uint 0x70007
%some = OpConstant %uint 0x30004
%transform = OpConstant %uint 0x40000
%fast = OpConstant %uint 0x10
%new = OpConstant %uint 0x80000
%null_half = OpConstantNull %half
%null_vec = OpConstantNull %vec2
%pf = OpTypePointer Private %float
%pv = OpTypePointer Private %vec2
%pm = OpTypePointer Private %mat2
%ph = OpTypePointer Private %half
%fa = OpVariable %pf Private
%fb = OpVariable %pf Private
%fv = OpVariable %pv Private
%fm = OpVariable %pm Private
%fh = OpVariable %ph Private
%main = OpFunction %void None %fn
%entry = OpLabel
%a = OpLoad %float %fa
%b = OpLoad %float %fb
%v = OpLoad %vec2 %fv
%m = OpLoad %mat2 %fm
%h = OpLoad %half %fh
%x = `+instr+`
OpReturn
OpFunctionEnd
`), "spv1.4")
	if err != nil {
		t.Fatal(err)
	}
	return module
}

const (
	allOf32  = "OpExecutionModeId %main !6028 %float %all"
	someOf32 = "OpExecutionModeId %main !6028 %float %some"
	noneOf32 = "OpExecutionModeId %main !6028 %float %none"
	allOf16  = "OpExecutionModeId %main !6028 %half %all"
)

// TestFastMath: an operation may relax the guarantees that its own flags allow or, without flags, those that the
// defaults of all its types allow. In an entry point with some default, a type without a default allows nothing.
// Without flags or defaults, the rules of shaders without the extension apply.
func TestFastMath(t *testing.T) {
	const (
		api  = "nsz|denorm|contract|reassoc|transform"
		nan  = "nan|" + api
		all  = "nan|inf|" + api
		some = "nsz|denorm|contract|reassoc"
	)
	for i, c := range []struct{ modes, flags, instr, want string }{
		{"", "", "OpFAdd %float %a %b", api},
		{"", "FPFastMathMode None", "OpFAdd %float %a %b", "denorm"},
		{"", "FPFastMathMode !0x20001", "OpFAdd %float %a %b", "nan|denorm|reassoc"},
		{"", "FPFastMathMode Fast", "OpFAdd %float %a %b", all},
		{"", "FPFastMathMode AllowRecip", "OpFDiv %float %a %b", "denorm"},
		{"", "NoContraction", "OpFAdd %float %a %b", ""},
		{allOf32, "", "OpFAdd %float %a %b", all},
		{allOf32, "FPFastMathMode None", "OpFAdd %float %a %b", "denorm"},
		{allOf32, "FPFastMathMode !0x10002", "OpFAdd %float %a %b", "inf|denorm|contract"},
		{someOf32, "", "OpFAdd %float %a %b", some},
		{noneOf32, "", "OpFAdd %float %a %b", "denorm"},
		{noneOf32, "FPFastMathMode !0x70007", "OpFAdd %float %a %b", all},
		{allOf16, "", "OpFAdd %float %a %b", "denorm"},
		{allOf16, "", "OpFAdd %half %h %h", all},
		{someOf32 + "\n" + allOf16, "", "OpFAdd %half %h %h", all},
		{someOf32 + "\n" + allOf16, "", "OpFConvert %float %h", some},
		{someOf32 + "\n" + allOf16, "", "OpFConvert %half %a", some},
		{allOf32, "", "OpFConvert %half %a", "denorm"},
		{allOf32, "", "OpConvertFToU %uint %a", all},

		// The defaults of the component type apply to vectors, matrices and extended instructions.
		{someOf32, "", "OpFAdd %vec2 %v %v", some},
		{"", "", "OpMatrixTimesVector %vec2 %m %v", nan + " " + nan + " " + api},
		{"", "FPFastMathMode NSZ", "OpMatrixTimesVector %vec2 %m %v", "nsz|denorm nsz|denorm nsz|denorm"},
		{noneOf32, "", "OpMatrixTimesVector %vec2 %m %v", "denorm denorm denorm"},
		{someOf32, "", "OpMatrixTimesVector %vec2 %m %v", some + " " + some + " " + some},
		{noneOf32, "", "OpMatrixTimesScalar %mat2 %m %a", "denorm denorm"},
		{noneOf32, "", "OpExtInst %float %glsl Determinant %m", "denorm denorm denorm"},
		{allOf32, "FPFastMathMode None", "OpExtInst %float %glsl FMax %a %b", "denorm"},
		{someOf32, "", "OpExtInst %float %glsl FMax %a %b", some},
		{someOf32, "", "OpDot %float %v %v", some},

		// The select that a comparison controls has the defaults, but no flags in the IR.
		{allOf32, "", "OpFOrdLessThan %bool %a %b", all},
		{noneOf32, "FPFastMathMode !0x70007", "OpFOrdLessThan %bool %a %b", "nan|inf|denorm"},
		{someOf32, "FPFastMathMode !0x70007", "OpFOrdLessThan %bool %a %b", all[:8] + some},
	} {
		decorate := ""
		if c.flags != "" {
			decorate = "OpDecorate %x " + c.flags
		}
		s, err := spirv.Read(fastMathModule(t, c.modes, decorate, c.instr), spirv.Options{Stage: kind.StageCompute})
		if err != nil {
			t.Errorf("%d: %v", i, err)
			continue
		}
		var got []string
		for _, line := range strings.Split(string(text.Print(s)), "\n") {
			if _, flags, ok := strings.Cut(line, " float="); ok {
				got = append(got, strings.Fields(flags)[0])
			}
		}
		if list := strings.Join(got, " "); list != c.want {
			t.Errorf("%d: %s, %s, %s: may relax %q, want %q", i, c.modes, c.flags, c.instr, list, c.want)
		}
	}
}

// TestFastMathOfChoices: relaxations of a comparison must not change a select with its own flags.
func TestFastMathOfChoices(t *testing.T) {
	for _, c := range []struct{ decorate, want string }{
		{"", "float=nan|inf|nsz|denorm|contract|reassoc|transform"},
		{"OpDecorate %y FPFastMathMode None", "float=nan|inf|denorm"},
	} {
		module := fastMathModule(t, allOf32, c.decorate, "OpFOrdLessThan %bool %a %b\n%y = OpSelect %float %x %a %b")
		s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text.Print(s)); !strings.Contains(got, c.want+"\n") {
			t.Errorf("%s: the comparison does not have %s\n%s", c.decorate, c.want, got)
		}
	}
}

// TestFastMathRefuses: modules that SPV_KHR_float_controls2 does not allow.
func TestFastMathRefuses(t *testing.T) {
	const mode = "OpExecutionModeId %main !6028 "
	for _, c := range []struct{ modes, decorate, want string }{
		{allOf32 + "\n" + noneOf32, "", "a second FPFastMathDefault for type id "},
		{mode + "%vec2 %all", "", "is not a float type"},
		{mode + "%none %all", "", "is not a float type"},
		{mode + "%float %null_vec", "", "is not a 32-bit constant"},
		{mode + "%float %null_half", "", "is not a 32-bit constant"},
		{mode + "%float", "", "needs a type and flags"},
		{mode + "%float %transform", "", "the flag AllowTransform needs AllowContract and AllowReassoc"},
		{mode + "%float %new", "", "unknown flags 0x80000"},
		{mode + "%float %fast", "", "the flag Fast is not allowed in an entry point that uses FPFastMathDefault"},
		{allOf32, "OpDecorate %x FPFastMathMode Fast", "the flag Fast is not allowed in an entry point that uses FPFastMathDefault"},
		{allOf32, "OpDecorate %x NoContraction", "the result has NoContraction, in an entry point that uses FPFastMathDefault"},
		{"", "OpDecorate %x NoContraction\nOpDecorate %x FPFastMathMode None", "the result has both NoContraction and FPFastMathMode"},
		{"", "OpDecorate %x FPFastMathMode !0x40000", "the flag AllowTransform needs AllowContract and AllowReassoc"},
		{allOf32 + "\nOpExecutionMode %main SignedZeroInfNanPreserve 32", "",
			"the entry point uses both FPFastMathDefault and SignedZeroInfNanPreserve"},
	} {
		_, err := spirv.Read(fastMathModule(t, c.modes, c.decorate, "OpFAdd %float %a %b"), spirv.Options{Stage: kind.StageCompute})
		if !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s %s: error %v, want one with %q", c.modes, c.decorate, err, c.want)
		}
	}
}
