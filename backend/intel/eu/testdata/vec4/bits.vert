#version 450
// Operations on bits.
layout(location = 0) in vec4 position;
layout(location = 1) in ivec4 a;
layout(location = 0) flat out ivec4 counts;
layout(location = 1) flat out ivec4 fields;
layout(location = 2) flat out uvec4 more;
void main() {
  ivec4 n = a * 1234567 - 99;
  counts = bitCount(n) + findLSB(n) * 64 + findMSB(n) * 4096 + findMSB(uvec4(n)) * 65536;
  fields = bitfieldExtract(n, 3, 7) + bitfieldInsert(n, a.wzyx, 4, 9);
  more = bitfieldReverse(uvec4(n)) ^ ~uvec4(a) ^ uvec4(-n & 0xFF);
  gl_Position = position;
}
