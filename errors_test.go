package jacquard

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
)

// TestCheckErrorIsInternal: a failed check is a defect of the compiler, reported with
// pass, function and instruction.
func TestCheckErrorIsInternal(t *testing.T) {
	check := &intel.CheckError{Pass: "allocate", Function: "main", Err: errors.New("block 3: add(8) r10:ud")}
	err := compileError("x.spv", fmt.Errorf("wrapped: %w", check))
	const want = "internal error in pass allocate, function main: block 3: add(8) r10:ud"
	var internal *InternalError
	if !errors.As(err, &internal) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	err = compileError("x.spv", errors.New("no room"))
	var input *Error
	if !errors.As(err, &input) || err.Error() != "x.spv: error: no room" {
		t.Errorf("got %v", err)
	}
}

// TestErrorPlace: an error starts with its position. If that is in the source, the error ends with the position in the
// input.
func TestErrorPlace(t *testing.T) {
	for want, e := range map[string]*Error{
		"x.spv: word 7: error: odd":                            WordError("x.spv", 7, "odd"),
		"a.comp:3:5: error: odd (word 7 of x.spv)":             WordError("x.spv", 7, "odd").placed("a.comp", 3, 5),
		"a.comp:3: error: odd (word 7 of x.spv)":               WordError("x.spv", 7, "odd").placed("a.comp", 3, 0),
		"a.comp:3: error: odd (word 7 of input)":               WordError("", 7, "odd").placed("a.comp", 3, 0),
		"x.spv: word 7: error: even":                           WordError("x.spv", 7, "even").placed("", 0, 0),
		"a.comp:3: error: odd (in x.jir)":                      (&Error{File: "x.jir", Msg: "odd"}).placed("a.comp", 3, 0),
		"(unnamed):3: error: odd (in x.jir)":                   (&Error{File: "x.jir", Msg: "odd"}).placed("", 3, 0),
		"a\uFFFDb\uFFFD\uFFFD.comp:3: error: o (in x.jir)":     (&Error{File: "x.jir", Msg: "o"}).placed("a\nb\xff\x1b.comp", 3, 0),
		"x.jir:3:5: error: odd":                                {File: "x.jir", Line: 3, Column: 5, Msg: "odd"},
		"x.comp:3: error: odd":                                 {File: "x.comp", Line: 3, Msg: "odd"},
		"x: error: odd":                                        {File: "x", Msg: "odd"},
		"input: error: odd":                                    {Msg: "odd"},
		"…" + strings.Repeat("y", 256) + ":3: error: o (in x)": (&Error{File: "x", Msg: "o"}).placed(strings.Repeat("y", 1<<16), 3, 0),
	} {
		if got := e.Error(); got != want {
			t.Errorf("%+v is printed as\n%s, want\n%s", *e, got, want)
		}
	}
}

// TestErrorPlaceOfModule: an error in a module has the position from the module's debug information.
func TestErrorPlaceOfModule(t *testing.T) {
	for _, name := range []string{"derivative.g.spv", "derivative.gVS.spv"} {
		module, err := os.ReadFile("core/spirv/testdata/location/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Compile(t.Context(), module, Options{File: name})
		var e *Error
		if !errors.As(err, &e) || e.File != "derivative.comp" || e.Line != 8 || e.Column != 0 || e.Input != name || !e.HasWord || e.Word == 0 {
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
		_, err := Compile(t.Context(), []byte(fmt.Sprintf(head, c.mode)+c.body+"}\n"), Options{File: "x.jir", Target: Target(c.target)})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: gives\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}
