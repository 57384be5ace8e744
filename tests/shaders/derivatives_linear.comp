#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 9, local_size_y = 4) in;
layout(derivative_group_linearNV) in;

layout(set = 0, binding = 0) buffer Out { int o[]; };

void main() {
  const uint n = 36u;
  uint i = gl_LocalInvocationIndex;
  float v = float(i * i * i);
  o[i] = int(dFdxFine(v));
  o[n + i] = int(dFdyFine(v));
  o[2u * n + i] = int(dFdxCoarse(v));
  o[3u * n + i] = int(dFdyCoarse(v));
  o[4u * n + i] = int(fwidthFine(vec2(1.0, -v)).y);
  o[5u * n + i] = int(gl_LocalInvocationID.x + 10u * gl_LocalInvocationID.y);
}
