#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
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
  uint n = gl_SubgroupSize, l = lane[me], turned = (l * 3u + 1u) % n, a = 0u, b = 0u, up = v, down = v;
  for (uint k = 0u; k < 64u; k++) {
    if (!SAME(k)) continue;
    if (lane[k] == turned) a = value[k];
    if (lane[k] == (l ^ 5u)) b = value[k];
    if (l >= 2u && lane[k] == l - 2u) up = value[k];
    if (l + 3u < n && lane[k] == l + 3u) down = value[k];
  }
  uint su = subgroupShuffleUp(v, 2u), sd = subgroupShuffleDown(v, 3u);
  o[me] = bit(subgroupShuffle(v, turned) == a, 0) | bit(subgroupShuffleXor(v, 5u) == b, 1)
        | bit(l < 2u || su == up, 2) | bit(l + 3u >= n || sd == down, 3);
}
