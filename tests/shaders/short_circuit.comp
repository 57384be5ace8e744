#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { int o[]; };
int calls = 0;
bool count(bool v, int n) {
  calls += n;
  return v;
}
void main() {
  int i = int(gl_GlobalInvocationID.x);
  bool a = count(i % 2 == 0, 1) && count(i % 3 == 0, 10);
  bool b = count(i % 4 == 0, 100) || count(i % 5 == 0, 1000);
  o[i] = calls + (a ? 100000 : 0) + (b ? 200000 : 0);
}
