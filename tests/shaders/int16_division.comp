#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint16_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint16_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 8u * i;
  uint16_t a = v[2u * i], b = v[2u * i + 1u];
  int16_t x = int16_t(a), y = int16_t(b);
  o[k] = a / b;
  o[k + 1u] = a % b;
  o[k + 2u] = uint16_t(x / y);
  o[k + 3u] = a / uint16_t(10);
  uint16_t g = a, h = b;
  while (h != uint16_t(0)) {
    uint16_t t = g % h;
    g = h;
    h = t;
  }
  o[k + 4u] = g;
  o[k + 5u] = uint16_t(min(x, y));
  o[k + 6u] = max(a, b);
  o[k + 7u] = uint16_t(abs(x));
}
