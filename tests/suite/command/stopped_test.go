// SPDX-License-Identifier: MIT

package command

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"jacquard.example/tests/support/command"
)

// moments is the number of moments at which TestStatsStopped stops the command.
const moments = 20

// TestStatsStopped stops jacquard stats at random moments of a run: its file is complete, missing, or the file that was
// there before, and no other file is left beside it.
func TestStatsStopped(t *testing.T) {
	bin := command.Build(t)
	shaders, err := filepath.Glob("../../shaders/*.spv")
	if err != nil || len(shaders) < 50 {
		t.Fatal(len(shaders), err)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "stats.json")
	start := func() *exec.Cmd {
		cmd := exec.Command(bin, append([]string{"stats", "--jobs", "1", "--json", out}, shaders...)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	begun := time.Now()
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begun)
	rng := rand.New(rand.NewPCG(1, 2))
	stopped := 0
	const before = "an older file\n"
	for i := range moments {
		err := os.Remove(out)
		if i%2 == 0 {
			err = os.WriteFile(out, []byte(before), 0o666)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		cmd := start()
		time.Sleep(time.Duration(rng.Float64() * float64(whole)))
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			stopped++
		}
		switch data, err := os.ReadFile(out); {
		case errors.Is(err, fs.ErrNotExist) && i%2 != 0:
		case err != nil:
			t.Fatal(err)
		case i%2 == 0 && string(data) == before:
		case strings.Count(string(data), "\n") != len(shaders):
			t.Errorf("a file with %d of %d lines", strings.Count(string(data), "\n"), len(shaders))
		}
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range left {
			if f.Name() != filepath.Base(out) {
				t.Errorf("%s is left", f.Name())
				os.Remove(filepath.Join(dir, f.Name()))
			}
		}
	}
	if stopped == 0 {
		t.Error("no run was stopped")
	}
}
