#version 450
// Nested loops that the vertices leave at different times, with break and continue.
layout(location = 0) in vec4 position;
layout(location = 1) in ivec2 times;
layout(binding = 0) uniform U { int most; vec4 step; } u;
layout(location = 0) out vec4 x;
layout(location = 1) flat out ivec2 n;
void main() {
  vec4 sum = position;
  int steps = 0, skipped = 0;
  for (int i = 0; i < times.x + gl_VertexIndex % 5 + (u.most & 3); i++) {
    if ((i & 1) == gl_VertexIndex % 2) { skipped++; continue; }
    for (int j = 0; j < 8; j++) {
      if (j > times.y + i) break;
      sum = sum.yzwx * 0.75 + u.step;
      steps++;
    }
    if (steps > 11) break;
    sum.xz += mix(vec2(0.5), vec2(-0.25), greaterThan(sum.yw, vec2(1.0)));
  }
  x = sum;
  n = ivec2(steps, skipped);
  gl_Position = position;
}
