#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { uint8_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint8_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 12u * i;
  uint8_t a = v[2u * i], b = v[2u * i + 1u];
  int8_t s = int8_t(a), t = int8_t(b);
  uint n = i % 8u;
  o[k] = a + b;
  o[k + 1u] = a - b;
  o[k + 2u] = a * b;
  o[k + 3u] = a / b;
  o[k + 4u] = a % b;
  o[k + 5u] = uint8_t(s / t);
  o[k + 6u] = a << n;
  o[k + 7u] = a >> n;
  o[k + 8u] = uint8_t(s >> n);
  o[k + 9u] = uint8_t(min(s, t));
  o[k + 10u] = max(a, b);
  o[k + 11u] = (a & b) ^ ~b;
}
