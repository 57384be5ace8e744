// SPDX-License-Identifier: MIT

package amber

import (
	"strings"
	"testing"

	"jacquard.example/backend/run/runner"
)

// prelude declares the shader and buffers used by the cases below; the command under test starts on line 13.
const prelude = `#!amber
SHADER compute s SPIRV-HEX
0x07230203
END
BUFFER b DATA_TYPE uint32 SIZE 4 FILL 0
BUFFER c DATA_TYPE uint32 SIZE 5 FILL 0
BUFFER f DATA_TYPE vec2<float> SIZE 2 FILL 0
PIPELINE compute p
  ATTACH s
  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0
END
DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl
`

// TestErrors pins the wording and the positions of the parser's errors. Lines
// count from the end of the prelude; a case without a position is a complete script.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ at, msg, src string }{
		{"", "the first line is not '#!amber'", ""},
		{"", "the first line is not '#!amber'", "# a comment\n#!amber\n"},
		{"", "the first line is not '#!amber'", "#!amberscript\n"},

		{"1:1", "unknown command 'FROB'", "FROB x"},
		{"2:1", "unknown command 'x'", "\nx"},
		{"1:1", "unknown command 'RUN'", `"RUN" p 1 1 1`},
		{"1:7", "CLEAR needs a graphics pipeline, but p is a compute pipeline", "CLEAR p"},
		{"1:13", "CLEAR_COLOR needs a graphics pipeline, but p is a compute pipeline", "CLEAR_COLOR p 0 0 0 0"},
		{"1:15", "CLEAR_STENCIL needs a graphics pipeline, but p is a compute pipeline", "CLEAR_STENCIL p 0"},
		{"1:23", "expected DIM_1D, DIM_2D or DIM_3D, found the end of the script", "IMAGE i FORMAT R8_UINT"},
		{"1:9", "expected DATA_TYPE or FORMAT of IMAGE i, found 'FILL'", "IMAGE i FILL 0"},
		{"1:19", "unknown type or format 'R8_UINTS'", "IMAGE i DATA_TYPE R8_UINTS DIM_1D WIDTH 1"},
		{"1:1", "'i' has type mat2x2<float>, which is not a texel format", "IMAGE i DATA_TYPE mat2x2<float> DIM_1D WIDTH 1"},
		{"1:1", "IMAGE i needs HEIGHT", "IMAGE i FORMAT R8_UINT DIM_2D WIDTH 4"},
		{"1:1", "an image with 1 dimensions has no HEIGHT", "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 4 HEIGHT 2"},
		{"1:37", "WIDTH must not be 0", "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 0"},
		{"1:1", "MIP_LEVELS 4: an image of 4x4x1 texels has fewer levels", "IMAGE i FORMAT R8_UINT DIM_2D WIDTH 4 HEIGHT 4 MIP_LEVELS 4"},
		{"1:1", "i is too big: the buffers of a script may have at most 256 MiB in total", "IMAGE i FORMAT R32G32B32A32_UINT DIM_3D WIDTH 65536 HEIGHT 65536 DEPTH 65536"},
		{"1:1", "a multisampled image must have two dimensions and one level", "IMAGE i FORMAT R8_UINT SAMPLES 2 DIM_1D WIDTH 1"},
		{"1:32", "SAMPLES cannot be 3", "IMAGE i FORMAT R8_UINT SAMPLES 3 DIM_1D WIDTH 1"},
		{"2:8", "'i' is multisampled: its samples can be neither copied nor checked", "IMAGE i FORMAT R8_UINT SAMPLES 2 DIM_2D WIDTH 1 HEIGHT 1\nEXPECT i IDX 0 EQ 1"},
		{"1:39", "DATA has 3 elements, but the image has 4 texels", "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 4 DATA 1 2 3 END"},
		{"1:44", "SIZE is 3, but the image has 4 texels", "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 4 SIZE 3 FILL 0"},
		{"1:11", "unknown word 'FOO' in SAMPLER", "SAMPLER s FOO"},
		{"1:22", "MAG_FILTER cannot be 'cubic'", "SAMPLER s MAG_FILTER cubic"},
		{"1:24", "BORDER_COLOR cannot be 'red'", "SAMPLER s BORDER_COLOR red"},
		{"1:9", "MIN_LOD 2 of sampler 's' is above its MAX_LOD 1", "SAMPLER s MIN_LOD 2"},
		{"1:19", "MIN_LOD must be a number, not 'x'", "SAMPLER s MIN_LOD x"},
		{"1:1", "ACCELERATION_STRUCTURE: ray tracing is not supported yet", "ACCELERATION_STRUCTURE x"},

		{"1:7", "expected the type of the shader, found the end of the line", "SHADER\n"},
		{"1:8", "unknown shader type 'pixel'", "SHADER pixel x GLSL\nEND"},
		{"1:8", "SHADER geometry: only compute, vertex and fragment shaders are supported", "SHADER geometry x GLSL\nEND"},
		{"1:8", "SHADER miss: ray tracing is not supported yet", "SHADER miss x GLSL\nEND"},
		{"1:19", "only a vertex shader can be PASSTHROUGH", "SHADER fragment x PASSTHROUGH"},
		{"1:16", "a shader named 's' already exists", "SHADER compute s GLSL\nEND"},
		{"1:18", "OPENCL-C shaders are not supported", "SHADER compute x OPENCL-C\nEND"},
		{"1:18", "HLSL shaders are not supported", "SHADER compute x HLSL\nEND"},
		{"1:18", "unknown shader format 'MSL'", "SHADER compute x MSL\nEND"},
		{"1:16", "a multi shader must be SPIRV-ASM or SPIRV-HEX", "SHADER multi x GLSL\nEND"},
		{"1:1", "SHADER x has no END", "SHADER compute x GLSL\nvoid main() {}\n"},
		{"1:1", "SHADER x is empty", "SHADER compute x GLSL\n\nEND"},
		{"1:23", "unknown word 'TARGET' in SHADER", "SHADER compute x GLSL TARGET\nEND"},
		{"1:34", "expected the target environment, found '--x;y'", "SHADER compute x GLSL TARGET_ENV --x;y\nEND"},
		{"1:28", "'a.comp': this script cannot read files", "SHADER compute x GLSL FILE a.comp\nEND"},
		{"1:36", "unknown virtual file 'a'", "SHADER compute x GLSL VIRTUAL_FILE a\n"},
		{"2:12", "'12345678g' is not a 32-bit word in hexadecimal", "SHADER compute x SPIRV-HEX\n0x07230203 12345678g\nEND"},
		{"3:5", "nothing may follow END on its line, found 'x'", "SHADER compute x GLSL\nvoid\nEND x"},
		{"1:1", "VIRTUAL_FILE has no END", "VIRTUAL_FILE a\nx\n"},

		{"1:8", "a buffer named 'b' already exists", "BUFFER b DATA_TYPE int8 SIZE 1 FILL 0"},
		{"1:8", "expected the name of the BUFFER, found 'DATA_TYPE'", "BUFFER DATA_TYPE int8 SIZE 1 FILL 0"},
		{"1:38", "expected HEIGHT, found the end of the script", "BUFFER x DATA_TYPE      int8 WIDTH 22"},
		{"1:42", "expected the initializer (FILL, SERIES_FROM or FILE) of BUFFER x, found 'X'", "BUFFER x DATA_TYPE int8 WIDTH 2 HEIGHT 2 X"},
		{"1:20", "unknown type or format 'vec5<int8>'", "BUFFER x DATA_TYPE vec5<int8> SIZE 1 FILL 0"},
		{"1:20", "unknown type or format 'vec2<half>'", "BUFFER x DATA_TYPE vec2<half> SIZE 1 FILL 0"},
		{"1:26", "expected the initializer (DATA or SIZE) of BUFFER x, found the end of the line", "BUFFER x DATA_TYPE int8  \n"},
		{"1:32", "expected the initializer (FILL, SERIES_FROM or FILE) of BUFFER x, found 'FULL'", "BUFFER x DATA_TYPE int8 SIZE 1 FULL 0"},
		{"1:30", "SIZE must be an integer from 0 to 4294967295, not '-1'", "BUFFER x DATA_TYPE int8 SIZE -1 FILL 0"},
		{"1:30", "BUFFER x has no elements", "BUFFER x DATA_TYPE int8 SIZE 0 FILL 0"},
		{"1:30", "BUFFER x is too big: the buffers of a script may have at most 256 MiB in total", "BUFFER x DATA_TYPE int8 SIZE 4000000000 FILL 0"},
		{"1:42", "'a.txt': this script cannot read files", "BUFFER x DATA_TYPE int8 SIZE 1 FILE TEXT a.txt"},
		{"1:37", "'256' does not fit in int8", "BUFFER x DATA_TYPE int8 SIZE 1 FILL 256"},
		{"1:37", "'1.5' is not an integer in the 64-bit range, as int8 requires", "BUFFER x DATA_TYPE int8 SIZE 1 FILL 1.5"},
		{"1:37", "'one' is not a number", "BUFFER x DATA_TYPE int8 SIZE 1 FILL one"},
		{"1:38", "'inf' is not a number", "BUFFER x DATA_TYPE float SIZE 1 FILL inf"},
		{"1:39", "nothing may follow FILL on its line, found '2'", "BUFFER x DATA_TYPE int8 SIZE 1 FILL 1 2"},
		{"1:39", "SERIES_FROM needs a buffer of scalars, but x has elements of type vec2<float>", "BUFFER x DATA_TYPE vec2<float> SIZE 2 SERIES_FROM 0 INC_BY 1"},
		{"1:46", "expected INC_BY, found 'BY'", "BUFFER x DATA_TYPE int8 SIZE 2 SERIES_FROM 0 BY 1"},
		{"1:25", "DATA has no END", "BUFFER x DATA_TYPE int8 DATA 1 2 3"},
		{"1:32", "DATA has 3 values, but an element of type vec2<float> takes 2", "BUFFER x DATA_TYPE vec2<float> DATA 1 2 3 END"},
		{"2:3", "'x' is not a number", "BUFFER x DATA_TYPE int8 DATA 1\n  x END"},

		{"1:8", "a type named 'float' already exists", "STRUCT float\n int8 a\nEND"},
		{"1:1", "STRUCT t has no members", "STRUCT t\nEND"},
		{"1:1", "STRUCT t has no END", "STRUCT t\n int8 a\n"},
		{"2:2", "STRUCT t contains itself", "STRUCT t\n t a\nEND"},
		{"2:2", "unknown type 'half'", "STRUCT t\n half a\nEND"},
		{"3:7", "STRUCT t already has a member named 'a'", "STRUCT t\n int8 a\n int8 a\nEND"},
		{"2:9", "ARRAY_STRIDE on 'a', which is not an array", "STRUCT t\n int8 a ARRAY_STRIDE 4\nEND"},
		{"2:9", "MATRIX_STRIDE on 'a', which is not a matrix", "STRUCT t\n int8 a MATRIX_STRIDE 4\nEND"},
		{"2:9", "unknown word 'X' in a STRUCT member", "STRUCT t\n int8 a X\nEND"},
		{"3:8", "OFFSET 2 of 'b' overlaps the preceding member, which ends at 4", "STRUCT t\n int32 a\n int32 b OFFSET 2\nEND\nBUFFER x DATA_TYPE t SIZE 1 FILL 0"},
		{"2:11", "ARRAY_STRIDE 2 is less than the 4 bytes of an element", "STRUCT t\n int32[2] a ARRAY_STRIDE 2\nEND\nBUFFER x DATA_TYPE t SIZE 1 FILL 0"},
		{"2:16", "MATRIX_STRIDE 4 is less than the 8 bytes of a column", "STRUCT t\n mat2x2<float> a MATRIX_STRIDE 4\nEND\nBUFFER x DATA_TYPE t SIZE 1 FILL 0"},
		{"4:20", "the 4 bytes of struct 't' do not fit in its STRIDE 2", "STRUCT t STRIDE 2\n int32 a\nEND\nBUFFER x DATA_TYPE t SIZE 1 FILL 0"},
		{"4:20", "the array int32[] needs a size", "STRUCT t\n int32[] a\nEND\nBUFFER x DATA_TYPE t SIZE 1 FILL 0"},
		{"1:20", "an element of type int8[1000000000] has more than 65536 numbers", "BUFFER x DATA_TYPE int8[1000000000] SIZE 1 FILL 0"},

		{"1:10", "PIPELINE ray_tracing: only compute and graphics pipelines are supported", "PIPELINE ray_tracing g\nEND"},
		{"1:1", "PIPELINE g has no vertex shader: ATTACH is missing", "PIPELINE graphics g\nEND"},
		{"3:1", "a graphics pipeline cannot have a shader of type 'compute'", "PIPELINE graphics g\n\nATTACH s\nEND"},
		{"1:10", "unknown pipeline type 'mesh'", "PIPELINE mesh g\nEND"},
		{"1:18", "a pipeline named 'p' already exists", "PIPELINE compute p\nEND"},
		{"1:1", "PIPELINE q has no shader: ATTACH is missing", "PIPELINE compute q\nEND"},
		{"1:1", "PIPELINE q has no END", "PIPELINE compute q\n ATTACH s\n"},
		{"2:2", "unknown command 'x' in PIPELINE", "PIPELINE compute q\n x\nEND"},
		{"2:2", "VERTEX_DATA: a compute pipeline has none", "PIPELINE compute q\n VERTEX_DATA b LOCATION 0\nEND"},
		{"3:2", "unknown command 'COMPARE' in STENCIL", "PIPELINE graphics q\n STENCIL front\n COMPARE less\n END\nEND"},
		{"2:15", "POLYGON_MODE cannot be 'dots'", "PIPELINE graphics q\n POLYGON_MODE dots\nEND"},
		{"2:22", "shader 's' is not attached to this pipeline", "PIPELINE compute q\n SHADER_OPTIMIZATION s\nEND"},
		{"4:3", "'--optimize_all' is not a pass: expected --name, --name=value, -O or -Os", "PIPELINE compute q\n ATTACH s\n SHADER_OPTIMIZATION s\n  --optimize_all\n END\nEND"},
		{"4:3", "'-o' is not a pass: expected --name, --name=value, -O or -Os", "PIPELINE compute q\n ATTACH s\n SHADER_OPTIMIZATION s\n  -o x\n END\nEND"},
		{"4:3", "'-Oconfig=x' is not a pass: expected --name, --name=value, -O or -Os", "PIPELINE compute q\n ATTACH s\n SHADER_OPTIMIZATION s\n  -Oconfig=x\n END\nEND"},
		{"2:9", "unknown shader 'x'", "PIPELINE compute q\n ATTACH x\nEND"},
		{"2:11", "unknown word 'AS' in ATTACH", "PIPELINE compute q\n ATTACH s AS x\nEND"},
		{"2:27", "a specialization constant must be a scalar, not 'vec2<int8>'", "PIPELINE compute q\n ATTACH s SPECIALIZE 1 AS vec2<int8> 1\nEND"},
		{"2:33", "'300' does not fit in uint8", "PIPELINE compute q\n ATTACH s SPECIALIZE 1 AS uint8 300\nEND"},
		{"2:14", "unknown buffer 'x'", "PIPELINE compute q\n BIND BUFFER x AS storage\nEND"},
		{"2:19", "unknown binding type 'x'", "PIPELINE compute q\n BIND BUFFER b AS x\nEND"},
		{"2:33", "'b' is not an image: it has no WIDTH", "PIPELINE compute q\n BIND BUFFER b AS storage_image DESCRIPTOR_SET 0 BINDING 0\nEND"},
		{"3:42", "expected SAMPLER, found 'DESCRIPTOR_SET'", "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 4\nPIPELINE compute q\n BIND BUFFER i AS combined_image_sampler DESCRIPTOR_SET 0 BINDING 0\nEND"},
		{"3:33", "'i' has no level 1", "IMAGE i FORMAT R8_UINT DIM_1D WIDTH 4\nPIPELINE compute q\n BIND BUFFER i AS storage_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 1\nEND"},
		{"2:54", "unknown word 'BASE_MIP_LEVEL' in BIND BUFFER", "PIPELINE compute q\n BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 1\nEND"},
		{"2:16", "BIND BUFFER … KERNEL: OpenCL kernel arguments are not supported", "PIPELINE compute q\n BIND BUFFER b KERNEL ARG_NAME x\nEND"},
		{"2:27", "BIND BUFFER … KERNEL: OpenCL kernel arguments are not supported", "PIPELINE compute q\n BIND BUFFER b AS storage KERNEL ARG_NUMBER 0\nEND"},
		{"2:15", "unknown sampler 'x'", "PIPELINE compute q\n BIND SAMPLER x\nEND"},
		{"2:34", "expected DESCRIPTOR_SET, found the end of the line", "PIPELINE compute q\n BIND BUFFER_ARRAY b c AS storage\nEND"},
		{"2:85", "DESCRIPTOR_OFFSET has 2 values for 3 buffers", "PIPELINE compute q\n BIND BUFFER_ARRAY b c b AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFFSET 0 4\nEND"},
		{"2:16", "expected AS, found 'c'", "PIPELINE compute q\n BIND BUFFER b c AS storage\nEND"},
		{"3:27", "set 0 binding 0 is already bound to 'b'", "PIPELINE compute q\n BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\n BIND BUFFER c AS storage DESCRIPTOR_SET 0 BINDING 0\nEND"},
		{"2:27", "the descriptor exceeds the 16 bytes of 'b'", "PIPELINE compute q\n BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFFSET 8 DESCRIPTOR_RANGE 12\nEND"},
		{"3:19", "a pipeline has only one push_constant buffer, and 'b' is already bound", "PIPELINE compute q\n BIND BUFFER b AS push_constant\n BIND BUFFER c AS push_constant\nEND"},
		{"2:61", "expected OFFSET, found the end of the line", "PIPELINE compute q\n BIND BUFFER b AS storage_dynamic DESCRIPTOR_SET 0 BINDING 0\nEND"},
		{"4:3", "FULLY_POPULATED needs DEVICE_FEATURE SubgroupSizeControl.computeFullSubgroups", "PIPELINE compute q\n ATTACH s\n SUBGROUP s\n  FULLY_POPULATED on\n END\nEND"},
		{"4:17", "REQUIRED_SIZE must be a power of two, not 12", "PIPELINE compute q\n ATTACH s\n SUBGROUP s\n  REQUIRED_SIZE 12\n END\nEND"},
		{"4:16", "VARYING_SIZE must be on or off, not '1'", "PIPELINE compute q\n ATTACH s\n SUBGROUP s\n  VARYING_SIZE 1\n END\nEND"},
		{"1:24", "unknown pipeline 'x'", "DERIVE_PIPELINE q FROM x\nEND"},

		{"1:5", "unknown pipeline 'x'", "RUN x 1 1 1"},
		{"1:7", "the number of workgroups must be an integer from 0 to 4294967295, not 'x'", "RUN p x 1 1"},
		{"1:11", "expected a number of workgroups, found the end of the script", "RUN p 1 1 "},
		{"1:7", "RUN … DRAW_RECT needs a graphics pipeline, but p is a compute pipeline", "RUN p DRAW_RECT POS 0 0 SIZE 2 2"},
		{"1:6", "unknown buffer 'x'", "COPY x TO b"},
		{"1:11", "COPY needs buffers of the same size: 'b' has 4 elements, 'c' has 5", "COPY b TO c"},
		{"1:11", "COPY needs buffers of the same type and layout: 'b' has type uint32 STD430, 'f' has type vec2<float> STD430", "COPY b TO f"},
		{"1:11", "COPY cannot copy 'b' to itself", "COPY b TO b"},
		{"1:8", "the count of REPEAT must not be 0", "REPEAT 0\nEND"},
		{"1:1", "REPEAT has no END", "REPEAT 2\nRUN p 1 1 1\n"},
		{"2:1", "BUFFER is not allowed in a REPEAT block", "REPEAT 2\nBUFFER x DATA_TYPE int8 SIZE 1 FILL 0\nEND"},
		{"1:16", "DEVICE_FEATURE weaving: neither the interpreter nor the model supports it", "DEVICE_FEATURE weaving"},
		{"1:16", "DEVICE_FEATURE sparseBinding: neither the interpreter nor the model supports it", "DEVICE_FEATURE sparseBinding"},
		{"1:16", "DEVICE_FEATURE Storage8BitFeatures.shaderInt8: neither the interpreter nor the model supports it", "DEVICE_FEATURE Storage8BitFeatures.shaderInt8"},
		{"1:16", "DEVICE_FEATURE .shaderInt64: neither the interpreter nor the model supports it", "DEVICE_FEATURE .shaderInt64"},
		{"1:16", "DEVICE_FEATURE vote: neither the interpreter nor the model supports it", "DEVICE_FEATURE vote"},
		{"1:16", "DEVICE_FEATURE CooperativeMatrixFeaturesKHR.cooperativeMatrix: neither the interpreter nor the model supports it", "DEVICE_FEATURE CooperativeMatrixFeaturesKHR.cooperativeMatrix"},
		{"1:17", "DEVICE_PROPERTY FloatControlsProperties.shaderDenormPreserveFloat8: neither the interpreter nor the model supports it", "DEVICE_PROPERTY FloatControlsProperties.shaderDenormPreserveFloat8"},
		{"1:17", "DEVICE_PROPERTY shaderDenormPreserveFloat32: neither the interpreter nor the model supports it", "DEVICE_PROPERTY shaderDenormPreserveFloat32"},
		{"1:18", "DEVICE_EXTENSION VK_KHR_ray_query: neither the interpreter nor the model supports it", "DEVICE_EXTENSION VK_KHR_ray_query"},
		{"1:20", "INSTANCE_EXTENSION VK_KHR_surface: neither the interpreter nor the model supports it", "INSTANCE_EXTENSION VK_KHR_surface"},
		{"1:5", "expected ENGINE_DATA, found 'KERNEL'", "SET KERNEL x"},
		{"1:17", "unknown engine data 'speed'", "SET ENGINE_DATA speed 1"},

		{"1:8", "unknown buffer 'x'", "EXPECT x IDX 0 EQ 1"},
		{"1:10", "expected IDX, EQ_BUFFER, RMSE_BUFFER or EQ_HISTOGRAM_EMD_BUFFER, found 'EQ'", "EXPECT b EQ 1"},
		{"1:14", "IDX is in bytes and must be a multiple of 4, the element size of 'b', not 2", "EXPECT b IDX 2 EQ 1"},
		{"1:14", "IDX is in bytes and must be a multiple of 8, the element size of 'f', not 4", "EXPECT f IDX 4 EQ 1"},
		{"1:20", "the value is outside the 16 bytes of 'b'", "EXPECT b IDX 16 EQ 1"},
		{"1:22", "the value is outside the 16 bytes of 'b'", "EXPECT b IDX 12 EQ 1 2"},
		{"1:16", "the values of EXPECT are missing", "EXPECT b IDX 0 EQ"},
		{"1:19", "'1.5' is not an integer in the 64-bit range, as uint32 requires", "EXPECT b IDX 0 EQ 1.5"},
		{"1:16", "expected a comparator (EQ, NE, LT, LE, GT, GE), found 'IS'", "EXPECT b IDX 0 IS 1"},
		{"1:16", "EXPECT … IDX x y needs an image, but 'b' is a buffer", "EXPECT b IDX 0 0 SIZE 1 1 EQ_RGB 0 0 0"},
		{"1:28", "TOLERANCE is allowed only with EQ, not with 'LT'", "EXPECT b IDX 0 TOLERANCE 1 LT 1"},
		{"1:26", "expected the value of TOLERANCE, found 'EQ'", "EXPECT b IDX 0 TOLERANCE EQ 1"},
		{"1:34", "TOLERANCE takes at most 4 values", "EXPECT b IDX 0 TOLERANCE 1 2 3 4 5 EQ 1"},
		{"1:26", "TOLERANCE must be a non-negative number, not '-1'", "EXPECT b IDX 0 TOLERANCE -1 EQ 1"},
		{"1:34", "EQ_HISTOGRAM_EMD_BUFFER needs buffers of the same size: 'b' has 4 elements, 'c' has 5", "EXPECT b EQ_HISTOGRAM_EMD_BUFFER c TOLERANCE 1"},
		{"1:20", "EQ_BUFFER needs buffers of the same size: 'b' has 4 elements, 'c' has 5", "EXPECT b EQ_BUFFER c"},
		{"1:24", "expected TOLERANCE, found the end of the script", "EXPECT b RMSE_BUFFER b "},
	} {
		name, at := prelude+c.src, c.at
		if at == "" {
			name, at = c.src, "1:1"
		} else {
			line, col, _ := strings.Cut(at, ":")
			n, _, _ := runner.ParseInt(line)
			at = runner.Number{Bits: n + 12}.Format(runner.Uint32) + ":" + col
		}
		want := "t.amber:" + at + ": error: " + c.msg
		if _, err := Parse("t.amber", []byte(name)); err == nil || err.Error() != want {
			t.Errorf("%s\n got  %v\n want %s", c.src, err, want)
		}
	}
}
