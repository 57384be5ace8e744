#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 40) in;

layout(set = 0, binding = 0) buffer Out { uint64_t o[]; };

shared uint64_t s[9];
shared int64_t lowest;
shared uint64_t returned[40];

void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 9u) {
    s[i] = i == 4u ? ~0ul : 0ul;
  }
  if (i == 9u) {
    lowest = 0l;
  }
  barrier();
  uint64_t x = 0xffffffff0ul + uint64_t(i);
  atomicAdd(s[0], x);
  atomicMax(s[1], x);
  if (i % 3u != 0u) {
    atomicXor(s[2], x << (i % 7u));
  }
  atomicOr(s[3], 1ul << i);
  atomicAnd(s[4], ~(1ul << (i + 20u)));
  atomicMin(lowest, int64_t(i) * -0x100000001l);
  uint64_t was = 0ul;
  for (;;) { // each adds its square
    uint64_t old = atomicCompSwap(s[5], was, was + uint64_t(i) * uint64_t(i) * 0x100000000ul);
    if (old == was) {
      break;
    }
    was = old;
  }
  returned[i] = atomicExchange(s[6], x); // what is returned, and what is left, are all that was written
  if (i == 17u) {
    atomicStore(s[7], 0x123456789abcdeful, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
  }
  barrier();
  atomicAdd(s[8], returned[i]);
  uint64_t stored = atomicLoad(s[7], gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
  barrier();
  if (i < 9u) {
    o[i] = i == 6u ? s[6] + s[8] : i == 8u ? uint64_t(lowest) : s[i];
  }
  o[9u + i] = stored;
}
