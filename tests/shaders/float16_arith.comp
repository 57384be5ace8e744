#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { f16vec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float16_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 8u * i;
  float16_t a = v[i].x, b = v[i].y;
  o[k] = a + b;
  o[k + 1u] = a - b;
  o[k + 2u] = a * b;
  o[k + 3u] = min(a, b);
  o[k + 4u] = max(a, b);
  o[k + 5u] = abs(a);
  o[k + 6u] = floor(a);
  o[k + 7u] = -a;
}
