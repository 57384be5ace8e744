// What the kernel of atomics.cl computes, as plain C: it reads the values and the image, and writes the
// image and what the operations return.

#include <stdint.h>
#include <stdio.h>

enum { N = 32, ROWS = 26 };

static uint32_t operate(int op, uint32_t old, uint32_t v) {
  switch (op) {
  case 0: return old + v;
  case 1: return old - v;
  case 2: return old + 1;
  case 3: return old - 1;
  case 4: return old < v ? old : v;
  case 5: return old > v ? old : v;
  case 6: return v;
  case 7: return old & v;
  case 8: return old | v;
  case 9: return old ^ v;
  case 10: return (int32_t)old < (int32_t)v ? old : v;
  default: return (int32_t)old > (int32_t)v ? old : v;
  }
}

int main(void) {
  static uint32_t value[2 * N], image[ROWS][N], old[14][N];
  if (fread(value, sizeof value, 1, stdin) != 1 || fread(image, sizeof image, 1, stdin) != 1)
    return 1;
  for (int i = 0; i < N; i++) {
    for (int y = 1; y <= 12; y++) {
      old[y - 1][i] = image[y][i];
      image[y][i] = operate(y - 1, image[y][i], value[i]);
      if (y != 7)
        image[y + 13][i % 3] = operate(y - 1, image[y + 13][i % 3], value[i]);
    }
    old[12][i] = image[13][i];
    if (image[13][i] == (i % 2 ? value[i] : value[N + i]))
      image[13][i] = value[i] ^ 1;
    old[13][i] = i % 5 ? N : 0; // outside, an operation returns 0
  }
  fwrite(image, sizeof image, 1, stdout);
  fwrite(old, sizeof old, 1, stdout);
  return 0;
}
