#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint outU[6]; int outS[3]; };
shared uint u[6];
shared int s[3];
void main() {
  uint i = gl_LocalInvocationIndex, v = (i * 37u + 5u) % 64u;
  if (i == 0u) {
    for (int k = 0; k < 6; k++) u[k] = outU[k];
    for (int k = 0; k < 3; k++) s[k] = outS[k];
  }
  barrier();
  atomicAdd(u[0], v);
  atomicMin(u[1], v);
  atomicMax(u[2], v);
  atomicAnd(u[3], ~(1u << (i % 5u)));
  atomicOr(u[4], 1u << (i % 9u));
  atomicXor(u[5], i * i);
  atomicMin(s[0], int(v) - 32);
  atomicMax(s[1], int(v) - 32);
  atomicAdd(s[2], int(v) - 32);
  barrier();
  if (i < 6u) outU[i] = u[i];
  if (i < 3u) outS[i] = s[i];
}
