#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { vec4 v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec3 a = v[2 * i].xyz, b = v[2 * i + 1].xyz;
  vec3 n = normalize(b);
  o[5 * i] = vec4(length(a), distance(a, b), dot(a, b), 0.0);
  o[5 * i + 1] = vec4(cross(a, b), 0.0);
  o[5 * i + 2] = vec4(n, 0.0);
  o[5 * i + 3] = vec4(reflect(a, n), 0.0);
  o[5 * i + 4] = vec4(faceforward(b, a, n), 0.0);
}
