#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { vec4 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec2 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = refract(v[i].xy, vec2(0.0, 1.0), v[i].z);
}
