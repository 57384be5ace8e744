#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in mat2 square;
layout(location = 0) out vec3 list[2];
layout(location = 2) out Block { vec2 a; flat uint b; float c[2]; } block;
layout(location = 9, component = 1) out vec2 part;
out float gl_ClipDistance[2];
void main() {
    gl_Position = position;
    gl_PointSize = 2.0;
    gl_ClipDistance[0] = position.x;
    gl_ClipDistance[gl_VertexIndex & 1] = position.y;
    for (int i = 0; i < 2; i++) list[i] = vec3(position.x, square[i]);
    block.a = square[gl_InstanceIndex & 1];
    block.b = uint(gl_VertexIndex);
    block.c[gl_VertexIndex & 1] = 1.0;
    part = position.zw;
    if (position.x > 0.5) return;
    part.x = 0.5;
}
