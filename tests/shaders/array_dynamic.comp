#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { ivec4 o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), a[8], sum = 0;
  for (int k = 0; k < 8; k++) a[k] = k * k + i;
  a[i % 8] = -5;
  a[i * 3 % 8] += 100;
  for (int k = 0; k < 8; k++) sum += a[k];
  o[i] = ivec4(a[i % 8], a[(i + 1) % 8], a[(i + 3) % 8], sum);
}
