#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_clustered : require
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
  uint add = 0u, high = 0u, odd = 0u;
  for (uint k = 0u; k < 64u; k++) {
    if (!SAME(k) || lane[k] / 4u != lane[me] / 4u) continue;
    add += value[k];
    high = max(high, value[k]);
    odd ^= value[k];
  }
  o[me] = bit(subgroupClusteredAdd(v, 4u) == add, 0) | bit(subgroupClusteredMax(v, 4u) == high, 1) | bit(subgroupClusteredXor(v, 4u) == odd, 2);
}
