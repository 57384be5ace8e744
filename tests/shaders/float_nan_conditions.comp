#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = uintBitsToFloat(v[2u * i]), b = uintBitsToFloat(v[2u * i + 1u]);
  uint r = 0u;
  if (i < 8u && !(a < b)) r |= 1u;
  if (!(a >= b) || i == 8u) r |= 2u;
  if (!(a < b && i < 8u)) r |= 4u;
  if (!(a < b || !(a > b))) r |= 8u;
  if (i < 8u && !(a <= b) && !(a > b)) r |= 16u;
  r |= i < 8u && !(a == b) ? 32u : 0u;
  r |= i == 8u || !(a != b) ? 64u : 0u;
  uint n = 0u;
  while (n < 3u && !(a < b)) n++;
  o[i] = r | n << 8;
}
