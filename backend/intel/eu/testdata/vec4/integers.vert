#version 450
// Products, quotients and shifts of integers.
layout(location = 0) in vec4 position;
layout(location = 1) in ivec4 a;
layout(location = 2) in uvec4 b;
layout(location = 0) flat out ivec4 products;
layout(location = 1) flat out uvec4 quotients;
layout(location = 2) flat out ivec4 rest;
layout(location = 3) flat out uvec4 shifts;
void main() {
  ivec4 n = a * 123457 - 77;
  products = n * (n.wzyx + 3) + n * 5;
  quotients = (b * 987654321u) / (b.yzwx + 2u) + (b * 77777u) % 13u;
  rest = n % (a + 2) + n / -7;
  shifts = (uvec4(n) >> b) ^ (b << 5) ^ uvec4(n >> 3);
  gl_Position = position;
}
