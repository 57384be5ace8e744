#version 450
// Returns from within branches, and functions with several.
layout(location = 0) in vec4 position;
layout(location = 1) in ivec2 way;
layout(location = 0) out vec4 x;
float pick(int w, float a) {
  switch (w) {
    case 1: return a * 2.0;
    case 2: if (a > 0.0) return a + 3.0; break;
    case 3: a -= 1.0;
    default: a *= 0.5;
  }
  return -a;
}
void main() {
  gl_Position = position;
  x = vec4(pick(way.x, position.x), pick(way.y, position.y), pick(gl_VertexIndex % 4, position.z), 1.0);
  if (position.x > 0.4) return;
  x.w = pick(way.x + way.y, position.w);
  if (position.y < -0.2) { x.z = 0.25; return; }
  x.xy = x.yx + 0.125;
}
