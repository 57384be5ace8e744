#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = v[i];
  o[3 * i] = sin(x);
  o[3 * i + 1] = cos(x);
  o[3 * i + 2] = abs(cos(x)) > 0.15 ? tan(x) : 0.0;
}
