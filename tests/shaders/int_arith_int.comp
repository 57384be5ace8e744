#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { ivec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { int o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  int a = v[i].x, b = v[i].y;
  o[9 * i] = a + b;
  o[9 * i + 1] = a - b;
  o[9 * i + 2] = a * b;
  o[9 * i + 3] = a / b;
  o[9 * i + 4] = abs(a);
  o[9 * i + 5] = sign(a);
  o[9 * i + 6] = min(a, b);
  o[9 * i + 7] = max(a, b);
  o[9 * i + 8] = clamp(a, -1000, max(b, -1000));
}
