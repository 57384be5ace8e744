#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 6, local_size_y = 4, local_size_z = 2) in;
layout(derivative_group_quadsNV) in;

layout(set = 0, binding = 0) buffer Out { int o[]; };

void main() {
  const uint n = 48u;
  uint i = gl_LocalInvocationIndex;
  vec3 p = vec3(gl_LocalInvocationID);
  float v = 3.0 * p.x * p.x + 5.0 * p.x * p.y + 7.0 * p.y * p.y + 100.0 * p.z;
  o[i] = int(dFdxFine(v));
  o[n + i] = int(dFdyFine(v));
  vec2 coarse = vec2(dFdxCoarse(v), dFdyCoarse(v));
  o[2u * n + i] = int(coarse.x);
  o[3u * n + i] = int(coarse.y);
  if ((gl_LocalInvocationID.x / 2u + gl_LocalInvocationID.y / 2u) % 2u == 0u) {
    o[4u * n + i] = int(fwidth(2.0 * p.x - 3.0 * p.y + p.z) + fwidthCoarse(p.x) - 1.0);
  } else {
    vec3 linear = vec3(p.y + p.z, 2.0 * p.x, -3.0 * p.y);
    o[4u * n + i] = int(dFdx(linear).y - dFdy(linear).z);
  }
  o[5u * n + i] = int(gl_LocalInvocationID.x + 10u * gl_LocalInvocationID.y + 100u * gl_LocalInvocationID.z);
}
