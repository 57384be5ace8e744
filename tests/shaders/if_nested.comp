#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { int o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), x;
  if (i < 32) {
    if (i % 2 != 0) {
      if (i % 3 == 0) x = i * 3; else x = i + 7;
    } else {
      x = -i;
    }
  } else {
    x = i * i;
    if (i > 48) {
      x -= 1;
      if (i > 56) x *= 2;
    }
  }
  o[i] = x;
}
