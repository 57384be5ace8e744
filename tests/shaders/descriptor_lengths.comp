#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
struct E { uint key; uvec2 value; };
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) readonly buffer In { uint first; E e[]; } b[3];
layout(set = 1, binding = 0) readonly buffer Other { uint v[]; } c[2];
void main() {
  uint g = gl_LocalInvocationIndex;
  o[g] = b[nonuniformEXT(g % 3u)].e.length();
  o[8u + g] = c[c[0].v[1]].v.length() * 100u + b[c[0].v[0]].e.length();
}
