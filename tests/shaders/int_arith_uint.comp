#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uvec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = v[i].x, b = v[i].y;
  o[6 * i] = a + b;
  o[6 * i + 1] = a - b;
  o[6 * i + 2] = a * b;
  o[6 * i + 3] = a / b;
  o[6 * i + 4] = a % b;
  o[6 * i + 5] = -a;
}
