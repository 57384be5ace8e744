#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
shared uint seen[64], groups;
uint bit(bool c, int n) { return c ? 1u << n : 0u; }
void main() {
  uint me = gl_LocalInvocationIndex;
  seen[me] = 0u;
  if (me == 0u) groups = 0u;
  barrier();
  atomicOr(groups, 1u << gl_SubgroupID);
  uint place = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
  if (place < 64u) atomicAdd(seen[place], 1u);
  subgroupBarrier();
  subgroupMemoryBarrier();
  barrier();
  o[me] = bit(seen[me] == 1u, 0) | bit(gl_NumSubgroups * gl_SubgroupSize == 64u, 1)
        | bit(gl_SubgroupID < gl_NumSubgroups && gl_SubgroupInvocationID < gl_SubgroupSize, 2)
        | bit(groups == (1u << gl_NumSubgroups) - 1u, 3);
}
