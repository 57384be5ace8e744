#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) buffer Out { uint o[]; };
#define OUT(row, x) o[8u * row + g] = x
void main() {
  uint g = gl_LocalInvocationIndex, x = 0u, y = 0u, z = 0u;
  switch (g & 3u) {
  case 0u:
    x = subgroupBallot(true).x;
    break;
  case 1u:
    x = subgroupAdd(g);
  case 2u:
    y = subgroupBallot(true).x;
    if (g > 4u) break;
    z = subgroupBallot(true).x;
    break;
  default:
    x = subgroupBroadcastFirst(g);
  }
  OUT(0u, x);
  OUT(1u, y);
  OUT(2u, z);

  x = 0u;
  for (uint i = 0u; i < 4u; i++) {
    switch ((g + i) & 3u) {
    case 0u:
      x++;
      continue;
    case 1u:
      x += subgroupAny(g == 1u) ? 10u : 20u;
      break;
    default:
      if (subgroupAny(g == 2u)) x += 100u;
      break;
    }
    x += subgroupBallotBitCount(subgroupBallot(true)) * 1000u;
  }
  OUT(3u, x);
}
