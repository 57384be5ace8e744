#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uvec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
uint bit(bool c, int n) { return c ? 1u << n : 0u; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = uintBitsToFloat(v[i].x), b = uintBitsToFloat(v[i].y);
  o[i] = bit(a < b, 0) | bit(a <= b, 1) | bit(a > b, 2) | bit(a >= b, 3) | bit(a == b, 4) | bit(a != b, 5)
       | bit(isnan(a), 6) | bit(isinf(b), 7) | bit(!(a < b), 8) | bit(!(a == b), 9);
}
