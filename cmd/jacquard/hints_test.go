// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/report"
	"jacquard.example/tests/oracle"
)

// hinted lists shaders with a problem that a hint names, each with a version changed as the hint suggests. The texts
// are bodies of main. data is an array of numbers, and vectors the same array. Both versions write the same to o.
var hinted = []struct {
	name, kind    string
	at            string // text in the line of the hint
	before, after shaderText
}{
	{"array", report.HintArray, "tmp[k] =",
		shaderText{body: `uint tmp[24];
  uint n = data[0] % 25u;
  for (uint k = 0; k < n; k++)
    tmp[k] = data[i + 64 * k];
  uint sum = 0;
  for (uint k = 0; k < n; k++)
    sum = sum * 3 + tmp[n - 1 - k];
  o[i] = sum;`},
		shaderText{body: `uint tmp[24];
  for (uint k = 0; k < 24; k++)
    tmp[k] = data[i + 64 * k];
  uint sum = 0;
  for (uint k = 0; k < 24; k++)
    sum = sum * 3 + tmp[23 - k];
  o[i] = sum;`}},
	{"spills", report.HintSpill, "",
		shaderText{body: `uint u[44], v[44], w[44], x[44], y[44], sum = 0, products = 0;
  for (uint k = 0; k < 44; k++) {
    u[k] = data[i + 64 * k];
    v[k] = data[i + 64 * k + 20];
    w[k] = data[i + 64 * k + 40];
    x[k] = data[i + 64 * k + 10];
    y[k] = data[i + 64 * k + 30];
  }
  for (uint k = 0; k < 44; k++)
    sum += u[k];
  for (uint k = 0; k < 44; k++)
    products += (u[k] - sum) * (v[k] - sum) + (w[k] + x[k] + y[k]) * sum;
  o[i] = products;`},
		// The products are rewritten as sums that can be added up during the loads.
		shaderText{body: `uint u = 0, v = 0, w = 0, products = 0;
  for (uint k = 0; k < 44; k++) {
    uint x = data[i + 64 * k], y = data[i + 64 * k + 20];
    u += x;
    v += y;
    w += data[i + 64 * k + 40] + data[i + 64 * k + 10] + data[i + 64 * k + 30];
    products += x * y;
  }
  o[i] = products - u * v - u * u + 44 * u * u + w * u;`}},
	{"division", report.HintDivide, "/ d",
		shaderText{body: `uint d = data[2] % 1u + 7u + (data[0] - 24u), sum = 0;
  for (uint k = 0; k < 16; k++)
    sum += (i + 1000 * k) / d;
  o[i] = sum;`},
		shaderText{body: `const uint d = 7;
  uint sum = 0;
  for (uint k = 0; k < 16; k++)
    sum += (i + 1000 * k) / d;
  o[i] = sum;`}},
	{"loads", report.HintLoads, "data[",
		shaderText{body: `uint sum = data[4 * i];
  for (uint k = 1; k < 4; k++)
    if (sum % 1000u != k)
      sum = sum * 3 + data[4 * i + k];
  o[i] = sum;`},
		shaderText{body: `uvec4 x = vectors[i];
  uint sum = x.x;
  for (uint k = 1; k < 4; k++)
    if (sum % 1000u != k)
      sum = sum * 3 + x[k];
  o[i] = sum;`}},
	{"count", report.HintLoop, "k < n",
		shaderText{body: `uint n = data[1], sum = 0;
  for (uint k = 0; k < n; k++)
    sum = sum * 3 + (i ^ k);
  o[i] = sum;`},
		shaderText{body: `uint sum = 0;
  for (uint k = 0; k < 32; k++)
    sum = sum * 3 + (i ^ k);
  o[i] = sum;`}},
	{"idle", report.HintIdle, "",
		shaderText{size: 20, body: `o[i] = data[i] * data[i + 1] % 1000 * data[i + 2];`},
		shaderText{size: 32, body: `o[i] = data[i] * data[i + 1] % 1000 * data[i + 2];`}},
}

// shaderText is a shader.
type shaderText struct {
	size int // size of the workgroup; 0 means 64
	body string
}

const invocations = 320

func (s *shaderText) groups() int { return invocations / s.width() }

func (s *shaderText) width() int {
	if s.size != 0 {
		return s.size
	}
	return 64
}

func (s *shaderText) glsl() string {
	return fmt.Sprintf(`#version 450
layout(local_size_x = %d) in;
layout(set = 0, binding = 0) readonly buffer In { uint data[]; };
layout(set = 0, binding = 2) readonly buffer Vectors { uvec4 vectors[]; };
layout(set = 0, binding = 1) buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  %s
}
`, s.width(), s.body)
}

