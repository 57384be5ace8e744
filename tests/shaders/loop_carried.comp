#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uvec2 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, a = 0u, b = 1u;
  for (uint k = 0u; k < i; k++) {
    uint t = a + b;
    a = b;
    b = t;
  }
  uint x = i * 12u + 18u, y = 84u + i * 6u;
  while (y != 0u) {
    uint t = x % y;
    x = y;
    y = t;
  }
  o[i] = uvec2(a, x);
}
