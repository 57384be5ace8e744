#version 450
layout(local_size_x = 100) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
shared uint s[2][100];
void main() {
  uint l = gl_LocalInvocationIndex, from = 0u;
  s[0][l] = v[l];
  for (uint n = 1u; n < 100u; n <<= 1) {
    barrier();
    s[1u - from][l] = s[from][l] + (l >= n ? s[from][l - n] : 0u);
    from = 1u - from;
  }
  o[l] = s[from][l];
}
