#version 450
layout(local_size_x = 8) in;

layout(set = 0, binding = 0) buffer Data { uvec4 data[]; };
layout(set = 0, binding = 1) buffer Out { uint o[]; };
layout(set = 0, binding = 2) buffer Sum { uint sum; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 old = data[i];
  data[i] = old * 2u; // its z and w remain
  data[i].x = 7u;     // overwritten
  data[i].y = i;
  data[i].x = old.y;
  o[i] = old.x;
  if (i == 0u)
    for (uint k = 0u; k < 3u; k++) sum += 7u * k; // only the last iteration's store remains
  memoryBarrierBuffer();
  barrier();
  data[i ^ 1u].w = 9u; // the barrier lets another lane read it
  memoryBarrierBuffer();
  barrier();
  o[i] += data[i].w;
  data[i].w = old.w;
}