// TestReportHints: each hint is given for the shader that has the problem, at its line, but not for the changed
// version, which computes the same. The changed version runs faster on the model, alone and with other threads.
func TestReportHints(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for _, h := range hinted {
		for name := range machines {
			t.Run(h.name+"/"+name, func(t *testing.T) {
				for _, s := range []*shaderText{&h.before, &h.after} {
					given := reportOf(t, name, s.glsl()).Hints
					k := slices.IndexFunc(given, func(x report.Hint) bool { return x.Kind == h.kind })
					if (k >= 0) != (s == &h.before) {
						t.Fatalf("hints %+v", given)
					}
					if lines := strings.Split(s.glsl(), "\n"); k >= 0 && h.at != "" {
						if at := given[k].Line; at == 0 || !strings.Contains(lines[at-1], h.at) {
							t.Errorf("the hint is about line %d", at)
						}
					}
				}
				before, after := costsOnModel(t, name, &h.before, &h.after)
				t.Logf("alone %d cycles, then %d; resident %d, then %d", before.Cycles, after.Cycles, before.Resident, after.Resident)
				if float64(after.Cycles) > 0.9*float64(before.Cycles) || float64(after.Resident) > 0.9*float64(before.Resident) {
					t.Errorf("alone %d cycles, then %d; resident %d, then %d", before.Cycles, after.Cycles, before.Resident, after.Resident)
				}
			})
		}
	}
}

// unhinted lists shaders that have something in common with a shader that gets a hint, but for which it would be wrong.
var unhinted = []struct {
	name, kind, body string
}{
	{"far loads", report.HintLoads, `o[i] = data[i * 3 + 50] + data[i * 3 + 70] + data[i * 3 + 90];`},
	{"streams", report.HintLoads, `o[i] = data[i] + data[i + 1024] * 3 + data[i + 2048] * 5 + data[i + 3072] * 7;`},
	{"clamped loads", report.HintLoads, `uint sum = 0, n = data[0];
  for (uint k = 0; k < 5; k++)
    sum += data[min(i + k, n)];
  o[i] = sum;`},
	{"unknown stride", report.HintLoads, `uint sum = 0, n = data[0];
  for (uint k = 0; k < 5; k++)
    sum += data[i + k * n];
  o[i] = sum;`},
	{"same component", report.HintLoads, `for (uint k = 0; k < 4; k++)
    o[i] += data[i * 4 + k];`},
}

// TestReportNoHint: a hint is given only where its reason holds.
func TestReportNoHint(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for _, h := range unhinted {
		for name := range machines {
			t.Run(h.name+"/"+name, func(t *testing.T) {
				x := reportOf(t, name, (&shaderText{body: h.body}).glsl())
				if slices.ContainsFunc(x.Hints, func(x report.Hint) bool { return x.Kind == h.kind }) {
					t.Errorf("hints %+v", x.Hints)
				}
			})
		}
	}
}

// TestReportArrayCause: the report says of an array in scratch memory which loops would make its indices constant if they
// were fully unrolled, and names none if an index follows from data.
func TestReportArrayCause(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	const fill = `uint tmp[24];
  for (uint k = 0; k < 24; k++) { // fills
    uint x = data[i + 64 * k];
    for (uint j = 0; j < 20; j++)
      x = x * 31 + data[x % 4096] / 7 + (x ^ data[j]) * data[j + x % 32];
    tmp[INDEX] = x;
  }
  uint sum = 0;
  for (uint k = 0; k < 24; k++)
    sum = sum * 3 + tmp[23 - k];
  o[i] = sum;`
	for index, blamed := range map[string]bool{"k": true, "(k * 5u + 1u) % 24u": true, "data[k] % 24u": false, "(k + i) % 24u": false} {
		glsl := (&shaderText{body: strings.Replace(fill, "INDEX", index, 1)}).glsl()
		lineOf := func(text string) int { return strings.Count(glsl[:strings.Index(glsl, text)], "\n") + 1 }
		x := reportOf(t, string(jacquard.DefaultTarget), glsl)
		k := slices.IndexFunc(x.Hints, func(h report.Hint) bool { return h.Kind == report.HintArray })
		if k < 0 {
			t.Errorf("%s: hints %+v", index, x.Hints)
			continue
		}
		want := fmt.Sprintf("the index at line %d is not constant: ", lineOf("tmp["+index+"]"))
		if blamed {
			want = fmt.Sprintf("the index at line %d is not constant, since the loop at line %d was not fully unrolled: ",
				lineOf("tmp["+index+"]"), lineOf("// fills"))
		}
		if !strings.Contains(x.Hints[k].Text, want) {
			t.Errorf("%s: %q, want %q", index, x.Hints[k].Text, want)
		}
		if a := &x.Arrays[0]; (a.Counted == a.Varying) != blamed || blamed && (len(a.Loops) != 1 || a.Loops[0].Line != lineOf("// fills")) {
			t.Errorf("%s: %+v", index, a)
		}
	}
}

