#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, a[256], x = i, sum = 0u;
  for (uint k = 0u; k < 256u; k++) a[k] = k * (i + 1u);
  for (uint k = 0u; k < 64u; k++) {
    x = x * 5u + 3u;
    a[x % 256u] ^= x;
  }
  for (uint k = 0u; k < 256u; k += 3u) sum = sum * 7u + a[k];
  o[i] = sum;
}
