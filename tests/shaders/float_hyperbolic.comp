#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = v[i];
  o[6 * i] = sinh(x);
  o[6 * i + 1] = cosh(x);
  o[6 * i + 2] = tanh(x);
  o[6 * i + 3] = asinh(x);
  o[6 * i + 4] = acosh(abs(x) + 1.0);
  o[6 * i + 5] = atanh(x * 0.25);
}
