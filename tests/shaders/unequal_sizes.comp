#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer Input { ivec2 v[]; };
layout(set = 0, binding = 1) buffer Output { int o[]; };

int n = 0;
void put(uint i, int x) { o[8 * n++ + i] = x; }

void main() {
    uint i = gl_GlobalInvocationID.x;
    int x = v[i].x, y = v[i].y;
    bool c = (i & 1u) == 0u;
    int8_t x8 = int8_t(x);
    int16_t x16 = int16_t(x);
    int64_t x64 = int64_t(x) * 65537l;
    uint16_t u16 = uint16_t(x);
    float16_t h = float16_t(x & 511) + 0.5hf;
    float f = float(y) + 0.5;

    // to float and from float
    put(i, int(c ? float(x16) : float(y)));
    put(i, int(c ? float(y) : float(x16)));
    put(i, int(c ? float(u16) : float(uint(y) & 0xffffu)));
    put(i, int(c ? float(x64 & 15l) : float(y)));
    put(i, c ? int(h) : int(f));
    put(i, c ? int(f) : int(h));
    put(i, int((c ? float(h) : f) * 2.0));

    // comparisons with zero and with all ones
    put(i, int(x16 < 0s && y < 0) + 2 * int(y < 0 || x16 < 0s));
    put(i, int(x8 >= 0s && x64 >= 0l) + 2 * int(x64 >= 0l || x8 >= 0s));
    put(i, int(x16 == 0s && y == 0) + 2 * int(y == 0 || x16 == 0s));
    put(i, int(x8 != 0s && y != 0) + 2 * int(y != 0 || x8 != 0s));
    put(i, int(x16 == -1s && y == -1) + 2 * int(y != -1 || x16 != -1s));
    put(i, int((x16 < 0s) != (y < 0)) + 2 * int((y >= 0) != (x8 >= 0s)));

    // comparisons of converted values
    put(i, int(float(x8) < float(x16)) + 2 * int(float(x16) == float(x8)) + 4 * int(float(x16) >= float(y)));
    put(i, int(float(uint8_t(x8)) < float(u16)) + 2 * int(float(h) < f) + 4 * int(float(h) == f));

    // narrowed results
    put(i, int(int8_t(int(x8) + int(x16))));
    put(i, int(int8_t(int(x16) * int(x8))));
    put(i, int(uint16_t(uint(uint8_t(x8)) ^ uint(u16))));
    put(i, int(int16_t(c ? int(x8) : int(x16))));
    put(i, int(int8_t(min(int(x8), int(x16)))));
    put(i, int(float(float16_t(max(float(h), f)))));
}
