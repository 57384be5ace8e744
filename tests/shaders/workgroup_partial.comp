#version 450
layout(local_size_x = 5) in;

layout(set = 0, binding = 0) buffer Out { uint sum[4]; uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = i * i;
  atomicAdd(sum[gl_WorkGroupID.x], 1u + gl_LocalInvocationID.x);
}
