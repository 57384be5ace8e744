#version 450
// Conversions of halves and of normalized numbers.
layout(location = 0) in vec4 position;
layout(location = 1) in uvec4 packed;
layout(location = 0) flat out uvec4 words;
layout(location = 1) out vec4 numbers;
layout(location = 2) out vec4 others;
void main() {
  words = uvec4(packHalf2x16(position.xy), packHalf2x16(position.zw * 1000.0), packUnorm4x8(position), packSnorm2x16(position.yx));
  numbers = vec4(unpackHalf2x16(packed.x * 0x31234567u), unpackHalf2x16(words.x));
  others = unpackUnorm4x8(words.z) + vec4(unpackSnorm2x16(words.w), unpackUnorm2x16(packed.y * 77777u));
  gl_Position = position;
}
