#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 36) in;

layout(set = 0, binding = 0) buffer Which { uint which; };
layout(set = 0, binding = 2) buffer Sums { uint64_t s[]; } b[3];

void main() {
  uint i = gl_LocalInvocationIndex;
  uint64_t x = 0xffffffff0ul + uint64_t(i);
  atomicAdd(b[0].s[0], x);
  atomicAdd(b[which].s[1], x);
  atomicMax(b[nonuniformEXT(i % 3u)].s[2u + i / 9u], x);
  if (i % 5u != 0u) {
    atomicXor(b[nonuniformEXT((i + 1u) % 3u)].s[6], x);
  }
}
