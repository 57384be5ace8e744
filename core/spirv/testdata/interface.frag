#version 450
layout(binding = 0) uniform sampler2D t;
layout(location = 0) in vec3 list[2];
layout(location = 2) in Block { vec2 a; flat uint b; float c[2]; } block;
layout(location = 9, component = 1) noperspective centroid in vec2 part;
layout(location = 0) out vec4 results[2];
layout(location = 2) out uvec2 numbers;
void main() {
    int i = int(gl_FragCoord.x) & 1;
    if (list[i].x < 0.0) discard;
    results[0] = texture(t, block.a) + vec4(interpolateAtOffset(part, vec2(0.25)), block.c[i], dFdx(part.x));
    results[i] += textureLod(t, part, 1.0);
    numbers = uvec2(block.b, gl_FrontFacing ? 1u : 2u);
    gl_FragDepth = list[1][i];
}
