#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { float o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float a = v[3 * i], b = v[3 * i + 1], c = v[3 * i + 2];
  o[4 * i] = a / b;
  o[4 * i + 1] = 1.0 / b;
  o[4 * i + 2] = mix(a, b, c * 0.03125);
  o[4 * i + 3] = smoothstep(-20.0, 20.0, a);
}
