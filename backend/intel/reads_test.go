// SPDX-License-Identifier: MIT

package intel_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/work"
	"jacquard.example/generated/target"
)

// TestCheckReads checks that text that reads a flag, or part of one, that is not written on every path to the
// read is rejected with the position.
func TestCheckReads(t *testing.T) {
	const head = `mir 1 compute "main"
target tgl
simd 16
abi jacquard_cs
after legalize
workgroup_size 16 1 1
payload 2
reg v1 bytes=64 lane=4 align=32
reg v2 bytes=4 lane=4 align=4 uniform nospill flag
reg v3 bytes=4 lane=4 align=4 uniform nospill flag
function "main"
b0:
  mov(16) v1<1>:ud 0x1:ud
`
	const (
		write = "  cmp(16) (eq)v2 null:ud v1:ud 0x0:ud\n"
		half  = "  cmp(8) (eq)v2 null:ud v1:ud 0x0:ud\n"
		clear = "  (W) mov(1) v2<1>:ud 0x0:ud\n"
		read  = "  (v2) mov(16) v1<1>:ud 0x2:ud\n"
		any   = "  (v2.any16h) mov(16) v1<1>:ud 0x2:ud\n"
		other = "  cmp(16) (ne)v3 null:ud v1:ud 0x0:ud\n"
		end   = "  (W) msg.end_thread(8) null:ud {EOT}\n"
	)
	for _, c := range []struct{ name, body, refused string }{
		{"written", write + read, ""},
		{"never", read, read},
		{"after", read + write, read},
		{"by half", half + read, read},
		{"in pieces", half + "  cmp(8|M8) (eq)v2 null:ud v1+32:ud 0x0:ud\n" + read, ""},
		{"in lanes that run", write + any, any},
		{"whole", clear + write + any, ""},
		{"in one arm", other + "  (v3) if(16)\nb1:\n" + write + "b2:\n  endif(16)\nb3:\n" + read, read},
		{"in both arms", other + "  (v3) if(16)\nb1:\n" + write + "b2:\n  else(16)\nb3:\n" + write + "b4:\n  endif(16)\nb5:\n" + read, ""},
		{"in the trip before", "b1:\n  loop(16)\n" + read + write + "b2:\n  (v2) while(16)\nb3:\n", read},
		{"before the loop", write + "b1:\n  loop(16)\n" + read + write + "b2:\n  (v2) while(16)\nb3:\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := head + c.body + end
			u, err := mirtext.Parse([]byte(text), func(u *mir.Unit) error {
				if err := intel.CheckUnit(u, target.TGL); err != nil {
					t.Fatal(err)
				}
				return intel.CheckReads(u, work.NewMeter(t.Context(), 1000))
			})
			switch {
			case c.refused == "" && (err != nil || u == nil):
				t.Errorf("%v\n%s", err, text)
			case c.refused != "":
				line := strings.Count(text[:strings.Index(text, c.refused)], "\n") + 1
				if te, ok := err.(*mirtext.Error); !ok || te.Line != line ||
					!strings.Contains(te.Msg, "reads v2, which is not written on every path to it") {
					t.Errorf("line %d: %v\n%s", line, err, text)
				}
			}
		})
	}
}
