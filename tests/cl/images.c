// What the kernels of images.cl compute, as plain C. Called with the name of a kernel, it
// reads the contents of images and buffers that the kernel reads, in the order of its
// parameters, and writes what it leaves in those that it writes.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t in[1 << 16];
static size_t pos;

static void *take(size_t n) {
  void *p = in + pos;
  pos += n;
  return p;
}

static void put(const void *p, size_t n) { fwrite(p, 1, n, stdout); }

enum { W = 12, H = 6 };

// fetch: a is r8g8b8a8 uint, b the same as unorm, c r16g16b16a16 uint, all W by H.
static void fetch(void) {
  uint8_t *a = take(W * H * 4), *b = take(W * H * 4);
  static uint16_t c[H][W][4];
  static float out[H][W][4];
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      for (int k = 0; k < 4; k++) {
        int add[4] = {x, y, 1, 2};
        c[y][x][k] = a[(y * W + x) * 4 + k] * 3 + add[k];
        out[y][x][k] = x < H ? (float)(b[(x * W + y) * 4 + k] / 255.0) : 0; // texel (y, x)
      }
  put(c, sizeof c);
  put(out, sizeof out);
}

// The texels of filter's image, r32g32b32a32 float of 8 by 8.
static float (*texels)[4];

static int repeat(int i) { return (i % 8 + 8) % 8; }
static int clampi(int i) { return i < 0 ? 0 : i > 7 ? 7 : i; }

static float at(int x, int y, int k) { return texels[y * 8 + x][k]; }
static float border(int x, int y, int k) { return x < 0 || x > 7 || y < 0 || y > 7 ? 0 : at(x, y, k); }
static float wrapped(int x, int y, int k) { return at(repeat(x), repeat(y), k); }

static float bilinear(double u, double v, int k, float (*texel)(int, int, int)) {
  u -= 0.5;
  v -= 0.5;
  int x = (int)floor(u), y = (int)floor(v);
  double fx = u - x, fy = v - y;
  return (float)((1 - fx) * (1 - fy) * texel(x, y, k) + fx * (1 - fy) * texel(x + 1, y, k) +
                 (1 - fx) * fy * texel(x, y + 1, k) + fx * fy * texel(x + 1, y + 1, k));
}

// filter: the sampler of the host is linear, with coordinates in texels and a border.
static void filter(void) {
  enum { N = 96 };
  texels = take(8 * 8 * 16);
  float(*p)[2] = take(N * 8);
  static float out[3][N][4];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 4; k++) {
      float u = p[i][0], v = p[i][1];
      out[0][i][k] = at(clampi((int)floorf(u * 8)), clampi((int)floorf(v * 8)), k);
      out[1][i][k] = bilinear(u * 8.0, v * 8.0, k, wrapped);
      out[2][i][k] = bilinear(u, v, k, border);
    }
  put(out, sizeof out);
}

// shapes: r32g32b32a32 sint of 8; r16 sint of 8; r8g8b8a8 sint of 5 by 3 by 4, layers and
// depth; r32 sint of 7 by 3 layers. What a format lacks is 0, alpha 1.
static void shapes(void) {
  enum { N = 96 };
  int32_t *a = take(8 * 16);
  int16_t *b = take(8 * 2);
  int8_t *c = take(60 * 4), *d = take(60 * 4);
  int32_t *e = take(21 * 4);
  static int32_t out[5][N][4];
  for (int i = 0; i < N; i++) {
    int at = ((i % 4) * 3 + i % 3) * 5 + i % 5;
    for (int k = 0; k < 4; k++) {
      out[0][i][k] = a[i % 8 * 4 + k];
      out[2][i][k] = c[4 * at + k];
      out[3][i][k] = d[4 * at + k];
      out[1][i][k] = out[4][i][k] = k == 3;
    }
    out[1][i][0] = b[i % 8];
    out[4][i][0] = e[i % 3 * 7 + i % 7];
  }
  put(out, sizeof out);
}

// update: r32g32b32a32 float of 8 by 4.
static void update(void) {
  float(*a)[4] = take(32 * 16);
  for (int i = 0; i < 32; i++) {
    float x = a[i][0];
    for (int k = 0; k < 3; k++)
      a[i][k] = a[i][k + 1] * 0.5f;
    a[i][3] = x * 0.5f;
  }
  put(a, 32 * 16);
}

// Whole numbers up to 2048 and 0.5 as a half.
static uint16_t half(double x) {
  int e = 0;
  if (x == 0)
    return 0;
  double f = frexp(fabs(x), &e); // from 0.5 to 1
  return (uint16_t)((x < 0) << 15 | (e + 14) << 10 | (int)(f * 2048 - 1024));
}

// stores: a is r32g32b32a32 sint of 4 by 3 by 4 layers, b r16g16b16a16 uint of 4 by 3 by 3, c
// r8 unorm of 32, d r16g16b16a16 float of 8 by 6 layers, e r32 uint of 40.
static void stores(void) {
  enum { N = 48 };
  static int32_t a[4][3][4][4];
  static uint16_t b[3][3][4][4], d[6][8][4];
  static uint8_t c[32];
  static uint32_t e[40];
  for (int i = 0; i < N; i++) {
    int x = i % 4, y = i / 4 % 3, z = i / 12;
    int32_t v[4] = {i, -i, x, y};
    memcpy(a[z][y][x], v, sizeof v);
    for (int k = 0; k < 4 && z < 3; k++)
      b[z][y][x][k] = (k + 1) * i;
    if (i >= 4 && i < 36)
      c[i - 4] = i >= 32 ? 255 : (uint8_t)nearbyint(i / 32.0 * 255);
    double w[4] = {i, -i, 0.5, 1};
    for (int k = 0; k < 4; k++)
      d[i / 8][i % 8][k] = half(w[k]);
    if (i < 40)
      e[i] = i * i;
  }
  put(a, sizeof a);
  put(b, sizeof b);
  put(c, sizeof c);
  put(d, sizeof d);
  put(e, sizeof e);
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*run)(void);
  } kernels[] = {{"fetch", fetch}, {"filter", filter}, {"shapes", shapes}, {"update", update}, {"stores", stores}};
  fread(in, 1, sizeof in, stdin);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (argc == 2 && strcmp(argv[1], kernels[i].name) == 0) {
      kernels[i].run();
      return 0;
    }
  return 1;
}
