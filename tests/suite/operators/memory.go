// SPDX-License-Identifier: MIT

package operators

import (
	"fmt"
	"strings"
)

// memory is a way of passing a value of a type through memory. In its text $T is the type and $2, $3, $4 are its vectors.
type memory struct {
	name, decl, body string
}

// memories read a[] and write 12 elements each to o[].
var memories = []memory{
	{"shared", "shared $T s[32 * 4]; shared $3 v[32];", `
  for (uint k = 0u; k < 4u; k++) s[k * 32u + i] = a[i * 4u + k];
  v[i] = $3(a[i * 4u], a[i * 4u + 1u], a[i * 4u + 2u]);
  barrier();
  for (uint k = 0u; k < 4u; k++) o[i * 12u + k] = s[(i * 4u + k) % 128u];
  for (uint k = 0u; k < 4u; k++) o[i * 12u + 4u + k] = s[127u - i * 4u - k];
  $3 w = v[31u - i];
  for (uint k = 0u; k < 3u; k++) o[i * 12u + 8u + k] = w[k];
  o[i * 12u + 11u] = v[(i * 7u) % 32u][i % 3u];`},
	{"private", "struct P { $T x; $2 y[3]; $4 z; };", `
  P p[2];
  $T t[8];
  for (uint k = 0u; k < 8u; k++) t[k] = a[i * 4u + k % 4u];
  for (uint k = 0u; k < 2u; k++) {
    p[k].x = t[(i + k) % 8u];
    for (uint j = 0u; j < 3u; j++) p[k].y[j] = $2(t[j], t[(j + k + i) % 8u]);
    p[k].z = $4(t[k], t[k + 1u], t[k + 2u], t[k + 3u]);
  }
  p[i % 2u].z[i % 4u] = t[7];
  P q = p[(i + 1u) % 2u];
  o[i * 12u] = q.x;
  for (uint k = 0u; k < 3u; k++) o[i * 12u + 1u + k] = p[i % 2u].y[(i + k) % 3u][k % 2u];
  for (uint k = 0u; k < 4u; k++) o[i * 12u + 4u + k] = p[i % 2u].z[k];
  for (uint k = 0u; k < 4u; k++) o[i * 12u + 8u + k] = q.z[k] == p[0].z[k] ? q.z[k] : q.y[k % 3u].y;`},
	{"layout", `struct R { $T x; $3 y; $T z[2]; $2 w; };
layout(set = 0, binding = 2, std430) buffer S { R r[32]; $T tail[]; } s;`, `
  s.r[i].x = a[i * 4u];
  s.r[i].y = $3(a[i * 4u], a[i * 4u + 1u], a[i * 4u + 2u]);
  s.r[i].z[0] = a[i * 4u + 1u];
  s.r[i].z[1] = a[i * 4u + 3u];
  s.r[i].w = s.r[i].y.zx;
  s.tail[i] = a[i * 4u + 2u];
  memoryBarrierBuffer();
  barrier();
  uint k = 31u - i;
  R r = s.r[k];
  o[i * 12u] = r.x;
  for (uint j = 0u; j < 3u; j++) o[i * 12u + 1u + j] = r.y[j];
  for (uint j = 0u; j < 2u; j++) o[i * 12u + 4u + j] = s.r[k].z[(i + j) % 2u];
  for (uint j = 0u; j < 2u; j++) o[i * 12u + 6u + j] = s.r[k].w[j];
  o[i * 12u + 8u] = s.tail[k];
  o[i * 12u + 9u] = s.r[(i * 5u) % 32u].y[i % 3u];
  o[i * 12u + 10u] = $T(s.tail.length() & 1);
  o[i * 12u + 11u] = r.z[i % 2u];`},
	{"calls", `$T sum($T x[4], inout $2 y) { $T s = x[0]; for (int k = 1; k < 4; k++) { s += x[k]; y = y.yx; } return s; }
$T pick($4 v, uint k) { if (k == 2u) return v.z; if (k > 2u) { v.w += $T(1); return v.w; } return k == 0u ? v.x : v.y; }`, `
  $T x[4];
  for (uint k = 0u; k < 4u; k++) x[k] = a[i * 4u + k];
  $2 y = $2(x[0], x[3]);
  $T s = sum(x, y);
  o[i * 12u] = s;
  o[i * 12u + 1u] = y.x;
  for (uint k = 0u; k < 4u; k++) o[i * 12u + 2u + k] = pick($4(x[0], x[1], x[2], x[3]), (i + k) % 4u);
  $T m = x[0];
  uint n = 0u;
  for (uint k = 0u; k < 8u; k++) {
    if (k == 5u && i % 3u == 0u) continue;
    switch ((i + k) % 5u) {
    case 0u: m = max(m, x[k % 4u]); break;
    case 1u: n++; // falls through
    case 2u: m = min(m, x[(k + 1u) % 4u]); break;
    case 3u: if (k > 6u) { n += 10u; break; } n += 2u; break;
    default: n += 100u;
    }
    if (n > 400u) break;
  }
  o[i * 12u + 6u] = m;
  o[i * 12u + 7u] = $T(n % 100u);
  for (uint k = 8u; k < 12u; k++) o[i * 12u + k] = x[k - 8u];`},
}

