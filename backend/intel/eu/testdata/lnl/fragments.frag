#version 450
layout(location=0) in vec4 a;
layout(location=1) in vec2 b;
layout(location=2) in vec3 c;
layout(location=3) flat in ivec4 d;
layout(location=0) out vec4 o;
layout(location=1) out vec4 o2;
void main(){ if(a.x<0.0) discard; o=a+b.xyxy+vec4(d)+gl_FragCoord; o2=c.xyzx;}
