#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[64]; uint p[64]; };
struct Row { uvec4 v[6]; };
layout(set = 0, binding = 1) uniform In { uint n; Row row; };
const uint t[40] = uint[](2675342405u, 1097127993u, 3185950873u, 1539898300u, 3415330359u, 2965446622u, 4047793130u, 3614262064u, 3177840169u, 2800454814u, 3961355680u, 2276503845u, 124576495u, 3609267711u, 1999834075u, 3332716663u, 4051686260u, 1069673014u, 2787324501u, 222708024u, 3869338171u, 673671309u, 486215926u, 1596840319u, 2014636194u, 3729944832u, 1059022248u, 1635342798u, 2335435112u, 437976711u, 2465058629u, 1070867289u, 56325017u, 3140410144u, 930847394u, 1752995436u, 1200367645u, 782009009u, 3935673377u, 3725708445u);
const int signs[24] = int[](96, -1, -60, 95, -82, -65, 58, 58, 13, -68, -67, -100, -99, -47, 98, -45, -58, -58, -26, -20, -50, 38, 73, 60);
const uvec3 rows[9] = uvec3[](uvec3(209u, 186u, 963u), uvec3(991u, 707u, 201u), uvec3(989u, 988u, 915u), uvec3(392u, 305u, 22u), uvec3(369u, 424u, 169u), uvec3(958u, 149u, 270u), uvec3(66u, 339u, 308u), uvec3(837u, 617u, 600u), uvec3(3u, 610u, 694u));
const bool bits[10] = bool[](true, false, true, true, false, true, false, false, true, true);
uint part(Row r, uint i) {
  uvec4 g = r.v[i % 6u];
  return g.x + 3u * g.y + 5u * g.z + 7u * g.w + r.v[n][i & 3u];
}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = t[i % 40u] ^ t[i * 7u % 40u] * 3u ^ uint(signs[(i * 5u + 1u) % 24u]) ^ rows[i % 9u][i % 3u] << 4;
  o[i] = x ^ t[n] + uint(signs[n]) ^ (bits[i % 10u] ? 1u << 31 : 0u);
  p[i] = part(row, i);
}
