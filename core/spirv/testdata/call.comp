#version 450
layout(local_size_x = 8) in;
struct S { vec2 v; uint n; };
layout(set = 0, binding = 1, std140, row_major) uniform U { mat2x3 m; float a[2]; };
layout(set = 0, binding = 0) coherent buffer B { vec3 b[]; };
shared uint total;
vec3 f(S s, inout float k) { k += s.v.y; return m * s.v * k; }
void main() {
  float k = a[1];
  precise float e = k * k + 1.0;
  b[gl_GlobalInvocationID.x] = f(S(vec2(e, 2.0), 3u), k) + k;
  atomicAdd(total, uint(b.length()));
  barrier();
}
