#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { int16_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { int16_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  o[i] = int16_t(int(v[i + 1u]) - int(v[i + 2u]) * 2);
}
