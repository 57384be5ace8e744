package piglit

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/suite/corpus"
)

const (
	prefix = "usr/lib/x86_64-linux-gnu/piglit/"
	listed = "exceptions.txt"
)

// tests runs n of piglit's tests (0: all) that compare something, and returns
// why the others did not pass; "" for those that did.
func tests(t *testing.T, n int) map[string]string {
	t.Helper()
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-val")
	c, err := corpus.NewCompiler(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := corpus.Named("piglit")
	dir, err := p.Fetch(t.Context())
	var gone *corpus.UnreachableError
	if errors.As(err, &gone) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	modules, _, err := corpus.Load(t.Context(), c, p, n)
	if err != nil {
		t.Fatal(err)
	}
	spv := map[string][]byte{}
	for _, m := range modules {
		spv[m.Name] = m.SPIRV
	}
	files := map[string]string{}
	if n == 0 {
		err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".shader_test") {
				return err
			}
			b, err := os.ReadFile(path)
			if err == nil && bytes.Contains(b, []byte("\n[compute shader")) && HasProbe(string(b)) {
				name, _ := filepath.Rel(filepath.Join(dir, prefix), path)
				files[filepath.ToSlash(name)] = string(b)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	} else {
		for _, m := range modules {
			b, err := os.ReadFile(filepath.Join(dir, prefix, m.Name))
			if err != nil {
				t.Fatal(err)
			}
			if HasProbe(string(b)) {
				files[m.Name] = string(b)
			}
		}
	}
	out := map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan bool, runtime.GOMAXPROCS(0))
	for name, test := range files {
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			why := "it does not compile for Vulkan"
			if spv[name] != nil {
				why = ""
				if err := Run(t.Context(), test, spv[name]); err != nil {
					why = err.Error()
				}
			}
			mu.Lock()
			out[name] = why
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

// exceptions are the tests that do not pass, with the reasons.
func exceptions(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(listed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, why, ok := strings.Cut(s.Text(), ": "); ok && !strings.HasPrefix(name, "#") {
			out[name] = why
		}
	}
	return out
}

// TestSample runs some tests, always the same.
func TestSample(t *testing.T) {
	known := exceptions(t)
	ran := 0
	for name, why := range tests(t, 150) {
		if why == "" {
			ran++
		} else if known[name] == "" {
			t.Errorf("%s: %s", name, why)
		}
	}
	if ran < 100 {
		t.Errorf("only %d tests passed", ran)
	}
}

// own is a test of the runner's own.
const own = `[require]
GLSL >= 4.30

[compute shader]
writeonly uniform image2D tex;
layout(local_size_x = 2) in;
uniform mat2x3 m; uniform float f[3]; uniform bvec2 b;
layout(binding = 3) buffer B { int data[]; };
layout(binding = 1, offset = 4) uniform atomic_uint count;
void main() {
	imageStore(tex, ivec2(gl_GlobalInvocationID.xy), vec4(m[1].z, f[2], float(b.y), 1.0));
	atomicCounterIncrement(count);
	data[gl_GlobalInvocationID.x] -= 7;
}

[test]
uniform int tex 0
texture rgbw 0 (4, 1) GL_RGBA8
image texture 0 GL_RGBA8
fb tex 2d 0
atomic counter buffer 1 2
atomic counter 1 1 5
ssbo 3 16
ssbo 3 subdata int 4 -1 9
uniform mat2x3 m 0 0 0 0 0 0.25
uniform float f[2] 0x3f000000
uniform ivec2 b 0 1
compute 1 1 1
probe rgba 1 0 0.25 0.5 1.0 1.0
probe rgb 2 0 1.0 1.0 1.0
probe ssbo int 3 4 == -8
probe ssbo int 3 8 >= 9
probe atomic counter buffer 1 1 == 7
`

// TestRunner: the runner passes its own test, and fails it if any expected value is
// changed.
func TestRunner(t *testing.T) {
	m, err := oracle.GLSLRelaxed(t, "comp", []byte(corpus.PiglitSource(own)))
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), own, m); err != nil {
		t.Error(err)
	}
	for _, c := range [][2]string{
		{"0.25 0.5 1.0", "0.25 0.5 0.9"}, {"probe rgb 2 0", "probe rgb 1 0"}, {"== -8", "== 8"}, {">= 9", ">= 10"}, {"1 1 == 7", "1 1 == 8"},
		{"0 0.25\n", "0.25 0\n"}, {"f[2] 0x", "f[1] 0x"}, {"b 0 1", "b 1 0"},
	} {
		bad := strings.Replace(own, c[0], c[1], 1)
		if bad == own {
			t.Fatalf("%q is not there", c[0])
		}
		if Run(t.Context(), bad, m) == nil {
			t.Errorf("passes with %q", c[1])
		}
	}
	var e *Unsupported
	if err := Run(t.Context(), own+"draw rect\n", m); !errors.As(err, &e) || e.Command != "draw" {
		t.Errorf("an unknown command gives %v", err)
	}
}

// TestAll runs all of them; `make piglit` asks for it. With UPDATE=1 in the
// environment it writes the list of exceptions anew.
func TestAll(t *testing.T) {
	if os.Getenv("JACQUARD_PIGLIT_ALL") == "" {
		t.Skip("make piglit runs it")
	}
	known := exceptions(t)
	var failed []string
	results := tests(t, 0)
	for name, why := range results {
		if why != "" {
			failed = append(failed, name)
		}
	}
	slices.SortFunc(failed, func(a, b string) int { return cmp.Or(cmp.Compare(results[a], results[b]), cmp.Compare(a, b)) })
	t.Logf("%d of %d tests pass", len(results)-len(failed), len(results))
	if os.Getenv("UPDATE") != "" {
		var b strings.Builder
		fmt.Fprintf(&b, "# The compute tests of piglit that compare something and do not pass, and why: %d of %d.\n", len(failed), len(results))
		for _, name := range failed {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.ReplaceAll(results[name], "\n", " "))
		}
		if err := os.WriteFile(listed, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, why := range results {
		if why != "" && known[name] == "" {
			t.Errorf("%s: %s", name, why)
		} else if why == "" && known[name] != "" {
			t.Errorf("%s passes, but is listed: %s", name, known[name])
		}
	}
}
