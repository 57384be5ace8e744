#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint x = b[0];
  switch (x & 3u) {
  case 0u: x += 1u;
  case 1u: if (x > 9u) break; x *= 3u; break;
  default: x = 7u;
  }
  b[1] = x;
}
