// SPDX-License-Identifier: MIT

package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	out := flag.String("o", "dist", "write the files to this `folder`")
	only := flag.String("only", "", "build only these `platforms`, such as linux/amd64,js/wasm")
	flag.Parse()
	if err := release(*out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// source is the commit that is built.
type source struct {
	dir    string // a clone of it
	commit string
	date   time.Time
}

// release builds the files for the named platforms, or for all of them, and writes them to a folder.
func release(out, only string) error {
	list, err := chosen(only)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "jacquard-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	src, err := clone(filepath.Join(tmp, "source"))
	if err != nil {
		return err
	}
	host := filepath.Join(tmp, "host")
	if err := build(src, hostPlatform(), host); err != nil {
		return err
	}
	info, err := recorded(host)
	if err != nil {
		return err
	}
	common, err := companions(src, host)
	if err != nil {
		return err
	}
	made := map[string][]byte{} // the files of the release by name
	for _, p := range list {
		start := time.Now()
		file := host
		if p != hostPlatform() {
			file = filepath.Join(tmp, p.os+"-"+p.arch)
			if err := build(src, p, file); err != nil {
				return err
			}
			if err := sameVersion(p, file, info); err != nil {
				return err
			}
		}
		own, err := p.files(src, file)
		if err != nil {
			return err
		}
		name := "jacquard-" + info.version + "-" + p.os + "-" + p.arch
		data, err := p.pack(name, slices.Concat(own, common), src.date)
		if err != nil {
			return err
		}
		made[name+p.ext()] = data
		fmt.Printf("%-60s %9d bytes %6.1fs\n", name+p.ext(), len(data), time.Since(start).Seconds())
	}
	if made["sbom.cdx.json"], err = bill(src, info, list, made); err != nil {
		return err
	}
	made["SHA256SUMS"] = sums(made)
	return write(out, made)
}

// chosen returns the platforms named in a list, or all of them if the list is empty.
func chosen(only string) ([]platform, error) {
	if only == "" {
		return platforms, nil
	}
	var list []platform
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.os+"/"+p.arch == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no platform %q", name)
		}
		list = append(list, platforms[i])
	}
	return list, nil
}

// clone checks the current commit out into a new folder.
func clone(dir string) (source, error) {
	root, err := output("", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return source{}, err
	}
	commit, err := output(root, "git", "rev-parse", "HEAD")
	if err != nil {
		return source{}, err
	}
	for _, args := range [][]string{
		{"clone", "--quiet", "--shared", "--no-checkout", root, dir},
		{"-C", dir, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--detach", commit},
	} {
		if _, err := output("", "git", args...); err != nil {
			return source{}, err
		}
	}
	text, err := output(dir, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return source{}, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return source{dir, commit, time.Unix(seconds, 0).UTC()}, err
}

// output runs a command in a folder and returns its standard output without the last newline.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return strings.TrimSuffix(string(text), "\n"), nil
}

// sums returns the checksums of files in the format of sha256sum.
func sums(files map[string][]byte) []byte {
	var lines []byte
	for _, name := range sorted(files) {
		lines = fmt.Appendf(lines, "%x  %s\n", sha256.Sum256(files[name]), name)
	}
	return lines
}

// write writes the files of a release to a folder. Files of an earlier release are removed, so that SHA256SUMS lists
// everything in the folder; a folder with anything else is rejected.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range old {
		if n := f.Name(); !strings.HasPrefix(n, "jacquard-") && n != "SHA256SUMS" && n != "sbom.cdx.json" {
			return fmt.Errorf("%s is no file of a release, so %s is not a folder for one", filepath.Join(dir, n), dir)
		}
	}
	for _, f := range old {
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	for _, name := range sorted(files) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}
