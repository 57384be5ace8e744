// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	grace = 5 * time.Second // for children of a stopped command to end
	short = "60s"           // for tests that a mutant makes hang
	long  = "540s"          // for others
	part  = 20              // lines of output shown for a failure

	whole = "JACQUARD_SOAK=1/1" // tests run all of their cases (tests/support/sample)
)

// verdict is the outcome of a mutant.
type verdict uint8

const (
	found verdict = iota
	survived
	broken // it does not compile, its row does not apply, or the test fails otherwise
)

func (v verdict) String() string { return [...]string{"found", "SURVIVED", "BROKEN"}[v] }

// result is a verdict with its reason.
type result struct {
	verdict
	why string
}

// try builds a mutant and runs its test.
func try(ctx context.Context, root string, r *row) result {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return result{broken, err.Error()}
	}
	defer os.RemoveAll(dir)
	file, err := build(ctx, root, dir, r)
	var no refusal
	switch {
	case errors.As(err, &no) && r.Refused != "" && strings.Contains(string(no), r.Refused):
		return result{found, "generation: " + line(string(no), r.Refused)}
	case errors.As(err, &no) && r.Refused == "" && r.test() == "":
		return result{found, "generation: " + line(string(no), "")}
	case err != nil:
		return result{broken, err.Error()}
	case r.Refused != "":
		return result{survived, "generation takes it"}
	}
	if strings.HasSuffix(r.File, ".go") {
		if text, err := command(ctx, root, "go", "build", "-overlay", file, "-o", os.DevNull,
			"./"+path.Dir(r.File)).CombinedOutput(); err != nil {
			return result{broken, "does not compile: " + cut(string(text))}
		}
	}
	t := &tests{}
	err = t.run(ctx, root, file, r)
	if ctx.Err() != nil {
		return result{broken, ctx.Err().Error()}
	}
	return t.judge(r, err)
}

// tests collects go test's report on the tests that it ran.
type tests struct {
	state  map[string]string // by name: run, pass, fail or skip
	failed []string
	said   bytes.Buffer
	unmade bool
}

// run runs the tests of a row with an overlay. The go command reads its flags
// from the environment too: tests that call it see the mutant as well.
func (t *tests) run(ctx context.Context, root, overlay string, r *row) error {
	limit := long
	if r.Hangs {
		limit = short
	}
	args := []string{"test", "-json", "-vet=off", "-count=1", "-timeout", limit}
	if name := r.test(); name != "" {
		args = append(args, "-run", pattern(name))
	}
	c := command(ctx, root, "go", append(args, "./"+r.pkg())...)
	if r.Soak {
		c.Env = append(c.Env, whole)
	}
	c.Env = append(c.Env, strings.TrimSpace("GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay))
	out, err := c.Output()
	t.read(out)
	return err
}

// pattern matches one test, or one subtest.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// read reads the events of go test -json.
func (t *tests) read(out []byte) {
	t.state = map[string]string{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var e struct{ Action, Test, Output string }
		if dec.Decode(&e) != nil {
			return
		}
		switch e.Action {
		case "build-fail":
			t.unmade = true
		case "output", "build-output":
			t.said.WriteString(e.Output)
		case "run", "pass", "fail", "skip":
			if e.Test != "" {
				t.state[e.Test] = e.Action
			}
			if e.Action == "fail" && e.Test != "" {
				t.failed = append(t.failed, e.Test)
			}
		}
	}
}

// judge returns the verdict on a row's tests. A test that was running when the process died has failed, unless the time
// was up.
func (t *tests) judge(r *row, err error) result {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return result{broken, err.Error()}
	}
	name := r.test()
	late := strings.Contains(t.said.String(), "panic: test timed out after")
	switch {
	case t.unmade:
		return result{broken, "does not compile: " + cut(t.said.String())}
	case name == "" && err != nil:
		slices.Sort(t.failed)
		return result{found, strings.Join(t.failed, " ") + map[bool]string{true: " (time is up)"}[late]}
	case name == "":
		return result{survived, "all tests of " + r.pkg() + " pass"}
	case late && r.Hangs:
		return result{found, r.By + " does not end"}
	case late:
		return result{broken, r.By + " does not end"}
	case t.state[name] == "fail", t.state[name] == "run" && err != nil:
		return result{found, r.By}
	case t.state[name] == "":
		return result{broken, "there is no test " + r.By}
	case t.state[name] == "skip":
		return result{broken, r.By + " is skipped"}
	case err != nil:
		return result{broken, "fails outside of " + r.By + ": " + cut(t.said.String())}
	}
	return result{survived, r.By + " passes"}
}

// sound runs the tests of all rows without a mutant, each package once, and returns an error that lists the tests
// that do not pass.
func sound(ctx context.Context, root string, list []*row) error {
	names := map[string][]string{} // by package, or package and variable
	of := func(r *row) string {
		if r.Soak {
			return r.pkg() + " " + whole
		}
		return r.pkg()
	}
	for _, r := range list {
		if p := pattern(r.test()); r.test() != "" && !slices.Contains(names[of(r)], p) {
			names[of(r)] = append(names[of(r)], p)
		}
	}
	var bad []string
	for _, key := range slices.Sorted(maps.Keys(names)) {
		pkg, env, _ := strings.Cut(key, " ")
		c := command(ctx, root, "go", "test", "-json", "-vet=off", "-timeout", long, "-run", strings.Join(names[key], "|"), "./"+pkg)
		if env != "" {
			c.Env = append(c.Env, env)
		}
		out, err := c.Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			return err
		}
		t := &tests{}
		t.read(out)
		for _, r := range list {
			if s := t.state[r.test()]; of(r) == key && r.test() != "" && s != "pass" {
				bad = append(bad, fmt.Sprintf("%s: %s: %q without a mutant", r.name, r.By, s))
			}
		}
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "\n"))
	}
	return nil
}

// line returns the first line of a text that has a part, or "".
func line(text, part string) string {
	for l := range strings.Lines(text) {
		if strings.Contains(l, part) {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

// cut returns the first lines of a text.
func cut(text string) string {
	lines := strings.SplitAfterN(text, "\n", part+1)
	return strings.TrimSpace(strings.Join(lines[:min(part, len(lines))], ""))
}
