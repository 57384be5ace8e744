#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 72) in;

layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) readonly buffer In { uint step[]; };
void main() {
  uint me = gl_LocalInvocationIndex, n = gl_SubgroupID + 1u;
  uint count = 0u, last = 0u;
  for (uint i = 0u; i < n; i++) { // subgroups leave in different trips
    count += step[i];
    last = i;
  }
  o[me] = count == 3u * n && last == gl_SubgroupID ? 7u : count;

  uint sum = 5u;
  if (gl_SubgroupID % 2u == 1u) {
    sum += step[0];
    if (gl_SubgroupID % 4u == 3u) sum *= step[1]; // one of the pair, or none
    else sum += 1u;
  } else {
    for (uint i = 0u; i < n; i += 2u) sum += step[i];
  }
  uint want = gl_SubgroupID % 4u == 3u ? 24u : gl_SubgroupID % 4u == 1u ? 9u : 5u + 3u * (n + 1u) / 2u;
  o[72u + me] = sum == want ? 7u : sum;

  uint trips = 0u, total = 0u; // lanes leave in different trips too
  for (uint i = 0u;; i++) {
    trips++;
    if (i > me % 3u + gl_SubgroupID) break;
    if (gl_SubgroupID == i) continue;
    total += step[i];
  }
  o[144u + me] = trips == me % 3u + n + 1u && total == 3u * (me % 3u + gl_SubgroupID) ? 7u : total;
}
