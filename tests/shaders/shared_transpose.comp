#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform P { uint w, h; };
layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint o[]; };
shared uint tile[8][9];
void main() {
  uvec2 l = gl_LocalInvocationID.xy, at = gl_WorkGroupID.xy * 8u + l;
  if (at.x < w && at.y < h) tile[l.y][l.x] = v[at.y * w + at.x];
  barrier();
  at = gl_WorkGroupID.yx * 8u + l;
  if (at.x < h && at.y < w) o[at.y * h + at.x] = tile[l.x][l.y];
}
