#version 450
#extension GL_ARB_shader_clock : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 20) in;

layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) buffer Last { uint64_t last[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t first = clockARB();
  uvec2 halves = clock2x32ARB();
  uint64_t now = clockARB();
  uint64_t middle = packUint2x32(halves);
  o[i] = (last[i] < first ? 1u : 0u) + (first < middle ? 2u : 0u) + (middle < now ? 4u : 0u);
  uint later = 0u;
  for (uint k = 0u; k <= i % 5u; k++) {
    uint64_t t = clockARB();
    later += now < t ? 1u : 0u;
    now = t;
  }
  o[40u + i] = later;
  if (i % 2u == 0u) {
    uint64_t t = clockARB();
    o[80u + i] = now < t ? i : 1000u;
    now = t;
  }
  last[i] = now;
}
