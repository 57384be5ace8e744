#version 450
layout(local_size_x = 3, local_size_y = 2, local_size_z = 2) in;
layout(set = 0, binding = 0) writeonly buffer Out { uvec4 o[]; };
uint pack(uvec3 v) { return v.x | v.y << 8 | v.z << 16; }
void main() {
  uvec3 g = gl_WorkGroupID, n = gl_NumWorkGroups;
  uint at = (g.x + n.x * (g.y + n.y * g.z)) * 12u + gl_LocalInvocationIndex;
  o[2u * at] = uvec4(gl_GlobalInvocationID, gl_LocalInvocationIndex);
  o[2u * at + 1u] = uvec4(pack(g), pack(gl_LocalInvocationID), pack(n), pack(gl_WorkGroupSize));
}
