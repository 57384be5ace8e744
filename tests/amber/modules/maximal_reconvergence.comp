#version 460
#extension GL_EXT_maximal_reconvergence : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8) in;
layout(binding = 0, std430) buffer In { uint a[8]; };
layout(binding = 1, std430) buffer Out { uint r[]; };

uint early(uint i) {
  for (uint k = 0u; k < 8u; k++)
    if (k == a[i])
      return subgroupAdd(1u); // those that leave in this iteration
  return 100u + subgroupAdd(1u);
}

void main() [[maximally_reconverges]] {
  uint i = gl_LocalInvocationIndex, v = a[i], n = 0u;
  // A block that leaves a loop is executed by those that leave in the iteration.
  for (uint k = 0u;; k++)
    if (k == v) {
      r[i] = subgroupAdd(1u);
      break;
    }
  r[8u + i] = subgroupAdd(1u);
  // All that go on meet at the continue target.
  for (uint k = 0u; k < 4u; n += subgroupAdd(k + 1u), k++) {
    if (((i + k) & 1u) == 0u)
      continue;
    if (k == 2u && i < 3u)
      break;
    n += 1000u * subgroupAdd(1u);
  }
  r[16u + i] = n;
  // Behind an inner loop those are together that entered it together.
  n = 0u;
  for (uint k = 0u; k <= v; k++) {
    for (uint l = 0u; l < i; l++)
      if (l == k)
        break;
    n = n * 10u + subgroupAdd(1u);
  }
  r[24u + i] = n;
  // What both arms have in common stays in them.
  if (i < 3u)
    n = subgroupAdd(1u);
  else
    n = subgroupAdd(1u);
  r[32u + i] = n;
  // A call ends for all that made it.
  n = early(i);
  r[40u + i] = n + 1000u * subgroupAdd(1u);
  // Leaving a loop out of a switch, and a switch in a loop.
  n = 0u;
  for (uint k = 0u; k < 3u; k++) {
    bool leave = false;
    switch ((v + k) & 3u) {
    case 0u:
      n += subgroupAdd(1u);
      break;
    case 1u:
      leave = k == 1u;
      n += 10u * subgroupAdd(1u);
      break;
    case 2u:
      if (i > 5u)
        continue;
    default:
      n += 100u * uint(subgroupAny(k == 2u));
    }
    if (leave)
      break;
    n += 1000u * subgroupAdd(1u);
  }
  r[48u + i] = n + 1000000u * subgroupAdd(1u);
  // One group of equal values after the other.
  for (;;) {
    uint first = subgroupBroadcastFirst(v);
    if (v == first) {
      r[56u + i] = subgroupBallotBitCount(subgroupBallot(true)) + 100u * subgroupMin(i);
      break;
    }
  }
  // What is the same in each iteration is not the same for all who leave.
  n = 0u;
  for (uint k = 0u; k <= i; k++)
    n += subgroupAdd(1u);
  r[64u + i] = n;
  // Half of them end.
  if ((i & 1u) == 1u)
    return;
  r[72u + i] = subgroupAdd(1u);
}
