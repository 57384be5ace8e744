#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) writeonly buffer Out { vec4 o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x);
  ivec3 n = ivec3(i - 8, i, -i);
  vec3 f = vec3(n) + 0.75;
  uvec3 u = uvec3(ivec3(f) + 100);
  bvec3 b = bvec3(n);
  o[2 * i] = vec4(f, b.x ? 1.0 : 0.0);
  o[2 * i + 1] = vec4(u, float(bool(b.y) && bool(b.z)));
}
