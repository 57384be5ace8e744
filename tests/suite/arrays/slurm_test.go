// SPDX-License-Identifier: MIT

package arrays

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/command"
)

// cluster is a Slurm of one node on loopback.
type cluster struct {
	t    *testing.T
	dir  string
	conf string
}

// startSlurm starts munge and Slurm with all of their files in one folder, and waits until the node is ready. They end with
// the test.
func startSlurm(t *testing.T) *cluster {
	for _, tool := range []string{"sbatch", "scontrol", "sinfo", "squeue"} {
		oracle.Need(t, tool)
	}
	munged, slurmctld, slurmd := oracle.Need(t, "munged"), oracle.Need(t, "slurmctld"), oracle.Need(t, "slurmd")
	dir, err := os.MkdirTemp("", "slurm") // t.TempDir is too long for the name of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	own, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/slurm.conf")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t, dir, filepath.Join(dir, "slurm.conf")}
	words := strings.NewReplacer("DIR", dir, "HOST", host, "USER", own.Username, "PORT1", freePort(t), "PORT2", freePort(t))
	conf := words.Replace(string(text))
	key := make([]byte, 1024)
	rand.Read(key)
	// With the plugin for the first version of cgroups, slurmd also starts where none are mounted: nothing here uses them.
	cgroup := []byte("CgroupPlugin=cgroup/v1\n")
	for name, data := range map[string][]byte{"slurm.conf": []byte(conf), "cgroup.conf": cgroup, "munge.key": key} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	c.daemon(munged, "--foreground", "--force", "--key-file="+dir+"/munge.key", "--socket="+dir+"/munge.sock",
		"--log-file="+dir+"/munged.log", "--pid-file="+dir+"/munged.pid", "--seed-file="+dir+"/munge.seed")
	c.until("munge listens", func() bool { _, err := os.Stat(dir + "/munge.sock"); return err == nil })
	c.daemon(slurmctld, "-D", "-f", c.conf)
	c.daemon(slurmd, "-D", "-f", c.conf, "-N", host)
	c.until("the node is idle", func() bool {
		out, _ := c.try("sinfo", "-h", "-o", "%T")
		return strings.TrimSpace(out) == "idle"
	})
	return c
}

// freePort returns a port of loopback that nothing listens on.
func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// daemon starts a program that is killed at the end of the test. Its output is shown if the test fails.
func (c *cluster) daemon(program string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(program, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.conf)
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		late := time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		defer late.Stop()
		cmd.Wait()
		if c.t.Failed() {
			c.t.Logf("%s:\n%s", filepath.Base(program), last(out.String(), 4000))
		}
	})
}

func last(s string, n int) string { return s[max(0, len(s)-n):] }

// try runs a program of Slurm.
func (c *cluster) try(program string, args ...string) (string, error) {
	cmd := exec.CommandContext(c.t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.conf)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c *cluster) run(program string, args ...string) string {
	c.t.Helper()
	out, err := c.try(program, args...)
	if err != nil {
		c.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return out
}

// until waits for a condition.
func (c *cluster) until(what string, holds func() bool) {
	c.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			queue, _ := c.try("squeue", "-t", "all")
			c.t.Fatalf("after two minutes, it does not hold that %s\n%s", what, queue)
		}
	}
}

// completed waits until all tasks of an array have completed.
func (c *cluster) completed(job string, tasks int) {
	c.t.Helper()
	c.until("all tasks have completed", func() bool {
		out := c.run("squeue", "-h", "-t", "all", "-r", "-j", job, "-o", "%T")
		if strings.Contains(out, "FAILED") {
			c.t.Fatal("a task has failed")
		}
		return strings.Count(out, "COMPLETED") == tasks
	})
}

// victim is the task that is killed. The wrapper below stops its first run in the middle, so that it is certain to be killed
// there.
const victim = "1"

// wrapper takes the place of jacquard: it runs $REAL.
const wrapper = `#!/bin/sh
if [ "$SLURM_ARRAY_TASK_ID" != ` + victim + ` ] || [ "${SLURM_RESTART_COUNT:-0}" != 0 ] || [ -e again ]; then
	exec "$REAL" "$@"
fi
"$REAL" "$@" &
pid=$!
until [ "$(cat results/.` + victim + `.json.* 2>/dev/null | wc -l)" -ge 5 ]; do :; done
kill -STOP $pid
touch stopped
wait $pid
`

// TestSlurm runs the script of docs/at-scale.md as an array of a real Slurm, kills and requeues a task in the middle of its
// work, merges the shards, and compares the result with that of one run without shards.
func TestSlurm(t *testing.T) {
	if os.Getenv("JACQUARD_E2E") == "" {
		t.Skip("make e2e runs an array job of a real Slurm")
	}
	const tasks = 3
	bin := command.Build(t)
	c := startSlurm(t)
	work := filepath.Join(c.dir, "work")
	abs, err := filepath.Abs(shaders)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"bin/jacquard": wrapper, "array.sh": block(t, "slurm"), "results/.keep": ""} {
		name = filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(work, "corpus"), os.DirFS(abs)); err != nil {
		t.Fatal(err)
	}
	submit := func() string {
		out := c.run("sbatch", "--parsable", "--chdir="+work, "--array=0-"+fmt.Sprint(tasks-1), "--output="+work+"/log-%a",
			"--export=ALL,REAL="+bin+",PATH="+filepath.Join(work, "bin")+":"+os.Getenv("PATH"), filepath.Join(work, "array.sh"))
		return strings.TrimSpace(out)
	}
	job := submit()
	task := job + "_" + victim
	c.until("the task is stopped", func() bool { _, err := os.Stat(filepath.Join(work, "stopped")); return err == nil })
	c.run("scontrol", "requeue", task)
	c.until("the task starts again", func() bool {
		c.try("scontrol", "update", "jobid="+task, "starttime=now") // it would wait two minutes
		out := c.run("scontrol", "show", "job", task)
		return strings.Contains(out, "Restarts=1") && !strings.Contains(out, "JobState=PENDING") && !strings.Contains(out, "COMPLETING")
	})
	c.completed(job, tasks)

	// The array is submitted again: everything is complete.
	if err := os.WriteFile(filepath.Join(work, "again"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c.completed(submit(), tasks)
	var files []string
	for i := range tasks {
		log, err := os.ReadFile(filepath.Join(work, fmt.Sprintf("log-%d", i)))
		if err != nil {
			t.Fatal(err)
		}
		said := string(log)
		from := fmt.Sprintf("jacquard stats: shard %d/%d, from SLURM_ARRAY_TASK_ID=%d SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=%d",
			i+1, tasks, i, tasks)
		resumed := strings.Contains(said, "had been compiled before")
		if !strings.Contains(said, from) || !strings.Contains(said, "is complete already") || resumed != (fmt.Sprint(i) == victim) {
			t.Errorf("task %d writes\n%s", i, said)
		}
		files = append(files, fmt.Sprintf("results/%d.json", i))
	}
	for _, args := range [][]string{
		append([]string{"merge", "--json", "merged.json"}, files...),
		{"stats", "corpus", "--reproducible", "--json", "whole.json"},
	} {
		cmd := exec.Command(bin, args...)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	merged, err1 := os.ReadFile(filepath.Join(work, "merged.json"))
	whole, err2 := os.ReadFile(filepath.Join(work, "whole.json"))
	if err1 != nil || err2 != nil || !bytes.Equal(merged, whole) || bytes.Count(whole, []byte("\n")) < 100 {
		t.Errorf("merged %d bytes, %v, of one run %d bytes, %v", len(merged), err1, len(whole), err2)
	}
}
