#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[64]; uint p[64]; };
layout(set = 0, binding = 1) uniform In { uint n; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint crc[256];
  for (uint k = 0u; k < 256u; k++) {
    uint c = k;
    for (int b = 0; b < 8; b++) c = (c & 1u) != 0u ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    crc[k] = c;
  }
  uint c = ~0u, x = i * 2654435761u + n;
  for (int b = 0; b < 4; b++) { c = crc[(c ^ x) & 255u] ^ (c >> 8); x >>= 8; }
  o[i] = ~c;
  ivec2 pairs[100];
  int at = 99;
  do { pairs[at] = ivec2(at * at, -at); at--; } while (at >= 0);
  uint steps[200];
  for (uint k = 0u; k < n * 10u; k++) steps[k] = k * 77777u; // not a known number of iterations
  uint thirds[150];
  for (uint k = 0u; k < 150u; k++) {
    if (k % 3u == 0u) continue;
    thirds[k] = k * k * k;
  }
  ivec2 q = pairs[i * 37u % 100u];
  uint third = i * 3u % 148u + 1u;
  p[i] = uint(q.x) * 3u + uint(q.y) + steps[i * 2u] * 5u + (third % 3u == 0u ? 0u : thirds[third] * 7u);
}
