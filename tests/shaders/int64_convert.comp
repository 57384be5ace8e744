#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 6u * i, x = v[i];
  uint64_t u = uint64_t(x) * 0x100000001ul;
  float f = uintBitsToFloat((x & 0x007fffffu) | 0x3f800000u + ((x >> 23) % 60u << 23)); // 1 to 2**60
  o[k] = uint(u >> 40);
  o[k + 1u] = uint(int64_t(int(x)) >> 32);
  o[k + 2u] = floatBitsToUint(float(u));
  o[k + 3u] = floatBitsToUint(float(int64_t(u)));
  o[k + 4u] = uint(uint64_t(f) >> 20);
  o[k + 5u] = uint(int64_t(-f) >> 3);
}
