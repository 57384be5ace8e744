#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = v[i], y = float(int(i % 7u) - 3);
  o[4 * i] = asin(x);
  o[4 * i + 1] = acos(x);
  o[4 * i + 2] = atan(5.0 * x);
  o[4 * i + 3] = atan(y, x);
}
