#version 460
#extension GL_EXT_maximal_reconvergence : require
#extension GL_EXT_shader_quad_control : require
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(full_quads) in;
layout(quad_derivatives) in;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 other;
layout(binding = 0) uniform sampler2D levels;

void main() [[maximally_reconverges]] {
  ivec2 at = ivec2(gl_FragCoord.xy);
  bool corner = (at & 1) == ivec2(0);
  // Helpers vote, and are there although nothing takes a derivative of what is in an if that they alone would enter.
  bool outside = gl_HelperInvocation;
  color.x = subgroupQuadAny(outside) ? 1.0 : 0.0;
  color.y = subgroupQuadAll(!outside) ? 1.0 : 0.0;
  // Quads enter an if together, in which derivatives have all four values: four texels a pixel are level 2.
  color.z = 0.0;
  if (subgroupQuadAny(corner && (at.x & 2) == 0))
    color.z = texture(levels, gl_FragCoord.xy * 0.5).x;
  color.w = 0.0;
  if (subgroupQuadAll((at.y & 4) == 0))
    color.w = dFdx(float(at.x * at.x)) / 64.0;
  // Those who leave a loop.
  float n = 0.0;
  for (int k = 0; subgroupQuadAny(k < (at.x & 3) + (at.y & 1)); k++)
    n += 1.0 / 16.0;
  other.x = n;
  // Invocations that are demoted are helpers and vote on.
  if (corner && (at.x & 4) == 4)
    demote;
  other.y = subgroupQuadAny(corner) ? 1.0 : 0.0;
  other.z = subgroupQuadAll(helperInvocationEXT()) ? 1.0 : 0.0;
  other.w = 1.0;
}
