#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
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
  uint add = 0u, mul = 1u, low = ~0u, high = 0u, odd = 0u;
  for (uint k = 0u; k < 64u; k++) {
    if (!SAME(k) || lane[k] >= lane[me]) continue;
    add += value[k];
    mul *= value[k];
    low = min(low, value[k]);
    high = max(high, value[k]);
    odd ^= value[k];
  }
  o[me] = bit(subgroupExclusiveAdd(v) == add, 0) | bit(subgroupExclusiveMul(v) == mul, 1) | bit(subgroupExclusiveMin(v) == low, 2)
        | bit(subgroupExclusiveMax(v) == high, 3) | bit(subgroupExclusiveXor(v) == odd, 4)
        | bit(subgroupInclusiveAdd(v) == add + v, 5) | bit(subgroupInclusiveMul(v) == mul * v, 6) | bit(subgroupInclusiveMin(v) == min(low, v), 7)
        | bit(subgroupInclusiveMax(v) == max(high, v), 8) | bit(subgroupInclusiveXor(v) == (odd ^ v), 9);
}
