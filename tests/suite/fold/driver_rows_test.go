// SPDX-License-Identifier: MIT

package fold

import (
	"strings"
	"testing"

	"jacquard.example/generated/spirvtab"
)

// driverRow is an instruction of SPIR-V (or glsl.X, of GLSL.std.450) with its
// signatures, result = operands: i, f, b for integer, float, bool of the current size; @32 of 32 bits; x2 a vector of
// two; the result i@* at every other size.
type driverRow struct {
	inst  string
	sizes []int
	sig   string
	extra string // text after the operands
}

var (
	intSizes   = []int{8, 16, 32, 64}
	floatSizes = []int{16, 32, 64}
	words      = []int{32} // operations that Vulkan has only at 32 bits
	mathSizes  = words     // at 16 bits lavapipe takes the process down, and Vulkan has no others
)

const packed4x8 = "PackedVectorFormat4x8Bit"

var driverRows = []driverRow{
	{"OpSNegate", intSizes, "i = i", ""},
	{"OpIAdd", intSizes, "i = i i", ""},
	{"OpISub", intSizes, "i = i i", ""},
	{"OpIMul", intSizes, "i = i i", ""},
	{"OpUDiv", intSizes, "i = i i", ""},
	{"OpSDiv", intSizes, "i = i i", ""},
	{"OpUMod", intSizes, "i = i i", ""},
	{"OpSRem", intSizes, "i = i i", ""},
	{"OpSMod", intSizes, "i = i i", ""},
	{"OpIAddCarry", words, "i i = i i", ""},
	{"OpISubBorrow", words, "i i = i i", ""},
	{"OpUMulExtended", words, "i i = i i", ""},
	{"OpSMulExtended", words, "i i = i i", ""},
	{"OpBitwiseOr", intSizes, "i = i i", ""},
	{"OpBitwiseXor", intSizes, "i = i i", ""},
	{"OpBitwiseAnd", intSizes, "i = i i", ""},
	{"OpNot", intSizes, "i = i", ""},
	{"OpShiftLeftLogical", intSizes, "i = i i@32; i = i i", ""},
	{"OpShiftRightLogical", intSizes, "i = i i@32; i = i i", ""},
	{"OpShiftRightArithmetic", intSizes, "i = i i@32; i = i i", ""},
	{"OpBitFieldInsert", words, "i = i i i i", ""},
	{"OpBitFieldSExtract", words, "i = i i i", ""},
	{"OpBitFieldUExtract", words, "i = i i i", ""},
	{"OpBitReverse", words, "i = i", ""},
	{"OpBitCount", words, "i = i", ""},

	{"OpIEqual", intSizes, "b = i i", ""},
	{"OpINotEqual", intSizes, "b = i i", ""},
	{"OpULessThan", intSizes, "b = i i", ""},
	{"OpSLessThan", intSizes, "b = i i", ""},
	{"OpUGreaterThan", intSizes, "b = i i", ""},
	{"OpSGreaterThan", intSizes, "b = i i", ""},
	{"OpULessThanEqual", intSizes, "b = i i", ""},
	{"OpSLessThanEqual", intSizes, "b = i i", ""},
	{"OpUGreaterThanEqual", intSizes, "b = i i", ""},
	{"OpSGreaterThanEqual", intSizes, "b = i i", ""},
	{"OpSelect", intSizes, "i = b i i", ""},
	{"OpSelect", floatSizes, "f = b f f; fx2 = bx2 fx2 fx2", ""},

	{"OpLogicalEqual", words, "b = b b", ""},
	{"OpLogicalNotEqual", words, "b = b b", ""},
	{"OpLogicalOr", words, "b = b b", ""},
	{"OpLogicalAnd", words, "b = b b", ""},
	{"OpLogicalNot", words, "b = b", ""},
	{"OpAny", words, "b = bx2; b = bx3; b = bx4", ""},
	{"OpAll", words, "b = bx2; b = bx3; b = bx4", ""},

	{"OpFNegate", floatSizes, "f = f", ""},
	{"OpFAdd", floatSizes, "f = f f", ""},
	{"OpFSub", floatSizes, "f = f f", ""},
	{"OpFMul", floatSizes, "f = f f", ""},
	{"OpFDiv", floatSizes, "f = f f", ""},
	{"OpFRem", floatSizes, "f = f f", ""},
	{"OpFMod", floatSizes, "f = f f", ""},
	{"OpVectorTimesScalar", floatSizes, "fx2 = fx2 f", ""},
	{"OpDot", floatSizes, "f = fx2 fx2; f = fx3 fx3; f = fx4 fx4", ""},
	{"OpQuantizeToF16", words, "f = f", ""},
	{"OpIsNan", floatSizes, "b = f", ""},
	{"OpIsInf", floatSizes, "b = f", ""},
	{"OpFOrdEqual", floatSizes, "b = f f", ""},
	{"OpFUnordEqual", floatSizes, "b = f f", ""},
	{"OpFOrdNotEqual", floatSizes, "b = f f", ""},
	{"OpFUnordNotEqual", floatSizes, "b = f f", ""},
	{"OpFOrdLessThan", floatSizes, "b = f f", ""},
	{"OpFUnordLessThan", floatSizes, "b = f f", ""},
	{"OpFOrdGreaterThan", floatSizes, "b = f f", ""},
	{"OpFUnordGreaterThan", floatSizes, "b = f f", ""},
	{"OpFOrdLessThanEqual", floatSizes, "b = f f", ""},
	{"OpFUnordLessThanEqual", floatSizes, "b = f f", ""},
	{"OpFOrdGreaterThanEqual", floatSizes, "b = f f", ""},
	{"OpFUnordGreaterThanEqual", floatSizes, "b = f f", ""},

	{"OpConvertFToU", floatSizes, "i@* = f", ""},
	{"OpConvertFToS", floatSizes, "i@* = f", ""},
	{"OpConvertSToF", intSizes, "f@* = i", ""},
	{"OpConvertUToF", intSizes, "f@* = i", ""},
	{"OpUConvert", intSizes, "i@* = i", ""},
	{"OpSConvert", intSizes, "i@* = i", ""},
	{"OpFConvert", floatSizes, "f@* = f", ""},
	{"OpBitcast", words, "i@16x2 = i; i@8x4 = i; i = i@16x2; i = i@8x4; i@64 = ix2", ""},
	{"OpBitcast", []int{64}, "i@32x2 = i; i@16x4 = i; i = i@16x4", ""},

	{"OpSDot", words, "i = i i", packed4x8},
	{"OpUDot", words, "i = i i", packed4x8},
	{"OpSUDot", words, "i = i i", packed4x8},
	{"OpSDotAccSat", words, "i = i i i", packed4x8},
	{"OpUDotAccSat", words, "i = i i i", packed4x8},
	{"OpSUDotAccSat", words, "i = i i i", packed4x8},
	{"OpSDot", []int{16}, "i@32 = ix2 ix2", ""},
	{"OpUDot", []int{16}, "i@32 = ix2 ix2", ""},
	{"OpSUDot", []int{16}, "i@32 = ix2 ix2", ""},
	{"OpSDotAccSat", []int{16}, "i@32 = ix2 ix2 i@32; i = ix2 ix2 i", ""},
	{"OpUDotAccSat", []int{16}, "i@32 = ix2 ix2 i@32; i = ix2 ix2 i", ""},
	{"OpSDot", intSizes, "i = ix3 ix3", ""},
	{"OpUDot", intSizes, "i = ix4 ix4", ""},

	{"glsl.Round", floatSizes, "f = f", ""},
	{"glsl.RoundEven", floatSizes, "f = f", ""},
	{"glsl.Trunc", floatSizes, "f = f", ""},
	{"glsl.FAbs", floatSizes, "f = f", ""},
	{"glsl.SAbs", intSizes, "i = i", ""},
	{"glsl.FSign", floatSizes, "f = f", ""},
	{"glsl.SSign", intSizes, "i = i", ""},
	{"glsl.Floor", floatSizes, "f = f", ""},
	{"glsl.Ceil", floatSizes, "f = f", ""},
	{"glsl.Fract", floatSizes, "f = f", ""},
	{"glsl.Sin", mathSizes, "f = f", ""},
	{"glsl.Cos", mathSizes, "f = f", ""},
	{"glsl.Pow", mathSizes, "f = f f", ""},
	{"glsl.Exp2", mathSizes, "f = f", ""},
	{"glsl.Log2", mathSizes, "f = f", ""},
	{"glsl.Sqrt", floatSizes, "f = f", ""},
	{"glsl.InverseSqrt", floatSizes, "f = f", ""},
	{"glsl.ModfStruct", floatSizes, "f f = f", ""},
	{"glsl.FMin", floatSizes, "f = f f", ""},
	{"glsl.UMin", intSizes, "i = i i", ""},
	{"glsl.SMin", intSizes, "i = i i", ""},
	{"glsl.FMax", floatSizes, "f = f f", ""},
	{"glsl.UMax", intSizes, "i = i i", ""},
	{"glsl.SMax", intSizes, "i = i i", ""},
	{"glsl.FClamp", floatSizes, "f = f f f", ""},
	{"glsl.UClamp", intSizes, "i = i i i", ""},
	{"glsl.SClamp", intSizes, "i = i i i", ""},
	{"glsl.FMix", floatSizes, "f = f f f", ""},
	{"glsl.Step", floatSizes, "f = f f", ""},
	{"glsl.Fma", floatSizes, "f = f f f", ""},
	{"glsl.FrexpStruct", floatSizes, "f i@32 = f", ""},
	{"glsl.Ldexp", floatSizes, "f = f i@32", ""},
	{"glsl.PackSnorm4x8", words, "i = fx4", ""},
	{"glsl.PackUnorm4x8", words, "i = fx4", ""},
	{"glsl.PackSnorm2x16", words, "i = fx2", ""},
	{"glsl.PackUnorm2x16", words, "i = fx2", ""},
	{"glsl.PackHalf2x16", words, "i = fx2", ""},
	{"glsl.PackDouble2x32", words, "f@64 = ix2", ""},
	{"glsl.UnpackSnorm4x8", words, "fx4 = i", ""},
	{"glsl.UnpackUnorm4x8", words, "fx4 = i", ""},
	{"glsl.UnpackSnorm2x16", words, "fx2 = i", ""},
	{"glsl.UnpackUnorm2x16", words, "fx2 = i", ""},
	{"glsl.UnpackHalf2x16", words, "fx2 = i", ""},
	{"glsl.UnpackDouble2x32", []int{64}, "i@32x2 = f", ""},
	{"glsl.FindILsb", words, "i = i", ""},
	{"glsl.FindSMsb", words, "i = i", ""},
	{"glsl.FindUMsb", words, "i = i", ""},
	{"glsl.NMin", floatSizes, "f = f f", ""},
	{"glsl.NMax", floatSizes, "f = f f", ""},
	{"glsl.NClamp", floatSizes, "f = f f f", ""},
	{"glsl.SmoothStep", mathSizes, "f = f f f", ""},
}

