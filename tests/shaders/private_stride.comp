#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 4) in;
struct S { int a; uint16_t f[4]; uint8_t g[8]; f16vec2 h[2][2]; };
layout(std430, binding = 0) readonly buffer In { S in_s[4]; uint n; };
layout(std430, binding = 1) buffer Out { uint o[4][16]; };
layout(std430, binding = 2) buffer Back { S back[4]; };
shared S w[4];
void main() {
  uint i = gl_LocalInvocationIndex, k;
  int a = in_s[i].a; // the types of the buffer come first
  S v;
  v.a = a + int(i);
  for (k = 0; k < n; k++) v.f[3 - k] = in_s[i].f[3 - k] + uint16_t(100 + k);
  for (k = 0; k < 2 * n; k++) v.g[7 - k] = in_s[i].g[7 - k] ^ uint8_t(16 + k);
  for (k = 0; k < n; k++) v.h[1 - k / 2][1 - k % 2] = in_s[i].h[1 - k / 2][1 - k % 2] * float16_t(k + 1);
  w[3 - i] = v;
  barrier();
  S x = w[i];
  back[i] = x;
  for (k = 0; k < n; k++) {
    o[i][k] = uint(x.f[(k + n) & 3]);
    o[i][4 + k] = uint(x.g[(k + n) & 7]);
    o[i][8 + k] = packFloat2x16(x.h[(k + n) >> 1 & 1][(k + n) & 1]);
    o[i][12 + k] = uint(w[(i + k) & 3].g[(k + n + 3) & 7]);
  }
}
