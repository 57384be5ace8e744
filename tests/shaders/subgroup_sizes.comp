#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };
shared uint group[64], lane[64];
// A value that needs all bits of its type, for invocation k.
uint64_t wide(uint k) { return uint64_t(k * 37u + 11u) * 0x9e3779b97f4a7c15ul; }
uint bit(bool c, int n) { return c ? 1u << n : 0u; }
#define TEST(T, at) { \
  T v = T(wide(me)), add = T(0), low = v, high = v, xor = T(0), before = T(0), other = v, first = v; \
  for (uint k = 0u; k < 64u; k++) { \
    if (group[k] != group[me]) continue; \
    T w = T(wide(k)); \
    add += w; low = min(low, w); high = max(high, w); xor ^= w; \
    if (lane[k] < lane[me]) before += w; \
    if (lane[k] == (lane[me] ^ 1u)) other = w; \
    if (lane[k] == 0u) first = w; \
  } \
  r |= bit(subgroupAdd(v) == add && subgroupMin(v) == low && subgroupMax(v) == high && subgroupXor(v) == xor, at) \
    | bit(subgroupExclusiveAdd(v) == before && subgroupInclusiveAdd(v) == T(before + v), at + 1) \
    | bit(subgroupShuffleXor(v, 1u) == other && subgroupBroadcastFirst(v) == first, at + 2) \
    | bit(subgroupAllEqual(add) && (gl_SubgroupSize == 1u || !subgroupAllEqual(v)), at + 3); }
void main() {
  uint me = gl_LocalInvocationIndex;
  group[me] = gl_SubgroupID;
  lane[me] = gl_SubgroupInvocationID;
  barrier();
  uint r = 0u;
  TEST(uint8_t, 0)
  TEST(int16_t, 4)
  TEST(uint64_t, 8)
  TEST(int64_t, 12)
  float16_t f = float16_t(float(me) * 0.25 - 3.0), most = f, sum = float16_t(0);
  for (uint k = 0u; k < 64u; k++)
    if (group[k] == group[me]) {
      most = max(most, float16_t(float(k) * 0.25 - 3.0));
      sum += float16_t(float(k) * 0.25 - 3.0);
    }
  r |= bit(subgroupMax(f) == most && subgroupAdd(f) == sum, 16);
  o[me] = r;
}
