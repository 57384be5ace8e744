#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { ivec4 o[]; };
void swap(inout int a, inout int b) { int t = a; a = b; b = t; }
void divide(in int a, in int b, out int q, out int r) { q = a / b; r = a - q * b; }
int times(int a, int b) { return a * b; }
int factorial(int n) {
  int f = 1;
  for (int k = 1; k <= n; k++) f = times(f, k);
  return f;
}
void main() {
  int i = int(gl_GlobalInvocationID.x), a = i, b = 100 - i, q, r;
  swap(a, b);
  divide(a, i % 9 + 1, q, r);
  o[i] = ivec4(a, b, factorial(i % 6), q * 1000 + r);
}
