package whole

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/suite/renderer"
	"jacquard.example/tests/support/spv"
)

// countsFile holds the figures of the code that the shaders are compiled to.
// A change that moves them writes the file anew, and the commit shows what it
// did:
//
//	go test ./tests/suite/whole -run TestCounts -update
var countsFile = filepath.Join("testdata", "counts.txt")

const countsHead = `# What shaders compile to: name, SIMD width, instructions (without NOP and
# sync.nop), sends (without spills and fills), spills, fills. Written by
# go test ./tests/suite/whole -run TestCounts -update
`

// peerCounts are the instructions that Mesa 25.0.7 emits for the same shaders
// at SIMD16 (driver anv, device tgl).
var peerCounts = map[string]int{"saxpy": 20, "matmul": 154, "nbody": 100, "bitonic": 66}

// TestCounts compares instructions, sends, spills and fills of all shaders at
// all widths with the committed figures.
func TestCounts(t *testing.T) {
	modules := map[string][]uint32{}
	for _, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		modules[s.Name] = words
	}
	fetched := addGioui(t, modules)

	var names []string
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	var got []string
	for _, name := range names {
		for _, simd := range []int{8, 16, 32} {
			p, err := jacquard.Compile(t.Context(), spv.Bytes(modules[name]), jacquard.Options{SIMD: simd})
			if err != nil {
				got = append(got, fmt.Sprintf("%s %d refused", name, simd))
				continue
			}
			s := &p.Variants[0].Stats
			got = append(got, fmt.Sprintf("%s %d %d %d %d %d", name, simd, s.Instructions, s.Sends, s.Spills, s.Fills))
			if peer, ok := peerCounts[name]; ok && simd == 16 && s.Instructions > 2*peer {
				t.Errorf("%s: %d instructions, more than twice Mesa's %d", name, s.Instructions, peer)
			}
		}
	}
	if *update {
		if !fetched {
			t.Fatal("the file can be written only where gioui's shaders can be fetched")
		}
		if err := os.WriteFile(countsFile, []byte(countsHead+strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := readCounts(t)
	if !fetched {
		want = slices.DeleteFunc(want, func(line string) bool { return strings.HasPrefix(line, giouiPrefix) })
	}
	for _, change := range changes(want, got) {
		t.Error(change)
	}
	if t.Failed() {
		t.Log("if that is meant: go test ./tests/suite/whole -run TestCounts -update")
	}
}

var update = flag.Bool("update", false, "write testdata anew")

const giouiPrefix = "gioui/"

// addGioui adds the shaders of the renderer that use no images, where they can
// be fetched.
func addGioui(t *testing.T, modules map[string][]uint32) bool {
	dir, err := renderer.Fetch()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Logf("without gioui's shaders: %v", err)
		return false
	}
	files, err := renderer.Modules(dir)
	if err != nil {
		t.Fatal(err)
	}
	delete(files, "kernel4") // draws into storage images
	for name, file := range files {
		words, err := renderer.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		modules[giouiPrefix+name] = words
	}
	return true
}

// readCounts returns the lines of the committed figures.
func readCounts(t *testing.T) []string {
	f, err := os.Open(countsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// changes says line by line what differs. A line's first two words say what it
// is about.
func changes(want, got []string) []string {
	split := func(lines []string) map[string]string {
		m := map[string]string{}
		for _, line := range lines {
			words := strings.Fields(line)
			m[strings.Join(words[:min(2, len(words))], " SIMD")] = strings.Join(words[min(2, len(words)):], " ")
		}
		return m
	}
	w, g := split(want), split(got)
	var out []string
	for key, figures := range g {
		if old, ok := w[key]; !ok {
			out = append(out, fmt.Sprintf("%s: not in the file, compiles to %s", key, figures))
		} else if old != figures {
			out = append(out, fmt.Sprintf("%s: instructions, sends, spills, fills were %s, now %s", key, old, figures))
		}
	}
	for key := range w {
		if _, ok := g[key]; !ok {
			out = append(out, fmt.Sprintf("%s: in the file, but there is no such shader", key))
		}
	}
	slices.Sort(out)
	return out
}

// TestCountChanges holds that a figure that moved is seen.
func TestCountChanges(t *testing.T) {
	want := []string{"a 8 10 2 0 0", "b 8 11 2 0 0", "c 8 12 2 0 0"}
	got := []string{"a 8 10 2 0 0", "b 8 11 2 0 1", "d 8 refused"}
	out := changes(want, got)
	if len(out) != 3 || !strings.Contains(out[0], "b SIMD8") || !strings.Contains(out[1], "c SIMD8") || !strings.Contains(out[2], "d SIMD8") {
		t.Errorf("%q", out)
	}
}
