#version 450
layout(local_size_x = 16) in;
layout(push_constant) uniform P { uint n; uint i; uint j; uint k; } p;
layout(set = 0, binding = 0) buffer A { vec4 a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
layout(set = 0, binding = 2) buffer C { vec4 c[]; };
void main() {
    vec4 v;
    if (p.k == 0u) {
        v = a[p.n];
    } else {
        v.y = p.i;
        v.w = p.n;
        v.z = b[p.k] * 2;
        v.x = b[p.i];
        if (p.j > 3) v.z += v.x;
    }
    c[gl_LocalInvocationIndex] = v;
}
