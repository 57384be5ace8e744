#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint64_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint64_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 8u * i;
  uint64_t a = v[2u * i], b = v[2u * i + 1u];
  int64_t x = int64_t(a), y = int64_t(b);
  uint m = uint(a < b) | uint(a <= b) << 1 | uint(a > b) << 2 | uint(a >= b) << 3;
  m |= uint(x < y) << 4 | uint(x <= y) << 5 | uint(x > y) << 6 | uint(x >= y) << 7;
  m |= uint(a == b) << 8 | uint(a != b) << 9;
  o[k] = uint64_t(m);
  o[k + 1u] = min(a, b);
  o[k + 2u] = uint64_t(max(x, y));
  o[k + 3u] = x < 0l ? a : b;
  o[k + 4u] = uint64_t(abs(x));
  o[k + 5u] = uint64_t(sign(x));
  uint64_t d = 0ul;
  if (a > b) d = a - b;
  o[k + 6u] = d;
  if ((a & 0x100000000ul) != 0ul) {
    o[k + 7u] = a + b;
  } else {
    o[k + 7u] = a ^ b;
  }
}
