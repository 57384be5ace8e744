// SPDX-License-Identifier: MIT

package shard_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/shard"
)

// TestVariables: the parts of tasks by the variables that schedulers set, and the errors about unusable ones.
func TestVariables(t *testing.T) {
	for _, c := range []struct {
		set    string
		shards int
		want   string // the part and the variables used, or a part of the error
	}{
		{"", 0, "1/1 "},
		{"SLURM_JOB_ID=7", 0, "1/1 "},
		{"", 4, "--shards 4 needs the number of the shard: --shard I/4"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_STEP=1", 0,
			"3/8 SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_MAX=8"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8", 0, "1/8 SLURM_ARRAY_TASK_ID=0 "},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8", 0, "8/8 "},
		{"SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=16 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_STEP=2", 0, "3/4 "},
		{"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8", 0, "are not a range with a step"},
		{"SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=1", 0,
			"are not a range with a step"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_STEP=2", 0, "are not a range with a step"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=0", 0, "SLURM_ARRAY_TASK_COUNT is not: --shards N"},
		{"SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8", 0, `SLURM_ARRAY_TASK_ID is not a number: "x"`},
		{"SLURM_ARRAY_TASK_ID=-1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=8", 0, "is not a number"},
		// Part of an array is submitted again: only --shards tells which part of the files its tasks have.
		{"SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=2", 8, "6/8 SLURM_ARRAY_TASK_MAX=7 "},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MAX=8", 8, "tasks are numbered from 0 to 7, but there is a task 8"},
		{"SLURM_ARRAY_TASK_ID=8", 8, "there is a task 8"},
		{"JOB_COMPLETION_INDEX=0", 8, "1/8 JOB_COMPLETION_INDEX=0"},
		{"JOB_COMPLETION_INDEX=7", 8, "8/8 JOB_COMPLETION_INDEX=7"},
		{"JOB_COMPLETION_INDEX=8", 8, "there is a task 8; --shard I/N overrides"},
		{"JOB_COMPLETION_INDEX=2", 0, "--shards N is missing"},
		{"JOB_COMPLETION_INDEX=2 SLURM_ARRAY_TASK_ID=1", 8, "both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set"},
	} {
		set := map[string]string{}
		for _, x := range strings.Fields(c.set) {
			name, value, _ := strings.Cut(x, "=")
			set[name] = value
		}
		part, how, err := shard.Variables(func(name string) string { return set[name] }, c.shards)
		got := fmt.Sprintf("%v %s", part, how)
		if err != nil {
			if got = err.Error(); !strings.Contains(got, c.want) {
				t.Errorf("%s, --shards %d: %s", c.set, c.shards, got)
			}
		} else if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, --shards %d: %s", c.set, c.shards, got)
		}
	}
}

// TestParts: every text is in one part, the parts are of similar size even if texts differ only in their last byte, and
// the hash is the same on every machine and in every version.
func TestParts(t *testing.T) {
	const parts, texts = 8, 8000
	sizes := map[int]int{}
	for i := range texts {
		h, in := shard.Hash(fmt.Appendf(nil, "%d", i)), 0
		for k := 1; k <= parts; k++ {
			if (shard.Part{Index: k, Of: parts}).Has(h) {
				sizes[k]++
				in++
			}
		}
		if in != 1 {
			t.Fatalf("text %d is in %d parts", i, in)
		}
	}
	for k, n := range sizes {
		if n < texts/parts*8/10 || n > texts/parts*12/10 {
			t.Errorf("part %d has %d of %d texts", k, n, texts)
		}
	}
	if h := shard.Hash([]byte("saxpy")); h != 0xfbe3974fd0fb7eb9 {
		t.Errorf("hash %#x", h)
	}
	for text, want := range map[string]string{"3/8": "3/8", "8/8": "8/8", "9/8": "", "0/8": "", "1": "", "1/0": "", "a/b": "", "1/2/3": ""} {
		if p, ok := shard.Parse(text); ok != (want != "") || ok && p.String() != want {
			t.Errorf("%s: %v %v", text, p, ok)
		}
	}
}
