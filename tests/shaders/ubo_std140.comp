#version 450
layout(local_size_x = 16) in;

struct S { vec4 v; };
layout(std140, set = 0, binding = 0) uniform U {
  mat3 m;
  float a[3];
  vec2 scale;
  S s[2];
  layout(row_major) mat2x3 r;
} u;
layout(set = 0, binding = 1) writeonly buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float f = float(i);
  o[3 * i] = vec4(u.m * vec3(f, 1.0, 2.0), u.a[i % 3u]);
  o[3 * i + 1] = vec4(u.r * vec2(1.0, f), u.s[i % 2u].v[i % 4u]);
  o[3 * i + 2] = vec4(u.m[i % 3u][(i + 1u) % 3u], u.r[i % 2u][i % 3u], u.scale * vec2(f, 1.0));
}
