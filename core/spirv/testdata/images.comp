#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x=8) in;
layout(set=0,binding=0,rgba8) uniform readonly image2D a;
layout(set=0,binding=1,r32ui) uniform coherent uimage2D b;
layout(set=0,binding=2) uniform sampler2D tex[4];
layout(set=0,binding=3) uniform texture2DArray t;
layout(set=0,binding=4) uniform sampler s;
layout(set=0,binding=5) uniform samplerBuffer tb;
layout(set=0,binding=6,r32f) uniform imageBuffer ib;
layout(set=0,binding=7) uniform sampler2DShadow sh;
layout(set=0,binding=8) uniform samplerCubeArray ca;
layout(set=0,binding=9) uniform sampler2DMS ms;
layout(set=0,binding=10,rgba8) uniform imageCube ic[];
layout(set=0,binding=11) buffer O { vec4 o[]; };
vec4 f(sampler2D x, vec2 c) { for (int i=0;i<3;i++) { if (c.x > float(i)) { vec4 q = textureLod(x,c,0.0); if (q.x>1.0) continue; return q; } } return vec4(1); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = imageLoad(a, ivec2(i,1));
  v += f(tex[2], v.xy);
  v += textureLod(tex[nonuniformEXT(i)], v.xy, 1.0);
  v += textureGrad(sampler2DArray(t,s), v.xyz, v.xy, v.zw);
  v += texelFetch(tb, int(i));
  v += texelFetch(ms, ivec2(i), 2);
  v += texelFetchOffset(tex[0], ivec2(i), 0, ivec2(1,-1));
  v.x += textureLod(sh, v.xyz, 0.);
  v += textureGather(sh, v.xy, 0.5);
  v += textureGatherOffsets(tex[1], v.xy, ivec2[4](ivec2(1,2),ivec2(3,4),ivec2(5,6),ivec2(7,-8)), 2);
  v += textureLod(ca, v, 0.);
  v += textureProjLod(tex[1], v, 0.);
  imageStore(ib, int(i), v);
  imageStore(ic[nonuniformEXT(i)], ivec3(i,i,3), v);
  v.y += imageAtomicAdd(b, ivec2(i), 3u) + imageAtomicCompSwap(b, ivec2(i,2), 3u, 4u);
  v.xy += vec2(imageSize(a)) + vec2(textureSize(tex[0],1));
  v.x += textureQueryLevels(t) + textureSamples(ms) + imageSize(ib) + textureSize(tb);
  o[i] = v;
}
