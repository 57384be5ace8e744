// SPDX-License-Identifier: MIT

package limits

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"jacquard.example/tests/support/command"
	"jacquard.example/tests/support/pace"
)

// TestLargeInputs runs the command on large inputs and reports its memory and CPU time: at most 2 GiB and 15 seconds (on an
// idle processor). make limits uses inputs of about 20 MB, other runs a sixteenth of that.
func TestLargeInputs(t *testing.T) {
	bin := command.Build(t)
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			data := in.make(in.size())
			file := filepath.Join(t.TempDir(), "in"+in.ext)
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
			// The shell bounds the memory that a regression can take.
			cmd := exec.Command("sh", append([]string{"-c", "ulimit -v 12000000; exec \"$@\"", "sh", bin}, append(strings.Fields(in.args), file)...)...)
			cmd.Env = append(os.Environ(), "GOGC=100") // as users run it
			var errs strings.Builder
			cmd.Stderr = &errs
			scale := pace.Scale()
			start := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
			cmd.Wait()
			timer.Stop()
			state := cmd.ProcessState
			took := time.Since(start)
			limit := time.Duration(15 * float64(time.Second) * max(scale, pace.Scale()))
			peak := float64(state.SysUsage().(*syscall.Rusage).Maxrss) / (1 << 20)
			cpu := state.UserTime() + state.SystemTime()
			msg := strings.ReplaceAll(errs.String(), file, "FILE")
			t.Logf("%-34s %5.1f MB %5.1f s of CPU %5.1f s %5.2f GiB  status %d %s", in.name, float64(len(data))/1e6,
				cpu.Seconds(), took.Seconds(), peak, state.ExitCode(), strings.TrimSpace(msg[:min(len(msg), 200)]))
			one(t, in.size(), state.ExitCode(), errs.String())
			if cpu > limit || peak > 2 {
				t.Errorf("%v and %.2f GiB; the limits are %v and 2 GiB", cpu, peak, limit)
			}
		})
	}
}
