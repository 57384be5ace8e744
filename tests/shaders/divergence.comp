#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { int o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x), keep = i * 3, x = i;
  if (i % 3 == 0) {
    for (int k = 0; k < i / 4; k++) x += keep - k;
  } else if (i % 3 == 1) {
    x = x * x;
    if (i > 30) x -= keep;
  }
  o[i] = x * 2 + keep;
}
