#version 450

layout(push_constant) uniform Push { mat4 transform; };

layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 unused;

layout(location = 0) out vec3 to_normal;
layout(location = 1) out vec2 to_unused;

void main()
{
    gl_Position = transform * position;
    to_normal = normal;
    to_unused = unused;
}
