// SPDX-License-Identifier: MIT

package amber

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"jacquard.example/backend/run/runner"
	"jacquard.example/tests/support/variants"
)

func parse(t *testing.T, src string) *runner.Script {
	t.Helper()
	s, err := Parse("t.amber", []byte("#!amber\n"+src))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// never is an engine for scripts without RUN.
var never = runner.EngineFunc(func(context.Context, *runner.Call) error { return errors.New("nothing should run") })

func execute(t *testing.T, src string, e runner.Engine) *runner.Report {
	t.Helper()
	r, err := parse(t, src).Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestExpect checks every comparator on every kind of value, each case alone: expectations that hold for a buffer,
// and expectations that fail.
func TestExpect(t *testing.T) {
	for _, c := range []struct{ typ, data, holds, fails string }{
		{"int8", "-1", "EQ -1", "EQ 1"},
		{"int8", "-1", "LT 0", "GT 0"},
		{"uint8", "255", "GT 0", "LT 0"},
		{"uint8", "255", "EQ -1", "EQ 0"},
		{"int16", "-300", "LE -300", "LT -300"},
		{"uint16", "65535", "GE 0xffff", "GT 0xffff"},
		{"int32", "-2147483648", "EQ 0x80000000", "NE -2147483648"},
		{"int32", "7", "NE 8", "EQ 8"},
		{"uint32", "4294967295", "GE 4294967295", "LE 4294967294"},
		{"int64", "-9223372036854775808", "LT 0", "GE 0"},
		{"int64", "9007199254740993", "NE 9007199254740992", "EQ 9007199254740992"},
		{"uint64", "18446744073709551615", "EQ 0xffffffffffffffff", "LT 1"},

		{"float16", "0.5", "EQ 0.5", "EQ 0.501"},
		{"float16", "0.1", "NE 0.1", "EQ 0.1"}, // no float16 is that close to 0.1
		{"float16", "0.1", "EQ 0.0999755859375", "NE 0.0999755859375"},
		{"float", "0.1", "EQ 0.1", "NE 0.1"},
		{"float", "0.1", "EQ 0.10000000149", "EQ 0.1001"},
		{"float", "16777217", "EQ 16777216", "GT 16777216"},
		{"double", "1.000000001", "EQ 1", "NE 1"}, // the relative epsilon is 1e-8
		{"double", "1.00000002", "NE 1", "EQ 1"},
		{"double", "1.000000001", "GT 1", "LE 1"}, // and does not apply to orderings
		{"double", "-3", "LT -2", "GE -2"},
		{"float", "0x10", "EQ 16.0", "EQ 0x11"},
		{"float", "-0.0", "EQ 0", "LT 0"},

		{"float", "NaN", "EQ nan", "NE NaN"},
		{"float", "NaN", "NE 1", "EQ 1"},
		{"float", "NaN", "GE NaN", "GT 1"},
		{"float", "1", "NE NaN", "LT NaN"},

		{"float", "10", "TOLERANCE 0.5 EQ 10.5", "TOLERANCE 0.5 EQ 10.6"},
		{"float", "10", "TOLERANCE 5% EQ 10.5", "TOLERANCE 4% EQ 10.5"},
		{"float", "10", "TOLERANCE 5 % EQ 10.5", "TOLERANCE 4 % EQ 10.5"},
		{"float", "NaN", "TOLERANCE 100 EQ NaN", "TOLERANCE 100 EQ 1"},
		{"int32", "-10", "TOLERANCE 1 EQ -11", "TOLERANCE 1 EQ -12"},
		{"uint32", "4294967295", "TOLERANCE 1 EQ 4294967294", "TOLERANCE 1 EQ 0"},
		{"int32", "-100", "TOLERANCE 10% EQ -110", "TOLERANCE 10% EQ -112"},
		{"vec2<float>", "1 2", "TOLERANCE 1 EQ 2 3", "TOLERANCE 1 EQ 2 3.5"},
		{"vec2<float>", "1 2", "TOLERANCE 1 0.5 EQ 2 2.5", "TOLERANCE 1 0.5 EQ 2 3"},
		{"vec3<float>", "1 2 3", "TOLERANCE 1 50% EQ 2 4 3", "TOLERANCE 1 50% EQ 2 4 3.01"},
		{"vec4<int32>", "1 2 3 4", "TOLERANCE 1 2 3 4 EQ 2 4 6 8", "TOLERANCE 1 2 3 4 EQ 2 4 6 9"},
	} {
		src := fmt.Sprintf("BUFFER b DATA_TYPE %s DATA %s END\nEXPECT b IDX 0 %s\n", c.typ, c.data, c.holds)
		if errs := execute(t, src, never).Errors(); len(errs) != 0 {
			t.Errorf("%s %s %s: %v", c.typ, c.data, c.holds, errs)
		}
		src = fmt.Sprintf("BUFFER b DATA_TYPE %s DATA %s END\nEXPECT b IDX 0 %s\n", c.typ, c.data, c.fails)
		if r := execute(t, src, never); r.Failed() != 1 || len(r.Checks) != 1 {
			t.Errorf("%s %s: %s held", c.typ, c.data, c.fails)
		}
	}
}

// TestFailures pins the wording of failed expectations.
func TestFailures(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"BUFFER b DATA_TYPE int32 DATA 1 2 3 END\nEXPECT b IDX 4 EQ 2 4",
			"3:1: error: EXPECT b IDX 4 EQ: value 1 (byte 8): wanted 4, got 3"},
		{"BUFFER b DATA_TYPE int32 DATA 1 2 3 END\n\n  EXPECT b IDX 0 EQ 0 0 3",
			"4:3: error: EXPECT b IDX 0 EQ: value 0 (byte 0): wanted 0, got 1 (2 of 3 values differ)"},
		{"BUFFER b DATA_TYPE float DATA 0.1 END\nEXPECT b IDX 0 NE 0.1",
			"3:1: error: EXPECT b IDX 0 NE: value 0 (byte 0): wanted other than 0.1, got 0.1"},
		{"BUFFER b DATA_TYPE double DATA 0.1 END\nEXPECT b IDX 0 GE 0.2",
			"3:1: error: EXPECT b IDX 0 GE: value 0 (byte 0): wanted at least 0.2, got 0.1"},
		{"BUFFER b DATA_TYPE vec3<int8> DATA 1 2 3 4 5 6 END\nEXPECT b IDX 0 LT 2 3 4 5 6 6",
			"3:1: error: EXPECT b IDX 0 LT: value 5 (byte 6): wanted less than 6, got 6"},
		{"BUFFER a DATA_TYPE uint16 DATA 1 2 3 END\nBUFFER b DATA_TYPE uint16 DATA 1 2 515 END\nEXPECT a EQ_BUFFER b",
			"4:1: error: EXPECT a EQ_BUFFER b: value 2 (byte 4): wanted 515, got 3 (1 of 6 bytes differ)"},
		{"BUFFER a DATA_TYPE uint16 DATA 1 2 END\nBUFFER b DATA_TYPE uint16 DATA 1 6 END\nEXPECT a RMSE_BUFFER b TOLERANCE 2.5",
			"4:1: error: EXPECT a RMSE_BUFFER b: wanted a root mean square error of at most 2.5, got 2.8284271247461903"},
		// Half of the red values would have to be moved by 16 of 256 steps, as much as moving all of them by 8.
		{"IMAGE a FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 1 DATA 9 5 7 7 0 5 7 7 END\n" +
			"IMAGE b FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 1 DATA 16 9 7 7 9 9 7 7 END\n" +
			"EXPECT a EQ_HISTOGRAM_EMD_BUFFER b TOLERANCE 0.03125\nEXPECT a EQ_HISTOGRAM_EMD_BUFFER b TOLERANCE 0.03",
			"5:1: error: EXPECT a EQ_HISTOGRAM_EMD_BUFFER b: wanted a distance of the histograms of at most 0.03, got 0.03125"},
		{"IMAGE a FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 1 HEIGHT 1 DATA 10 20 30 40 END\n" +
			"EXPECT a IDX 0 0 SIZE 1 1 EQ_RGBA 12 20 27 50 TOLERANCE 2 0 3 10\nEXPECT a IDX 0 0 SIZE 1 1 EQ_RGB 12 20 30 TOLERANCE 20%\n" +
			"EXPECT a IDX 0 0 SIZE 1 1 EQ_RGB 12 20 30 TOLERANCE 1",
			"5:1: error: EXPECT a IDX 0 0 SIZE 1 1 EQ_RGB: texel 0 0: wanted 12 as red, got 10.000000353902578"},
		{"BUFFER b DATA_TYPE int32 SIZE 1 FILL 0\nREPEAT 3\nEXPECT b IDX 0 EQ 1\nEND",
			"4:1: error: EXPECT b IDX 0 EQ: value 0 (byte 0): wanted 1, got 0 (in 3 of 3 repetitions)"},
	} {
		errs := execute(t, c.src, never).Errors()
		if len(errs) != 1 || errs[0].Error() != "t.amber:"+c.want {
			t.Errorf("%s\n got  %v\n want t.amber:%s", c.src, errs, c.want)
		}
	}
}

