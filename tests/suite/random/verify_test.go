// SPDX-License-Identifier: MIT

package random

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/command"
	"jacquard.example/tests/support/randprog"
)

// open lists seeds of programs that once failed because the specification leaves their results undefined: 16-bit
// denormals that are kept, a zero whose sign takes two choices at once, and an index that is out of bounds in a second
// workgroup.
var open = []uint64{2270, 18584, 8558}

// TestVerifyRun executes programs after every pass: jacquard opt --verify=run finds the pass that changes a program's
// results. VERIFY="20000 1" runs 20000 programs, starting at seed 1 (make verify).
func TestVerifyRun(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-val")
	list := slices.Clone(open)
	for seed := range uint64(16) {
		list = append(list, 1+seed)
	}
	if text := os.Getenv("VERIFY"); text != "" {
		var n, first uint64
		if _, err := fmt.Sscan(text, &n, &first); err != nil {
			t.Fatal(err)
		}
		list = list[:0]
		for seed := range n {
			list = append(list, first+seed)
		}
	}
	jacquard := command.Build(t)
	var clean, leftOut atomic.Int64
	gate := make(chan struct{}, runtime.GOMAXPROCS(0))
	t.Run("seeds", func(t *testing.T) {
		for _, seed := range list {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				gate <- struct{}{}
				defer func() { <-gate }()
				switch err := verify(t, jacquard, randprog.Generate(seed)); {
				case errors.Is(err, ErrLeftOut):
					leftOut.Add(1)
				case err != nil:
					t.Error(err)
				default:
					clean.Add(1)
				}
			})
		}
	})
	t.Logf("%d programs are clean, %d left out", clean.Load(), leftOut.Load())
	if clean.Load() < int64(len(list))*9/10 {
		t.Errorf("only %d of %d programs ran", clean.Load(), len(list))
	}
}

// verify runs a program after every pass.
func verify(t *testing.T, jacquard string, p *randprog.Program) error {
	r := &run{t: t, p: p}
	if err := r.compile(); err != nil {
		return err
	}
	file := filepath.Join(t.TempDir(), "program.spv")
	if err := os.WriteFile(file, r.module, 0o666); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(t.Context(), deadline)
	defer stop()
	out, err := exec.CommandContext(ctx, jacquard, "opt", "--verify=run", "-o", os.DevNull, file).CombinedOutput()
	if err != nil && len(p.Passes) > 0 && strings.Contains(string(out), "needs a shader with buffers") {
		return fmt.Errorf("%w: spirv-opt removes all that the program does", ErrLeftOut)
	}
	if err != nil {
		return fmt.Errorf("%v: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}
