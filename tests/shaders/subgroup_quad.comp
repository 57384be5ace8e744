#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
shared uint group[64], lane[64], value[64];
// Every lane knows what all have, and computes by itself what the subgroup
// operation ought to give: the result does not depend on the subgroups' size.
#define SAME(k) (group[k] == group[me])
uint bit(bool c, int n) { return c ? 1u << n : 0u; }
void main() {
  uint me = gl_LocalInvocationIndex, v = (me * 37u + 11u) % 50u + 1u;
  group[me] = gl_SubgroupID;
  lane[me] = gl_SubgroupInvocationID;
  value[me] = v;
  barrier();
  uint l = lane[me];
  uint q[4] = uint[](0u, 0u, 0u, 0u);
  for (uint k = 0u; k < 64u; k++) {
    if (SAME(k) && lane[k] / 4u == l / 4u) q[lane[k] % 4u] = value[k];
  }
  o[me] = bit(subgroupQuadBroadcast(v, 2u) == q[2], 0) | bit(subgroupQuadSwapHorizontal(v) == q[(l % 4u) ^ 1u], 1)
        | bit(subgroupQuadSwapVertical(v) == q[(l % 4u) ^ 2u], 2) | bit(subgroupQuadSwapDiagonal(v) == q[3u - l % 4u], 3);
}
