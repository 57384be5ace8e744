#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
struct S { uint8_t a, b, c, d; uint16_t h, k; };
struct B { uint8_t a, b, c, d; };
layout(std430, binding = 0) readonly buffer InS { S in_s[]; };
layout(std430, binding = 1) buffer OutS { S out_s[]; };
layout(std430, binding = 2) buffer OutB { B out_b[]; };
shared B sb[16];
void main() {
  uint i = gl_LocalInvocationIndex, j = 15 - i;
  out_s[j].a = in_s[i].d;
  out_s[j].b = in_s[i].c + uint8_t(i);
  out_s[j].c = in_s[i].b ^ uint8_t(0x5a);
  out_s[j].d = in_s[i].a;
  out_s[j].k = in_s[i].h ^ uint16_t(i * 257);
  out_s[j].h = in_s[i].k + 1us;
  sb[i].c = uint8_t(in_s[i].h >> 8);
  sb[i].b = in_s[i].a;
  barrier();
  uint q = (i + 5) & 15;
  out_b[i].b = sb[q].b;
  out_b[i].c = sb[q].c;
  out_b[i].d = sb[q].b + sb[q].c;
}
