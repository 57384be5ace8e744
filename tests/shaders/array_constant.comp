#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { int o[]; };
const int table[16] = int[](11, 48, 85, 21, 58, 95, 31, 68, 4, 41, 78, 14, 51, 88, 24, 61);
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = table[i % 16u] - table[i / 4u];
}
