#version 450
// Local arrays at computed indices, and many values alive at once.
layout(location = 0) in vec4 position;
layout(location = 1) in ivec4 at;
layout(location = 0) out vec4 x[3];
void main() {
  vec4 list[8];
  for (int i = 0; i < 8; i++) list[i] = position * float(i + 1) + vec4(i, 2, 3, 4);
  list[at.x & 7] += list[(at.y + gl_VertexIndex) & 7].wzyx;
  list[(at.z * 3 + gl_VertexIndex) & 7].yz = position.xy;
  x[0] = list[at.w & 7];
  x[1] = list[0] + list[1] * list[2] - list[3];
  x[2] = list[4] * list[5] + list[6] + list[7];
  gl_Position = position;
}
