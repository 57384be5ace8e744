package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// verdict is the outcome of judging a shader.
type verdict struct {
	name string
	result
	why string // it is left out; "" if it is not
	// absent reports that the shader is left out because the peer does not compile it.
	absent bool
}

// patience is how long a shader may take in all.
const patience = time.Minute

// judge runs shaders of a list, up to limit of them (0: no limit). Shaders that the interpreter or this compiler cannot
// run, and shaders that write nothing defined, do not count.
func judge(ctx context.Context, p *opponent, list []entry, limit int) (out []verdict, err error) {
	for _, e := range list {
		if limit > 0 && len(out) == limit {
			break
		}
		if e.unfit != nil && e.unfit(ctx) != "" {
			continue
		}
		c := newContest(p, &e)
		v := verdict{name: e.name}
		one, stop := context.WithTimeout(ctx, patience)
		err := guard(func() error { return e.run(one, c) })
		stop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			v.why = strings.Join(strings.Fields(err.Error()), " ")
			if limit > 0 && unfit(err) {
				continue
			}
		}
		v.result = c.result
		out = append(out, v)
	}
	return out, nil
}

// unfit reports whether an error is the interpreter's or this compiler's, which have run
// first: the shader would not be judged whatever the peer does.
func unfit(err error) bool { return errors.Is(err, errUnfit) }

// errUnfit is such an error.
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
