#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = v[i];
  o[8 * i] = floor(x);
  o[8 * i + 1] = ceil(x);
  o[8 * i + 2] = trunc(x);
  o[8 * i + 3] = roundEven(x);
  o[8 * i + 4] = fract(x);
  o[8 * i + 5] = abs(x);
  o[8 * i + 6] = sign(x);
  o[8 * i + 7] = -x;
}