// composed are instructions that the reader composes of others in the table; lavapipe has its own approximations for
// many of them.
const composed = `glsl.Radians glsl.Degrees glsl.Tan glsl.Asin glsl.Acos glsl.Atan glsl.Sinh glsl.Cosh glsl.Tanh
	glsl.Asinh glsl.Acosh glsl.Atanh glsl.Atan2 glsl.Exp glsl.Log glsl.Modf glsl.Frexp glsl.Length glsl.Distance glsl.Cross
	glsl.Normalize glsl.FaceForward glsl.Reflect glsl.Refract`

// integers are the instructions of SPV_INTEL_shader_integer_functions2, which lavapipe does not implement:
// tests/amber/op_integer_functions2.amber tests them against the extension's specification.
const integers = `OpUCountLeadingZerosINTEL OpUCountTrailingZerosINTEL OpAbsISubINTEL OpAbsUSubINTEL OpIAddSatINTEL OpUAddSatINTEL
	OpIAverageINTEL OpUAverageINTEL OpIAverageRoundedINTEL OpUAverageRoundedINTEL OpISubSatINTEL OpUSubSatINTEL OpIMul32x16INTEL OpUMul32x16INTEL`

// neighbours are instructions that only fragment shaders have: they take differences to other pixels, and the folder has
// no pixels.
const neighbours = `OpDPdx OpDPdy OpFwidth OpDPdxFine OpDPdyFine OpFwidthFine OpDPdxCoarse OpDPdyCoarse OpFwidthCoarse`

// TestDriverRows: every instruction that the reader's tables turn into opcodes
// is driven, consists of driven instructions, or needs a fragment shader.
func TestDriverRows(t *testing.T) {
	driven, made := map[string]bool{}, map[string]bool{}
	for _, r := range driverRows {
		driven[r.inst] = true
	}
	for _, name := range strings.Fields(composed + " " + neighbours + " " + integers) {
		made[name] = true
	}
	check := func(name string, has bool) {
		if has && !driven[name] && !made[name] || driven[name] && made[name] {
			t.Errorf("%s: driven %v, listed as not to be driven %v", name, driven[name], made[name])
		}
		delete(made, name)
	}
	for i := range spirvtab.Ops {
		check(spirvtab.Ops[i].Name, spirvtab.Ops[i].Program[0] != 0)
	}
	for i := range spirvtab.GLSL {
		check("glsl."+spirvtab.GLSL[i].Name, spirvtab.GLSL[i].Program[0] != 0)
	}
	for name := range made {
		t.Errorf("there is no %s", name)
	}
}
