// SPDX-License-Identifier: MIT

package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// platform is a system for which the command is built.
type platform struct{ os, arch string }

// platforms are all of them. js/wasm is for Node.js and browsers, wasip1/wasm for programs such as wasmtime.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
	{"js", "wasm"}, {"wasip1", "wasm"},
}

// hostPlatform is the system on which the command runs to write its manual.
func hostPlatform() platform { return platform{runtime.GOOS, runtime.GOARCH} }

// binary returns the name of the command.
func (p platform) binary() string {
	switch {
	case p.os == "windows":
		return "jacquard.exe"
	case p.arch == "wasm":
		return "jacquard.wasm"
	}
	return "jacquard"
}

// unset are the variables that would change the code of a binary, or what is recorded in it.
var unset = []string{
	"GOFLAGS", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOWASM", "GOEXPERIMENT", "GODEBUG", "GOFIPS140", "GOWORK", "GOENV", "CGO_ENABLED",
}

// environment returns the environment of a build for a platform.
func environment(p platform) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !contains(unset, name) {
			env = append(env, v)
		}
	}
	return append(env, "GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOENV=off", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local")
}

func contains(list []string, name string) bool {
	for _, n := range list {
		if strings.EqualFold(n, name) { // names have no case on Windows
			return true
		}
	}
	return false
}

// build builds the command for a platform.
func build(src source, p platform, file string) error {
	_, err := gocommand(src, p, "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", file, "./cmd/jacquard")
	return err
}

// gocommand runs the go command for a platform and returns its standard output.
func gocommand(src source, p platform, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = src.dir
	cmd.Env = environment(p)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s/%s: go %s: %w", p.os, p.arch, args[0], err)
	}
	return string(text), err
}

// built is the record that the go command leaves in a binary.
type built struct {
	version string // of the module
	*debug.BuildInfo
}

// recorded reads the record in a binary.
func recorded(file string) (built, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return built{}, err
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.modified" && s.Value != "false" {
			return built{}, fmt.Errorf("the clone has changes")
		}
	}
	version := info.Main.Version
	if !strings.HasPrefix(version, "v") {
		return built{}, fmt.Errorf("the go command recorded the version %q, not that of a commit", version)
	}
	return built{version, info}, nil
}

// sameVersion checks that a binary records the same version. The record in WebAssembly cannot be read.
func sameVersion(p platform, file string, want built) error {
	if p.arch == "wasm" {
		return nil
	}
	info, err := recorded(file)
	if err == nil && info.version != want.version {
		err = fmt.Errorf("the version is %s, but %s elsewhere", info.version, want.version)
	}
	if err != nil {
		return fmt.Errorf("%s/%s: %w", p.os, p.arch, err)
	}
	return nil
}

// files returns the files that only the archive of this platform has: the binary, and what is needed to start it.
func (p platform) files(src source, binary string) ([]entry, error) {
	code, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	files := []entry{{name: p.binary(), data: code, run: true}}
	if p.os != "js" {
		return files, nil
	}
	root, err := gocommand(src, p, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	root = strings.TrimSpace(root)
	for name, from := range map[string]string{
		"jacquard.mjs": filepath.Join(src.dir, "tools/release/jacquard.mjs"),
		"wasm_exec.js": filepath.Join(root, "lib/wasm/wasm_exec.js"),
		"LICENSE.go":   filepath.Join(root, "LICENSE"), // the license of wasm_exec.js
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name: name, data: data})
	}
	return files, nil
}
