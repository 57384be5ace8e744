#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
struct S { uint16_t h; u8vec2 b; u16vec3 w; uint8_t e; }; // at 0, 2, 8 and 14
struct T { u8vec3 c; uint8_t d; };
layout(std430, binding = 0) readonly buffer InS { S in_s[]; };
layout(std430, binding = 1) readonly buffer InT { T in_t[]; };
layout(std140, binding = 2) uniform U { u16vec4 u[4]; };
layout(std430, binding = 3) readonly buffer InV { u16vec4 in_v[]; };
layout(std430, binding = 4) readonly buffer InW { u8vec4 in_w[]; };
layout(std430, binding = 5) readonly buffer InE { u16vec2 in_e[]; }; // 14 bytes
layout(std430, binding = 6) buffer OutS { S out_s[]; };
layout(std430, binding = 7) buffer OutT { T out_t[]; };
layout(std430, binding = 8) buffer OutV { u16vec4 out_v[]; };
layout(std430, binding = 9) buffer OutM { u8vec4 out_m[]; };
layout(std430, binding = 10) buffer OutW { u8vec4 out_w[]; };
layout(std430, binding = 11) buffer OutE { u16vec2 out_e[]; };
layout(std430, binding = 12) buffer OutX { u16vec3 out_x[]; };
shared u8vec4 sw[16];
shared u8vec3 st[16];
shared u16vec3 sv[16];
void main() {
  uint i = gl_LocalInvocationIndex, j = 15 - i;
  out_s[j].h = in_s[i].h + 1us;
  out_s[j].b = in_s[i].b.yx;
  out_s[j].w = in_s[i].w.zyx;
  out_s[j].e = in_s[i].e;
  out_t[j].c = in_t[i].c.zxy;
  out_v[j] = in_v[i].wzyx + u[i & 3];
  u8vec4 m = in_w[i];
  if ((i & 1) != 0)
    out_m[i].xz = m.zx;
  else
    out_m[i].xyw = m.wyx;
  u8vec4 p[16]; // in scratch memory
  for (uint k = 0; k < 16; k++) p[(k * 5 + i) & 15] = in_w[(k * 5 + i) & 15].yzwx;
  sw[i] = m;
  st[i] = in_t[i].c;
  sv[i] = in_v[i].xyz;
  barrier();
  out_w[i] = sw[(i + 5) & 15] + p[(i + 3) & 15];
  out_x[i] = sv[(i + 1) & 15].zxy ^ u16vec3(st[(i + 7) & 15]);
  if (i < 3) out_e[i] = in_e[i];
  if (i == 3) out_e[i].x = in_e[i].x;
}
