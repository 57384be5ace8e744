// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// verdict is the outcome of judging a shader.
type verdict struct {
	name string
	file string // "" if the shader does not come from a folder
	result
	size int    // number of instructions of the peer's code, for dispatches
	why  string // reason to leave it out, or ""
	// absent reports that the shader is left out because the peer does not compile it.
	absent bool
}

// The limits of a shader: the interpreter's instructions of all subgroups in a dispatch or a draw, and the model's of a
// thread.
const (
	interpSteps = 1 << 26
	threadSteps = 1 << 22
)

// judge runs shaders of a list, up to limit of them (0 means no limit). If there is a limit, shaders that the
// interpreter or this compiler cannot run, and shaders that write nothing defined, do not count toward it, and not
// has them.
func judge(ctx context.Context, p *opponent, list []entry, limit int) (out []verdict, not unjudged, err error) {
	not = unjudged{}
	for _, e := range list {
		if limit > 0 && len(out) == limit {
			break
		}
		if e.prepare != nil {
			if why := e.prepare(ctx, &e); why != "" {
				not.add(e.name, why)
				continue
			}
		}
		c := newContest(p, &e)
		v := verdict{name: e.name, file: e.file}
		err := guard(func() error { return e.run(ctx, c) })
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			v.why = strings.Join(strings.Fields(err.Error()), " ")
			if limit > 0 && unfit(err) {
				not.add(e.name, v.why)
				continue
			}
		}
		v.result = c.result
		if c.theirProgram != nil {
			v.size = c.theirProgram.Stats.Instructions
		}
		out = append(out, v)
	}
	return out, not, nil
}

// title names a shader and its file.
func (v *verdict) title() string {
	if v.file == "" {
		return v.name
	}
	return v.name + " " + v.file
}

// kindOf returns the start of a reason, without details and numbers.
func kindOf(why string) string {
	why = strings.TrimPrefix(why, errUnfit.Error()+": ")
	kind, _, _ := strings.Cut(why, ": ")
	return digits.ReplaceAllString(kind, "n")
}

var digits = regexp.MustCompile("[0-9]+")

// unjudged maps reasons to the shaders of a set that are not judged.
type unjudged map[string]*sameReason

// sameReason counts shaders that are not judged for the same kind of reason, and holds the first one with its whole
// reason.
type sameReason struct {
	n          int
	first, why string
}

func (u unjudged) add(name, why string) {
	r := u[kindOf(why)]
	if r == nil {
		r = &sameReason{first: name, why: why}
		u[kindOf(why)] = r
	}
	r.n++
}

// notJudged writes how many shaders of a set are not judged, by reason, with an example.
func notJudged(w io.Writer, list unjudged) {
	total := 0
	for _, r := range list {
		total += r.n
	}
	if total == 0 {
		return
	}
	fmt.Fprintf(w, "\n%d more cannot be judged:\n\n", total)
	for _, kind := range slices.Sorted(maps.Keys(list)) {
		r := list[kind]
		fmt.Fprintf(w, "- %d: %s (%s", r.n, kind, r.first)
		if r.why != kind {
			fmt.Fprintf(w, ": %s", strings.TrimPrefix(r.why, errUnfit.Error()+": "))
		}
		fmt.Fprintln(w, ")")
	}
}

// unfit reports whether an error is the interpreter's or this compiler's, which have run
// first: the shader would not be judged whatever the peer does.
func unfit(err error) bool { return errors.Is(err, errUnfit) }

// errUnfit is wrapped by errors for which unfit holds.
var errUnfit = errors.New("no dispatch to compare")

// guard turns a panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
