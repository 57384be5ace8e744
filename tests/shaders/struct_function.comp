#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) writeonly buffer Out { vec4 o[]; };
struct Point { vec3 at; int weight; };
struct Body { Point p; int count[3]; bool odd; };
Body make(int i) {
  Body b;
  b.p = Point(vec3(i, i * 2, 3.0), 2);
  b.count = int[3](i, i + 1, i + 2);
  b.odd = i % 2 == 1;
  return b;
}
void push(inout Body b, int by) {
  b.p.at += 1.0;
  b.p.weight += by;
}
void main() {
  int i = int(gl_GlobalInvocationID.x);
  Body a = make(i), b = a;
  push(b, 5);
  b.count[i % 3] *= 10;
  o[2 * i] = vec4(b.p.at, b.p.weight);
  o[2 * i + 1] = vec4(b.count[0], b.count[1], b.count[2], b.odd ? 1.0 : 0.0);
}
