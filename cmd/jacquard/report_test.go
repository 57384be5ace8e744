// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/oracle"
)

// costly lists shaders with their most expensive line, and facts about it to check.
var costly = []struct {
	name, text string
	line       int
	spills     bool
	shared     int
	kind       string // kind of a message on the line
}{
	{"sine.comp", `#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
shared float s[64];
void main() {
  s[gl_LocalInvocationID.x] = a[gl_GlobalInvocationID.x];
  barrier();
  float x = 0;
  for (uint k = 0; k < 64; k++)
    x += sin(s[k]) * float(k);
  a[gl_GlobalInvocationID.x] = x;
}
`, 10, false, 256, "barrier"},
	{"load.frag", `#version 450
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) uniform sampler2D t;
layout(location = 0) in vec2 at;
void main() {
  vec4 sum = vec4(0);
  sum += texture(t, texture(t, texture(t, at).xy).xy);
  o = sum * 2.0;
}
`, 7, false, 0, "sample"},
	{"divide.comp", `#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  a[i] = a[i + 1] / a[i + 2] % a[i + 3] / a[i + 4];
}
`, 6, false, 0, "untyped_read"},
}

func sum(counts map[string]int) (n int) {
	for _, x := range counts {
		n += x
	}
	return n
}

// explained matches the cost of an instruction in the comments of compile --explain.
var explained = regexp.MustCompile(`// (\d+) cycles?(?:, waits for (\d+))?(?:, runs (\d+) times)?`)

// TestReport: the most expensive line is the line with the largest sum in the listing of compile --explain, at all
// targets with the stage. Other figures agree with the listing and the shader.
func TestReport(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	for _, c := range costly {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), c.name)
			if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			x := reportOfFile(t, string(jacquard.DefaultTarget), file)
			if len(x.Lines) == 0 || x.Lines[0].Line != c.line || x.Lines[0].File != file {
				t.Errorf("lines %+v, want %d first", x.Lines, c.line)
			}
			chosen := 0
			for _, w := range x.Widths {
				if w.Error == "" && (w.Shared != c.shared || w.Messages[c.kind] == 0 || (w.Spills > 0) != c.spills) {
					t.Errorf("%+v", w)
				}
				if n := sum(w.Messages); w.Error == "" && n != w.Sends+w.Spills+w.Fills {
					t.Errorf("%d messages by kind, of %d sends, %d spills and %d fills", n, w.Sends, w.Spills, w.Fills)
				}
				if w.Chosen {
					chosen = w.SIMD
					if x.Peak.Registers == 0 || x.Peak.Registers > w.Registers {
						t.Errorf("%d live registers of %d that are allocated", x.Peak.Registers, w.Registers)
					}
				}
			}
			sums, total := map[int]int{}, 0
			for _, in := range listingOf(t, debugModuleOf(t, file), string(jacquard.DefaultTarget), chosen) {
				sums[in.line] += in.cycles
				total += in.cycles
			}
			for _, l := range x.Lines {
				if sums[l.Line] != l.Cycles || l.Share != float64(l.Cycles)/float64(total) {
					t.Errorf("line %d: %d cycles, %f; the listing has %d of %d", l.Line, l.Cycles, l.Share, sums[l.Line], total)
				}
			}
			for line, sum := range sums {
				if sum > x.Lines[0].Cycles {
					t.Errorf("line %d has %d cycles, more than the first one", line, sum)
				}
			}
			text := written(t, "report", file)
			share := 100 * float64(sums[c.line]) / float64(total)
			for _, want := range []string{fmt.Sprintf("\n  %.0f %%  %s:%d  ", share, file, c.line), fmt.Sprintf("\n*  %d ", chosen)} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
		})
	}
}
