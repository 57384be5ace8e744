#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) coherent buffer Ring { uint ring[64]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
shared uint s[64];
void main() {
  uint l = gl_LocalInvocationIndex, x = l * 3u;
  for (uint k = 0u; k < 3u; k++) {
    s[l] = x;
    memoryBarrierShared();
    barrier();
    x = s[(l + 1u) % 64u] + 1u;
    barrier();
  }
  ring[l] = x;
  memoryBarrierBuffer();
  memoryBarrier();
  groupMemoryBarrier();
  barrier();
  o[l] = ring[63u - l];
}
