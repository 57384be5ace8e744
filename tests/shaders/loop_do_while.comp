#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
void main() {
  uint n = gl_GlobalInvocationID.x + 1u, steps = 0u;
  do {
    n = (n & 1u) == 0u ? n / 2u : 3u * n + 1u;
    steps++;
  } while (n != 1u);
  o[gl_GlobalInvocationID.x] = steps;
}
