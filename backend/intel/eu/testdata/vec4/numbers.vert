#version 450
// Numbers of vertices and instances, the size of points, distances to planes.
layout(location = 0) in vec4 position;
layout(location = 0) flat out ivec4 numbers;
layout(location = 1) out vec4 x;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; };
void main() {
  numbers = ivec4(gl_VertexIndex, gl_InstanceIndex, gl_VertexIndex * 3 + 1, gl_InstanceIndex - gl_VertexIndex);
  x = position * float(gl_VertexIndex + 1);
  gl_PointSize = 1.0 + float(gl_VertexIndex & 3);
  gl_ClipDistance[0] = position.x + 0.5;
  gl_ClipDistance[1] = position.y + 0.75;
  gl_ClipDistance[2] = 1.0 - position.z;
  gl_Position = position;
}