func TestBufferComparisons(t *testing.T) {
	src := `
BUFFER a DATA_TYPE vec3<float> DATA 1 2 3 4 5 NaN END
BUFFER b DATA_TYPE vec3<float> DATA 1 2 3 4 5 NaN END
BUFFER c DATA_TYPE vec3<float> DATA 1 2 3 4 5 6 END
EXPECT a EQ_BUFFER b
EXPECT a RMSE_BUFFER b TOLERANCE 0
EXPECT a RMSE_BUFFER c TOLERANCE 1000000
COPY c TO b
EXPECT b EQ_BUFFER c
`
	r := execute(t, src, never)
	if len(r.Checks) != 4 || r.Failed() != 1 || r.Checks[2].Failure == "" {
		t.Errorf("%+v", r.Checks)
	}
}

// TestLayout checks the bytes of buffers against the rules of the OpenGL
// Shading Language Specification 4.60, section 7.6.2.2. Each number is its
// own index, so that the bytes show where it was stored.
func TestLayout(t *testing.T) {
	const structs = `
STRUCT inner
  vec3<uint8> a
  uint8 b
END
STRUCT outer
  uint8 a
  inner b
  uint16[3] c
  mat2x3<uint8> d
END
STRUCT odd STRIDE 16
  uint8 a OFFSET 3
  uint8[2] b ARRAY_STRIDE 2
  mat2x2<uint8> c OFFSET 8 MATRIX_STRIDE 3
END
`
	for _, c := range []struct{ typ, want string }{
		{"uint8", "1 2 3"},
		{"uint8 STD140", "1 2 3"},
		{"uint8[] STD140", "1 ............... 2 ..............."},
		{"uint16", "1 . 2 ."},
		{"vec2<uint8> STD140", "1 2 3 4"},
		{"vec3<uint8>", "1 2 3 . 4 5 6 ."},
		{"vec4<uint8>", "1 2 3 4"},
		{"mat2x2<uint8>", "1 2 3 4 5 6 7 8"},
		{"mat2x3<uint8>", "1 2 3 . 4 5 6 ."},
		{"mat2x2<uint8> STD140", "1 2 .............. 3 4 .............."},
		{"uint8[3]", "1 2 3 4 5 6"},
		{"uint8[2] STD140", "1 ............... 2 ..............."},
		{"inner", "1 2 3 4"},
		{"inner STD140", "1 2 3 4 ............"},
		{"outer", "1 ... 2 3 4 5 6 . 7 . 8 .. . 9 10 11 . 12 13 14 ."},
		{"outer STD140", "1 ............... 2 3 4 5 ............ 6 ............... 7 ............... 8 ............... 9 10 11 ............. 12 13 14 ............."},
		{"odd", "... 1 2 . 3 . 4 5 . 6 7 ..."},
	} {
		var want []byte
		for _, w := range strings.Fields(c.want) {
			if w[0] == '.' {
				want = append(want, make([]byte, len(w))...)
			} else {
				n, _, _ := runner.ParseInt(w)
				want = append(want, byte(n))
			}
		}
		numbers := 0
		for _, w := range strings.Fields(c.want) {
			if w[0] != '.' {
				numbers++
			}
		}
		values := ""
		for i := range numbers {
			values += fmt.Sprint(" ", i+1)
		}
		s := parse(t, structs+"BUFFER b DATA_TYPE "+c.typ+" DATA"+values+" END\n")
		if diff := cmp.Diff(want, s.Buffers[0].Contents(nil)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.typ, diff)
		}
	}
}

