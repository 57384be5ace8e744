// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// overlay is the go command's overlay file: it maps files to their replacements.
type overlay struct{ Replace map[string]string }

func (o overlay) write(file string) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// refusal is the message of a generator that ends with status 1.
type refusal string

func (r refusal) Error() string { return string(r) }

// build writes the files of a mutant below dir and returns the overlay's name.
// The error is a refusal if generation fails.
func build(ctx context.Context, root, dir string, r *row) (string, error) {
	text, err := r.apply(root)
	if err != nil {
		return "", err
	}
	o := overlay{map[string]string{}}
	file, tables := filepath.Join(dir, "overlay.json"), root
	place := filepath.Join(dir, filepath.Base(r.File))
	if strings.HasPrefix(r.File, "defs/") {
		tables, place = dir, filepath.Join(dir, filepath.FromSlash(r.File))
		if err := os.CopyFS(filepath.Join(dir, "defs"), os.DirFS(filepath.Join(root, "defs"))); err != nil {
			return "", err
		}
		for _, name := range []string{"go.mod", "core", "backend"} { // the generator reads Go too
			if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
				return "", err
			}
		}
	} else {
		o.Replace[filepath.Join(root, filepath.FromSlash(r.File))] = place
	}
	if err := os.WriteFile(place, text, 0o666); err != nil {
		return "", err
	}
	if err := o.write(file); err != nil {
		return "", err
	}
	if !r.generates() {
		return file, nil
	}
	gen, out := filepath.Join(dir, "gen"), filepath.Join(dir, "generated")
	if text, err := command(ctx, root, "go", "build", "-overlay", file, "-o", gen, "./gen").CombinedOutput(); err != nil {
		return "", fmt.Errorf("the generator does not compile: %s", text)
	}
	if text, err := command(ctx, tables, gen, "-out", out).CombinedOutput(); err != nil {
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 {
			return "", refusal(text)
		}
		return "", fmt.Errorf("the generator: %w\n%s", err, text)
	}
	if err := o.stand(out, filepath.Join(root, "generated")); err != nil {
		return "", err
	}
	return file, o.write(file)
}

// stand maps the files of generated to the files below out that differ from them.
func (o overlay) stand(out, generated string) error {
	for i, dir := range []string{generated, out} { // files that only generated has are removed: mapped to nothing
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			stands := filepath.Join(generated, rel)
			if i == 0 {
				o.Replace[stands] = ""
				return nil
			}
			now, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if before, err := os.ReadFile(stands); err == nil && bytes.Equal(before, now) {
				delete(o.Replace, stands)
			} else {
				o.Replace[stands] = path
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// command returns a command that runs in a folder and is stopped with the context.
func command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "JACQUARD_LIMITS=1") // tests of make limits run
	c.WaitDelay = grace
	return c
}
