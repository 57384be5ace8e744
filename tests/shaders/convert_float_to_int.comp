#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[3 * i] = uint(int(v[i]));
  o[3 * i + 1] = uint(abs(v[i]));
  o[3 * i + 2] = uint(bool(v[i]));
}
