#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
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
  bool all = true, any_ = false, equal_ = true;
  uint first = 64u;
  for (uint k = 0u; k < 64u; k++) {
    if (!SAME(k)) continue;
    all = all && value[k] > 3u;
    any_ = any_ || value[k] > 47u;
    equal_ = equal_ && (value[k] > 25u) == (v > 25u);
    first = min(first, lane[k]);
  }
  o[me] = bit(subgroupAll(v > 3u) == all, 0) | bit(subgroupAny(v > 47u) == any_, 1) | bit(subgroupAllEqual(v > 25u) == equal_, 2)
        | bit(subgroupElect() == (lane[me] == first), 3) | bit(subgroupAllEqual(gl_SubgroupID), 4);
}
