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
  uint add = 0u, mul = 1u, low = ~0u, high = 0u, all = ~0u, some = 0u, odd = 0u;
  int ilow = 1000, ihigh = -1000;
  for (uint k = 0u; k < 64u; k++) {
    if (!SAME(k)) continue;
    add += value[k];
    mul *= value[k];
    low = min(low, value[k]);
    high = max(high, value[k]);
    all &= value[k];
    some |= value[k];
    odd ^= value[k];
    ilow = min(ilow, int(value[k]) - 25);
    ihigh = max(ihigh, int(value[k]) - 25);
  }
  o[me] = bit(subgroupAdd(v) == add, 0) | bit(subgroupMul(v) == mul, 1) | bit(subgroupMin(v) == low, 2) | bit(subgroupMax(v) == high, 3)
        | bit(subgroupAnd(v) == all, 4) | bit(subgroupOr(v) == some, 5) | bit(subgroupXor(v) == odd, 6)
        | bit(subgroupMin(int(v) - 25) == ilow, 7) | bit(subgroupMax(int(v) - 25) == ihigh, 8)
        | bit(subgroupAdd(float(v)) == float(add), 9) | bit(subgroupMin(float(v)) == float(low), 10) | bit(subgroupMax(float(v)) == float(high), 11);
}
