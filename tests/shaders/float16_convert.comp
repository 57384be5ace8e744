#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) readonly buffer In { float v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  float16_t h = float16_t(v[i]);
  o[i] = vec4(float(h), float(float16_t(int(h))), h > float16_t(10.0) ? 1.0 : 0.0, float(h * float16_t(0.5)));
}
