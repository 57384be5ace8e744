// SPDX-License-Identifier: MIT

package arrays

import (
	"bytes"
	"fmt"
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

// shaders is the corpus.
const shaders = "../../shaders"

// start starts the command with variables in place of those of the environment that schedulers set.
func start(t *testing.T, errs *bytes.Buffer, variables []string, bin string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(bin, args...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "SLURM_") && !strings.HasPrefix(v, "JOB_COMPLETION_INDEX=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, variables...)
	cmd.Stderr = errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// run runs the command, which must succeed, and returns what it wrote to standard error.
func run(t *testing.T, variables []string, bin string, args ...string) string {
	t.Helper()
	var errs bytes.Buffer
	if err := start(t, &errs, variables, bin, args...).Wait(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, errs.String())
	}
	return errs.String()
}

// TestKilled kills tasks of array jobs at 20 random moments, most of them without a chance to react, starts each again until
// it is complete, and merges: the result is that of a run without shards, and no other file is left. Tasks go on where they
// were killed, and leave a complete shard alone.
func TestKilled(t *testing.T) {
	const kills, shards = 20, 3
	bin := command.Build(t)
	dir := t.TempDir()
	whole, merged := filepath.Join(dir, "whole.json"), filepath.Join(dir, "merged.json")
	common := []string{"stats", shaders, "--reproducible", "--jobs", "1"}
	begun := time.Now()
	run(t, nil, bin, append(common, "--json", whole)...)
	time1 := time.Since(begun) / shards
	want, err := os.ReadFile(whole)
	if err != nil || bytes.Count(want, []byte("\n")) < 100 {
		t.Fatal(len(want), err)
	}
	rng := rand.New(rand.NewPCG(38, 2))
	killed, resumed := 0, 0
	for round := 0; killed < kills; round++ {
		if round == 3*kills {
			t.Fatalf("only %d runs were killed in %d rounds", killed, round)
		}
		results := filepath.Join(dir, fmt.Sprintf("results%d", round))
		if err := os.Mkdir(results, 0o777); err != nil {
			t.Fatal(err)
		}
		var files []string
		for i := range shards {
			out := filepath.Join(results, fmt.Sprintf("%d.json", i))
			args, variables := append(common, "--json", out), []string{
				fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i+7), "SLURM_ARRAY_TASK_MIN=7", fmt.Sprintf("SLURM_ARRAY_TASK_COUNT=%d", shards)}
			if round%2 != 0 {
				args, variables = append(args, "--shards", fmt.Sprint(shards)), []string{fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i)}
			}
			files = append(files, out)
			for attempt := 0; ; attempt++ {
				var errs bytes.Buffer
				cmd := start(t, &errs, variables, bin, args...)
				if attempt < 4 && killed < kills {
					time.Sleep(time.Duration(rng.Float64() * float64(time1)))
					signal := syscall.SIGKILL
					if rng.IntN(4) == 0 {
						signal = syscall.SIGTERM
					}
					cmd.Process.Signal(signal) // an error: it has ended
				}
				err := cmd.Wait()
				if strings.Contains(errs.String(), "had been compiled before") {
					resumed++
				}
				if err == nil {
					break
				}
				if _, there := os.Stat(out); there == nil {
					break // stopped between giving the file its name and its end: the checks below want the file complete
				}
				if killed++; attempt > 4 {
					t.Fatalf("%v: %v\n%s", args, err, errs.String())
				}
			}
			info, err := os.Stat(out)
			if err != nil {
				t.Fatal(err)
			}
			if said := run(t, variables, bin, args...); !strings.Contains(said, out+" is complete already") {
				t.Errorf("a complete shard is not left alone: %s", said)
			}
			if again, err := os.Stat(out); err != nil || !os.SameFile(info, again) {
				t.Errorf("a complete shard is written again: %v", err)
			}
		}
		run(t, nil, bin, append([]string{"merge", "--json", merged}, files...)...)
		got, err := os.ReadFile(merged)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("round %d: the merged file differs: %d bytes, not %d: %v", round, len(got), len(want), err)
		}
		if left, err := os.ReadDir(results); err != nil || len(left) != shards {
			t.Errorf("%d files are left in round %d: %v", len(left), round, left)
		}
	}
	if resumed < kills/4 {
		t.Errorf("only %d tasks went on where they had been killed", resumed)
	}
	t.Logf("%d killed, %d resumed", killed, resumed)
}
