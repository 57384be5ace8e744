#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 5u * i, x = v[i];
  uint8_t u = uint8_t(x);
  int8_t s = int8_t(x);
  o[k] = uint(u);
  o[k + 1u] = uint(int(s));
  o[k + 2u] = uint(float(u));
  o[k + 3u] = uint(int(float(s)));
  o[k + 4u] = s < int8_t(0) ? 1u : 0u;
}
