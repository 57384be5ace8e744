#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer In { uint8_t v[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint8_t o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, k = 8u * i;
  uint8_t a = v[2u * i], b = v[2u * i + 1u];
  uint8_t x = a, crc = uint8_t(0);
  int8_t m = int8_t(-128);
  for (uint8_t n = uint8_t(0); n < a % uint8_t(23); n++) {
    x = x * b + n;
    crc ^= x;
    for (int8_t j = int8_t(0); j < int8_t(8); j++) {
      bool top = (crc & uint8_t(0x80)) != uint8_t(0);
      crc = crc << uint8_t(1);
      if (top) crc ^= uint8_t(0x07);
    }
    m = max(m, int8_t(x));
  }
  uint8_t g = uint8_t(0);
  for (uint8_t c = a; c != uint8_t(0); c /= uint8_t(3)) g++;
  o[k] = x;
  o[k + 1u] = crc;
  o[k + 2u] = uint8_t(m);
  o[k + 3u] = g;
  o[k + 4u] = a == uint8_t(128) && b == uint8_t(255) ? uint8_t(128) : uint8_t(int8_t(a) / int8_t(b));
  o[k + 5u] = a % b;
  o[k + 6u] = a >> (b & uint8_t(7));
  o[k + 7u] = uint8_t(int8_t(a) >> (b & uint8_t(7)));
}