func (m *memory) shader(t Type) Case {
	text := strings.NewReplacer("$T", t.Name, "$2", t.of(2), "$3", t.of(3), "$4", t.of(4))
	c := Case{Name: m.name + "/" + t.Name, Output: t, Len: 12 * Lanes, Tol: ulp(4)}
	c.Source = head + lanes + array(0, t, "a") + array(1, t, "o") + text.Replace(m.decl) +
		"\nvoid main() {\n  uint i = gl_LocalInvocationIndex;" + text.Replace(m.body) + "\n}\n"
	c.Inputs = [][]byte{values(random(c.Name), t, Any, 4*Lanes)}
	return c
}

// matrices returns the case of the operations on square matrices.
func matrices(t Type, n int) Case {
	mat := fmt.Sprintf("%smat%d", map[int]string{16: "f16", 32: "", 64: "d"}[t.Bits], n)
	load := func(at int) string {
		part := make([]string, n*n)
		for k := range part {
			part[k] = fmt.Sprintf("a[i * 32u + %du]", at+k)
		}
		return fmt.Sprintf("%s(%s)", mat, strings.Join(part, ", "))
	}
	per := 7*n*n + 2*n + 1
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%s%svoid main() {\n  uint i = gl_GlobalInvocationID.x, at = i * %du;\n  %s x = %s, y = %s;\n"+
		"  %s v = y[0], w = x[%d];\n",
		head, lanes, array(0, t, "a"), array(1, t, "o"), per, mat, load(0), load(16), t.of(n), n-1)
	for _, e := range []string{"x * y", "matrixCompMult(x, y)", "transpose(x)", "outerProduct(v, w)", "x + y", "x * y[0][0]",
		// Far from singular, so that the rounding error of the determinant stays small.
		fmt.Sprintf("inverse(x * %s(0.0625) + %s(2))", t.Name, mat)} {
		fmt.Fprintf(&b, "  { %s r = %s; for (int c = 0; c < %d; c++) for (int k = 0; k < %[3]d; k++) o[at++] = r[c][k]; }\n", mat, e, n)
	}
	for _, e := range []string{"x * v", "v * x"} {
		fmt.Fprintf(&b, "  { %s r = %s; for (int k = 0; k < %d; k++) o[at++] = r[k]; }\n", t.of(n), e, n)
	}
	fmt.Fprintf(&b, "  o[at] = determinant(x * %s(0.0625) + %s(2));\n}\n", t.Name, mat)
	c := Case{Name: fmt.Sprintf("matrix%d/%s", n, t.Name), Source: b.String(), Output: t, Len: Lanes * per,
		Tol: Tolerance{ULP: 16, Eps: 128}}
	c.Inputs = [][]byte{values(random(c.Name), t, Small, 32*Lanes)}
	return c
}

// atomics returns the cases of atomics with results that do not depend on their order.
func atomics() []Case {
	var out []Case
	for _, t := range Types {
		if t.Kind == Float || t.Bits < 32 {
			continue
		}
		for _, where := range []string{"buffer", "shared"} {
			mem, decl := "o", ""
			if where == "shared" {
				mem, decl = "s", "shared "+t.Name+" s[8];\n"
			}
			ext := ""
			if t.Bits == 64 {
				ext = "#extension GL_EXT_shader_atomic_int64 : require\n"
			}
			var b strings.Builder
			fmt.Fprintf(&b, "%s%s%s%s%s%svoid main() {\n  uint i = gl_LocalInvocationIndex;\n", head, ext, lanes, array(0, t, "a"),
				array(1, t, "o"), decl)
			if where == "shared" {
				fmt.Fprintf(&b, "  if (i < 8u) s[i] = o[i];\n  barrier();\n")
			}
			fmt.Fprintf(&b, "  %s x = a[i];\n", t.Name)
			for k, f := range []string{"Add", "Min", "Max", "And", "Or", "Xor"} {
				fmt.Fprintf(&b, "  atomic%s(%s[%d], x);\n", f, mem, k)
			}
			fmt.Fprintf(&b, "  atomicCompSwap(%s[6], %s(0), %[2]s(7));\n  atomicExchange(%[1]s[7], a[0]);\n", mem, t.Name)
			if where == "shared" {
				fmt.Fprintf(&b, "  barrier();\n  if (i < 8u) o[i] = s[i];\n")
			}
			b.WriteString("}\n")
			c := Case{Name: "atomic_" + where + "/" + t.Name, Source: b.String(), Output: t, Len: 8}
			c.Inputs = [][]byte{values(random(c.Name), t, Any, Lanes)}
			out = append(out, c)
		}
	}
	return out
}
