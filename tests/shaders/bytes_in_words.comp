#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) buffer S { uint s[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, hash = 5381u, n = 0u;
  for (; n < 32u; n++) {
    uint at = i * 8u + n / 4u, shift = n % 4u * 8u;
    uint c = (s[at] >> shift) & 0xffu;
    if (c == 0u) break;
    if (c >= 97u && c <= 122u) {
      c -= 32u;
      s[at] = (s[at] & ~(0xffu << shift)) | (c << shift);
    }
    hash = hash * 33u + c;
  }
  o[i] = uvec2(n, hash);
}
