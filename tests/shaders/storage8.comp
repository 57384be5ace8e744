#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint8_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint8_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[63u - i] = uint8_t(uint(v[i]) * 3u + i);
}