func TestInitializers(t *testing.T) {
	s := parse(t, `
BUFFER a DATA_TYPE int16 SIZE 3 FILL -2
BUFFER b DATA_TYPE int16 SIZE 3 SERIES_FROM 1 INC_BY -2
BUFFER c DATA_TYPE float SIZE 3 SERIES_FROM 0.5 INC_BY 0.25
BUFFER d DATA_TYPE uint8 DATA # a comment
  0x01 2 # another
  3 \
END
STRUCT mixed
  int8 a
  float b
END
BUFFER e DATA_TYPE mixed SIZE 1 FILL -1
`)
	for i, want := range []any{
		[]int16{-2, -2, -2}, []int16{1, -1, -3}, []float32{.5, .75, 1}, []uint8{1, 2, 3},
		struct {
			A int8
			_ [3]byte
			B float32
		}{A: -1, B: -1},
	} {
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian, want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.Bytes(), s.Buffers[i].Contents(nil)); diff != "" {
			t.Errorf("%s: -want +got\n%s", s.Buffers[i].Name, diff)
		}
	}
}

const pipelineScript = `
DEVICE_FEATURE SubgroupSizeControl.computeFullSubgroups
DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl
DEVICE_EXTENSION VK_KHR_16bit_storage
INSTANCE_EXTENSION VK_KHR_get_physical_device_properties2
SET ENGINE_DATA fence_timeout_ms 1000
VIRTUAL_FILE "a b.comp"
void main() {} // APPEND
ENDING
END
SHADER compute s GLSL TARGET_ENV vulkan1.1 VIRTUAL_FILE "a b.comp"
SHADER multi m SPIRV-HEX
0x07230203, 00010300
END
BUFFER a DATA_TYPE uint32 SIZE 4 SERIES_FROM 0 INC_BY 1
BUFFER b DATA_TYPE uint32 SIZE 4 FILL 0
BUFFER k DATA_TYPE uint32 DATA 3 END
PIPELINE compute p
  ATTACH s ENTRY_POINT entry SPECIALIZE 1 AS uint32 7 \
           SPECIALIZE 2 AS float 1.0
  BIND BUFFER a AS uniform DESCRIPTOR_SET 0 BINDING 1 DESCRIPTOR_OFFSET 4 DESCRIPTOR_RANGE 8
  BIND BUFFER b AS storage_dynamic DESCRIPTOR_SET 1 BINDING 2 OFFSET 4 DESCRIPTOR_OFFSET 8 DESCRIPTOR_RANGE -1
  BIND BUFFER k AS push_constant
  SUBGROUP s
    FULLY_POPULATED on
    VARYING_SIZE off
    REQUIRED_SIZE 16
  END
END
DERIVE_PIPELINE q FROM p
  ATTACH s SPECIALIZE 1 AS uint32 8
  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 1
  SHADER_OPTIMIZATION s
    --merge-return --scalar-replacement=8
    -O
  END
END
PIPELINE compute r
  ATTACH m TYPE compute ENTRY_POINT two
END
`

