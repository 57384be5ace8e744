#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Packed { uint p[]; };
layout(set = 0, binding = 2) writeonly buffer Unpacked { vec2 u[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint h = packHalf2x16(vec2(v[i], v[15u - i]));
  p[i] = h;
  u[i] = unpackHalf2x16(h);
}
