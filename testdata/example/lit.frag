#version 450

layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(vec3(max(dot(normalize(normal), vec3(0.6, 0.0, 0.8)), 0.0)), 1.0);
}
