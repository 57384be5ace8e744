// A descriptor of each kind, for TestReflection. Made by glslangValidator -V kinds.frag -o kinds.spv.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 1, binding = 2) uniform sampler2D tex[3];
layout(set = 1, binding = 3, rgba16f) uniform readonly image2DArray im;
layout(set = 1, binding = 4, r32ui) uniform writeonly uimageBuffer words;
layout(set = 1, binding = 5) uniform textureCubeArray sky;
layout(set = 1, binding = 6) uniform sampler smooth_;
layout(set = 1, binding = 7) uniform texture2DMS samples;
layout(set = 1, binding = 8, input_attachment_index = 0) uniform subpassInput before;
layout(set = 1, binding = 9, input_attachment_index = 1) uniform subpassInputMS before_ms;
layout(set = 1, binding = 10) uniform sampler2DArrayShadow shadow;
layout(set = 0, binding = 1) uniform samplerBuffer texels;
layout(set = 0, binding = 4) buffer B { int n; vec4 v[]; } bufs[2][3];
layout(set = 0, binding = 5, row_major) uniform U { mat4x3 m; float f; mat3 r[2]; };
layout(set = 0, binding = 6) readonly buffer R { vec3 first; float last; };
layout(set = 0, binding = 7) buffer M { int written; readonly int last_; } mixed;
struct S { vec2 a; int b[2][3]; };
layout(push_constant) uniform P { layout(offset = 16) vec4 a; mat4x3 b; float c[3]; S s; ivec2 d; uint e; };
layout(constant_id = 3) const int N = -4;
layout(constant_id = 4) const bool Q = true;
layout(constant_id = 5) const float F = 0.5;
layout(location = 0) out vec4 o;
void main() {
  o = texture(tex[0], vec2(N)) + imageLoad(im, ivec3(0)) + texelFetch(texels, 0) + a + vec4(b[0], 1) * c[1] + bufs[1][2].v[0] * m[1][0] * f * F;
  o += texture(samplerCubeArray(sky, smooth_), vec4(1)) + texelFetch(samples, ivec2(0), 1) + subpassLoad(before) + subpassLoad(before_ms, 1);
  o += first.x * last * float(s.b[1][2] + d.x) * texture(shadow, vec4(0)) + r[1][0].x;
  mixed.written = mixed.last_;
  imageStore(words, 0, uvec4(e));
  if (Q) o = vec4(1);
}
