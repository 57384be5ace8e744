#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint u[4]; float f[4]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
uint bit(bool c, int n) { return c ? 1u << n : 0u; }
void main() {
  uint me = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;
  uint x = u[0];
  uint r = 0u;
  if (lane % 3u != 1u) { // some lanes only
    uvec4 those = subgroupBallot(true);
    uint all = subgroupBallotBitCount(those);
    r = bit(subgroupAdd(x) == x * all, 0) | bit(subgroupInclusiveAdd(x) == x * subgroupBallotInclusiveBitCount(those), 1)
      | bit(subgroupExclusiveAdd(x) == x * subgroupBallotExclusiveBitCount(those), 2)
      | bit(subgroupMin(x) == x && subgroupMax(int(x)) == int(x) && subgroupAnd(x) == x && subgroupInclusiveOr(x) == x, 3)
      | bit(subgroupMin(f[0]) == f[0] && subgroupInclusiveMax(f[1]) == f[1], 4)
      | bit(subgroupExclusiveMin(x) == (lane == subgroupBallotFindLSB(those) ? 0xffffffffu : x), 5)
      | bit(subgroupShuffle(x, lane) == x && subgroupBroadcastFirst(x) == x && subgroupBroadcast(f[1], 2u) == f[1], 6)
      | bit(subgroupAny(x > 6u) && !subgroupAll(x > 7u) && subgroupAllEqual(x), 7)
      | bit(!subgroupAllEqual(f[2]) && subgroupAllEqual(f[3]), 8) // NaN, infinity
      | bit(subgroupXor(x) == ((all & 1u) != 0u ? x : 0u), 9);
  } else {
    r = 1023u;
  }
  r |= bit(subgroupQuadSwapHorizontal(x) == x && subgroupQuadBroadcast(x, 3u) == x && subgroupClusteredMax(x, 4u) == x, 10)
    | bit(subgroupClusteredAdd(me, 1u) == me && subgroupClusteredMul(float(me), 1u) == float(me), 11)
    | bit(subgroupClusteredAdd(x, 4u) == 4u * x, 12);
  // i is the same for the lanes in the loop, but after it each has its own.
  uint i = 0u;
  while (i < lane % 4u)
    i += u[1];
  r |= bit(subgroupMax(i) == 3u && subgroupMin(i) == 0u && subgroupQuadSwapHorizontal(i) == (i ^ 1u) && !subgroupAllEqual(i), 13)
    | bit(subgroupClusteredAdd(i, 4u) == 6u, 14);
  o[me] = r;
}
