#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 13) in;

layout(set = 0, binding = 0) buffer Out { uint total, lanes, elected; };
void main() {
  uint sum = subgroupAdd(gl_LocalInvocationIndex + 1u);
  uint n = subgroupBallotBitCount(subgroupBallot(true));
  if (subgroupElect()) {
    atomicAdd(total, sum);
    atomicAdd(lanes, n);
    atomicAdd(elected, 1u + 1000u / gl_NumSubgroups);
  }
}
