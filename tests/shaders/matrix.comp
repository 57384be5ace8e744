#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) writeonly buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 12u * i;
  float f = float(i);
  mat3 m = mat3(1.0, 2.0, 0.0, 0.0, 1.0, f, 3.0, 0.0, 1.0);
  vec3 v = vec3(1.0, f, 2.0);
  mat3 square = m * m, t = transpose(m), outer = outerProduct(v, vec3(1.0, 2.0, 3.0));
  o[k] = vec4(m * v, 0.0);
  o[k + 1] = vec4(v * m, 0.0);
  for (int c = 0; c < 3; c++) {
    o[k + 2 + c] = vec4(square[c], 0.0);
    o[k + 5 + c] = vec4(t[c], 0.0);
    o[k + 8 + c] = vec4(outer[c], 0.0);
  }
  o[k + 11] = vec4((m * 2.0)[1] + 1.0, 0.0);
}
