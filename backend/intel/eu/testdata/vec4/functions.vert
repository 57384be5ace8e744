#version 450
// Functions of floats: roots, exponentials, angles.
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 a;
layout(location = 1) out vec4 b;
layout(location = 2) out vec4 c;
void main() {
  vec4 p = abs(position) + 0.5;
  a = sqrt(p) + inversesqrt(p.wzyx) + exp2(position) + log2(p.yxwz);
  b = sin(position * 3.0) + cos(position.yzwx) + pow(p, p.zwxy);
  c = vec4(fract(position.x * 7.0), floor(position.y * 7.0), ceil(position.z * 9.0), round(position.w * 5.5)) + sign(position - 0.5) +
      clamp(position * 2.0, 0.0, 1.0) + trunc(position * 4.0) + mod(position * 5.0, 1.5) + step(0.25, position) + smoothstep(-1.0, 1.0, position);
  gl_Position = position;
}
