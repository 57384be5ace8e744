#version 450
layout(local_size_x = 8) in;
layout(set=0,binding=0) buffer B { uint x[]; } b[4];
void main() { uint i = gl_LocalInvocationIndex; b[b[0].x[0]].x[i] = i; }
