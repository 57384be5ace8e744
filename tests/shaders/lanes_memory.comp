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
  uint g = gl_LocalInvocationIndex, key = in_[g], x, y, n;
  s[g] = key;
  barrier();

  n = x = y = 0u;
  do {
    x += in_[8u + n];
    y += in_[8u + subgroupBroadcastFirst(g)];
  } while (g > n++);
  OUT(0u, x);
  OUT(1u, y);

  n = x = 0u;
  for (;;) {
    x += s[7u - n];
    if (g <= n++) break;
  }
  OUT(2u, x);

  uint p[4] = { g, g, g, g };
  n = x = 0u;
  do { // the place is the same for all, what is there is not
    p[n & 3u] = g * 10u + n;
    x = x * 2u + p[(n + 3u) & 3u];
  } while (g > n++);
  OUT(3u, x);

  uint rank = 0u;
  for (bool done = false; !done;) {
    uint k = subgroupBroadcastFirst(key), old = 0u;
    if (k != key) continue;
    uvec4 group = subgroupBallot(true);
    if (subgroupElect()) old = atomicAdd(o[40u + k], subgroupBallotBitCount(group));
    rank += subgroupBroadcastFirst(old) + subgroupBallotExclusiveBitCount(group);
    done = true;
  }
  OUT(4u, rank);
}
