#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) readonly buffer In { uint v[4]; } b[4];
void main() {
  uint g = gl_LocalInvocationIndex, key = g & 3u;
  uint k, x, n = 0u;
  do {
    k = subgroupBroadcastFirst(key);
    x = b[k].v[n & 3u];
    n++;
  } while (k != key);
  o[g] = x + 1000u * k + 100000u * n;

  uint y, i = 0u;
  do { y = b[i & 3u].v[1]; } while (g > i++);
  o[8u + g] = y;

  uint m = 0u;
  for (;;) {
    m = subgroupBroadcastFirst(key);
    if (m == key) break;
  }
  o[16u + g] = b[nonuniformEXT(m)].v[2];
}
