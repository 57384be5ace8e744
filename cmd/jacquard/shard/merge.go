// SPDX-License-Identifier: MIT

package shard

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
)

// Merge writes the lines of complete shards, without their last lines, in the order of a run without shards. The shards must
// be all shards of one run, each once, and no file may be in two. Errors are *jacquard.Error, or several, joined.
func Merge(ctx context.Context, out io.Writer, files []string) (lines int, err error) {
	shards := make([]*cursor, len(files))
	for i, file := range files {
		end, ok, err := ReadEnd(file)
		switch {
		case err != nil:
			return 0, cli.FileError(file, err)
		case !ok:
			return 0, fail(file, "not a complete shard: the last line does not describe one; stats --shard I/N writes it")
		}
		shards[i] = &cursor{name: file, end: end}
	}
	if err := together(shards); err != nil {
		return 0, err
	}
	return merge(ctx, out, shards)
}

func fail(file, format string, args ...any) error {
	return &jacquard.Error{File: file, Msg: fmt.Sprintf(format, args...)}
}

// together checks that the shards belong together and that none is missing.
func together(shards []*cursor) error {
	if len(shards) == 0 {
		return nil
	}
	first := shards[0]
	of, files := first.end.Of, 0
	have := map[int]*cursor{}
	var errs []error
	for _, c := range shards {
		end := &c.end
		other := have[end.Index]
		why := ""
		switch {
		case end.Of != of:
			why = fmt.Sprintf("it is one of %d shards, not %d", end.Of, of)
		case end.Run != first.end.Run:
			why = "it was made by another build of jacquard, or with other flags"
		case end.AllFiles != first.end.AllFiles || end.Listing != first.end.Listing:
			why = fmt.Sprintf("it is of another list of files, with %d", end.AllFiles)
		case other != nil:
			errs = append(errs, fail(c.name, "shard %d/%d is also in %s", end.Index, of, other.name))
		}
		if why != "" {
			errs = append(errs, fail(c.name, "not a shard of the same run as %s: %s", first.name, why))
		}
		have[end.Index] = c
		files += end.Files
	}
	if errs != nil {
		return errors.Join(errs...)
	}
	if gaps := missing(have, of); gaps != "" {
		return fmt.Errorf("jacquard: error: of %d shards, these are missing: %s", of, gaps)
	}
	if files != first.end.AllFiles {
		return fmt.Errorf("jacquard: error: the shards have %d of %d files: some could not be read by all tasks, or changed",
			files, first.end.AllFiles)
	}
	return nil
}

// missing lists the shards that are missing: "3, 5-7". There may be any number.
func missing(have map[int]*cursor, of int) string {
	var list []string
	last := 0 // the one before a gap
	for _, next := range append(slices.Sorted(maps.Keys(have)), of) {
		from, to := last+1, next-1
		if have[next] == nil { // the end of the list
			to = next
		}
		switch {
		case from < last || from > to: // none
		case from == to:
			list = append(list, fmt.Sprint(from))
		default:
			list = append(list, fmt.Sprintf("%d-%d", from, to))
		}
		last = next
	}
	return strings.Join(list, ", ")
}

// merge writes the lines of all shards by the names of their files.
func merge(ctx context.Context, out io.Writer, shards []*cursor) (lines int, err error) {
	var queue cursors
	for _, c := range shards {
		more, err := c.next()
		if err != nil {
			return 0, err
		}
		if more {
			queue = append(queue, c)
		}
	}
	heap.Init(&queue)
	var last *cursor
next:
	for len(queue) > 0 {
		c := queue[0]
		if last != nil && last != c && last.former == c.file {
			return lines, fail(c.name, "the file %s is in %s too", c.file, last.name)
		}
		last, c.former = c, c.file
		for c.file == c.former {
			if err := ctx.Err(); err != nil {
				return lines, err
			}
			if _, err := out.Write(c.line); err != nil {
				return lines, err
			}
			lines++
			more, err := c.next()
			if err != nil {
				return lines, err
			}
			if !more {
				heap.Pop(&queue)
				continue next
			}
		}
		heap.Fix(&queue, 0)
	}
	return lines, nil
}

// chunk is the number of bytes that are read of a shard at once. There may be more shards than files can be open, so each is
// closed between chunks.
const chunk = 1 << 16

// cursor is a place in a shard.
type cursor struct {
	name         string
	end          Summary
	line         []byte // the present line
	file, former string // the file that the line is of, and the one before
	lines, files int    // so far
	rest         []byte // what has been read after the line
	offset       int64  // of what has not been read
}

// next goes to the next line; more is false after the last line with a record.
func (c *cursor) next() (more bool, err error) {
	for {
		if i := bytes.IndexByte(c.rest, '\n'); i >= 0 {
			c.line, c.rest = c.rest[:i+1], c.rest[i+1:]
			break
		}
		n, err := c.read()
		if err != nil {
			return false, err
		}
		if n == 0 {
			return false, fail(c.name, "it ends in a line")
		}
	}
	if IsEnd(c.line) {
		if c.lines != c.end.Lines || c.files != c.end.Files {
			return false, fail(c.name, "it has %s of %s, but its last line tells of %d and %d", cli.Count(c.lines, "line"),
				cli.Count(c.files, "file"), c.end.Lines, c.end.Files)
		}
		return false, nil
	}
	var head struct{ File, Target string }
	c.lines++
	if err := json.Unmarshal(c.line, &head); err != nil || head.Target == "" {
		return false, &jacquard.Error{File: c.name, Line: c.lines, Column: 1, Msg: "not a line of statistics"}
	}
	if c.lines == 1 || head.File != c.file {
		if c.lines > 1 && head.File < c.file {
			return false, &jacquard.Error{File: c.name, Line: c.lines, Column: 1, Msg: "the files are not in order"}
		}
		c.files++
	}
	c.file = head.File
	return true, nil
}

// read reads another chunk.
func (c *cursor) read() (int, error) {
	c.rest = slices.Grow(slices.Clone(c.rest), chunk) // the line may be in the old array
	n, err := readAt(c.name, c.rest[len(c.rest):len(c.rest)+chunk], c.offset)
	c.rest, c.offset = c.rest[:len(c.rest)+n], c.offset+int64(n)
	return n, err
}

// cursors is a heap of places by the names of the files.
type cursors []*cursor

func (q cursors) Len() int           { return len(q) }
func (q cursors) Less(i, j int) bool { return cmp.Less(q[i].file, q[j].file) }
func (q cursors) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *cursors) Push(x any)        { *q = append(*q, x.(*cursor)) }
func (q *cursors) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
