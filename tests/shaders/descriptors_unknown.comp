#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer In { uint v[]; } b[];
layout(set = 0, binding = 1) buffer Rest { uint v[4]; } r[];
layout(set = 1, binding = 0) buffer Out { uint o[]; };
layout(set = 1, binding = 1) uniform Pick { uint pick; };
void main() {
  uint g = gl_LocalInvocationIndex;
  o[g] = b[pick].v[g & 3u] + b[nonuniformEXT(g % 3u)].v[1] * 100u;
  o[8u + g] = b[2].v[0] + uint(b[pick].v.length()) * 100u;
  r[pick * 2u + 1u].v[g & 3u] = g & 3u;
  if (g == 7u) r[0].v[3] = 7u;
}
