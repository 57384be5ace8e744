#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { int v[64]; };
layout(set = 0, binding = 1) writeonly buffer Out { int o[]; };
int find(int x) {
  for (int k = 0; k < 64; k++) {
    for (int j = 0; j < 3; j++) {
      if (v[(k * 3 + j) % 64] == x) return k * 10 + j;
      if (v[k] + j == x * 2) return 1000 + k;
    }
  }
  return -1;
}
void main() {
  int i = int(gl_GlobalInvocationID.x);
  o[i] = find(i);
  for (int k = 0; k < i; k++) {
    if (k == 20) return;
    if (v[k] == i) o[i] += 5000;
  }
  o[i] += 100000;
}
