#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { int o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), s = 0;
  for (int a = 0; a < 10; a++) {
    if (a == i % 8) continue;
    int b = 0;
    while (true) {
      b++;
      if (b > a) break;
      if ((a + b + i) % 5 == 0) continue;
      s += a * b;
      if (s > 200) break;
    }
    if (s > 300) break;
  }
  o[i] = s;
}
