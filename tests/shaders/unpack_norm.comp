#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint x = v[i];
  o[3 * i] = unpackUnorm4x8(x);
  o[3 * i + 1] = unpackSnorm4x8(x);
  o[3 * i + 2] = vec4(unpackUnorm2x16(x), unpackSnorm2x16(x));
}
