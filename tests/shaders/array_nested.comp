#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) writeonly buffer Out { ivec4 o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), m[2][3][4], sum = 0;
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 4; x++) m[z][y][x] = x + 10 * y + 100 * z + i;
  m[i % 2][i % 3][i % 4] = 7777;
  int row[4] = m[1][(i + 1) % 3];
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 4; x++) sum += m[z][y][x];
  o[i] = ivec4(m[0][1][2], m[1][2][i % 4], row[(i + 2) % 4], sum);
}
