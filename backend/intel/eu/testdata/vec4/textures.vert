#version 450
// Textures: explicit levels, single texels, gathers, sizes.
layout(location = 0) in vec4 position;
layout(binding = 0) uniform sampler2D t;
layout(location = 0) out vec4 x;
layout(location = 1) out vec4 y;
layout(location = 2) out vec4 z;
void main() {
  x = textureLod(t, position.xy, 0.0) + textureLod(t, position.yx * 0.5, 1.0);
  y = texelFetch(t, ivec2(abs(position.xy) * 3.0), 0) + texelFetch(t, ivec2(abs(position.yx) * 2.0), 1);
  z = textureGather(t, position.xy, 1);
  gl_Position = position;
}
