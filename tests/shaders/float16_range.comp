#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer A { float16_t a[]; };
layout(set = 0, binding = 1) buffer B { float16_t b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float16_t x = a[i];
    b[i] = tanh(x);
    b[8 + i] = sinh(x * 0.57hf) / 32.0hf;
    b[16 + i] = cosh(x * 0.57hf) / 32.0hf;
    b[24 + i] = asinh(x * 3000.0hf);
    b[32 + i] = acosh(abs(x) * 3000.0hf);
    b[40 + i] = atan(x * 3000.0hf, 24000.0hf);
}
