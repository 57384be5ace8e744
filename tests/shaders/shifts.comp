#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = v[i], s = i & 31u;
  o[6 * i] = a << s;
  o[6 * i + 1] = a >> s;
  o[6 * i + 2] = uint(int(a) >> int(s));
  o[6 * i + 3] = (a << s) | (a >> ((32u - s) & 31u));
  o[6 * i + 4] = a << 5;
  o[6 * i + 5] = uint(int(a) >> 31);
}
