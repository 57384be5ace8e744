#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0) buffer Count { uint n[]; };
void main() {
  atomicAdd(n[gl_LocalInvocationIndex], gl_LocalInvocationIndex + 1u);
}
