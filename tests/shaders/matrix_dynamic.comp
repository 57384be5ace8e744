#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) writeonly buffer Out { vec4 o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x);
  mat4 m;
  for (int c = 0; c < 4; c++) m[c] = float(c * 4 + i) + vec4(0.0, 1.0, 2.0, 3.0);
  m[i % 4][(i / 4) % 4] = -1.0;
  o[2 * i] = m[(i + 1) % 4];
  o[2 * i + 1] = vec4(m[0][i % 4], m[1][i % 4], m[2][i % 4], m[3][i % 4]);
}
