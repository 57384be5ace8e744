#version 450
layout(local_size_x = 32) in;

struct Item { vec3 p; float w; uint tag[2]; };
layout(std430, set = 0, binding = 0) buffer B { uint n, factor; Item items[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint length; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i == 0u) length = uint(items.length());
  if (i >= n) return;
  items[i].p *= items[i].w;
  items[i].tag[0] += items[i].tag[1];
  items[i].tag[1] *= factor;
}
