#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 o[]; };
layout(set = 0, binding = 2) writeonly buffer Exp { int e[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float whole, x = v[i];
  int exponent;
  float mantissa = frexp(x, exponent);
  float part = modf(x, whole);
  o[i] = vec4(mantissa, part, whole, ldexp(x, int(i % 9u) - 4));
  e[i] = exponent;
}
