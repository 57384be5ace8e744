#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer Bytes { uint8_t v[]; };
layout(set = 0, binding = 1) readonly buffer Words { uint16_t w[]; };
layout(set = 0, binding = 2) buffer Sums { uint s[]; };
layout(set = 0, binding = 3) buffer Out { uint8_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum = 0u;
  for (uint k = 0u; k < 7u; k++)
    sum += uint(v[7u * i + k]) * (k + 1u);
  s[i] = sum;
  s[32u + i] = uint(w[3u * i]) + 2u * uint(w[3u * i + 1u]) + 3u * uint(w[3u * i + 2u]);
  for (uint k = 0u; k < 5u; k++)
    o[5u * i + k + 1u] = uint8_t(uint(v[7u * i + 6u - k]));
}
