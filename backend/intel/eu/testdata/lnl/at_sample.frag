#version 450
// A number of a sample that is the same in the primitive, and one that differs between pixels.
layout(location = 0) in vec2 a;
layout(location = 1) noperspective in vec2 b;
layout(location = 2) flat in int o;
layout(location = 0) out vec4 c;
void main() { c = vec4(interpolateAtSample(a, o), interpolateAtSample(b, int(gl_FragCoord.x + gl_FragCoord.y) & 3)); }
