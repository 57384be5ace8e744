#version 450
layout(local_size_x = 16) in;
struct Item { uvec4 w[6]; uint n; };
layout(set = 0, binding = 0) buffer Out { uint o[16]; };
layout(set = 0, binding = 1, std430) buffer Items { Item items[]; };
layout(set = 0, binding = 2) readonly buffer Data { uint data[]; };
uint n() { return data[0] & 1u; }
uint pick(Item q, uint k) { return q.w[k % 6u].x + 3u * q.w[(k + 1u) % 6u].z; }
void main() {
  uint t = gl_LocalInvocationIndex;
  Item q = items[t & 1u];
  uint s = 0u;
  for (uint i = 0u; i < q.n; i++) s += q.w[(i + t) % 6u].y * (i + 1u);
  uint first[6];
  for (int i = 0; i < 6; i++) first[i] = data[i];
  o[t] = s + pick(q, t) * 100u + first[t % 6u] * 100000u;
  Item r = items[3u + t];
  uint old = r.w[t % 6u].x;
  items[3u + t].w[t % 6u].x = 5u; // before the copy is read again
  o[t] += old + r.w[(t * 5u + n()) % 6u].x;
  items[3 + t].n = s; // after the last load from the copies
}
