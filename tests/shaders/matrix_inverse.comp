#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) writeonly buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 9u * i;
  float a = float(i) + 2.0;
  mat2 m2 = mat2(a, 1.0, 2.0, 3.0);
  mat3 m3 = mat3(a, 0.0, 1.0, 1.0, 2.0, 0.0, 0.0, 1.0, 3.0);
  mat4 m4 = mat4(a, 0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 1.0, 0.0, 3.0, 0.0, 0.0, 1.0, 0.0, 4.0);
  mat2 i2 = inverse(m2);
  mat3 i3 = inverse(m3);
  mat4 i4 = inverse(m4);
  o[k] = vec4(determinant(m2), determinant(m3), determinant(m4), 0.0);
  o[k + 1] = vec4(i2[0], i2[1]);
  for (int c = 0; c < 3; c++) o[k + 2 + c] = vec4(i3[c], 0.0);
  for (int c = 0; c < 4; c++) o[k + 5 + c] = i4[c];
}
