#version 450
#extension GL_NV_compute_shader_derivatives : enable
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { float x[]; };

float slope(float v) {
  float w = v * 2.0;
  return fract(w);
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  for (int k = 0; k < 10; k++)
    x[i] += slope(x[i + k]);
}
