#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
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
  uint add = 0u, count = 0u;
  for (uint k = 0u; k < 64u; k++) {
    if (SAME(k) && value[k] % 3u == 0u) {
      add += value[k];
      count++;
    }
  }
  uint r = 15u;
  if (v % 3u == 0u) {
    r = bit(subgroupAdd(v) == add, 0) | bit(subgroupBallotBitCount(subgroupBallot(true)) == count, 1) | bit(subgroupAll(v % 3u == 0u), 2)
      | bit(subgroupAdd(subgroupElect() ? 1u : 0u) == 1u, 3);
  }
  uint loops = 0u, left = v % 5u;
  while (left > 0u) {
    loops += subgroupAny(left == 0u) ? 100u : 1u; // lanes that have left the loop do not vote
    left--;
  }
  o[me] = r | bit(loops == v % 5u, 4);
}
