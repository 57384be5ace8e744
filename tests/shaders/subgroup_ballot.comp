#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
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
  uint n = gl_SubgroupSize, l = lane[me];
  uvec4 mask = uvec4(0u);
  uint count = 0u, before = 0u, low = 999u, high = 0u, third = 0u;
  for (uint k = 0u; k < 64u; k++) {
    if (!SAME(k)) continue;
    if (lane[k] == 3u) third = value[k];
    if ((value[k] & 1u) == 0u) continue;
    mask[lane[k] / 32u] |= 1u << (lane[k] % 32u);
    count++;
    if (lane[k] < l) before++;
    low = min(low, lane[k]);
    high = max(high, lane[k]);
  }
  bool odd = (v & 1u) == 1u;
  uvec4 b = subgroupBallot(odd);
  uint at = 1u << (l % 32u), below = at - 1u, w = l / 32u;
  o[me] = bit(b == mask, 0) | bit(subgroupInverseBallot(b) == odd, 1) | bit(subgroupBallotBitExtract(b, l) == odd, 2)
        | bit(subgroupBallotBitCount(b) == count, 3) | bit(subgroupBallotExclusiveBitCount(b) == before, 4)
        | bit(subgroupBallotInclusiveBitCount(b) == before + (odd ? 1u : 0u), 5)
        | bit(subgroupBallotFindLSB(b) == low, 6) | bit(subgroupBallotFindMSB(b) == high, 7)
        | bit(subgroupBroadcast(v, 3u) == third, 8) | bit(subgroupBroadcastFirst(gl_SubgroupID) == gl_SubgroupID, 9)
        | bit(gl_SubgroupEqMask[w] == at, 10) | bit(gl_SubgroupLtMask[w] == below, 11) | bit(gl_SubgroupLeMask[w] == (below | at), 12)
        | bit((gl_SubgroupGtMask[w] & (below | at)) == 0u, 13) | bit((gl_SubgroupGeMask[w] & (below | at)) == at, 14)
        | bit(n == 32u || bitCount(gl_SubgroupGeMask.x) == int(n - l), 15);
}
