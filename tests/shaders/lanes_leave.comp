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
shared uint s[8];
void main() {
  uint g = gl_LocalInvocationIndex, key = in_[g];
  uint x, y, n;
  int i;
  s[g] = key;
  barrier();

  i = 0;
  for (;;) { x = subgroupBallot(g > i).x; if (g <= i++) break; }
  OUT(0u, x);

  i = 0;
  do { x = subgroupBroadcastFirst(g + 10u * uint(i)); } while (i++ < 5 && g > i);
  OUT(1u, x);

  n = 0u;
  for (;;) { x = subgroupAdd(g); y = subgroupMin(g); if (g == n++) break; }
  OUT(2u, x);
  OUT(3u, y);

  bool any, all;
  n = 0u;
  do { any = subgroupAny(g == n + 3u); all = subgroupAll(g > 5u); } while (g > n++);
  OUT(4u, (any ? 1u : 0u) + (all ? 2u : 0u));

  n = 0u;
  do { x = n * n + 1u; } while (g > n++); // no operation across lanes at all
  OUT(5u, x);
  OUT(6u, n);

  bool odd;
  n = 0u;
  do { odd = (n & 1u) == 1u; } while (g > n++);
  if (odd) x = 100u + g; else x = 200u + g;
  OUT(7u, x);

  uvec3 v;
  n = 0u;
  do { v = uvec3(n * 3u, subgroupBallot(true).x, g); } while (g > n++);
  OUT(8u, v.x + v.y * 256u + v.z * 65536u);

  float f;
  n = 0u;
  do { f = -float(n); } while (g > n++);
  OUT(9u, uint(10.0 + f));

  uint m = 0u;
  n = 0u;
  do { // x leaves two loops, y one
    uint k = 0u;
    do { x = subgroupBallot(true).x * 16u + n; } while ((g & 1u) == 1u && k++ < 1u);
    y = subgroupBallot(true).x;
  } while (g > n++ + 3u);
  OUT(10u, x);
  OUT(11u, y);

  n = 0u;
  for (;;) { // a loop that all leave at once, in one that they do not
    for (m = 0u; m < 3u; m++) x = subgroupAdd(m + n);
    if ((g >> 1) == n++) break;
  }
  OUT(12u, x);

  x = 7u;
  n = 0u;
  for (;;) { // what a trip computed, read before it is computed anew in the next
    y = x;
    x = subgroupBroadcastFirst(g) * 2u;
    if (g < 2u * ++n) break;
  }
  OUT(13u, y);
  OUT(14u, x);

  uint k, there, loaded;
  do { // a waterfall that is read when it is over
    k = subgroupBroadcastFirst(key);
    there = subgroupBallot(true).x;
    loaded = in_[8u + k];
  } while (k != key);
  OUT(15u, k);
  OUT(16u, there);
  OUT(17u, loaded);

  for (;;) { // one lane at a time
    x = subgroupBallotFindLSB(subgroupBallot(true));
    y = subgroupAdd(key);
    if (subgroupElect()) break;
  }
  OUT(18u, x);
  OUT(19u, y);

  n = 0u;
  do { // memory at a place that is the same for all
    x = in_[n];
    y = s[7u - n];
  } while (g > n++);
  OUT(20u, x);
  OUT(21u, y);

  n = 0u;
  for (;;) { // a loop that is left by what a case did
    x = subgroupBallot(true).x;
    switch (g - n) {
    case 0u:
      n = 100u;
      break;
    case 1u:
      n++;
      continue;
    default:
      n++;
      break;
    }
    if (n >= 100u) break;
  }
  OUT(22u, x);

  bool above;
  n = 0u;
  do { above = key > n; } while (g > n++); // a condition on the lane and on the trip
  if (above) x = n; else x = 50u + n;
  OUT(23u, x);
}
