#version 450
layout(local_size_x=32) in;
layout(set=0,binding=0) uniform sampler2D s;
layout(set=0,binding=1) uniform samplerCubeArray cu;
layout(set=0,binding=2) uniform sampler2DShadow sh;
layout(set=0,binding=3) buffer B{vec4 r[];};
void main(){
 uint i=gl_LocalInvocationID.x;
 float f=float(i);
 vec2 p=vec2(f*0.125,f*0.0625);
 r[i*8u]=textureLod(s,p,0.5);
 r[i*8u+1u]=textureGrad(s,p,vec2(.125,.25),vec2(.0,.375));
 r[i*8u+2u]=textureGather(s,p,1);
 r[i*8u+3u]=textureLod(cu,vec4(0.5,f*0.0625-1.0,2.0,f*0.125),1.5);
 r[i*8u+4u]=texelFetch(s,ivec2(i,2),1);
 r[i*8u+5u]=vec4(textureLod(sh,vec3(p,0.5),0.0));
 r[i*8u+6u]=textureLodOffset(s,p,1.0,ivec2(1,-2));
 r[i*8u+7u]=vec4(textureSize(s,0),textureQueryLevels(s),0);
}
