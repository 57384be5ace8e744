#version 450
layout(local_size_x = 16) in;

layout(std140, set = 0, binding = 0) uniform U { ivec4 t[2]; };
layout(set = 0, binding = 1) writeonly buffer Out { int o[]; };
void main() {
  int s = 0;
  for (int k = 0; k < t[0].w; k++) {
    if (k == t[0].z) continue;
    s += t[k / 4 % 2][k % 4] * (k > t[1].x ? 2 : 1);
  }
  o[gl_GlobalInvocationID.x] = s + int(gl_GlobalInvocationID.x);
}
