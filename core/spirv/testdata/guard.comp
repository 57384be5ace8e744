#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint i = 0, s = 0;
  do {
    if ((b[i] & 1u) != 0u) continue;
    s += b[i];
  } while (++i < 10u && s < 100u);
  b[0] = s;
}
