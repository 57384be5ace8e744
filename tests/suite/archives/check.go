// SPDX-License-Identifier: MIT

package archives

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/archive"
	"jacquard.example/core/outline"
)

// Result describes what became of a damaged archive.
type Result struct {
	Refused  bool // the index
	Members  int
	Bad      int    // members that cannot be read
	Compiled int    // shaders
	Bytes    uint64 // that reading the archive allocated
	Took     time.Duration
	Defect   string // a panic, or an error without the name of the archive
}

// Read opens an archive, lists it, reads all members, and compiles them if compile is true.
func Read(data []byte, compile bool) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r.Defect = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	start, before := time.Now(), allocated()
	defer func() { r.Took = time.Since(start) }()
	const name = "a.foz"
	a, err := archive.New(name, bytes.NewReader(data), int64(len(data)))
	if err != nil || a == nil {
		r.Refused, r.Bytes = true, allocated()-before
		r.check(err, name)
		return r
	}
	ctx := context.Background()
	names, err := a.Names(ctx)
	if err := errors.Join(err, a.Text(ctx, io.Discard), a.JSON(ctx, io.Discard)); err != nil {
		r.Defect = err.Error()
	}
	r.Members = len(names)
	var list []*archive.Content
	for _, n := range names {
		c, err := a.Read(n)
		if err != nil {
			r.Bad++
			r.check(err, name)
			continue
		}
		list = append(list, c)
		if below := a.Below(n); len(below) != 1 || below[0] != n {
			r.Defect = fmt.Sprintf("the members below %q are %q", n, below)
		}
	}
	r.Bytes = allocated() - before
	for _, c := range list {
		if compile {
			r.compile(c)
		}
	}
	return r
}

// compile compiles a shader.
func (r *Result) compile(c *archive.Content) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := outline.Read(ctx, c.Data); err != nil {
		return
	}
	var o jacquard.Options
	if c.Stage != nil {
		o.Entry, o.Stage = c.Stage.Entry, jacquard.Stage(c.Stage.Name)
		for _, s := range c.Stage.Constants {
			o.Specialize = append(o.Specialize, jacquard.Specialization{ID: s.ID, Bits: s.Bits, Size: s.Size})
		}
	}
	_, err := jacquard.Compile(ctx, c.Data, o)
	var internal *jacquard.InternalError
	switch {
	case err == nil:
		r.Compiled++
	case errors.As(err, &internal):
		r.Defect = fmt.Sprintf("%v\n%s", err, internal.Stack)
	case ctx.Err() != nil:
		r.Defect = "compiling does not end"
	}
}

// check checks that an error is on one line and names the archive.
func (r *Result) check(err error, name string) {
	var e *jacquard.Error
	switch {
	case err == nil:
	case !errors.As(err, &e) || !strings.HasPrefix(e.File, name) || strings.ContainsAny(err.Error(), "\n\x00"):
		r.Defect = fmt.Sprintf("the error is %T %q", err, err)
	}
}

// allocated returns the number of bytes that the process has allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
