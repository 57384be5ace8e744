#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  vec2 c = vec2(-2.0, -1.0) + vec2(p) * vec2(0.09375, 0.125), z = vec2(0.0);
  uint n = 0u;
  while (n < 12u && dot(z, z) <= 4.0) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    n++;
  }
  o[p.y * 32u + p.x] = n;
}
