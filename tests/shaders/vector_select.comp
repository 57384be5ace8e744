#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uvec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 v = uvec4(i & 3u, (i >> 2) & 3u, i >> 4, 2u);
  bvec4 small = lessThan(v, uvec4(2u));
  bvec4 one = equal(v, uvec4(1u));
  o[2 * i] = uvec4(any(small), all(small), any(one), all(not(one)));
  o[2 * i + 1] = mix(v, v * 10u, small);
}
