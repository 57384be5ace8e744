#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform P { ivec2 size; };
layout(set = 0, binding = 0) readonly buffer In { int v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { int o[]; };
int at(ivec2 p) {
  p = clamp(p, ivec2(0), size - 1);
  return v[p.y * size.x + p.x];
}
void main() {
  const int weight[3] = int[](1, 2, 1);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, size))) return;
  int sum = 0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) sum += weight[x + 1] * weight[y + 1] * at(p + ivec2(x, y));
  o[p.y * size.x + p.x] = (sum + 8) / 16;
}
