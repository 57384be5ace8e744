#version 450
layout(local_size_x = 16) in;

layout(push_constant) uniform P {
  uint scale;
  float bias;
  layout(offset = 16) vec4 v;
  mat2 m;
  int table[4];
} p;
layout(set = 0, binding = 0) writeonly buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = vec4(float(i * p.scale) + p.bias, p.v[i % 4u], (p.m * vec2(i, 1.0)).y, p.table[i % 4u]);
}
