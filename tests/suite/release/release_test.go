// SPDX-License-Identifier: MIT

package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/project"
)

// TestSameHashes builds a release for this machine in two copies of the project that are the same commit, and compares
// the files. The binary runs README's first command on a machine without Go.
func TestSameHashes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two copies of the project")
	}
	only := runtime.GOOS + "/" + runtime.GOARCH
	a, b := committed(t), committed(t)
	first, second := made(t, a, only, nil), made(t, b, only, nil)
	same(t, first, second)
	checkSums(t, first)
	checkBill(t, first)
	for name, data := range first {
		if strings.HasPrefix(name, "jacquard-") {
			clean(t, name, data)
		}
	}
}

// TestRelease builds the whole release twice, once with nothing in Go's cache, and runs it where possible: the binary for this
// machine, and WebAssembly on Node.js. With CI=true, only a sample of the platforms is built a second time.
func TestRelease(t *testing.T) {
	if os.Getenv("JACQUARD_E2E") == "" {
		t.Skip("takes minutes: make e2e runs it")
	}
	only := ""
	if os.Getenv("CI") == "true" {
		only = "darwin/arm64,windows/amd64,js/wasm"
	}
	a, b := committed(t), committed(t)
	first, second := made(t, a, "", nil), made(t, b, only, []string{"GOCACHE=" + t.TempDir()})
	if only == "" {
		same(t, first, second)
	} else {
		same(t, chosen(first, only), chosen(second, only))
	}
	checkSums(t, first)
	checkBill(t, first)
	platforms := map[string]bool{}
	for name, data := range first {
		if !strings.HasPrefix(name, "jacquard-") {
			continue
		}
		words := strings.Split(strings.TrimSuffix(strings.TrimSuffix(name, ".tar.gz"), ".zip"), "-")
		platform := strings.Join(words[len(words)-2:], "/")
		platforms[platform] = true
		files := unpacked(t, name, data)
		for _, want := range []string{"README.md", "LICENSE", "CHANGELOG.md", "man/jacquard.1", "completions/_jacquard"} {
			if _, ok := files[want]; !ok {
				t.Errorf("%s has no %s", name, want)
			}
		}
		switch platform {
		case runtime.GOOS + "/" + runtime.GOARCH:
			clean(t, name, data)
		case "js/wasm":
			web(t, files)
		case "wasip1/wasm":
			wasi(t, files)
		}
	}
	want := []string{"darwin/amd64", "darwin/arm64", "js/wasm", "linux/amd64", "linux/arm64", "wasip1/wasm", "windows/amd64", "windows/arm64"}
	if got := slices.Sorted(maps.Keys(platforms)); !slices.Equal(got, want) {
		t.Errorf("the release is for %v, want %v", got, want)
	}
}

// committed returns a copy of the project in a new repository, as a commit that is the same in each copy.
func committed(t *testing.T) string {
	t.Helper()
	dir := project.Copy(t)
	const when = "2026-01-02T03:04:05Z"
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "A release"}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	return dir
}

