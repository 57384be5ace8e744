#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64, local_size_y = 4) in;

layout(set = 0, binding = 0) buffer Out { uint o[]; };
// 1 if the number, given in two ways, is the same.
uint same(uint8_t narrow, uint wide) { return uint(uint(narrow) == (wide & 255u)); }
void main() {
  if (gl_LocalInvocationIndex != 0u) return;
  uint8_t size = uint8_t(gl_SubgroupSize);
  uint wide = o[0] == 0u ? gl_SubgroupSize : 0u;
  o[1] = same(size, wide);
  o[2] = same(size + uint8_t(250), wide + 250u);
  o[3] = same(unpack8(pack32(u8vec4(uint8_t(o[0]), size, uint8_t(3), size))).y, wide);
  o[4] = same(min(size, uint8_t(20u + o[0])), min(wide, 20u));
  o[5] = same(uint8_t(int8_t(gl_SubgroupSize) * int8_t(o[0] - 1u)), 0u - wide);
  o[6] = uint(float16_t(size) == float16_t(float(wide)));
  o[7] = same(uint8_t(gl_WorkGroupSize.x) + uint8_t(o[0]), 64u);
  o[8] = same(uint8_t(gl_NumWorkGroups.y + gl_WorkGroupSize.y), 5u);
  for (uint k = 0u; k < 3u && size <= uint8_t(o[0] + 100u); k++) o[9] += k;
}
