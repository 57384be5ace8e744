#version 450
layout(local_size_x=32) in;
layout(set=0,binding=0,rgba32f) uniform image2D a;
layout(set=0,binding=1,r32ui) uniform uimage2D b;
layout(set=0,binding=2,rgba8) uniform image2DArray c;
layout(set=0,binding=3,r32i) uniform iimage1D d;
void main(){
 ivec2 p=ivec2(gl_LocalInvocationID.x, gl_WorkGroupID.x);
 vec4 v=imageLoad(a,p);
 uint o=imageAtomicAdd(b,p,7u);
 imageAtomicMax(d,p.x,p.y);
 uint q=imageAtomicCompSwap(b,p.yx,3u,uint(p.x));
 imageStore(c,ivec3(p,1),v+float(o+q));
 imageStore(a,p,vec4(o));
}
