#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float f = uintBitsToFloat(v[i]);
  o[3 * i] = floatBitsToUint(-f);
  o[3 * i + 1] = uint(floatBitsToInt(abs(f)));
  o[3 * i + 2] = floatBitsToUint(uintBitsToFloat((v[i] & 0x007fffffu) | 0x3f800000u) - 1.0);
}
