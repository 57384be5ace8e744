#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8) in;

layout(set = 0, binding = 1) readonly buffer In { uint in_[]; };
layout(set = 0, binding = 0) buffer Out { uint o[]; };
#define OUT(row, x) o[8u * row + g] = x
void main() {
  uint g = gl_LocalInvocationIndex, key = in_[g];

  uint served = 99u, together = 0u, trips = 0u;
  bool done = false;
  while (!done) {
    uint k = subgroupBroadcastFirst(key);
    trips++;
    if (k == key) {
      served = k;
      together = subgroupBallotBitCount(subgroupBallot(true));
      done = true;
    }
  }
  OUT(0u, served);
  OUT(1u, together);
  OUT(2u, trips);

  uint both = 0u;
  for (done = false; !done;) { // a waterfall inside of a waterfall
    if (subgroupBroadcastFirst(key) == key) {
      for (;;) {
        uint odd = subgroupBroadcastFirst(g & 1u);
        both = both * 256u + subgroupBallot(true).x;
        if (odd == (g & 1u)) break;
      }
      done = true;
    }
  }
  OUT(3u, both);

  uint sum = 0u, left = subgroupBallot(true).x;
  while (left != 0u) { // over the lanes by their bits: every trip is for all
    uint lane = uint(findLSB(left));
    sum += subgroupShuffle(key, lane);
    left &= left - 1u;
  }
  OUT(4u, sum);

  uint first = 0u, mine = 0u;
  for (;;) { // one lane at a time
    first = first * 8u + subgroupBallotFindLSB(subgroupBallot(true));
    mine += subgroupAdd(key);
    if (subgroupElect()) break;
  }
  OUT(5u, first);
  OUT(6u, mine);
}
