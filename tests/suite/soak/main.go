// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/state"
)

const report = "tests/suite/soak/report.md"

func main() {
	of := flag.String("share", "1/1", "run a share of the pieces, such as `3/8`")
	names := flag.String("parts", "", "run only these `parts`, such as mutants,verify")
	most := flag.Int("pieces", 0, "stop after `N` pieces")
	only := flag.Bool("rates", false, "run nothing; print how long the remaining pieces will take")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := soak(ctx, os.Stdout, *of, *names, *most, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// soak runs the requested pieces that have no record of success, and reports whether all succeeded.
func soak(ctx context.Context, w io.Writer, of, names string, most int, only bool) (ok bool, err error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return false, err
	}
	root := filepath.Dir(strings.TrimSpace(string(out)))
	hash, err := state.Of(root, state.Depends...)
	if err != nil {
		return false, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return false, err
	}
	dir := filepath.Join(cache, "jacquard-soak", hash)
	k, n, err := sample.Parse(of)
	if err != nil {
		return false, err
	}
	list, err := chosen(names)
	if err != nil {
		return false, err
	}
	if only {
		return true, rates(w, dir, list)
	}
	t := tree{root: root, hash: hash, records: dir}
	if ok, err = t.run(ctx, w, order(list, k, n), most); err != nil {
		return false, err
	}
	text, err := summary(root, dir)
	if err != nil {
		return false, err
	}
	return ok, os.WriteFile(filepath.Join(root, report), []byte(text), 0o644)
}

// tree is a state of the sources, with the folder of its records.
type tree struct{ root, hash, records string }

// run runs the pieces of a list that have no record of success, at most most of them unless most is 0, and keeps a
// record of each. It reports whether all of them succeeded.
func (t *tree) run(ctx context.Context, w io.Writer, list []piece, most int) (ok bool, err error) {
	ok = true
	ran := 0
	for _, p := range list {
		if most > 0 && ran == most {
			break
		}
		if r, err := kept(t.records, p.part, p.piece); err != nil {
			return false, err
		} else if r != nil && r.OK {
			continue
		}
		r := p.run(ctx, t.root)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		ran++
		if now, err := state.Of(t.root, state.Depends...); err != nil || now != t.hash {
			return false, errors.Join(err, errors.New("the sources have changed since the start: the piece does not count"))
		}
		if err := r.keep(t.records); err != nil {
			return false, err
		}
		ok = ok && r.OK
		result := map[bool]string{true: "ok", false: "FAILED"}[r.OK]
		fmt.Fprintf(w, "%-9s %3d of %3d: %s, %.0f s of CPU\n%s", r.Part, r.Piece, r.Of, result, r.CPU, r.Says)
	}
	return ok, nil
}

// chosen returns the parts with the given names, or all.
func chosen(names string) ([]*part, error) {
	var out []*part
	for i := range parts {
		if names == "" || slices.Contains(strings.Split(names, ","), parts[i].name) {
			out = append(out, &parts[i])
		}
	}
	if names != "" && len(out) != len(strings.Split(names, ",")) {
		return nil, fmt.Errorf("unknown or repeated part in %q", names)
	}
	return out, nil
}

// piece is a piece of a part, counted from 1.
type piece struct {
	*part
	piece int
}

// order returns the pieces of a share in the order in which they run: the first piece of each part,
// then the second ones, and so on. The pieces of a part go to the shares in turn.
func order(list []*part, k, of int) []piece {
	var out []piece
	more := true
	for i := 1; more; i++ {
		more = false
		for at, p := range list {
			if i > p.pieces {
				continue
			}
			more = true
			if (i+at)%of == k-1 { // spreads parts with a single piece over the shares
				out = append(out, piece{p, i})
			}
		}
	}
	return out
}

// lines is the number of output lines to keep of a failed piece.
const lines = 40

// run runs a piece.
func (p piece) run(ctx context.Context, root string) *record {
	args := slices.Clone(p.args)
	if p.extra != nil {
		args = append(args, p.extra(p.piece, p.pieces)...)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CI=true")
	if p.env != nil {
		cmd.Env = append(cmd.Env, p.env(p.piece, p.pieces)...)
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	r := &record{Part: p.name, Piece: p.piece, Of: p.pieces, OK: err == nil}
	if s := cmd.ProcessState; s != nil {
		r.CPU = (s.UserTime() + s.SystemTime()).Seconds()
	}
	if err != nil {
		all := strings.SplitAfter(strings.TrimSpace(said.String())+"\n", "\n")
		r.Says = strings.Join(all[max(0, len(all)-lines):], "") + err.Error() + "\n"
	}
	return r
}
