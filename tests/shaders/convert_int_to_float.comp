#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[3 * i] = float(int(v[i]));
  o[3 * i + 1] = float(v[i]);
  o[3 * i + 2] = float(bool(v[i]));
}