// reportOf returns the report of a compute shader.
func reportOf(t *testing.T, target, glsl string) *report.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.comp")
	if err := os.WriteFile(file, []byte(glsl), 0o666); err != nil {
		t.Fatal(err)
	}
	return reportOfFile(t, target, file)
}

// reportOfFile returns the report of a file with one shader.
func reportOfFile(t *testing.T, target, file string) *report.Report {
	t.Helper()
	var list []report.Report
	if err := json.Unmarshal([]byte(written(t, "report", "--target", target, "--format", "json", file)), &list); err != nil ||
		len(list) != 1 {
		t.Fatal(err, len(list))
	}
	return &list[0]
}

// TestReportThreadHints: once a shader is changed as the hint suggests, the number of threads that the hint promises
// fits.
func TestReportThreadHints(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for _, c := range []struct{ before, after, kind string }{
		{"layout(local_size_x = 64) in; shared uint s[4096];", "layout(local_size_x = 64) in; shared uint s[512];", report.HintShared},
		{"layout(local_size_x = 1024) in; shared uint s[1];", "layout(local_size_x = 896) in; shared uint s[1];", report.HintGroup},
	} {
		of := func(declared string) *report.Report {
			return reportOf(t, string(jacquard.DefaultTarget),
				"#version 450\n"+declared+"\nlayout(set = 0, binding = 0) buffer A { uint a[]; };\n"+
					"void main() { s[0] = a[1]; barrier(); a[gl_GlobalInvocationID.x] = s[0]; }\n")
		}
		was, is := of(c.before), of(c.after)
		k := slices.IndexFunc(was.Hints, func(x report.Hint) bool { return x.Kind == c.kind })
		if k < 0 || slices.ContainsFunc(is.Hints, func(x report.Hint) bool { return x.Kind == c.kind }) {
			t.Errorf("%s: hints %+v, then %+v", c.kind, was.Hints, is.Hints)
			continue
		}
		fit := 0
		for _, w := range is.Widths {
			if w.Chosen {
				fit = w.Threads.Fit
			}
		}
		if promised := regexp.MustCompile(`(\d+)( could)?$`).FindStringSubmatch(was.Hints[k].Text)[1]; promised != strconv.Itoa(fit) {
			t.Errorf("%q: %d fit", was.Hints[k].Text, fit)
		}
	}
}

// costsOnModel runs two shaders on the model, which must compute the same.
func costsOnModel(t *testing.T, target string, before, after *shaderText) (x, y costLine) {
	var script strings.Builder
	script.WriteString("#!amber\n")
	names := []string{"before", "after"}
	for i, s := range []*shaderText{before, after} {
		fmt.Fprintf(&script, "SHADER compute %s GLSL\n%sEND\n", names[i], s.glsl())
	}
	data := [4096]uint32{24, 32} // the counts that shaders read
	for k := 2; k < len(data); k++ {
		data[k] = uint32(k) * 2654435761 >> 8
	}
	script.WriteString("BUFFER data DATA_TYPE uint32 DATA\n")
	for _, x := range data {
		fmt.Fprintf(&script, " %d", x)
	}
	script.WriteString("\nEND\n")
	for i, s := range []*shaderText{before, after} {
		fmt.Fprintf(&script, `BUFFER out%d DATA_TYPE uint32 SIZE %d FILL 0
PIPELINE compute p%d
  ATTACH %s
  BIND BUFFER data AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER data AS storage DESCRIPTOR_SET 0 BINDING 2
  BIND BUFFER out%d AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p%d %d 1 1
`, i, invocations, i, names[i], i, i, s.groups())
	}
	script.WriteString("EXPECT out0 EQ_BUFFER out1\n")
	file := filepath.Join(t.TempDir(), "pair.amber")
	if err := os.WriteFile(file, []byte(script.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(written(t, "run", "--on", "eu", "--target", target, "--stats", file)) {
		var c costLine
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Shader == names[0] {
			x = c
		} else {
			y = c
		}
	}
	return x, y
}
