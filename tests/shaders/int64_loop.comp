#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { uint64_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint64_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t a = v[3u * i], first = v[3u * i + 1u], last = v[3u * i + 2u];
  uint64_t h = 14695981039346656037ul, x = a, c = first;
  int steps = 0;
  for (; c < last; c++, steps++) {
    h = (h ^ x) * 1099511628211ul;
    x = (x >> 1) ^ ((x & 1ul) != 0ul ? 0x9e3779b97f4a7c15ul : 0ul);
    if ((h >> 63) != 0ul && steps > 20) break;
  }
  uint64_t y = a, bits = 0ul;
  while (y != 0ul) {
    y &= y - 1ul;
    bits++;
  }
  o[4u * i] = h;
  o[4u * i + 1u] = x;
  o[4u * i + 2u] = c;
  o[4u * i + 3u] = bits;
}