// made builds a release in a copy and returns its files.
func made(t *testing.T, dir, only string, env []string) map[string][]byte {
	t.Helper()
	cmd := exec.Command("go", "run", "./tools/release", "-only", only)
	cmd.Dir = dir
	cmd.Env = project.Environment(env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files := map[string][]byte{}
	list, err := os.ReadDir(filepath.Join(dir, "dist"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if files[f.Name()], err = os.ReadFile(filepath.Join(dir, "dist", f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// chosen returns the archives for some platforms, which must be there.
func chosen(files map[string][]byte, only string) map[string][]byte {
	list := map[string][]byte{}
	for platform := range strings.SplitSeq(only, ",") {
		list[platform] = nil
		for name, data := range files {
			if strings.Contains(name, strings.ReplaceAll("-"+platform+".", "/", "-")) {
				list[platform] = data
			}
		}
	}
	return list
}

// same compares the files of two releases.
func same(t *testing.T, a, b map[string][]byte) {
	t.Helper()
	if len(a) != len(b) {
		t.Errorf("%d files, then %d", len(a), len(b))
	}
	for name, data := range a {
		if len(data) == 0 || !bytes.Equal(data, b[name]) {
			t.Errorf("%s: %x, then %x", name, sha256.Sum256(data), sha256.Sum256(b[name]))
		}
	}
}

// checkSums checks that SHA256SUMS lists all other files with their hashes.
func checkSums(t *testing.T, files map[string][]byte) {
	t.Helper()
	var want []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != "SHA256SUMS" {
			want = append(want, fmt.Sprintf("%x  %s\n", sha256.Sum256(files[name]), name))
		}
	}
	if got := string(files["SHA256SUMS"]); got != strings.Join(want, "") {
		t.Errorf("SHA256SUMS is\n%swant\n%s", got, strings.Join(want, ""))
	}
}

// checkBill checks that the list of components names the standard library as the only part of the command, and has the
// hashes of the archives.
func checkBill(t *testing.T, files map[string][]byte) {
	t.Helper()
	var bill struct {
		Components []struct {
			Type, Name, Version, Scope string
			Hashes                     []struct{ Content string }
		}
	}
	if err := json.Unmarshal(files["sbom.cdx.json"], &bill); err != nil {
		t.Fatal(err)
	}
	hashes := 0
	for _, c := range bill.Components {
		switch {
		case c.Type == "file":
			if hashes++; len(c.Hashes) != 1 || c.Hashes[0].Content != fmt.Sprintf("%x", sha256.Sum256(files[c.Name])) {
				t.Errorf("the hash of %s is %v", c.Name, c.Hashes)
			}
		case c.Scope == "required" && (c.Name != "std" || "go"+c.Version != runtime.Version()):
			t.Errorf("the command contains %s %s", c.Name, c.Version)
		}
	}
	if hashes != len(files)-2 {
		t.Errorf("the list has %d files, the release %d", hashes, len(files)-2)
	}
}

// unpacked returns the files of an archive without their common folder, which is named like the archive, and checks that they
// are sorted.
func unpacked(t *testing.T, archive string, data []byte) map[string][]byte {
	t.Helper()
	files, last := map[string][]byte{}, ""
	add := func(name string, r io.Reader) {
		t.Helper()
		if name <= last {
			t.Errorf("%s: %s comes after %s", archive, name, last)
		}
		last = name
		folder := strings.TrimSuffix(strings.TrimSuffix(archive, ".tar.gz"), ".zip") + "/"
		text, err := io.ReadAll(r)
		if err != nil || !strings.HasPrefix(name, folder) {
			t.Fatalf("%s: %s: %v", archive, name, err)
		}
		files[strings.TrimPrefix(name, folder)] = text
	}
	if strings.HasSuffix(archive, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, r)
		}
		return files
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		add(h.Name, r)
	}
}

// placed writes files to a new folder.
func placed(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// firstCommand returns the arguments of the command in README's first lines, which names a file of the archive.
func firstCommand(t *testing.T, readme []byte) []string {
	t.Helper()
	_, rest, ok := strings.Cut(string(readme), "\n    go run ./cmd/jacquard ")
	line, _, _ := strings.Cut(rest, "\n")
	line, _, _ = strings.Cut(line, "  ")
	if !ok {
		t.Fatal("README has no command")
	}
	return strings.Fields(line)
}

// clean unpacks an archive in an empty folder and runs the binary with an empty environment.
func clean(t *testing.T, name string, data []byte) {
	t.Helper()
	files := unpacked(t, name, data)
	dir := placed(t, files)
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, "jacquard"), args...)
		cmd.Dir = dir
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir()}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("jacquard %s: %v", strings.Join(args, " "), err)
		}
		return string(out)
	}
	version := strings.TrimPrefix(strings.Fields(run("version"))[1], "v")
	if !strings.HasPrefix(name, "jacquard-v"+version+"-") {
		t.Errorf("%s has version %s", name, version)
	}
	if out := run(firstCommand(t, files["README.md"])...); !strings.HasPrefix(out, "// tgl compute main SIMD16: ") {
		t.Errorf("README's first command writes\n%.300s", out)
	}
	for shell, file := range map[string]string{"bash": "jacquard.bash", "zsh": "_jacquard", "fish": "jacquard.fish"} {
		if run("completion", shell) != string(files["completions/"+file]) {
			t.Errorf("the completions for %s are not those of the command", shell)
		}
	}
	pages := 0
	for file, text := range files {
		name, ok := strings.CutPrefix(file, "man/jacquard-")
		if !ok {
			continue
		}
		pages++
		if run("man", strings.TrimSuffix(name, ".1")) != string(text) {
			t.Errorf("%s is not the page of the command", file)
		}
	}
	if want := strings.Count(string(files["man/jacquard.1"]), "\n.TP\n"); pages != want || pages < 10 {
		t.Errorf("%d manual pages for %d subcommands", pages, want)
	}
}

// web compiles a shader with the module for Node.js and browsers: from memory, and as a command.
func web(t *testing.T, files map[string][]byte) {
	t.Helper()
	oracle.Need(t, "node")
	dir := placed(t, files)
	const program = `
import { readFileSync } from "node:fs";
import { jacquard } from "./jacquard.mjs";
const shader = readFileSync("tests/shaders/saxpy.comp.spv");
const files = { "a.spv": shader, "b/c.spv": shader, "-": shader };
for (const args of [["compile", "a.spv", "--emit", "bin", "-o", "a.bin"], ["dis", "a.bin"], ["compile", "-"], ["stats", "b"], ["compile", "none.spv"]]) {
	const { status, stdout, stderr } = await jacquard(args, files);
	console.log(args[0], status, stdout.length > 100, stderr.trim());
}
const many = await Promise.all([1, 2, 3].map((n) => jacquard(["compile", n + ".spv"], { [n + ".spv"]: shader })));
console.log(many.every(({ status, stdout, stderr }) => status === 0 && stdout.length > 100 && stderr === ""));
`
	if err := os.WriteFile(filepath.Join(dir, "test.mjs"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	node := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("node", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("node %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	const want = `compile 0 false 
dis 0 true 
compile 0 true 
stats 0 true 
compile 1 false none.spv: error: No such file or directory
true
`
	if got := node("test.mjs"); got != want {
		t.Errorf("in memory:\n%swant\n%s", got, want)
	}
	args := append([]string{"jacquard.mjs"}, firstCommand(t, files["README.md"])...)
	if out := node(args...); !strings.HasPrefix(out, "// tgl compute main SIMD16: ") {
		t.Errorf("as a command:\n%.300s", out)
	}
}

// wasi compiles a shader with the module for WASI on Node.js.
func wasi(t *testing.T, files map[string][]byte) {
	t.Helper()
	oracle.Need(t, "node")
	dir := placed(t, files)
	const program = `
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";
const wasi = new WASI({ version: "preview1", args: ["jacquard", ...process.argv.slice(2)], preopens: { "/": "." } });
const { instance } = await WebAssembly.instantiate(readFileSync("jacquard.wasm"), { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
`
	if err := os.WriteFile(filepath.Join(dir, "test.mjs"), []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", append([]string{"--no-warnings", "test.mjs"}, firstCommand(t, files["README.md"])...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "// tgl compute main SIMD16: ") {
		t.Errorf("%v\n%.300s", err, out)
	}
}
