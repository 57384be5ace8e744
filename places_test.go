// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"jacquard.example"
)

// TestErrorPlaceOfModule: an error in a module has the position from the module's debug information.
func TestErrorPlaceOfModule(t *testing.T) {
	for _, name := range []string{"derivative.g.spv", "derivative.gVS.spv"} {
		module, err := os.ReadFile("core/spirv/testdata/location/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = jacquard.Compile(t.Context(), module, jacquard.Options{File: name})
		var e *jacquard.Error
		if !errors.As(err, &e) || e.File != "derivative.comp" || e.Line != 8 || e.Column != 0 || e.Input != name || !e.HasWord ||
			e.Word == 0 {
			t.Errorf("%#v, want an error in line 8 of derivative.comp", err)
		}
	}
}

// TestErrorPlaceOfPass: errors of passes, of the check for unsupported operations, and of selection have the position
// of the instruction.
func TestErrorPlaceOfPass(t *testing.T) {
	const head = "shader compute \"main\"\nworkgroup_size 16 1 1\nvar @1 \"data\" %s u32\nfn 1 \"main\"() entry {\n  b0:\n"
	for _, c := range []struct{ name, target, mode, body, want string }{
		{"pass", "tgl", "ubo", `    %0 = deref_var.32 modes=ubo type=u32 var=@1 !"a.comp":3:2
    %1 = load_const.32 value=(0x1)
    store_deref.x1 %0, %1 write_mask=1 !"a.comp":5:2
`, "a.comp:5:2: error: explicit_io: uniform buffers are read-only (in x.jir)"},
		{"check", "tgl", "ssbo", `    %0 = deref_var.32 modes=ssbo type=u32 var=@1
    %1 = load_deref.32 %0 !"a.comp":3:5
    %2 = u2f64.64 %1 !"b.comp":4:0
    %3 = fsqrt.64 %2 !"a.comp":4:10
    %4 = f2u32.32 %3 !"a.comp":4:12
    store_deref.x1 %0, %4 write_mask=1 !"a.comp":5:2
`, "b.comp:4: error: u2f64 at 64 bits from 32 bits: tgl has no arithmetic on 64-bit floats (in x.jir)"},
		{"selection", "tgl", "ssbo", `    %0 = deref_var.32 modes=ssbo type=u32 var=@1
    %1 = shader_clock.32x2 clock_scope=device !"a.comp":3:5
    store_deref.x1 %0, %1.x write_mask=1 !"a.comp":5:2
`, "a.comp:3:5: error: tgl has no clock of scope device (shader_clock) (in x.jir)"},
		{"without a place", "tgl", "ubo", `    %0 = deref_var.32 modes=ubo type=u32 var=@1 !"a.comp":3:2
    %1 = load_const.32 value=(0x1)
    store_deref.x1 %0, %1 write_mask=1
`, "x.jir: error: explicit_io: uniform buffers are read-only"},
	} {
		_, err := jacquard.Compile(t.Context(), []byte(fmt.Sprintf(head, c.mode)+c.body+"}\n"),
			jacquard.Options{File: "x.jir", Target: jacquard.Target(c.target)})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: gives\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}
