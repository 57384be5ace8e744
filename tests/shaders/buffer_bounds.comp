#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
layout(set = 0, binding = 2) buffer Small { uint s[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = v[i] + 1u;
  s[i * 3u] = i + 50u;
  atomicAdd(s[i * 3u + 1u], i + 1u);
}
