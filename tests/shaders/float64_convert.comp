#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { double v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { double o[]; };
layout(set = 0, binding = 2) writeonly buffer Ints { int n[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  double x = v[i];
  o[3u * i] = double(float(x));
  o[3u * i + 1u] = double(int(x));
  o[3u * i + 2u] = x / 3.0lf;
  n[2u * i] = int(x);
  n[2u * i + 1u] = x > 0.5lf ? 1 : 0;
}
