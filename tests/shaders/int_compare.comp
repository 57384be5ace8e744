#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uvec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
uint bit(bool c, int n) { return c ? 1u << n : 0u; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = v[i].x, b = v[i].y;
  int s = int(a), t = int(b);
  o[i] = bit(a < b, 0) | bit(a <= b, 1) | bit(a > b, 2) | bit(a >= b, 3) | bit(a == b, 4) | bit(a != b, 5)
       | bit(s < t, 6) | bit(s <= t, 7) | bit(s > t, 8) | bit(s >= t, 9) | bit(s == t, 10) | bit(s != t, 11);
}