// TestDispatch checks the call that an engine receives, and that the next command sees the engine's writes.
func TestDispatch(t *testing.T) {
	var calls []runner.Call
	engine := runner.EngineFunc(func(_ context.Context, c *runner.Call) error {
		calls = append(calls, *c)
		for _, b := range c.Bindings {
			if b.Kind == runner.Storage {
				b.Data[0]++
			}
		}
		return nil
	})
	r := execute(t, pipelineScript+`
RUN p 1 2 3
EXPECT b IDX 12 EQ 1
RUN TIMED_EXECUTION q 1 1 1
REPEAT 2
  RUN r 1 1 1
  EXPECT b IDX 0 EQ 1 0 0 2
END
`, engine)
	if errs := r.Errors(); len(errs) != 0 || r.Dispatches != 4 || len(calls) != 4 || len(r.Checks) != 2 || r.Checks[1].Times != 2 {
		t.Fatalf("%v\n%+v", errs, r)
	}
	s := r.Script.Shaders
	u32 := func(v ...uint32) []byte {
		var b []byte
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	sub := runner.Subgroup{FullyPopulated: true, Require: runner.SubgroupExact, Size: 16}
	optimized := *s[0]
	optimized.Passes = []string{"--merge-return", "--scalar-replacement=8", "-O"}
	want := []runner.Call{{
		Shader: s[0], Entry: "entry", Groups: [3]uint32{1, 2, 3}, Subgroup: sub, PushConstants: u32(3),
		Specialize: []runner.Spec{{ID: 1, Bits: 7, Size: 4}, {ID: 2, Bits: 0x3f800000, Size: 4}},
		Bindings:   []runner.Binding{{Set: 0, Binding: 1, Kind: runner.Uniform, Data: u32(1, 2)}, {Set: 1, Binding: 2, Kind: runner.Storage, Data: u32(2)}},
	}, {
		Shader: &optimized, Entry: "main", Groups: [3]uint32{1, 1, 1}, Subgroup: sub, PushConstants: u32(3), Clock: runner.Between,
		Specialize: []runner.Spec{{ID: 1, Bits: 8, Size: 4}, {ID: 2, Bits: 0x3f800000, Size: 4}},
		Bindings:   []runner.Binding{{Set: 0, Binding: 1, Kind: runner.Storage, Data: u32(1, 0, 0, 2)}, {Set: 1, Binding: 2, Kind: runner.Storage, Data: u32(2)}},
	}, {
		Shader: s[1], Entry: "two", Groups: [3]uint32{1, 1, 1}, Clock: 2 * runner.Between,
	}}
	for _, c := range calls[:3] {
		for i, b := range c.Bindings {
			if b.Buffer == nil || b.Offset < 0 || b.Offset+len(b.Data) > b.Buffer.Bytes() {
				t.Errorf("binding %d is not within its buffer: offset %d", b.Binding, b.Offset)
			}
			c.Bindings[i].Buffer, c.Bindings[i].Offset = nil, 0
		}
	}
	if diff := cmp.Diff(want, calls[:3], cmp.AllowUnexported(runner.Shader{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if s[0].Source != "void main() {} // APPEND\nENDING\n" || s[0].Line != 9 || s[0].TargetEnv != "vulkan1.1" {
		t.Errorf("%+v", s[0])
	}
	if diff := cmp.Diff([]uint32{0x07230203, 0x10300}, s[1].Words); diff != "" {
		t.Error(diff)
	}
}

// TestRunsAreIndependent checks that a run starts from the script's contents.
func TestRunsAreIndependent(t *testing.T) {
	s := parse(t, pipelineScript+"RUN q 1 1 1\nEXPECT b IDX 0 EQ 1\n")
	add := runner.EngineFunc(func(_ context.Context, c *runner.Call) error { c.Bindings[0].Data[0]++; return nil })
	for range 2 {
		if r, err := s.Run(t.Context(), add); err != nil || r.Failed() != 0 {
			t.Fatal(err, r)
		}
	}
}

func TestEngineError(t *testing.T) {
	boom := errors.New("boom")
	fail := runner.EngineFunc(func(context.Context, *runner.Call) error { return boom })
	r, err := parse(t, pipelineScript+"RUN q 1 1 1\nEXPECT b IDX 0 EQ 1\n").Run(t.Context(), fail)
	if !errors.Is(err, boom) || !strings.HasPrefix(err.Error(), "t.amber:") || !strings.HasSuffix(err.Error(), ":1: error: RUN q: boom") {
		t.Error(err)
	}
	placed := &runner.Error{File: "t.amber", Pos: runner.Pos{Line: 9, Col: 1}, Msg: "no such type"}
	fail = func(context.Context, *runner.Call) error { return fmt.Errorf("GLSL: %w", placed) }
	if _, err := parse(t, pipelineScript+"RUN q 1 1 1\n").Run(t.Context(), fail); err != placed {
		t.Error(err)
	}
	if len(r.Checks) != 0 {
		t.Error("an expectation was checked after the engine's error")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	engine := runner.EngineFunc(func(context.Context, *runner.Call) error { cancel(); return nil })
	_, err := parse(t, pipelineScript+"REPEAT 4000000000\nRUN q 1 1 1\nEND\n").Run(ctx, engine)
	if err == nil || !strings.Contains(err.Error(), "stopped: context canceled") {
		t.Error(err)
	}
}

// patient is a context that is done after it has been polled a number of
// times.
type patient struct {
	context.Context
	looks int
}

func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelHeavy: parsing a script and each of its commands poll the context often,
// and stop at the first poll after it is done.
func TestCancelHeavy(t *testing.T) {
	repeat := func(s string, n int) string { return strings.Repeat(s, n) }
	for name, src := range map[string]string{
		"values":      "#!amber\nBUFFER b DATA_TYPE uint8 DATA\n" + repeat("1 ", 1<<19) + "\nEND\n",
		"lines":       "#!amber\n" + repeat("SET ENGINE_DATA fence_timeout_ms 1\n", 1<<16),
		"comments":    "#!amber\n" + repeat("# a comment of some length, as they are in scripts\n", 1<<17),
		"VkScript":    "[compute shader]\nx\n[test]\n" + repeat("tolerance 1\n", 1<<18),
		"requirement": "[compute shader]\nx\n[require]\n" + repeat("fbsize 1 1\n", 1<<17) + "\n[test]\n",
		"fill":        "#!amber\nBUFFER b DATA_TYPE uint8 SIZE 1000000 FILL 1\n",
		"many copies": "#!amber\nBUFFER b DATA_TYPE uint8 DATA\n1\nEND\nBUFFER c DATA_TYPE uint8 DATA\n1\nEND\nREPEAT 100000\nCOPY b TO c\nEND\n",
		"copies":      "#!amber\nBUFFER b DATA_TYPE uint32 SIZE 65536 FILL 1\nBUFFER c DATA_TYPE uint32 SIZE 65536 FILL 1\nREPEAT 100\nCOPY b TO c\nEND\n",
		"equal":       "#!amber\nBUFFER b DATA_TYPE uint32 SIZE 65536 FILL 1\nREPEAT 100\nEXPECT b EQ_BUFFER b\nEND\n",
		"RMSE":        "#!amber\nBUFFER b DATA_TYPE uint32 SIZE 65536 FILL 1\nREPEAT 10\nEXPECT b RMSE_BUFFER b TOLERANCE 1\nEND\n",
		"expected":    "#!amber\nBUFFER b DATA_TYPE uint32 SIZE 1000 FILL 1\nREPEAT 1000\nEXPECT b IDX 0 EQ" + repeat(" 1", 1000) + "\nEND\n",
		"texels":      "#!amber\nBUFFER b FORMAT R8G8B8A8_UNORM\nREPEAT 10\nEXPECT b IDX 0 0 SIZE 250 250 EQ_RGB 0 0 0\nEND\n",
	} {
		t.Run(name, func(t *testing.T) {
			run := func(ctx context.Context) error {
				s, err := ParseIn(ctx, nil, "t.amber", []byte(src))
				if err == nil {
					_, err = s.Run(ctx, runner.EngineFunc(func(context.Context, *runner.Call) error { return nil }))
				}
				return err
			}
			all := &patient{t.Context(), 1 << 30}
			if err := run(all); err != nil {
				t.Fatal(err)
			}
			looks := 1<<30 - all.looks
			if looks < 5 {
				t.Fatalf("the context is looked at %d times", looks)
			}
			for n := range looks {
				p := &patient{t.Context(), n}
				if err := run(p); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), ": stopped: ") {
					t.Errorf("after %d of %d looks it ended with %v", n, looks, err)
				}
				if p.looks < -4 { // the poll that found it done, and polls that ask for the cause
					t.Errorf("it went on for %d looks after %d of %d", -p.looks, n, looks)
				}
			}
		})
	}
}

// FuzzParse checks that no input panics or takes long, and that every error
// has a position inside the script.
func FuzzParse(fuzz *testing.F) {
	f := variants.Of(fuzz)
	f.Add("#!amber\n" + pipelineScript)
	f.Add(prelude + "REPEAT 2\nRUN p 1 1 1\nEND\nEXPECT b IDX 4 TOLERANCE 1% 2 EQ 1 2")
	f.Add(prelude + "STRUCT t STRIDE 64\n mat4x4<float>[2] m OFFSET 0 MATRIX_STRIDE 16\nEND\nBUFFER x DATA_TYPE t STD140 SIZE 1 FILL 0")
	f.Add(prelude + "IMAGE i FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 MIP_LEVELS 2 FILL 1\nSAMPLER l MAG_FILTER linear\n" +
		"PIPELINE compute q\n ATTACH s\n BIND BUFFER_ARRAY i i AS combined_image_sampler SAMPLER l DESCRIPTOR_SET 0 BINDING 1\n" +
		"END\nEXPECT i IDX 0 0 SIZE 2 2 EQ_RGB 1 1 1")
	f.Add(vkHead + "ssbo 1 subdata mat2x3 0 1 2 3 4 5 6\nuniform ubo 0:2 dvec2 0 1 2\ncompute 1 1 1\nprobe ssbo vec3 1 0 ~= 1 2 3")
	f.Fuzz(func(t *testing.T, src string) {
		s, err := Parse("f.amber", []byte(src))
		if err == nil {
			for _, b := range s.Buffers {
				if b.Bytes() <= 0 || b.Bytes() > maxBytes {
					t.Errorf("buffer of %d bytes", b.Bytes())
				}
			}
			return
		}
		var e *runner.Error
		if !errors.As(err, &e) || e.Line < 1 || e.Line > strings.Count(src, "\n")+1 || e.Col < 1 {
			t.Errorf("error without a place in the script: %v", err)
		}
	})
}
