#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { dvec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { double o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 8u * i;
  double a = v[i].x, b = v[i].y;
  o[k] = a + b;
  o[k + 1u] = a - b;
  o[k + 2u] = a * b;
  o[k + 3u] = min(a, b);
  o[k + 4u] = max(a, b);
  o[k + 5u] = abs(a);
  o[k + 6u] = floor(a);
  o[k + 7u] = -a;
}
