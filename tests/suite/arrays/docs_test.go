// SPDX-License-Identifier: MIT

package arrays

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/tests/support/command"
)

// block returns the block of docs/at-scale.md after a mark.
func block(t *testing.T, mark string) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/at-scale.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "<!-- "+mark+" -->\n```")
	_, rest, ok2 := strings.Cut(rest, "\n")
	code, _, ok3 := strings.Cut(rest, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("docs/at-scale.md has no block after the mark %s", mark)
	}
	return code
}

// TestDocumentedPods runs the command of the Kubernetes job in docs/at-scale.md for all of its indices, and merges.
func TestDocumentedPods(t *testing.T) {
	bin := command.Build(t)
	yaml := block(t, "kubernetes")
	_, list, _ := strings.Cut(yaml, "args: ")
	list = list[:strings.Index(list, "]")+1]
	var args []string
	if err := json.Unmarshal([]byte(list), &args); err != nil {
		t.Fatalf("%v\n%s", err, list)
	}
	const pods = 5
	for _, text := range []string{"completions: 100\n", "completionMode: Indexed\n", `"--shards", "100"`} {
		if !strings.Contains(yaml, text) {
			t.Errorf("no %q in\n%s", text, yaml)
		}
	}
	dir := t.TempDir()
	corpus := filepath.Join(dir, "corpus")
	if err := os.CopyFS(corpus, os.DirFS(shaders)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "results"), 0o777); err != nil {
		t.Fatal(err)
	}
	merge := []string{"merge", "--json", filepath.Join(dir, "merged.json")}
	for i := range pods {
		var own []string
		for _, arg := range args {
			if arg == "100" {
				arg = fmt.Sprint(pods)
			}
			arg = strings.ReplaceAll(strings.ReplaceAll(arg, "$(JOB_COMPLETION_INDEX)", fmt.Sprint(i)), "/data", dir)
			own = append(own, arg)
		}
		said := run(t, []string{fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i)}, bin, own...)
		if want := fmt.Sprintf("shard %d/%d, from JOB_COMPLETION_INDEX=%d\n", i+1, pods, i); !strings.Contains(said, want) {
			t.Errorf("pod %d writes %s", i, said)
		}
		merge = append(merge, filepath.Join(dir, "results", fmt.Sprintf("%d.json", i)))
	}
	run(t, nil, bin, merge...)
	run(t, nil, bin, "stats", corpus, "--reproducible", "--json", filepath.Join(dir, "whole.json"))
	merged, err1 := os.ReadFile(filepath.Join(dir, "merged.json"))
	whole, err2 := os.ReadFile(filepath.Join(dir, "whole.json"))
	if err1 != nil || err2 != nil || !bytes.Equal(merged, whole) || len(whole) == 0 {
		t.Errorf("merged %d bytes, %v, of one run %d bytes, %v", len(merged), err1, len(whole), err2)
	}
}
