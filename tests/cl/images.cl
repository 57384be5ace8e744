// Kernels that read, sample and write images. images.c computes the same.
// -DWIDTH=n fixes the lanes of a thread.

#ifdef WIDTH
#define KERNEL __kernel __attribute__((intel_reqd_sub_group_size(WIDTH)))
#else
#define KERNEL __kernel
#endif

// fetch reads at integer coordinates, also outside, and writes integers.
KERNEL void fetch(__read_only image2d_t a, __read_only image2d_t b, __write_only image2d_t c, __global float4 *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 x = read_imageui(a, at);
  float4 y = read_imagef(b, at.yx);
  write_imageui(c, at, x * 3 + (uint4)(at.x, at.y, 1, 2));
  out[at.y * get_global_size(0) + at.x] = y;
}

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

// filter reads through samplers of the program and of the host.
KERNEL void filter(__read_only image2d_t a, sampler_t s, __global const float2 *at, __global float4 *out) {
  uint i = get_global_id(0), n = get_global_size(0);
  float2 p = at[i];
  out[i] = read_imagef(a, nearest, p * 8.0f);
  out[n + i] = read_imagef(a, linear, p);
  out[2 * n + i] = read_imagef(a, s, p);
}

// shapes reads images of other shapes.
KERNEL void shapes(__read_only image1d_t a, __read_only image1d_buffer_t b, __read_only image2d_array_t c, __read_only image3d_t d, __read_only image1d_array_t e, __global int4 *out) {
  int i = get_global_id(0), n = get_global_size(0);
  out[i] = read_imagei(a, i % 8);
  out[n + i] = read_imagei(b, i % 8);
  out[2 * n + i] = read_imagei(c, (int4)(i % 5, i % 3, i % 4, 0));
  out[3 * n + i] = read_imagei(d, (int4)(i % 5, i % 3, i % 4, 0));
  out[4 * n + i] = read_imagei(e, (int2)(i % 7, i % 3));
}

// update changes texels of an image that it also reads.
KERNEL void update(__read_write image2d_t a) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 x = read_imagef(a, at);
  write_imagef(a, at, x.yzwx * 0.5f);
}

// stores writes images of other shapes and formats, some of it outside.
KERNEL void stores(__write_only image2d_array_t a, __write_only image3d_t b, __write_only image1d_t c, __write_only image1d_array_t d, __write_only image1d_buffer_t e) {
  int i = get_global_id(0);
  int x = i % 4, y = i / 4 % 3, z = i / 12;
  write_imagei(a, (int4)(x, y, z, 0), (int4)(i, -i, x, y));
  write_imageui(b, (int4)(x, y, z, 0), (uint4)(i, 2 * i, 3 * i, 4 * i));
  write_imagef(c, i - 4, (float4)(i / 32.0f, 0, 0, 1));
  write_imagef(d, (int2)(i % 8, i / 8), (float4)(i, -i, 0.5f, 1));
  write_imageui(e, i, (uint4)(i * i));
}

// sizes says how large an image is.
KERNEL void sizes(__read_only image2d_array_t a, __read_only image3d_t b, __global int *out) {
  out[0] = get_image_width(a);
  out[1] = get_image_height(a);
  out[2] = (int)get_image_array_size(a);
  out[3] = get_image_width(b);
  out[4] = get_image_height(b);
  out[5] = get_image_depth(b);
}
