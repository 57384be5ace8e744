// SPDX-License-Identifier: MIT

package synth_test

import (
	"encoding/binary"
	"reflect"
	"testing"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/synth"
)

// TestBusy: the search finds numbers with which invocations pass a bounds check and loops run, without leaving buffers.
func TestBusy(t *testing.T) {
	const head = `#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer O { float o[]; };
layout(set = 0, binding = 1, std430) readonly buffer I { uint i[]; };
layout(set = 0, binding = 2, std140) uniform U { uint n; uint stride; };
layout(push_constant) uniform P { uint size; uint rows; } p;
layout(constant_id = 3) const uint K = 1;
void main() { uint t = gl_GlobalInvocationID.x; `
	for _, c := range []struct {
		name, body string
		least      float64 // instructions of an invocation
	}{
		{"a bounds check", "if (t >= p.size * p.rows) return; for (uint k = 0; k < 40; k++) o[t] += float(i[t + k]); }", 200},
		{"a loop", "for (uint k = 0; k < n; k++) o[t] += sqrt(float(k)); }", 200},
		{"two numbers that differ", "if (n < 60u || stride > 8u) return; for (uint k = 0; k < n; k++) o[t * stride] += sqrt(float(k)); }", 300},
		{"a specialization constant", "for (uint k = 0; k < K * 4u; k++) o[t] += sqrt(float(k)); }", 300},
		{"a large buffer", "for (uint k = 0; k < 40; k++) o[t * 256u + k] += sqrt(float(k)); }", 200},
		{"indices from a buffer", "uint at = i[t]; for (uint k = 0; k < 40; k++) o[at] += sqrt(float(k)); }", 200},
		{"steps of another size", "for (uint k = p.size; k < 4000u; k += p.size) o[t] += float(k); }", 1000},
	} {
		module, err := oracle.GLSL(t, "comp", []byte(head+c.body))
		if err != nil {
			t.Fatal(err)
		}
		limits := synth.Limits{Run: 1 << 16, Total: 1 << 20}
		d, work, err := synth.Busy(t.Context(), module, "main", limits)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if work.Outside != 0 || work.PerInvocation < c.least || d.Invocations != 128 || !d.Writes {
			t.Errorf("%s: %+v, want at least %v instructions", c.name, work, c.least)
		}
		if again, _, err := synth.Busy(t.Context(), module, "main", limits); err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("%s: another search has another result, %v", c.name, err)
		}
		if len(d.Specialize) != 1 || d.Specialize[0].Bits <= 1 {
			t.Errorf("%s: specialization constants %v, want one that is not 1", c.name, d.Specialize)
		}
	}
}

// TestBusyDefined: the search prefers numbers with defined results, even if others have more to do.
func TestBusyDefined(t *testing.T) {
	const head = `#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer O { uint o[]; };
layout(push_constant) uniform P { uint n; } p;
layout(constant_id = 0) const uint K = 0;
void main() { uint t = gl_GlobalInvocationID.x, x = t; `
	for _, c := range []struct {
		name, body string
		least, end uint32 // of p.n
		special    uint64 // the specialization constant, or 0 for any
	}{
		{"a shift", "for (uint k = 0; k < p.n; k++) x += t << p.n; o[t] = x; }", 5, 32, 0},
		{"a race", "for (uint k = 0; k < p.n; k++) x += t * k; o[p.n > 60u ? 0u : t] = x; }", 5, 61, 0},
		{"an undefined value", "uint a; if (K == 1u) a = 3u; else x *= p.n * K; o[t] = x + a; }", 1, 1 << 31, 1},
		{"far stores", "for (uint k = 0; k < 10; k++) x += t * k; if (p.n > 60000u) o[t] = x; }", 60001, 1 << 31, 0},
	} {
		module, err := oracle.GLSL(t, "comp", []byte(head+c.body))
		if err != nil {
			t.Fatal(err)
		}
		d, work, err := synth.Busy(t.Context(), module, "main", synth.Limits{Run: 1 << 16, Total: 1 << 20})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		n := binary.LittleEndian.Uint32(d.PushConstants)
		if !work.Defined || n < c.least || n >= c.end || c.special != 0 && (len(d.Specialize) != 1 || d.Specialize[0].Bits != c.special) {
			t.Errorf("%s: %+v with n = %d and constants %v", c.name, work, n, d.Specialize)
		}
	}
}

// TestEndless: a shader that doesn't end within the limit has no dispatch.
func TestEndless(t *testing.T) {
	module, err := oracle.GLSL(t, "comp", []byte(`#version 450
layout(set = 0, binding = 0, std430) buffer O { uint o[]; };
void main() { while (o[0] < 4000000000u) o[1]++; }`))
	if err != nil {
		t.Fatal(err)
	}
	if _, work, err := synth.Busy(t.Context(), module, "main", synth.Limits{Run: 1 << 12, Total: 1 << 14}); err == nil {
		t.Errorf("%+v", work)
	}
}
