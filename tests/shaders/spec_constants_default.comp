#version 450
layout(local_size_x = 8, local_size_y = 2) in;

layout(constant_id = 1) const uint scale = 2u;
layout(constant_id = 2) const int bias = -3;
layout(constant_id = 3) const float factor = 0.5;
layout(constant_id = 4) const bool flip = false;
layout(constant_id = 5) const uint untouched = 7u;
const uint twice = scale * 2u + untouched; // an OpSpecConstantOp
const int choice = flip ? bias : -bias;
layout(set = 0, binding = 0) writeonly buffer Out { ivec4 o[]; };
void main() {
  int table[scale]; // sized by a specialization constant
  for (int k = 0; k < int(scale); k++) table[k] = k * bias;
  uint i = gl_LocalInvocationIndex;
  o[i] = ivec4(i * twice, choice, int(float(i) * factor), table[i % scale] + int(gl_WorkGroupSize.x));
}
