#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) buffer Out { uint o[16]; };
shared uint bins[16];
void main() {
  uint l = gl_LocalInvocationIndex;
  if (l < 16u) bins[l] = 0u;
  barrier();
  for (uint k = 0u; k < 4u; k++) atomicAdd(bins[v[gl_WorkGroupID.x * 256u + k * 64u + l]], 1u);
  barrier();
  if (l < 16u) atomicAdd(o[l], bins[l]);
}
