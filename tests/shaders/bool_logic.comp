#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
uint bit(bool c, int n) { return c ? 1u << n : 0u; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  bool a = (i & 1u) != 0u, b = (i & 2u) != 0u, c = (i & 4u) != 0u;
  o[i] = bit(a && b, 0) | bit(a || b, 1) | bit(a ^^ b, 2) | bit(a == b, 3) | bit(!a, 4)
       | bit(a ? b : c, 5) | bit(a && !(b || c), 6) | bit((a ^^ b) != c, 7);
}
