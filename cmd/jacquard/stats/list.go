package stats

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"

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
// writes a line to standard error.
func (s *stats) part(a *cli.App) (shard.Part, error) {
	switch p, ok := shard.Parse(s.shard); {
	case s.shard == "":
	case !ok:
		return p, cli.Usagef("--shard must be I/N with I from 1 to N, not %q", s.shard)
	case s.shards != 0 && s.shards != p.Of:
		return p, cli.Usagef("--shard %s and --shards %d contradict each other", s.shard, s.shards)
	default:
		return p, nil
	}
	p, used, err := shard.Variables(os.Getenv, s.shards)
	if err != nil {
		return p, cli.Usagef("%v", err)
	}
	if used != "" {
		fmt.Fprintf(a.Stderr, "jacquard stats: shard %s, from %s\n", p, used)
	}
	return p, nil
}

// readers is the number of files that are read at once to find out which part they are in: more than there are
// processors, since files on a network take time rather than work.
const readers = 32

// share returns the inputs in a part, in their order. Their contents decide it, or their names. An input that cannot be
// read is in the part of its name; what is wrong with it is reported when it is compiled.
func (s *stats) share(a *cli.App, all []string, p shard.Part) (files []string) {
	if p.Of == 1 {
		return all
	}
	hashes := make([]uint64, len(all))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range readers {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all) && a.Ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				hashes[i] = s.hash(a, all[i])
			}
		})
	}
	wait.Wait()
	for i, h := range hashes {
		if p.Has(h) {
			files = append(files, all[i])
		}
	}
	return files
}

// hash returns the hash that decides which part an input is in.
func (s *stats) hash(a *cli.App, file string) uint64 {
	if s.by == "content" {
		if _, data, err := a.Read(file); err == nil {
			return shard.Hash(data)
		}
	}
	return shard.Hash([]byte(file))
}
