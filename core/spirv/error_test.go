// SPDX-License-Identifier: MIT

package spirv_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

func words(w ...uint32) []byte {
	var b []byte
	for _, x := range w {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// TestRefusesBytes checks the error texts for inputs that are hardly SPIR-V.
func TestRefusesBytes(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"empty", nil, "word 0: empty file"},
		{"short", []byte{3, 2}, "word 0: not SPIR-V: shorter than a word"},
		{"text", []byte("#version 450\nvoid main() {}\n"), "word 0: not SPIR-V but text; assemble it first (spirv-as), or compile it (glslangValidator -V)"},
		{"magic", words(1, 2, 3, 4, 5), "word 0: not SPIR-V: the first word is not the magic number 0x07230203"},
		{"odd", append(words(0x07230203, 0x10000), 1), "word 2: truncated: the length is not a multiple of the word size"},
		{"header", words(0x07230203, 0x10000), "word 2: truncated: the header has five words"},
		{"version", words(0x07230203, 0x20000, 0, 1, 0), "word 1: version 2.0 (0x20000) is not supported, only 1.0 to 1.6"},
		{"schema", words(0x07230203, 0x10000, 0, 1, 7), "word 4: instruction schema 7 is reserved"},
		{"no ids", words(0x07230203, 0x10000, 0, 0, 0), "word 3: id bound 0 is not between 1 and 4194303"},
		{"many ids", words(0x07230203, 0x10000, 0, 1<<31, 0), "word 3: id bound 2147483648 is not between 1 and 4194303"},
		{"too many ids", words(0x07230203, 0x10000, 0, 4000000, 0), "word 3: id bound 4000000 is too large for a module of 5 words"},
		{"word count 0", words(0x07230203, 0x10000, 0, 5, 0, 17), "word 5: OpCapability: word count 0 exceeds the remaining 1 words"},
		{"word count", words(0x07230203, 0x10000, 0, 5, 0, 9<<16|17, 1), "word 5: OpCapability: word count 9 exceeds the remaining 2 words"},
		{"opcode", words(0x07230203, 0x10000, 0, 5, 0, 1<<16|0xfff0), "word 5: unknown opcode 65520"},
		{"no operands", words(0x07230203, 0x10000, 0, 5, 0, 1<<16|17), "word 5: OpCapability: has 1 words, needs at least 2"},
		{"id", words(0x07230203, 0x10000, 0, 5, 0, 3<<16|22, 9, 32), "word 5: OpTypeFloat: result id 9 exceeds the bound 5"},
		{"twice", words(0x07230203, 0x10000, 0, 5, 0, 2<<16|19, 1, 2<<16|19, 1), "word 7: OpTypeVoid: id 1 is defined twice, first at word 5"},
		{"string", words(0x07230203, 0x10000, 0, 5, 0, 3<<16|11, 1, 0x41414141), "word 5: OpExtInstImport: word 2: unterminated string"},
		{"capability", words(0x07230203, 0x10000, 0, 5, 0, 2<<16|17, 5), "word 5: OpCapability: capability Linkage is not supported"},
		{"unknown capability", words(0x07230203, 0x10000, 0, 5, 0, 2<<16|17, 60000), "word 5: OpCapability: unknown capability 60000"},
		{"nothing", words(0x07230203, 0x10000, 0, 5, 0), "word 5: no entry point"},
	} {
		t.Run(c.name, func(t *testing.T) { refuses(t, c.in, c.want) })
	}
}

func refuses(t *testing.T, in []byte, want string) {
	t.Helper()
	_, err := spirv.Read(in, spirv.Options{Stage: kind.StageCompute})
	var e *spirv.Error
	if !errors.As(err, &e) {
		t.Fatalf("gives %v, want an *Error", err)
	}
	if got := err.Error(); got != want {
		t.Errorf("gives\n%s\nwant\n%s", got, want)
	}
}

// TestBigEndian: a module in big-endian byte order gives the same shader.
func TestBigEndian(t *testing.T) {
	in := assemble(t, "OpReturn", "")
	out := make([]byte, len(in))
	for i := 0; i < len(in); i += 4 {
		binary.BigEndian.PutUint32(out[i:], binary.LittleEndian.Uint32(in[i:]))
	}
	if _, err := spirv.Read(out, spirv.Options{Stage: kind.StageCompute}); err != nil {
		t.Error(err)
	}
}

