#version 450
// A private array that is written whole twice, and then read at one index: the first 2,048 stores are dead.
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint a[2048], b[2048], n, r[]; };
void main() {
	uint t[2048];
	t = a;
	t = b;
	r[gl_LocalInvocationIndex] = t[n];
}
