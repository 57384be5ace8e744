// SPDX-License-Identifier: MIT

package shard_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/shard"
)

// line returns a record of a file.
func line(file string) string { return fmt.Sprintf("{\"file\":%q,\"target\":\"tgl\"}\n", file) }

// written writes a shard: one line for each of the files, which may be repeated, and the last line.
func written(t *testing.T, dir string, end shard.Summary, files string) string {
	t.Helper()
	text, seen := "", map[string]bool{}
	for _, f := range strings.Fields(files) {
		text += line(f)
		seen[f] = true
		end.Lines++
	}
	end.Files += len(seen)
	last, err := json.Marshal(shard.End{Shard: end})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, fmt.Sprintf("%d.json", end.Index))
	if err := os.WriteFile(name, append([]byte(text), append(last, '\n')...), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestMerge: lines come in the order of files, and those of a file in their own order; shards whose lines contradict their
// last lines or each other are refused.
func TestMerge(t *testing.T) {
	long := strings.Repeat("x", 200_000) // longer than what is read at once
	for _, c := range []struct {
		a, b      string
		all       int
		extra     int // added to the number of files in the last line of a
		want, err string
	}{
		{"a c c f", "b d d e g", 7, 0, "a b c c d d e f g", ""},
		{"a b", "", 2, 0, "a b", ""},
		{"", "", 0, 0, "", ""},
		{"a " + long, "b y", 4, 0, "a b " + long + " y", ""},
		{"a c", "b c", 4, 0, "", "1.json: error: the file c is in "},
		{"a", "a", 2, 0, "", "1.json: error: the file a is in "},
		{"b a", "c", 3, 0, "", "1.json:2:1: error: the files are not in order"},
		{"a b", "c", 4, 0, "", "the shards have 3 of 4 files"},
		{"a b", "c", 4, 1, "", "1.json: error: it has 2 lines of 2 files, but its last line tells of 2 and 3"},
	} {
		dir := t.TempDir()
		end := shard.Summary{Of: 2, AllFiles: c.all, Run: "r", Listing: "l"}
		end.Index, end.Files = 1, c.extra
		a := written(t, dir, end, c.a)
		end.Index, end.Files = 2, 0
		b := written(t, dir, end, c.b)
		want := ""
		for _, f := range strings.Fields(c.want) {
			want += line(f)
		}
		var out strings.Builder
		n, err := shard.Merge(t.Context(), &out, []string{b, a})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%.20s | %.20s: %v, want %s", c.a, c.b, err, c.err)
			}
		case err != nil || out.String() != want || n != strings.Count(want, "\n"):
			t.Errorf("%.20s | %.20s: %d lines, %v\n%.200s", c.a, c.b, n, err, out.String())
		}
	}
}

// TestMissing: the error names all shards that are missing.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	var have []string
	for _, i := range []int{2, 5, 6, 9} {
		have = append(have, written(t, dir, shard.Summary{Index: i, Of: 12}, ""))
	}
	_, err := shard.Merge(t.Context(), new(strings.Builder), have)
	if err == nil || !strings.Contains(err.Error(), "of 12 shards, these are missing: 1, 3-4, 7-8, 10-12") {
		t.Error(err)
	}
	for index, want := range map[int]string{3: fmt.Sprint("1-2, 4-", math.MaxInt), math.MaxInt: fmt.Sprint("1-", math.MaxInt-1)} {
		only := written(t, dir, shard.Summary{Index: index, Of: math.MaxInt}, "")
		_, err := shard.Merge(t.Context(), new(strings.Builder), []string{only})
		if err == nil || !strings.HasSuffix(err.Error(), "these are missing: "+want) {
			t.Error(err)
		}
	}
}

// TestReadEnd: a file without the whole last line of a shard is not a complete shard.
func TestReadEnd(t *testing.T) {
	dir := t.TempDir()
	name := written(t, dir, shard.Summary{Index: 2, Of: 3, Run: "r"}, "a b")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		if err := os.WriteFile(name, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		end, ok, err := shard.ReadEnd(name)
		if ok != (n == len(whole)) || err != nil {
			t.Errorf("%d of %d bytes: %v, %v", n, len(whole), ok, err)
		}
		if ok && (end.Index != 2 || end.Lines != 2 || !end.Same(&end)) {
			t.Errorf("%+v", end)
		}
	}
	unknown := shard.Summary{Index: 1, Of: 2}
	if unknown.Same(&unknown) {
		t.Error("shards of unknown builds are the same")
	}
}

// TestFormer: records are found by key, errors only for the file that they name; damaged lines are skipped only in a partial
// file.
func TestFormer(t *testing.T) {
	key := func(c string) string { return strings.Repeat(c, 64) }
	rec := func(file, key, failed string) string {
		return fmt.Sprintf(`{"file":%q,"key":%q,"version":1,"target":"tgl","error":%s}`+"\n", file, key, failed)
	}
	name := filepath.Join(t.TempDir(), "old.json")
	save := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	good := rec("a", key("a"), "null") + "\n" + rec("b", key("b"), `"b: wrong"`) + rec("c", "", "null") + rec("d", key("a"), "null")
	save(good + `{"shard":{"index":1,"of":2}}` + "\n" + "\x00\x00\n" + rec("e", key("e"), "null") + rec("f", key("f"), "null")[:90])
	var r shard.Former
	if err := r.Open(name, false); err == nil || !strings.Contains(err.Error(), "old.json:7:1: error: not a line of statistics") {
		t.Error(err)
	}
	r.Close()
	r = shard.Former{}
	defer r.Close()
	if err := r.Open(name, true); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key, file string
		ok        bool
	}{
		{key("a"), "a", true}, {key("a"), "other", true}, {key("b"), "b", true}, {key("b"), "other", false},
		{key("e"), "e", true}, {key("f"), "f", false}, {"", "c", false}, {key("g"), "a", false},
	} {
		line, ok := r.Find(c.key, c.file)
		if ok != c.ok || ok && (line.File != c.file || line.Key != c.key) {
			t.Errorf("%.2s of %s: %v, %+v", c.key, c.file, ok, line)
		}
	}
}
