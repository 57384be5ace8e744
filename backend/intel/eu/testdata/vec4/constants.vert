#version 450
// Push constants and several uniform buffers, by constant and by computed indices.
layout(location = 0) in vec4 position;
layout(location = 1) in int index;
layout(push_constant) uniform P { vec4 scale; vec2 move; float turn; } p;
layout(binding = 0) uniform A { vec4 first; vec3 second; float third; vec4 list[6]; } a;
layout(location = 0) out vec4 x;
layout(location = 1) out vec4 y;
void main() {
  x = a.first * p.turn + vec4(a.second, a.third) + a.list[2];
  y = a.list[index & 3] + a.list[(index + gl_VertexIndex) % 6].wzyx;
  gl_Position = position * p.scale + vec4(p.move, 0.0, 0.0);
}
