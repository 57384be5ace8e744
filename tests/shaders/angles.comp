#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) writeonly buffer Out { vec2 o[]; };
void main() {
  float x = float(gl_GlobalInvocationID.x) * 30.0 - 200.0;
  o[gl_GlobalInvocationID.x] = vec2(radians(x), degrees(x * 0.0625));
}
