// Kernels that between them make Intel's compiler use most of the instruction
// set. Each writes results that the test computes again in Go.
// -DWIDTH=n fixes the lanes of a thread.

#ifdef WIDTH
#define KERNEL __kernel __attribute__((intel_reqd_sub_group_size(WIDTH)))
#else
#define KERNEL __kernel
#endif

KERNEL void ints(__global const uint *a, __global const uint *b, __global uint *out) {
  uint i = get_global_id(0), n = get_global_size(0);
  uint x = a[i], y = b[i];
  int sx = (int)x, sy = (int)y;
  uint k = 0;
  out[n * k++ + i] = x * y;
  out[n * k++ + i] = mul_hi(x, y);
  out[n * k++ + i] = (uint)mul_hi(sx, sy);
  out[n * k++ + i] = x / (y | 1);
  out[n * k++ + i] = x % (y | 1);
  out[n * k++ + i] = (uint)(sx / (sy | 1));
  out[n * k++ + i] = (uint)(sx % (sy | 1));
  out[n * k++ + i] = clz(x);
  out[n * k++ + i] = popcount(x);
  out[n * k++ + i] = rotate(x, y);
  out[n * k++ + i] = (uint)(sx >> (y & 31));
  out[n * k++ + i] = x >> (y & 31);
  out[n * k++ + i] = x << (y & 31);
  out[n * k++ + i] = (uint)max(sx, sy);
  out[n * k++ + i] = min(x, y);
  out[n * k++ + i] = add_sat(x, y);
  out[n * k++ + i] = (uint)sub_sat(sx, sy);
  out[n * k++ + i] = abs_diff(sx, sy);
  out[n * k++ + i] = rhadd(x, y);
  out[n * k++ + i] = (uint)(sx < sy) | (x < y) << 1 | (x == y) << 2;
}

KERNEL void longs(__global const ulong *a, __global const ulong *b, __global ulong *out) {
  uint i = get_global_id(0), n = get_global_size(0);
  ulong x = a[i], y = b[i];
  out[i] = x + y;
  out[n + i] = x - y;
  out[2 * n + i] = x * y;
  out[3 * n + i] = x >> (y & 63);
  out[4 * n + i] = x << (y & 63);
  out[5 * n + i] = (ulong)((long)x >> (y & 63));
  out[6 * n + i] = x < y ? x : y;
  out[7 * n + i] = (ulong)max((long)x, (long)y);
}

KERNEL void bytes(__global const uchar *a, __global const short *b, __global uchar *c, __global short *d) {
  uint i = get_global_id(0);
  c[i] = a[i] * 3 + (uchar)b[i];
  d[i] = (short)((char)a[i]) - b[i];
}

KERNEL void floats(__global const float *a, __global const float *b, __global float *out) {
  uint i = get_global_id(0), n = get_global_size(0);
  float x = a[i], y = b[i];
  uint k = 0;
  out[n * k++ + i] = x + y;
  out[n * k++ + i] = x - y;
  out[n * k++ + i] = x * y;
  out[n * k++ + i] = fma(x, y, 1.0f);
  out[n * k++ + i] = floor(x);
  out[n * k++ + i] = ceil(x);
  out[n * k++ + i] = trunc(x);
  out[n * k++ + i] = rint(x);
  out[n * k++ + i] = fmin(x, y);
  out[n * k++ + i] = fmax(x, y);
  out[n * k++ + i] = fabs(x);
  out[n * k++ + i] = x < y ? x : -y;
  out[n * k++ + i] = native_sqrt(fabs(x));
  out[n * k++ + i] = (float)(int)x;
  out[n * k++ + i] = (float)(uint)fabs(x);
  out[n * k++ + i] = (float)convert_uchar_sat(x);
  out[n * k++ + i] = (float)convert_short_sat(y * 1000.0f);
  out[n * k++ + i] = as_float(isnan(x) ? 1 : 2);
  out[n * k++ + i] = x / y;
  out[n * k++ + i] = sqrt(fabs(y));
}

KERNEL void flow(__global const uint *a, __global uint *out) {
  uint i = get_global_id(0), x = a[i], steps = 0;
  while (x != 1 && steps < 200) {
    if (x & 1) {
      if (x > 1000000) { steps += 1000; break; }
      x = 3 * x + 1;
    } else {
      x >>= 1;
      if ((x & 7) == 4) { steps += 5; continue; }
    }
    for (uint k = 0; k < (x & 3); k++) {
      if (k == 2 && (i & 1)) break;
      steps += k;
    }
    steps++;
  }
  switch (i % 5) {
    case 0: steps ^= 1; break;
    case 1: steps *= 3; break;
    case 3: steps += 7;
    default: steps += 2;
  }
  out[i] = steps;
}

