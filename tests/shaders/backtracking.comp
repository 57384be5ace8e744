#version 450
layout(local_size_x = 6) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
void main() {
  const int n = 6;
  const uint full = (1u << n) - 1u;
  uint i = gl_GlobalInvocationID.x, found = 0u;
  uint cols[n], left[n], right[n], free_[n]; // of each row
  int row = 1;
  cols[1] = 1u << i;
  left[1] = 1u << i << 1;
  right[1] = 1u << i >> 1;
  free_[1] = full & ~(cols[1] | left[1] | right[1]);
  while (row > 0) {
    if (free_[row] == 0u) {
      row--;
      continue;
    }
    uint pick = free_[row] & -free_[row];
    free_[row] ^= pick;
    if (row == n - 1) {
      found++;
      continue;
    }
    cols[row + 1] = cols[row] | pick;
    left[row + 1] = (left[row] | pick) << 1;
    right[row + 1] = (right[row] | pick) >> 1;
    row++;
    free_[row] = full & ~(cols[row] | left[row] | right[row]);
  }
  o[i] = found;
}
