// SPDX-License-Identifier: MIT

package spirv_test

import (
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// TestInterfaces: inputs and outputs of the graphics stages keep their locations and qualifiers in the IR and in its
// text form.
func TestInterfaces(t *testing.T) {
	for _, c := range []struct {
		name, glslang string
		stage         kind.Stage
		source        string
		want          []string
	}{
		{"vertex", "vert", kind.StageVertex, `#version 450
layout(location = 2) in vec3 at; layout(location = 1, component = 1) flat out ivec2 n; layout(location = 3) centroid out vec4 c;
invariant gl_Position; out float gl_ClipDistance[2];
void main() { gl_Position = vec4(at, gl_InstanceIndex); n = ivec2(gl_VertexIndex); c = vec4(at, 1); gl_ClipDistance[1] = at.x; }`,
			[]string{
				`"at" shader_in f32x3 location=2`, `"n" shader_out i32x2 location=1 component=1 qualifier=flat`,
				`"c" shader_out f32x4 location=3 qualifier=centroid`, `f32x4 "gl_Position" builtin=0 qualifier=invariant`,
				`"gl_ClipDistance" builtin=3`, "load_vertex_id.32", "load_instance_id.32",
			}},
		{"fragment", "frag", kind.StageFragment, `#version 450
layout(early_fragment_tests) in; layout(depth_less) out float gl_FragDepth;
layout(location = 0) noperspective sample in vec2 uv; layout(location = 0, index = 1) out vec4 second; layout(location = 0, index = 0) out vec4 first;
layout(location = 4) in Block { vec4 a; flat uint b; } block;
void main() { if (gl_FrontFacing) discard; first = vec4(uv, gl_FragCoord.xy) + block.a * block.b; second = vec4(gl_SampleMaskIn[0]); gl_FragDepth = 0.5; }`,
			[]string{
				"shader fragment", "modes early_fragment_tests|depth_replacing|depth_less", `"uv" shader_in f32x2 location=0 qualifier=noperspective|sample`,
				`"second" shader_out f32x4 location=0 index=1`, `u32 "b" qualifier=flat`, `"block" shader_in S1 location=4`,
				"load_front_face.1", "load_frag_coord.32x4", "jump_halt", `"gl_FragDepth" shader_out f32 builtin=22`, `shader_in [1 x i32, 0] builtin=20`,
			}},
		{"sampling", "frag", kind.StageFragment, `#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(binding = 0) uniform sampler2D a; layout(binding = 1) uniform sampler2DShadow b; layout(binding = 2) uniform sampler2DArray c;
layout(location = 0) in vec4 at; layout(location = 1) out vec4 o;
void main() { o = texture(a, at.xy) + texture(a, at.xy, 0.5) + textureProj(a, at) + vec4(texture(b, at.xyz)) + textureOffset(c, at.xyz, ivec2(1));
 o.xy += textureQueryLod(c, at.xy) + dFdx(at.xy) + fwidthFine(at.zw) + interpolateAtOffset(at, vec2(0.5)).xy + interpolateAtSample(at, 2).xy + interpolateAtCentroid(at).xy;
 if (o.x < 0) demote; if (helperInvocationEXT()) o.y = 1; }`,
			[]string{
				"tex_tex.32x4 coord: ", "tex_txb.32x4 coord: ", "bias: ", "comparator: ", "flags=shadow", "flags=array", "offset: ", "tex_lod.32x2", "fddx.32x2", "fddy_fine.32x2",
				"interp_deref_at_offset.32x4", "interp_deref_at_sample.32x4", "interp_deref_at_centroid.32x4", "demote", "is_helper_invocation.1",
			}},
		{"attachments", "frag", kind.StageFragment, `#version 450
layout(input_attachment_index = 3, binding = 1) uniform subpassInput a; layout(input_attachment_index = 1, binding = 2) uniform isubpassInputMS b;
layout(location = 0) out vec4 o;
void main() { o = subpassLoad(a) + subpassLoad(b, 2); }`,
			[]string{
				`"a" image image(f32, subpass, unknown, storage) binding=1 location=3`, `"b" image image(i32, subpass_ms, unknown, ms, storage) binding=2 location=1`,
				"image_dim=subpass texel_base=float", "image_dim=subpass_ms texel_base=int",
			}},
		{"level of a layered image", "frag", kind.StageFragment, `#version 450
layout(binding = 0) uniform sampler1DArray t; layout(location = 0) in float at; layout(location = 0) out vec2 o;
void main() { o = textureQueryLod(t, at); }`,
			[]string{"tex_lod.32x2 coord: %", "flags=array"}},
		{"interlock", "frag", kind.StageFragment, `#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_unordered) in; layout(binding = 0) buffer B { uint n; };
void main() { beginInvocationInterlockARB(); n++; endInvocationInterlockARB(); }`,
			[]string{"modes pixel_interlock_unordered", "begin_invocation_interlock", "end_invocation_interlock"}},
		{"feedback", "vert", kind.StageVertex, `#version 450
layout(xfb_buffer = 1, xfb_stride = 48, xfb_offset = 8, location = 2) out vec4 a; layout(location = 0) out vec4 b;
void main() { gl_Position = a = b = vec4(1); }`,
			[]string{`"a" shader_out f32x4 set=1 binding=48 offset=8 location=2 qualifier=xfb`, `"b" shader_out f32x4 location=0`}},
		{"geometry", "geom", kind.StageGeometry, `#version 450
layout(triangles, invocations = 2) in; layout(triangle_strip, max_vertices = 4) out; layout(location = 0) in vec4 v[]; layout(location = 0) out vec4 w;
void main() { for (int i = 0; i < 3; i++) { w = v[i]; gl_Position = gl_in[i].gl_Position; EmitVertex(); } EndPrimitive(); }`,
			[]string{"modes triangles|output_triangle_strip", "invocations 2", "vertices_out 4", "emit_vertex", "end_primitive", `"v" shader_in [3 x f32x4, 0] location=0`}},
		{"tessellation", "tese", kind.StageTessEval, `#version 450
layout(quads, equal_spacing, cw, point_mode) in; layout(location = 1) patch in vec4 p; layout(location = 0) in vec4 v[];
void main() { gl_Position = p + v[gl_PrimitiveID] * gl_TessCoord.x + gl_in[1].gl_Position; }`,
			[]string{
				"modes spacing_equal|vertex_order_cw|point_mode|quads", `"p" shader_in f32x4 location=1 qualifier=patch`, "load_primitive_id.32",
				`"gl_TessCoord" shader_in f32x3 builtin=13`, `"gl_in" shader_in [32 x S`,
			}},
		{"control", "tesc", kind.StageTessControl, `#version 450
layout(vertices = 3) out; layout(location = 0) in vec4 v[]; layout(location = 0) out vec4 w[];
void main() { w[gl_InvocationID] = v[gl_InvocationID]; barrier(); gl_TessLevelOuter[0] = w[0].x; }`,
			[]string{"vertices_out 3", "load_invocation_id.32", `"gl_TessLevelOuter" shader_out [4 x f32, 0] builtin=11 qualifier=patch`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := oracle.GLSL(t, c.glslang, []byte(c.source))
			if err != nil {
				t.Fatal(err)
			}
			s, err := spirv.Read(m, spirv.Options{Stage: c.stage})
			if err != nil {
				t.Fatal(err)
			}
			if err := validate.Shader(s); err != nil {
				t.Fatal(err)
			}
			got := string(text.Print(s))
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("there is no %s", w)
				}
			}
			back, err := text.Parse([]byte(got))
			if err != nil {
				t.Fatal(err)
			}
			if again := string(text.Print(back)); again != got {
				t.Errorf("the text is read as\n%s", again)
			}
			if t.Failed() {
				t.Log(got)
			}
		})
	}
}
