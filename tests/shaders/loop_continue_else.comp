#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) buffer Out { uint count[8]; uint sum[8]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  for (;;) {
    count[i]++;
    if ((count[i] & 1u) == 0u) {
      sum[i] += count[i];
    } else {
      sum[i] += 10u;
      if (count[i] < 5u) continue;
      sum[i] += 1000u;
    }
    if (count[i] > 3u + i) break;
  }
}
