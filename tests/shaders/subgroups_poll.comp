#version 450
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) coherent buffer Flag { uint set; };
shared uint flag;
void main() {
  uint i = gl_LocalInvocationIndex, n = 0u;
  if (i == 0u) atomicExchange(flag, 0u);
  barrier();
  if (i < 64u) while (atomicAdd(flag, 0u) == 0u) n |= 1u;
  else if (i == 127u) atomicExchange(flag, 1u);
  if (i < 32u) while (atomicAdd(set, 0u) == 0u) n |= 2u;
  else if (i == 96u) atomicExchange(set, 5u);
  o[i] = n;
}
