#version 450
// Comparisons of vectors, any and all, selections by component.
layout(location = 0) in vec4 position;
layout(location = 1) in ivec4 numbers;
layout(location = 0) out vec4 chosen;
layout(location = 1) out vec4 tests;
void main() {
  bvec4 below = lessThan(position, vec4(0.0, 0.25, 0.5, 0.75));
  chosen = mix(position, position.wzyx * 2.0, below);
  tests = vec4(any(below) ? 1.0 : 2.0, all(below) ? 3.0 : 4.0, numbers == ivec4(1, 2, 1, 2) ? 5.0 : 6.0,
               any(notEqual(numbers.xy, ivec2(1))) ? 7.0 : 8.0);
  if (position.x > 0.0 && numbers.y == 1) tests.yz += chosen.xy;
  gl_Position = position;
}
