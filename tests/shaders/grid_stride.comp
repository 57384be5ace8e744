#version 450
layout(local_size_x = 32) in;

layout(push_constant) uniform P { uint n; };
layout(set = 0, binding = 0) buffer D { uint d[]; };
void main() {
  uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint i = gl_GlobalInvocationID.x; i < n; i += stride) d[i] = d[i] * 2u + 1u;
}
