#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 3) readonly buffer A { uint a[]; };
layout(set = 2, binding = 0) readonly buffer B { uint b[]; };
layout(set = 2, binding = 5) uniform C { uvec4 c; };
layout(set = 3, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = a[i] * c.x + b[15u - i] * c.w;
}
