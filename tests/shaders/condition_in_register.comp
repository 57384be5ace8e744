#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, r = 0u;
  bool done = (i & 1u) != 0u;
  for (uint k = 0u; k < 6u; k++) {
    if (v[k] > i && !done) r += k + 1u;
    done = done != (v[k + 1u] > 4u);
    if (!(v[k + 2u] > i || done)) r += 100u;
    if (v[k] < i && done) r += 10000u;
  }
  o[i] = r;
}
