// SPDX-License-Identifier: MIT

package report_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/report"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/spv"
)

// TestSourceOfModules: lines of a module's report have the text that the debug information contains, otherwise that of the
// file which it names, and none if that is not there.
func TestSourceOfModules(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	dir := t.TempDir()
	file, out := filepath.Join(dir, "a.comp"), filepath.Join(dir, "a.spv")
	const store = "a[gl_GlobalInvocationID.x] = 1.0 / a[3];"
	text := "#version 450\nlayout(local_size_x = 64) in;\n" +
		"layout(set = 0, binding = 0) buffer A { float a[]; };\nvoid main() {\n  " + store + "\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command("glslangValidator", "-V", "-g", file, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	module, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	words, err := spv.Words(module)
	if err != nil {
		t.Fatal(err)
	}
	const opSource = 3
	bare := slices.Clone(words[:5])
	for at := 5; at < len(words); at += int(words[at] >> 16) {
		if words[at]&0xFFFF != opSource {
			bare = append(bare, words[at:at+int(words[at]>>16)]...)
		}
	}
	check := func(what string, module []byte, want string) {
		t.Helper()
		x, err := report.Make(t.Context(), &report.Input{File: out, Module: module, Options: jacquard.Options{File: out}})
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(x.Lines, func(l report.LineCost) bool { return l.Line == 5 && l.File == file })
		if k < 0 || x.Lines[k].Source != want ||
			(want != "") != slices.Contains(x.Source, report.SourceLine{File: file, Line: 5, Text: want}) {
			t.Errorf("%s: %+v, want %q", what, x.Lines, want)
		}
	}
	check("contained", module, store)
	check("named", spv.Bytes(bare), store)
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	check("contained, without the file", module, store)
	check("named, without the file", spv.Bytes(bare), "")
	if err := os.Symlink("/proc/self/status", file); err == nil { // others, such as /proc/kmsg, never end
		check("named, but no file on disk", spv.Bytes(bare), "")
	}
}
