#version 450
layout(location=0) in vec4 p;
layout(location=1) in vec3 q;
layout(location=0) out vec4 a;
layout(location=1) out vec2 b;
layout(location=2) out vec3 c;
layout(location=3) flat out ivec4 d;
void main(){ gl_Position=p*2.0; a=q.xyzx; b=q.yx; c=p.xyz; d=ivec4(gl_VertexIndex); }
