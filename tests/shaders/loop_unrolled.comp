#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
void main() {
  const int a[12] = int[](-7, -6, -3, 2, 9, 18, 29, 42, 57, 74, 93, 114);
  uint x = gl_GlobalInvocationID.x, y = 0u;
  for (int k = 0; k < 12; k++) y = y * x + uint(a[k]);
  o[x] = y;
}
