#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uvec2 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = v[i].x, b = v[i].y, carry, borrow, hi, lo;
  o[8 * i] = uaddCarry(a, b, carry);
  o[8 * i + 1] = carry;
  o[8 * i + 2] = usubBorrow(a, b, borrow);
  o[8 * i + 3] = borrow;
  umulExtended(a, b, hi, lo);
  o[8 * i + 4] = hi;
  o[8 * i + 5] = lo;
  int shi, slo;
  imulExtended(int(a), int(b), shi, slo);
  o[8 * i + 6] = uint(shi);
  o[8 * i + 7] = uint(slo);
}