// TestEntryPoint: the entry point is found by name.
func TestEntryPoint(t *testing.T) {
	m := assemble(t, "OpReturn", "")
	if _, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute, Entry: "main"}); err != nil {
		t.Error(err)
	}
	_, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute, Entry: "other"})
	if err == nil || !strings.HasSuffix(err.Error(), `no entry point "other"`) {
		t.Errorf("another entry point gives %v", err)
	}
	_, err = spirv.Read(m, spirv.Options{Stage: kind.StageFragment})
	var e *spirv.Error
	if !errors.As(err, &e) || e.Stage != "compute" || e.Op != "OpEntryPoint" || e.Msg != `entry point "main" is of stage compute, not fragment` {
		t.Errorf("another stage gives %v", err)
	}
}

// assemble returns a module with one function whose body is the text body; global is placed before it.
func assemble(t *testing.T, body, global string) []byte {
	t.Helper()
	oracle.Need(t, "spirv-as")
	var annotations, declarations string // annotations go before the types
	for _, l := range strings.Split(global, "\n") {
		if strings.HasPrefix(l, "OpDecorate") || strings.HasPrefix(l, "OpMemberDecorate") {
			annotations += l + "\n"
		} else {
			declarations += l + "\n"
		}
	}
	src := `OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
` + annotations + `%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %f32 2
%v3 = OpTypeVector %f32 3
%true = OpConstantTrue %bool
%u0 = OpConstant %u32 0
%u1 = OpConstant %u32 1
%f0 = OpConstant %f32 0
%v2n = OpConstantNull %v2
%v3n = OpConstantNull %v3
%pu = OpTypePointer Function %u32
%pf = OpTypePointer Function %f32
%pv = OpTypePointer Function %v3
` + declarations + `
%main = OpFunction %void None %fn
%entry = OpLabel
` + body + `
OpFunctionEnd
`
	m, err := oracle.Assemble(t, []byte(src), "spv1.4")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRefusesModules checks the error texts for modules that are invalid or unsupported. The word offset is left out.
func TestRefusesModules(t *testing.T) {
	big := ""
	for i := range 8 {
		big += fmt.Sprintf("%%n%d = OpConstant %%u32 1000\n", i)
	}
	for _, c := range []struct{ name, body, global, want string }{
		{"opcode", "%x = OpDPdx %f32 %f0\nOpReturn", "", "OpDPdx: needs an execution mode that arranges the invocations of a compute shader in derivative groups"},
		{"kill", "OpKill", "", "OpKill: is not allowed in a compute shader, only in fragment shaders"},
		{"terminate", "OpTerminateInvocation", "", "OpTerminateInvocation: is not allowed in a compute shader, only in fragment shaders"},
		{"array", "OpReturn", "%n = OpConstant %u32 4294967295\n%a = OpTypeArray %u32 %n", "OpTypeArray: an array has 4294967295 elements; it must have from 1 to 2^28"},
		{"array length", "OpReturn", "%a = OpTypeArray %u32 %f0", "OpTypeArray: the length, id ID, is not a constant integer"},
		{"vector", "OpReturn", "%a = OpTypeVector %u32 8", "OpTypeVector: vectors of 8 such components are not supported"},
		{"storage class", "OpStore %v %u0\nOpReturn", "%a = OpTypePointer Output %u32\n%v = OpVariable %a Output", "OpStore: id ID is an input or output of a compute shader that is not a builtin, which is not supported"},
		{"input", "%x = OpLoad %u32 %v\nOpReturn", "%a = OpTypePointer Input %u32\n%v = OpVariable %a Input", "OpLoad: id ID is an input or output of a compute shader that is not a builtin, which is not supported"},
		{"operands", "%x = OpFAdd %v3 %v3n %v2n\nOpReturn", "", "OpFAdd: the operands have 3 and 2 components"},
		{"operand size", "%x = OpFAdd %v3 %v3n %true\nOpReturn", "", "OpFAdd: a 1-bit operand does not fit fadd"},
		{"result", "%x = OpFAdd %v2 %v3n %v3n\nOpReturn", "", "OpFAdd: yields 3 32-bit components, but the result type has 2 of 32 bits"},
		{"dot format", "%x = OpUDot %u32 %u0 %u1\nOpReturn", "", "OpUDot: the operands are 32-bit scalars; they must have 32 bits and a known packed vector format"},
		{"dot vectors", "%x = OpUDot %u32 %a %b\nOpReturn", "%t2 = OpTypeVector %u32 2\n%t3 = OpTypeVector %u32 3\n%a = OpConstantNull %t2\n%b = OpConstantNull %t3",
			"OpUDot: the operands have 2 and 3 components, of 32 and 32 bits; they must have the same"},
		{"dot floats", "%x = OpUDot %u32 %v2n %v2n\nOpReturn", "", "OpUDot: id ID is not a vector of integers"},
		{"dot result", "%x = OpUDot %f32 %a %a\nOpReturn", "%t2 = OpTypeVector %u32 2\n%a = OpConstantNull %t2", "OpUDot: the result is not a scalar integer"},
		{"dot narrow", "%x = OpUDot %b1 %a %a\nOpReturn", "%b1 = OpTypeInt 16 0\n%t2 = OpTypeVector %u32 2\n%a = OpConstantNull %t2", "OpUDot: the components have 32 bits, but the result has only 16"},
		{"clock result", "%x = OpReadClockKHR %v2 %u1\nOpReturn", "", "OpReadClockKHR: the result is not a 64-bit integer or a vector of two 32-bit integers"},
		{"clock scope", "%x = OpReadClockKHR %t2 %c2\nOpReturn", "%t2 = OpTypeVector %u32 2\n%c2 = OpConstant %u32 2", "OpReadClockKHR: the scope is workgroup; it must be subgroup or device"},
		{"undefined", "%x = OpFAdd %f32 %y %f0\n%y = OpFAdd %f32 %f0 %f0\nOpReturn", "", "OpFAdd: id ID is used where it is not defined"},
		{"dominance", "OpSelectionMerge %m None\nOpBranchConditional %true %t %m\n%t = OpLabel\n%x = OpFAdd %f32 %f0 %f0\nOpBranch %m\n%m = OpLabel\n%y = OpFAdd %f32 %x %x\nOpReturn", "",
			"OpFAdd: the definition of id ID does not dominate its use"},
		{"unstructured", "OpBranchConditional %true %t %m\n%t = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn", "",
			"OpBranchConditional: begins a selection that has no merge instruction"},
		{"merge above", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %c None\nOpBranch %b\n%b = OpLabel\nOpSelectionMerge %h None\nOpBranchConditional %true %t %c\n%t = OpLabel\nOpBranch %c\n%c = OpLabel\nOpBranchConditional %true %h %e\n%e = OpLabel\nOpReturn", "",
			"OpSelectionMerge: the header does not dominate its merge block ID"},
		{"offset", "OpReturn", "OpMemberDecorate %s 1 Offset 6\n%s = OpTypeStruct %f32 %v2", "OpTypeStruct: the offset of a member, 6 bytes, is not a multiple of the scalar size 4"},
		{"stride", "OpReturn", "OpDecorate %a ArrayStride 10\n%a = OpTypeRuntimeArray %v2", "OpTypeRuntimeArray: the stride, 10 bytes, is not a multiple of the scalar size 4"},
		{"atomic float", "%v = OpVariable %pu Function\n%x = OpAtomicFAddEXT %u32 %v %u1 %u0 %u0\nOpReturn", "", "OpAtomicFAddEXT: the result is not a float"},
		{"import inside", "%x = OpExtInstImport \"GLSL.std.450\"\nOpReturn", "", "OpExtInstImport: is not allowed inside a function"},
		{"switch", "OpSwitch %u0 %t\n%t = OpLabel\nOpReturn", "", "OpSwitch: needs a merge instruction"},
		{"member", "%v = OpVariable %ps Function\n%c = OpAccessChain %pf %v %u1\nOpReturn", "%s = OpTypeStruct %f32\n%ps = OpTypePointer Function %s", "OpAccessChain: the struct has no member 1"},
		{"chain class", "%v = OpVariable %ps Function\n%c = OpAccessChain %pp %v %u0\nOpReturn", "%s = OpTypeStruct %f32\n%ps = OpTypePointer Function %s\n%pp = OpTypePointer Private %f32", "OpAccessChain: the result pointer has a different storage class than the base"},
		{"pointee", "%v = OpVariable %pv Function\nOpStore %v %f0\nOpReturn", "", "OpStore: the pointer, id ID, points to a different type than the object's"},
		{"recursion", "%x = OpFunctionCall %void %main\nOpReturn", "", "OpFunctionCall: recursion: function ID calls itself"},
		{"shared zero", "OpReturn", "%pw = OpTypePointer Workgroup %u32\n%v = OpVariable %pw Workgroup %u0", "OpVariable: the initializer of workgroup memory, id ID, is not OpConstantNull"},
		{"shared constant", "OpReturn", "%pw = OpTypePointer Workgroup %v2\n%c = OpConstantComposite %v2 %f0 %f0\n%v = OpVariable %pw Workgroup %c", "OpVariable: the initializer of workgroup memory, id ID, is not OpConstantNull"},
		{"linkage", "%x = OpFunctionCall %void %g\nOpReturn", "%g = OpFunction %void None %fn\nOpFunctionEnd", "OpFunction: a function without a body (linkage) is not supported"},
		{"pointer select", "%v = OpVariable %pu Function\n%w = OpVariable %pu Function\n%x = OpSelect %pu %true %v %w\nOpReturn", "", "OpSelect: a pointer of storage class Function cannot be a value; PhysicalStorageBuffer pointers can, and with VariablePointers StorageBuffer and Workgroup pointers"},
		{"decoration", "OpReturn", "OpDecorate %v GLSLShared\n%v = OpTypeStruct %f32", "OpDecorate: decoration GLSLShared is not supported"},
		{"builtin", "%x = OpLoad %v3 %v\nOpReturn", "OpDecorate %v BuiltIn FragCoord\n%pi = OpTypePointer Input %v3\n%v = OpVariable %pi Input", "OpLoad: a compute shader has no input FragCoord"},
		{"whole array", "%v = OpVariable %p Function\nOpStore %v %x\nOpReturn", big + "%a0 = OpTypeArray %f32 %n0\n%a1 = OpTypeArray %a0 %n0\n%a2 = OpTypeArray %a1 %n0\n%p = OpTypePointer Function %a2\n%x = OpConstantNull %a2",
			"OpStore: aggregates expand to more than N vectors"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := spirv.Read(assemble(t, c.body, c.global), spirv.Options{Stage: kind.StageCompute})
			var e *spirv.Error
			if !errors.As(err, &e) {
				t.Fatalf("gives %v, want an *Error", err)
			}
			if got := e.Op + ": " + e.Msg; masked(got) != masked(c.want) {
				t.Errorf("gives\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// masked replaces the numbers of ids, which the assembler assigns.
func masked(s string) string {
	f := strings.Fields(s)
	for i := range f {
		if i > 0 && (f[i-1] == "id" || f[i-1] == "block" || f[i-1] == "function") && strings.Trim(f[i], "0123456789,:") == "" {
			f[i] = "ID" + strings.TrimLeft(f[i], "0123456789")
		}
		if i > 1 && f[i-1] == "than" && strings.Trim(f[i], "0123456789") == "" && f[i-2] == "more" {
			f[i] = "N"
		}
	}
	return strings.Join(f, " ")
}

// TestEntryFunction: an entry point whose function has parameters or a result is refused.
func TestEntryFunction(t *testing.T) {
	for _, f := range []string{
		"%fn = OpTypeFunction %void %u32\n%main = OpFunction %void None %fn\n%x = OpFunctionParameter %u32\n%l = OpLabel\nOpReturn\nOpFunctionEnd",
		"%fn = OpTypeFunction %u32\n%c = OpConstant %u32 0\n%main = OpFunction %u32 None %fn\n%l = OpLabel\nOpReturnValue %c\nOpFunctionEnd",
	} {
		src := "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n" +
			"OpExecutionMode %main LocalSize 1 1 1\n" +
			"%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n" + f
		m, err := oracle.Assemble(t, []byte(src), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute}); err == nil ||
			!strings.Contains(err.Error(), "must not have parameters or a result") {
			t.Errorf("gives %v", err)
		}
	}
}
