// SPDX-License-Identifier: MIT

package whole

import (
	"errors"
	"strings"
	"testing"

	"jacquard.example"
)

const atomic64 = `shader compute "main"
workgroup_size 8 1 1
binding 0 0 ssbo count=1 index=0 access=none
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.64 value=(0x1, 0x0)
    %2 = ssbo_atomic.64 %0, %0, %1 atomic_op=iadd
    store_ssbo.x1 %2, %0, %0 write_mask=1
}
`

// sharedAtomic64 comes too late for the pass that lowers atomics on workgroup memory.
const sharedAtomic64 = `shader compute "main"
workgroup_size 8 1 1
shared_size 8
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.64 value=(0x1, 0x0)
    %2 = shared_atomic.64 %0, %1 atomic_op=iadd
}
`

const deviceClock = `shader compute "main"
workgroup_size 8 1 1
binding 0 0 ssbo count=1 index=0 access=none
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = shader_clock.32x2 clock_scope=device
    store_ssbo.x1 %1.x, %0, %0 write_mask=1
}
`

// TestRefused: a feature for which the target has no hardware is reported as an error of
// the input that names it, not as one about the back end's tables.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		source []byte
		want   string
	}{
		{"float64_arith", shaderModule(t, "float64_arith"), ": tgl has no arithmetic on 64-bit floats"},
		{"float64_convert", shaderModule(t, "float64_convert"), ": tgl has no arithmetic on 64-bit floats"},
		{"atomic64", []byte(atomic64), "tgl has 64-bit atomics only at 64-bit addresses (ssbo_atomic)"},
		{"shared_atomic64", []byte(sharedAtomic64), "tgl has 64-bit atomics only at 64-bit addresses (shared_atomic)"},
		{"device_clock", []byte(deviceClock), "tgl has no clock of scope device (shader_clock)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := jacquard.Compile(t.Context(), c.source, jacquard.Options{Target: "tgl"})
			var e *jacquard.Error
			if !errors.As(err, &e) || !strings.Contains(e.Msg, c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}
