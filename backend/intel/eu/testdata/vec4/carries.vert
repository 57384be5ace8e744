#version 450
// Sums, differences and products of more than 32 bits.
layout(location = 0) in vec4 position;
layout(location = 1) in uvec4 a;
layout(location = 0) flat out uvec4 sums;
layout(location = 1) flat out uvec4 highs;
layout(location = 2) flat out ivec4 signs;
void main() {
  uvec4 n = a * 0x7FFFFFFFu, carry, borrow, low;
  sums = uaddCarry(n, n.yzwx, carry) + 2u * usubBorrow(n, n.wxyz, borrow);
  sums ^= carry * 16u + borrow * 32u;
  umulExtended(n, a.zwxy * 0x12345679u, highs, low);
  highs ^= low;
  ivec4 l;
  imulExtended(ivec4(n), ivec4(a) * -98765, signs, l);
  signs ^= l;
  gl_Position = position;
}
