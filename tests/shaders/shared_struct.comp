#version 450
layout(local_size_x = 32) in;

struct Cell { uvec2 pair; uint square; bool odd; };
layout(set = 0, binding = 0) writeonly buffer Out { uvec4 o[]; };
shared Cell cells[32];
void main() {
  uint l = gl_LocalInvocationIndex;
  cells[l].pair = uvec2(l + 1u, l * 2u);
  cells[l].square = l * l;
  cells[l].odd = (l & 1u) == 1u;
  memoryBarrierShared();
  barrier();
  Cell c = cells[31u - l];
  o[l] = uvec4(c.pair, c.square, c.odd ? 5u : 0u);
}
