#version 450
// Products, inverses and determinants of matrices.
layout(location = 0) in vec4 position;
layout(binding = 0) uniform U { mat4 a; mat3 b; mat2x4 c; } u;
layout(location = 0) out vec4 x;
layout(location = 1) out vec3 y;
layout(location = 2) out vec4 z;
void main() {
  mat4 m = u.a * transpose(u.a) + outerProduct(position, position.wzyx);
  x = m * position + position * u.a;
  y = inverse(u.b + mat3(2.0)) * position.xyz * determinant(u.b + mat3(2.0));
  z = u.c * position.yz + vec4(position * u.c, position * u.c);
  gl_Position = u.a * position;
}
