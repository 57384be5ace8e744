#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 40) in;

layout(set = 0, binding = 0) buffer Own { uint64_t own[]; };
layout(set = 0, binding = 1) buffer Old { uint64_t old[]; };
layout(set = 0, binding = 2) buffer All { uint64_t all[8]; int64_t least, most; };
layout(set = 0, binding = 3) buffer Pair { uint64_t sum; uint64_t at[]; } pair[2];

void main() {
  uint i = gl_LocalInvocationIndex;
  uint64_t x = 0x100000001ul * uint64_t(i + 1u);
  uint64_t y = x - 0x8000000000ul; // negative for all
  old[6u * i] = atomicAdd(own[i], x);
  old[6u * i + 1u] = atomicXor(own[i], y);
  old[6u * i + 2u] = atomicExchange(own[i], x);
  old[6u * i + 3u] = atomicCompSwap(own[i], x, y);
  old[6u * i + 4u] = atomicCompSwap(own[i], x, 0ul);
  old[6u * i + 5u] = atomicOr(own[i + 40u], x); // out of bounds

  atomicAdd(all[0], x);
  atomicMin(all[1], x);
  atomicMax(all[2], y);
  atomicAnd(all[3], ~(1ul << i));
  atomicOr(all[4], 1ul << (i + 20u));
  atomicXor(all[5], x);
  atomicMin(least, int64_t(y));
  atomicMax(most, int64_t(y));
  if ((i & 1u) != 0u) {
    atomicAdd(all[6], 0xfffffffful); // carries
  } else {
    atomicAdd(all[7], 1ul);
  }
  atomicAdd(pair[0].sum, x);
  atomicAdd(pair[1].at[i & 1u], x);
  atomicMax(pair[1].at[i], x); // out of bounds from invocation 2 on
}
