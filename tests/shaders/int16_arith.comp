#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { uint16_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint16_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 12u * i;
  uint16_t a = v[2u * i], b = v[2u * i + 1u];
  int16_t s = int16_t(a), t = int16_t(b);
  uint n = i % 16u;
  o[k] = a + b;
  o[k + 1u] = a - b;
  o[k + 2u] = a * b;
  o[k + 3u] = a / b;
  o[k + 4u] = a % b;
  o[k + 5u] = uint16_t(s / t);
  o[k + 6u] = a << n;
  o[k + 7u] = a >> n;
  o[k + 8u] = uint16_t(s >> n);
  o[k + 9u] = uint16_t(min(s, t));
  o[k + 10u] = max(a, b);
  o[k + 11u] = (a & b) ^ ~b;
}
