#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) writeonly buffer Out { int o[]; };
const int digits[8] = int[](3, 1, 4, 1, 5, 9, 2, 6);
void main() {
  int i = int(gl_GlobalInvocationID.x), c = digits[i % 8];
  o[i] = c == 9 ? 1000 : c > 4 ? i * 10 : c % 2 == 1 ? i + 5 : i - 7;
}
