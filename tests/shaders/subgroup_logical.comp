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
// Powers of two, so that no order of the factors rounds.
float factor(uint v) { return v % 3u == 0u ? -0.5 : v % 3u == 1u ? 2.0 : 1.0; }
void main() {
  uint me = gl_LocalInvocationIndex, v = (me * 37u + 11u) % 50u + 1u;
  group[me] = gl_SubgroupID;
  lane[me] = gl_SubgroupInvocationID;
  value[me] = v;
  barrier();
  bool all = true, some = false, odd = false, before = false, upto = true;
  float product = 1.0, less = 1.0;
  for (uint k = 0u; k < 64u; k++) {
    if (!SAME(k)) continue;
    bool b = value[k] % 2u == 1u;
    all = all && value[k] != 8u;
    some = some || value[k] == 9u;
    odd = odd != b;
    product *= factor(value[k]);
    if (lane[k] < lane[me]) {
      before = before != b;
      less *= factor(value[k]);
    }
    if (lane[k] <= lane[me]) upto = upto && value[k] != 12u;
  }
  o[me] = bit(subgroupAnd(v != 8u) == all, 0) | bit(subgroupOr(v == 9u) == some, 1) | bit(subgroupXor(v % 2u == 1u) == odd, 2)
        | bit(subgroupExclusiveXor(v % 2u == 1u) == before, 3) | bit(subgroupInclusiveAnd(v != 12u) == upto, 4)
        | bit(subgroupMul(factor(v)) == product, 5) | bit(subgroupExclusiveMul(factor(v)) == less, 6);
}
