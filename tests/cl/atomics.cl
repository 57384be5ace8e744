// Atomic operations on texels. OpenCL C 2.0 has none; these are the intrinsics of the compiler's IR
// for them, which the test declares again with the calling convention that they have there. They take a
// surface, coordinates x, y and z, and a value and an operation, or two values. The address
// space of the surface is 0x20000 plus its entry of the binding table. atomics.c computes the same.
// -DWIDTH=n fixes the lanes of a thread.

#ifdef WIDTH
#define KERNEL __kernel __attribute__((intel_reqd_sub_group_size(WIDTH)))
#else
#define KERNEL __kernel
#endif

typedef __attribute__((address_space(0x20002))) int surface;
int atomic(surface *, int, int, int, int, int) __asm("llvm.genx.GenISA.intatomictyped.i32.p131074i32");
int exchange(surface *, int, int, int, int, int) __asm("llvm.genx.GenISA.icmpxchgatomictyped.i32.p131074i32");

#define ADD 0
#define SUB 1
#define INC 2
#define DEC 3
#define UMIN 4
#define UMAX 5
#define SWAP 6
#define AND 8
#define OR 9
#define XOR 10
#define SMIN 11
#define SMAX 12

// EACH executes an operation on a texel of row y that each item has for itself, keeping what it
// returns, and on one of three texels of row y + 13, where it is open which exchange is the last
// one. Row 0 is not used: the compiler leaves out last coordinates of 0.
#define EACH(y, op)                                   \
  old[((y) - 1) * n + i] = atomic(a, i, y, 0, v, op); \
  if ((op) != SWAP)                                   \
    atomic(a, i % 3, (y) + 13, 0, v, op);

KERNEL void update(__global const int *value, __read_write image2d_t image, __global int *old) {
  surface *a = (surface *)0;
  int i = get_global_id(0), n = get_global_size(0), v = value[i];
  old[13 * n + i] = get_image_width(image);
  EACH(1, ADD)
  EACH(2, SUB)
  EACH(3, INC)
  EACH(4, DEC)
  EACH(5, UMIN)
  EACH(6, UMAX)
  EACH(7, SWAP)
  EACH(8, AND)
  EACH(9, OR)
  EACH(10, XOR)
  EACH(11, SMIN)
  EACH(12, SMAX)
  old[12 * n + i] = exchange(a, i, 13, 0, i % 2 ? v : value[n + i], v ^ 1);
  if (i % 5 == 0)
    old[13 * n + i] = atomic(a, 1000 + i, 1, 0, v, ADD) + atomic(a, i, -1, 0, v, OR); // outside
}
