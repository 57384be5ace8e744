#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) buffer Out { uint o[]; };
#define OUT(row, x) o[8u * row + g] = x
uint find(uint g) {
  uint last = 0u;
  for (uint i = 0u; i < 3u; i++) {
    last = subgroupBallot(true).x;
    for (uint j = 0u; j < 2u; j++)
      if (g == i * 2u + j) return last * 16u + subgroupBallotBitCount(subgroupBallot(true));
  }
  return last;
}
void climb(uint g, inout uint x) {
  for (uint i = 0u;; i++) {
    x = subgroupBroadcastFirst(g + 10u * i);
    if (g <= i) return;
  }
}
void main() {
  uint g = gl_LocalInvocationIndex, x = 5u;
  OUT(0u, find(g));
  OUT(1u, subgroupAdd(1u));
  if (g < 6u) climb(g, x);
  OUT(2u, x);
  if (g == 3u) {
    OUT(3u, 77u);
    return;
  }
  OUT(3u, subgroupAdd(1u));
}
