#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) buffer D { int d[]; };
void main() {
  uint base = gl_GlobalInvocationID.x * 12u;
  int a[12];
  for (uint k = 0u; k < 12u; k++) a[k] = d[base + k];
  for (int k = 1; k < 12; k++) {
    int x = a[k], j = k - 1;
    while (j >= 0 && a[j] > x) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
  for (uint k = 0u; k < 12u; k++) d[base + k] = a[k];
}
