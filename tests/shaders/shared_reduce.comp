#version 450
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
shared uint s[128];
void main() {
  uint l = gl_LocalInvocationIndex;
  s[l] = v[gl_GlobalInvocationID.x];
  barrier();
  for (uint n = 64u; n > 0u; n >>= 1) {
    if (l < n) s[l] += s[l + n];
    barrier();
  }
  if (l == 0u) o[gl_WorkGroupID.x] = s[0];
}
