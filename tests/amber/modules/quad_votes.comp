#version 460
#extension GL_EXT_maximal_reconvergence : require
#extension GL_EXT_shader_quad_control : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 16) in;
layout(binding = 0, std430) buffer In { uint a[16]; };
layout(binding = 1, std430) buffer Out { uint r[]; };

void main() [[maximally_reconverges]] {
  uint i = gl_LocalInvocationIndex, v = a[i];
  bool odd = (v & 1u) == 1u;
  r[i] = uint(subgroupQuadAny(odd)) + 2u * uint(subgroupQuadAll(odd));
  // Of the same value.
  r[16u + i] = uint(subgroupQuadAny(a[0] == 3u)) + 2u * uint(subgroupQuadAll(a[0] != 3u));
  // Only the invocations that are there vote.
  uint n = 8u;
  if (v > 2u)
    n = uint(subgroupQuadAny(odd)) + 2u * uint(subgroupQuadAll(odd));
  r[32u + i] = n;
  // A quad goes on as long as one of its invocations wants to, and they leave together.
  n = 0u;
  for (uint k = 0u; subgroupQuadAny(k < v); k++)
    n += k < v ? 1u : 100u;
  r[48u + i] = n;
  // They leave one after the other.
  n = 0u;
  for (uint k = 0u; k < v; k++)
    n = 2u * n + uint(subgroupQuadAll(k + 1u < v));
  r[64u + i] = n;
}
