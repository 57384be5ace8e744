#version 450
// Dot and cross products, lengths, reflections, interpolation.
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 dots;
layout(location = 1) out vec3 across;
layout(location = 2) out vec3 turned;
layout(location = 3) out vec4 mixed;
void main() {
  dots = vec4(dot(position, position.wzyx), dot(normal, position.xyz), dot(normal.xy, position.zw), length(normal));
  across = cross(normal, position.xyz);
  turned = reflect(normalize(normal), position.xyz) + refract(normalize(normal), normalize(position.xyz), 0.8);
  mixed = mix(position, position.yzwx, normal.x) + vec4(distance(position.xyz, normal)) + faceforward(position, position.wxyz, vec4(normal, 1.0));
  gl_Position = position;
}
