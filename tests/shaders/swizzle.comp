#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) writeonly buffer Out { ivec4 o[]; };
void main() {
  int i = int(gl_GlobalInvocationID.x);
  ivec4 v = i + ivec4(0, 1, 2, 3), w = v;
  o[4 * i] = v.wzyx;
  o[4 * i + 1] = v.xxzz;
  w.yz = ivec2(100, 200);
  w.x += w.w;
  o[4 * i + 2] = w;
  o[4 * i + 3] = ivec4(v.xy.x + v.zw.x, v.y * v.w, (v.xw - v.wx).x, v[i % 4]);
}
