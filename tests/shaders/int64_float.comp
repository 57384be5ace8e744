#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint64_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 6u * i;
  uint64_t a = v[2u * i];
  float f = uintBitsToFloat(uint(v[2u * i + 1u]));
  o[k] = floatBitsToUint(float(a));
  o[k + 1u] = floatBitsToUint(float(int64_t(a)));
  uint64_t u = f >= 0.0 ? uint64_t(f) : 0ul;
  o[k + 2u] = uint(u);
  o[k + 3u] = uint(u >> 32);
  int64_t s = abs(f) <= 9.2233720e18 || f == -9223372036854775808.0 ? int64_t(f) : 0l;
  o[k + 4u] = uint(s);
  o[k + 5u] = uint(uint64_t(s) >> 32);
}
