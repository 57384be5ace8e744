#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { int o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), x = 100;
  switch (i % 7) {
  case 1:
    x += 1; // falls through
  default:
    x += 10;
    break;
  case 3:
    x *= 2; // falls through
  case 5:
    x -= 3;
    break;
  case 6:
    x = 7;
  }
  o[i] = x + i;
}
