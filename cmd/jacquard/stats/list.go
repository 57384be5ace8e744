// SPDX-License-Identifier: MIT

package stats

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/shard"
)

// list returns the names of all inputs, sorted and without duplicates.
func (s *stats) list(a *cli.App, args []string) ([]string, error) {
	if s.from != "" {
		more, err := listedFiles(a, s.from)
		if err != nil {
			return nil, err
		}
		args = append(args, more...)
	} else if len(args) == 0 {
		return nil, cli.Usagef("PATH is missing")
	}
	return a.ShaderFiles(args)
}

// listedFiles returns the lines of a file that are not empty.
func listedFiles(a *cli.App, file string) (lines []string, err error) {
	_, data, err := a.Read(file)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, err
}

// part returns the part of the inputs to compile: that of --shard or of the variables of an array job. For these, it
// writes a line to standard error; array reports whether it did.
func (s *stats) part(a *cli.App) (p shard.Part, array bool, err error) {
	switch p, ok := shard.Parse(s.shard); {
	case s.shard == "":
	case !ok:
		return p, false, cli.Usagef("--shard must be I/N with I from 1 to N, not %q", s.shard)
	case s.shards != 0 && s.shards != p.Of:
		return p, false, cli.Usagef("--shard %s and --shards %d contradict each other", s.shard, s.shards)
	default:
		return p, false, nil
	}
	p, used, err := shard.Variables(os.Getenv, s.shards)
	if err != nil {
		return p, false, cli.Usagef("%v", err)
	}
	if used != "" {
		fmt.Fprintf(a.Stderr, "jacquard stats: shard %s, from %s\n", p, used)
	}
	return p, used != "", nil
}

// readers is the number of files that are read at once to find out which part they are in: more than there are
// processors, since files on a network take time rather than work.
const readers = 32

// share is the part of the inputs to compile.
type share struct {
	shard.Summary
	files  []string // in their order
	former shard.Former
}

// share returns the inputs in a part. Their contents decide it, or their names. An input that cannot be read is in the part
// of its name; what is wrong with it is reported when it is compiled.
func (s *stats) share(a *cli.App, all []string, p shard.Part) *share {
	work := &share{files: all, Summary: shard.Summary{Index: p.Index, Of: p.Of, Files: len(all), AllFiles: len(all), Run: s.identity(a)}}
	if p.Of == 1 {
		return work
	}
	work.files = nil
	listing := shard.Digest{}
	contents := make([]uint64, len(all))
	if s.by == "content" {
		hashContents(a, all, contents)
	}
	var own []uint64
	for i, name := range all {
		listing.Add([]byte(name + "\n"))
		by := contents[i]
		if s.by == "name" {
			by = shard.Hash([]byte(name))
		}
		if p.Has(by) {
			work.files, own = append(work.files, name), append(own, contents[i])
		}
	}
	if s.by == "name" {
		hashContents(a, work.files, own)
	}
	var digest shard.Digest
	for i, name := range work.files {
		digest.Add(fmt.Appendf(nil, "%s\n%d\n", name, own[i]))
	}
	work.Files, work.Contents, work.Listing = len(own), fmt.Sprintf("%016x", digest.Sum()), fmt.Sprintf("%016x", listing.Sum())
	return work
}

// hashContents sets hashes to the hashes of the inputs' contents, or of the name of an input that cannot be read.
func hashContents(a *cli.App, inputs []string, hashes []uint64) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range readers {
		wait.Go(func() {
			buffer := make([]byte, 1<<16)
			for i := int(next.Add(1)) - 1; i < len(inputs) && a.Ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				hashes[i] = hashFile(a, inputs[i], buffer)
			}
		})
	}
	wait.Wait()
}

// hashFile returns the hash of an input's contents.
func hashFile(a *cli.App, name string, buffer []byte) uint64 {
	f, err := os.Open(name)
	if err != nil {
		if _, data, err := a.Read(name); err == nil { // a member of an archive
			return shard.Hash(data)
		}
		return shard.Hash([]byte(name))
	}
	defer f.Close()
	for d := (shard.Digest{}); ; {
		n, err := f.Read(buffer)
		d.Add(buffer[:n])
		switch {
		case err == io.EOF:
			return d.Sum()
		case err != nil:
			return shard.Hash([]byte(name))
		}
	}
}

// identity returns a hash of this build and of all flags that affect lines, whatever the inputs; "" if the build is unknown.
func (s *stats) identity(a *cli.App) string {
	point := jacquard.EntryPoint{Name: s.Entry, Stage: jacquard.Stage(s.Stage)}
	all := fmt.Sprintf("%v %s %v %t", s.Specialize, a.SourceFlags(), s.limit, s.reproducible)
	for _, target := range s.targets {
		key := jacquard.Key(nil, s.options(&cli.Input{}, target, point, nil))
		if key == "" {
			return ""
		}
		all += " " + key
	}
	return fmt.Sprintf("%016x", shard.Hash([]byte(all)))
}
