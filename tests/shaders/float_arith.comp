#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = v[3 * i], b = v[3 * i + 1], c = v[3 * i + 2];
  o[8 * i] = min(a, b);
  o[8 * i + 1] = max(a, b);
  o[8 * i + 2] = clamp(a, min(b, c), max(b, c));
  o[8 * i + 3] = step(b, a);
  o[8 * i + 4] = a + b;
  o[8 * i + 5] = a - b;
  o[8 * i + 6] = a * b;
  o[8 * i + 7] = fma(a, b, c);
}
