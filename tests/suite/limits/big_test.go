package limits

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestBig runs the command on inputs of some 20 MB and reports what they take, for
// make limits: none more than 15 seconds of processor time or 2 GiB.
func TestBig(t *testing.T) {
	if os.Getenv("JACQUARD_LIMITS") == "" {
		t.Skip("make limits runs it")
	}
	bin := filepath.Join(t.TempDir(), "jacquard")
	build := exec.Command("go", "build", "-o", bin, "./cmd/jacquard")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			data := in.make(in.big)
			file := filepath.Join(t.TempDir(), "in"+in.ext)
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
			// The shell bounds what a regression may do to the machine.
			cmd := exec.Command("sh", append([]string{"-c", "ulimit -v 12000000; exec \"$@\"", "sh", bin}, append(strings.Fields(in.args), file)...)...)
			var errs strings.Builder
			cmd.Stderr = &errs
			start := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
			cmd.Wait()
			timer.Stop()
			state := cmd.ProcessState
			peak := float64(state.SysUsage().(*syscall.Rusage).Maxrss) / (1 << 20)
			cpu := state.UserTime() + state.SystemTime()
			msg := strings.ReplaceAll(errs.String(), file, "FILE")
			fmt.Printf("%-34s %5.1f MB %5.1f s of CPU %5.1f s %5.2f GiB  status %d %s\n", in.name, float64(len(data))/1e6,
				cpu.Seconds(), time.Since(start).Seconds(), peak, state.ExitCode(), strings.TrimSpace(msg[:min(len(msg), 200)]))
			one(t, in.big, state.ExitCode(), errs.String())
			if cpu > 15*time.Second || peak > 2 {
				t.Errorf("%v and %.2f GiB", cpu, peak)
			}
		})
	}
}
