#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const int N = 8;
layout(constant_id = 3) const int M = 2;
layout(set = 0, binding = 0, std430) buffer B { layout(offset = 0) uint a[N]; layout(offset = 64) uvec2 v[N * M]; layout(offset = 256) uint tail; uint rest[]; };
shared uint s[N + 1][3];
void main() {
  uint i = gl_LocalInvocationIndex;
  uint p[N];
  for (int k = 0; k < N; k++) p[k] = a[k] + i;
  s[i % N][i / N % 3] = p[(i * 2u + 1u) % N];
  barrier();
  v[i % (N * M)] = uvec2(s[(i + 1) % N][0], gl_WorkGroupSize.x * 100 + gl_WorkGroupSize.y);
  if (i == 0u) { tail = N * 10u + M; rest[0] = 77u; rest[1] = rest.length(); }
}
