#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = v[i];
  int offset = int(i & 31u);
  int bits = int(i * 7u % uint(33 - offset)); // offset + bits <= 32; sometimes 0
  o[8 * i] = bitfieldExtract(a, offset, bits);
  o[8 * i + 1] = uint(bitfieldExtract(int(a), offset, bits));
  o[8 * i + 2] = bitfieldInsert(a, 0xa5a5f00fu, offset, bits);
  o[8 * i + 3] = bitfieldReverse(a);
  o[8 * i + 4] = uint(bitCount(a));
  o[8 * i + 5] = uint(findLSB(a));
  o[8 * i + 6] = uint(findMSB(a));
  o[8 * i + 7] = uint(findMSB(int(a)));
}
