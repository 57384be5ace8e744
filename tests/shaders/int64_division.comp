#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint64_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint64_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 6u * i;
  uint64_t a = v[2u * i], b = v[2u * i + 1u];
  o[k] = a / b;
  o[k + 1u] = a % b;
  o[k + 2u] = uint64_t(int64_t(a) / int64_t(b));
  o[k + 3u] = a / 10ul;
  o[k + 4u] = a % 1000000007ul;
  o[k + 5u] = uint64_t(int64_t(a) / -3l);
}
