#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) readonly buffer In { vec4 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 x = v[i];
  o[i] = uvec4(packUnorm4x8(x), packSnorm4x8(x), packUnorm2x16(x.xy), packSnorm2x16(x.xy));
}