// Quotients of signed integers alone: with unsigned ones, ocloc 22.43 computes both as unsigned on dg2.
KERNEL void quotients(__global const int *a, __global const int *b, __global int *out) {
  uint i = get_global_id(0), n = get_global_size(0);
  out[i] = a[i] / (b[i] | 1);
  out[n + i] = a[i] % (b[i] | 1);
}

KERNEL void scratch(__global const uint *a, __global uint *out, uint n) {
  uint i = get_global_id(0);
  uint t[64];
  for (uint k = 0; k < 64; k++) t[k] = a[(i + k) % n] ^ k;
  uint p = i, sum = 0;
  for (uint k = 0; k < 100; k++) {
    uint v = t[p & 63];
    t[(p + v) & 63] += v;
    sum += v * (k + 1);
    p = p * 5 + v;
  }
  out[i] = sum;
}

__attribute__((noinline)) uint fib(uint n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

KERNEL void calls(__global const uint *a, __global uint *out) {
  uint i = get_global_id(0);
  out[i] = fib(a[i] % 8);
}

__constant uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__global uint counter[4] = {10, 20, 30, 40};
__global uint *where = &counter[2];

KERNEL void globals(__global uint *out, __global volatile uint *hist) {
  uint i = get_global_id(0);
  out[i] = table[i & 7] * 100 + *where;
  atomic_add(&hist[i & 3], i);
  atomic_max(&hist[4], i);
  atomic_min(&hist[5], i);
  atomic_inc(&counter[3]);
  uint old = hist[6];
  while (1) {
    uint seen = atomic_cmpxchg(&hist[6], old, old + 2);
    if (seen == old) break;
    old = seen;
  }
}

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

KERNEL void longatomics(__global ulong *sum, __global const ulong *in, __global ulong *old) {
  uint i = get_global_id(0);
  ulong x = in[i];
  atom_add(&sum[i % 3], x);
  atom_max(&sum[3], x);
  atom_min((volatile __global long *)&sum[4], (long)x);
  atom_xor(&sum[5], x);
  atom_sub(&sum[6], x);
  atom_inc(&sum[7]);
  old[i] = atom_cmpxchg(&sum[8 + i], (ulong)(i % 2), x);
}

KERNEL __attribute__((reqd_work_group_size(4, 4, 4))) void grid(__global uint *out, __local uint *tmp) {
  uint l = get_local_id(0) + 4 * get_local_id(1) + 16 * get_local_id(2);
  tmp[l] = get_group_id(0) + 10 * get_group_id(1) + 100 * get_group_id(2);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint other = tmp[63 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&tmp[l & 7], 1000);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint g = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
  out[64 * g + l] = other + tmp[l & 7];
}

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
KERNEL void halves(__global const half *a, __global const half *b, __global half *out) {
  uint i = get_global_id(0), n = get_global_size(0);
  half x = a[i], y = b[i];
  out[i] = x + y;
  out[n + i] = x * y;
  out[2 * n + i] = fma(x, y, (half)0.5h);
  out[3 * n + i] = (half)((float)x * 3.0f);
  out[4 * n + i] = fmax(x, y);
}

__kernel __attribute__((intel_reqd_sub_group_size(16))) void subgroup(__global const uint *a, __global uint *out) {
  uint i = get_global_id(0), n = get_global_size(0);
  uint x = a[i];
  out[i] = sub_group_reduce_add(x);
  out[n + i] = sub_group_scan_exclusive_add(x);
  out[2 * n + i] = sub_group_broadcast(x, 5);
  out[3 * n + i] = sub_group_any(x > 3000000000u) + 2 * sub_group_all(x < 4000000000u);
  out[4 * n + i] = get_sub_group_local_id() + 100 * get_sub_group_id();
}

KERNEL void vectors(__global const float4 *a, __global float4 *out, __global uint *idx) {
  uint i = get_global_id(0);
  float4 v = a[i], w = a[idx[i]];
  out[i] = v.wzyx * w + (float4)(dot(v.xyz, w.xyz), v.x, w.y, 1.0f);
}
