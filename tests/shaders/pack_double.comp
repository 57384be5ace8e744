#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) readonly buffer In { double v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 o[]; };
layout(set = 0, binding = 2) writeonly buffer Back { double d[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec2 w = unpackDouble2x32(v[i]);
  o[i] = w;
  d[i] = packDouble2x32(uvec2(w.x, w.y ^ 0x80000000u));
}
