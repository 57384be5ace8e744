#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { vec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = v[i].x, p = v[i].y;
  o[8 * i] = exp(x);
  o[8 * i + 1] = exp2(x);
  o[8 * i + 2] = log(p);
  o[8 * i + 3] = log2(p);
  o[8 * i + 4] = pow(p, x * 0.25);
  o[8 * i + 5] = sqrt(p);
  o[8 * i + 6] = inversesqrt(p);
  o[8 * i + 7] = sqrt(p * 16.0);
}
