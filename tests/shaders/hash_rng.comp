#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uvec2 o[]; };
uint hash(uint x) {
  x = (x ^ 61u) ^ (x >> 16);
  x *= 9u;
  x ^= x >> 4;
  x *= 0x27d4eb2du;
  return x ^ (x >> 15);
}
uint next(inout uint s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s >> 7;
}
void main() {
  uint i = gl_GlobalInvocationID.x, first = hash(i), s = first, sum = 0u;
  for (int k = 0; k < 8; k++) sum = sum * 31u + next(s);
  o[i] = uvec2(first, sum);
}
