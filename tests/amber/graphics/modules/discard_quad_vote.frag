#version 460
#extension GL_EXT_shader_quad_control : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 other;
layout(binding = 0) uniform sampler2D levels;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  bool corner = (at & 1) == ivec2(0);
  if (corner)
    discard;
  color = vec4(subgroupQuadAny(corner) ? 1.0 : 0.0, subgroupQuadAll(!corner) ? 1.0 : 0.0, 0.0, 1.0);
  if (subgroupQuadAny(!corner && (at.x & 2) == 0))
    color.z = texture(levels, gl_FragCoord.xy * 0.5).x;
  float n = 0.0;
  for (int k = 0; subgroupQuadAny(!corner && k < (at.x & 3)); k++)
    n += dFdx(gl_FragCoord.x) / 16.0;
  other = vec4(n);
}
