#version 450
// Storage buffers: scalars and vectors at computed indices, of structures.
layout(location = 0) in vec4 position;
layout(location = 1) in uvec2 at;
struct Item { vec3 place; float weight; ivec2 numbers; };
layout(std430, binding = 0) readonly buffer B { float head[4]; Item items[]; } b;
layout(location = 0) out vec4 x;
layout(location = 1) flat out ivec2 n;
void main() {
  Item i = b.items[at.x], j = b.items[at.y + 1u];
  x = vec4(i.place * j.weight + j.place * i.weight, b.head[at.y & 3u]);
  n = i.numbers * 3 + j.numbers.yx;
  gl_Position = position;
}
