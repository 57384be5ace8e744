#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) buffer Out { uint o[]; };
#define OUT(row, x) o[8u * row + g] = x
uint step(uint x) { return subgroupAdd(x); }
void main() {
  uint g = gl_LocalInvocationIndex, x = 0u, y = 0u, z = 0u;

  for (uint i = 0u; i < 3u; i++) {
    x += subgroupBallotBitCount(subgroupBallot(true));
    if ((g & 1u) == (i & 1u)) continue;
    y += subgroupBallotBitCount(subgroupBallot(true));
    if (g > 3u) continue;
    z = z * 256u + subgroupBallot(true).x;
  }
  OUT(0u, x);
  OUT(1u, y);
  OUT(2u, z);

  x = 0u;
  y = 0u;
  for (uint i = 0u; i < 4u; i++, x += subgroupAdd(1u)) { // two edges to the step, and the end of the body
    if ((g & 1u) == 0u) continue;
    y += g;
    if (g == 3u) continue;
    y += 10u;
  }
  OUT(3u, x);
  OUT(4u, y);

  x = 0u;
  for (uint i = 0u; i < 2u; i++, x += step(i)) { // the same behind a call
    if (g < 3u) continue;
    if (g < 5u) continue;
    x += 100u;
  }
  OUT(5u, x);

  x = 1u;
  y = 0u;
  uint n = 0u;
  do { // the condition is for all that come to it, by continue or not
    if ((g + n) % 3u == 0u) continue;
    x += subgroupAdd(1u);
    y = subgroupBallot(true).x;
  } while (subgroupAny(n++ < g && g < 4u) && g >= n);
  OUT(6u, x);
  OUT(7u, y);
  OUT(8u, n);

  x = 0u;
  n = 0u;
  for (;;) { // a value carried to the next trip along two edges
    uint before = x;
    x = subgroupBallot(g >= n).x;
    n++;
    if (n < 3u && (g & 1u) == 1u) continue;
    x += before * 256u;
    if (n > 2u) break;
  }
  OUT(9u, x);
}
